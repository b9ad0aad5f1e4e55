import AppleExport
import HealthPayload
import ProviderFormats

/// The documents of an export of Apple Health: one XML file, cut into documents of bounded size while it is read.
struct ExportLines: ~Copyable {
  /// The format whose files are XML.
  static let format = "apple_export"

  private static let bytesBetweenReports = 100 << 20
  private let name: String
  private let splitter: ExportSplitter
  private var reader: ChunkReader
  private var ready: ArraySlice<[UInt8]> = []
  private var number = 0
  private var isAtEnd = false
  private var isReported = false
  private var reportAt = ExportLines.bytesBetweenReports

  /// Opens the file; `-` is standard input.
  init(_ name: String) throws(Failure) {
    let reader = try ChunkReader(name)
    let shapes = try Formats.load().format(named: ExportLines.format)?.declaration.shapes
    guard let types = shapes?.map(\.name) else {
      throw Failure(code: .internalError, message: "This build has no format \(ExportLines.format).")
    }
    let splitter: ExportSplitter
    do throws(ExportError) { splitter = try ExportSplitter(types: Set(types)) } catch {
      throw Failure(code: .internalError, message: error.message)
    }
    self.name = name
    self.reader = reader
    self.splitter = splitter
  }

  /// The next document, as a line of its own; nil at the end, after saying what was passed over.
  mutating func next() throws(Failure) -> LineReader.Line? {
    while ready.isEmpty {
      guard !isAtEnd else {
        if !isReported { report("read to the end") }
        isReported = true
        return nil
      }
      let bytes = try reader.next()
      do throws(ExportError) { try split(bytes) } catch {
        throw Failure(code: .data, message: "\(name.onOneLine): \(error.message)")
      }
      guard reader.count >= reportAt else { continue }
      reportAt += ExportLines.bytesBetweenReports
      report("read")
    }
    number += 1
    return ready.popFirst().map { LineReader.Line(number: number, bytes: $0) }
  }

  private mutating func split(_ bytes: [UInt8]) throws(ExportError) {
    isAtEnd = bytes.isEmpty
    if isAtEnd { ready = try splitter.finish().map { [$0] } ?? [] } else { ready = try splitter.feed(bytes)[...] }
  }

  private mutating func report(_ word: String) {
    let megabytes = Text.number(reader.count >> 20)
    Terminal.complain("\(name.onOneLine): \(megabytes) MiB \(word), \(Text.count(splitter.taken, "element"))")
    guard isAtEnd else { return }
    for (type, count) in splitter.passedOver.sorted(by: { $0.value > $1.value }) {
      Terminal.complain("not taken: \(Text.number(count)) of \(type.onOneLine)")
    }
  }
}
