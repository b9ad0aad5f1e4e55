import Foundation
import HealthPayload
import PayloadDecoder
import ProviderFormats
import Testing

/// A delivery, and what its format has to make of it. See `fixtures/README.md`.
struct Fixture: Sendable, CustomTestStringConvertible {
  /// The format, which is the folder's name.
  let format: String
  let name: String
  let delivery: Data
  let says: [String]
  let refused: [String]
  let dead: String?

  var testDescription: String { "\(format)/\(name)" }

  static let all: [Fixture] = {
    do { return try load() } catch { fatalError("The fixtures cannot be read: \(error)") }
  }()

  private static func load() throws -> [Fixture] {
    let root = repository.appending(path: "Tests/ProviderFormatsTests/fixtures")
    let files = FileManager.default
    return try files.contentsOfDirectory(atPath: root.path).sorted().filter { !$0.contains(".") }.flatMap { format in
      try files.contentsOfDirectory(atPath: root.appending(path: format).path).sorted().filter { $0.hasSuffix(".json") }
        .map { try Fixture(format, root.appending(path: format).appending(path: $0)) }
    }
  }

  private init(_ format: String, _ file: URL) throws {
    self.format = format
    name = file.deletingPathExtension().lastPathComponent
    guard let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any],
      let delivery = object["delivery"]
    else { throw CocoaError(.propertyListReadCorrupt) }
    self.delivery = try JSONSerialization.data(withJSONObject: delivery, options: [.sortedKeys])
    says = object["says"] as? [String] ?? []
    refused = object["refused"] as? [String] ?? []
    dead = object["dead"] as? String
  }
}

let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A decoder that takes all formats of the build.
let decoder: PayloadDecoder = {
  do {
    func file(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: repository.appending(path: path))) }
    let catalogue = try Catalogue(metricsCSV: file("catalogue/metrics.csv"), unitsCSV: file("catalogue/units.csv"))
    return PayloadDecoder(catalogue: catalogue, translator: try FormatCatalogue.builtIn())
  } catch {
    fatalError("The catalogue cannot be read: \(error)")
  }
}()

/// What the boundary makes of a delivery, on 2026-11-30.
func decode(_ delivery: Data) -> DecodeResult {
  decoder.decode(Array(delivery), queueUser: nil, arrivedAt: Instant(microseconds: 1_796_040_000_000_000))
}

extension DecodedPayload {
  /// What it says, a line for each statement, in alphabetical order.
  var lines: [String] {
    let read =
      payload.origin.store.isEmpty ? payload.origin.platform : "\(payload.origin.platform):\(payload.origin.store)"
    return ["origin \(read)"]
      + (payload.days.map(\.line) + payload.records.map(\.line) + payload.deletions.map(\.line)
      + payload.presence.map(\.line)
      + payload.looked.map { "looked \($0.metric ?? "all") \($0.from)..\($0.to)" }
      + payload.permissions.map { "permission \($0.metric ?? "all") \($0.state.rawValue)" }
      + payload.timeZones.map { "zone \($0.iana)" } + payload.readable.map { "readable \($0)" }
      + payload.windows.map { "window \($0.metric ?? "all") \($0.boundary)" } + notBelieved).sorted()
  }

  /// Numbers that a platform makes up for bodies that it has never seen.
  private var notBelieved: [String] {
    days.filter { $0.code == "derived_default" }.map { day in
      let metric = decoder.catalogue.metrics.first { $0.id == day.metric }
      return "not believed \(day.localDate) \(metric?.name ?? "")"
    }
  }
}

extension DayEntry {
  fileprivate var line: String {
    let what =
      switch outcome {
      case .value(let number, let unit): "value \(number) \(unit ?? "")"
      case .empty: "empty"
      case .failed(let code): "failed \(code ?? "")"
      case .denied(let code): "denied \(code ?? "")"
      case .unavailable(let code): "unavailable \(code ?? "")"
      }
    return joined(
      ["day", "\(localDate)", metric, what] + sources.map { "[\($0)]" } + [complete.map { "complete=\($0)" }])
  }
}

extension RecordEntry {
  fileprivate var line: String {
    joined([
      "record", recordID, "\(localDate)", metric, value.map { "\($0)" }, unit, source.map { "[\($0)]" },
      start.map { "\($0)" }, end.map { "\($0)" }, entry == .manual ? "manual" : nil,
    ])
  }
}

extension Deletion {
  fileprivate var line: String {
    switch target {
    case .record(let id): joined(["delete", id, kind])
    case .interval(let metric, let start, let end): joined(["delete", metric, "\(start)", "\(end)", kind])
    }
  }
}

extension Presence {
  fileprivate var line: String {
    joined(["presence", "\(localDate)", kind.rawValue, "[\(source)]", minutes.map { "\($0) min" }])
  }
}

private func joined(_ words: [String?]) -> String {
  words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
}
