import FoundationEssentials
import HealthPayload
import PayloadDecoder
import ProviderFormats

/// A table of daily numbers as CSV with a head line, read row by row: long, with the columns metric and value, or wide, with
/// one column for each metric.
struct LegacyTable: ~Copyable {
  private static let fixed: Set<String> = ["user_id", "local_date", "metric", "value", "source"]
  /// The file's name, for messages.
  let name: String
  private var reader: LineReader
  private let head: [String]
  /// Metrics of a wide table, each with its column; none of a long one.
  private let metrics: [(name: String, column: Int)]

  /// Opens the file; `-` is standard input.
  ///
  /// - Throws: `data` where the head line does not say what is what.
  init(_ name: String, _ catalogue: Catalogue) throws(Failure) {
    var reader = try LineReader(name)
    let head = try reader.next().map(LegacyTable.head) ?? []
    let place = name == "-" ? "standard input" : name.onOneLine
    let isLong = head.contains("metric") && head.contains("value")
    let metrics: [(name: String, column: Int)] =
      isLong ? [] : zip(head, 0...).filter { !LegacyTable.fixed.contains($0.0) }.map { ($0.0, $0.1) }
    let unknown = metrics.map(\.name).filter { catalogue.metric(named: $0) == nil }
    guard head.contains("user_id"), head.contains("local_date"), isLong || !metrics.isEmpty, unknown.isEmpty else {
      throw Failure(
        code: .data,
        message:
          "\(place): the head line must have user_id, local_date and either metric and value or a column for "
          + "each metric\(LegacyTable.words(about: unknown)). An alias in the query gives a column the catalogue's name"
      )
    }
    guard Set(head).count == head.count else {
      throw Failure(code: .data, message: "\(place): two columns of the head line have one name; which of them counts?")
    }
    self.reader = reader
    self.name = place
    self.head = head
    self.metrics = metrics
  }

  /// The words of the head line, without the mark that some programs put before a text in UTF-8.
  private static func head(_ line: LineReader.Line) -> [String] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = line.bytes.starts(with: mark) ? line.bytes.dropFirst(3) : line.bytes[...]
    return CSVTable.cells(of: Substring(decoding: bytes, as: UTF8.self))
  }

  /// Names the columns that are no metrics. Of a table without a head line they would be somebody's numbers: what does not
  /// look like a name is not repeated.
  private static func words(about unknown: [String]) -> String {
    let names = unknown.filter { name in
      name.first?.isLetter == true && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
    if names.count < unknown.count { return "; what the first line has are no names" }
    return names.isEmpty ? "" : "; no metric is called \(names.joined(separator: ", "))"
  }

  /// A date, or midnight of it as databases write it: of any other time nobody can tell on whose clock it is that day.
  private static func date(_ text: String) -> LocalDate? {
    let clock = text.dropFirst(10)
    let isMidnight = clock.dropFirst().starts(with: "00:00:00") && (clock.first == " " || clock.first == "T")
    let rest = clock.dropFirst(9).drop { $0 == "." || $0 == "0" }
    guard clock.isEmpty || isMidnight && (rest.isEmpty || rest.first == "+" || rest.first == "-" || rest == "Z") else {
      return nil
    }
    return LocalDate(text.prefix(10))
  }

  /// The numbers of the next row; nil at the end.
  ///
  /// - Throws: `data` at a row that cannot be read: a number that was passed over would be a number that is lost.
  mutating func next() throws(Failure) -> [LegacyCell]? {
    guard let line = try reader.next() else { return nil }
    if line.isEmpty { return [] }
    let texts = CSVTable.cells(of: Substring(decoding: line.bytes, as: UTF8.self))
    guard texts.count == head.count else { throw failure(line.number, "has \(texts.count) cells, not \(head.count)") }
    let row = Dictionary(zip(head, texts), uniquingKeysWith: { first, _ in first })
    guard let user = row["user_id"].flatMap(UUID.init(uuidString:)) else {
      throw failure(line.number, "names no user_id")
    }
    guard let date = row["local_date"].flatMap(LegacyTable.date) else {
      throw failure(line.number, "has no local_date such as 2026-03-01, without a time")
    }
    let source = row["source"].flatMap { $0.isEmpty ? nil : $0 }
    let named =
      metrics.isEmpty ? [(row["metric"] ?? "", row["value"] ?? "")] : metrics.map { ($0.name, texts[$0.column]) }
    var cells: [LegacyCell] = []
    for (metric, text) in named {
      let value = try number(text, line.number)
      cells.append(
        LegacyCell(userID: user, localDate: date, metric: metric, value: value, source: source, line: line.number))
    }
    return cells
  }

  private func number(_ text: String, _ line: Int) throws(Failure) -> ExactNumber? {
    if text.isEmpty { return nil }
    guard let number = ExactNumber(text) else { throw failure(line, "has a value that is no number") }
    return number
  }

  private func failure(_ line: Int, _ what: String) -> Failure {
    Failure(code: .data, message: "\(name) line \(line) \(what)")
  }
}
