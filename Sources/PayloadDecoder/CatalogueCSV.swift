import HealthPayload

extension Catalogue {
  /// The catalogue of the files metrics.csv and units.csv. Ids of metrics are their line numbers, from 1.
  public init(
    metricsCSV: [UInt8], unitsCSV: [UInt8], platforms: [PlatformRow] = PlatformRow.known
  ) throws(CatalogueError) {
    var metrics: [MetricRow] = []
    for (index, row) in try Table(metricsCSV, name: "metrics.csv").rows.enumerated() {
      metrics.append(try MetricRow(row, id: Int16(index + 1)))
    }
    var units: [UnitRow] = []
    for row in try Table(unitsCSV, name: "units.csv").rows { units.append(try UnitRow(row)) }
    try self.init(metrics: metrics, units: units, platforms: platforms)
  }
}

extension MetricRow {
  fileprivate init(_ row: Row, id: Int16) throws(CatalogueError) {
    self.init(
      id: id, name: try row["metric"], unit: try row["unit"],
      aggregation: try row.word("aggregation", as: Aggregation.self),
      zeroPolicy: try row.word("zero_policy", as: ZeroPolicy.self),
      low: try row.number("low"), high: try row.number("high"), needsSource: try row["needs_source"] == "t")
  }
}

extension UnitRow {
  fileprivate init(_ row: Row) throws(CatalogueError) {
    self.init(
      unit: try row["unit"], fromUnit: try row["from_unit"], factor: try row.number("factor"),
      offset: try row.number("offset"))
  }
}

/// One row of a file, by the names of its columns.
private struct Row {
  let place: String
  let cells: [String: String]

  subscript(column: String) -> String {
    get throws(CatalogueError) {
      guard let cell = cells[column] else { throw CatalogueError("\(place) has no column \(column); add it.") }
      return cell
    }
  }

  func number(_ column: String) throws(CatalogueError) -> ExactNumber {
    guard let number = ExactNumber(try self[column]) else {
      throw CatalogueError("\(place): \(column) is no number; write a plain decimal.")
    }
    return number
  }

  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ column: String, as type: Word.Type
  ) throws(CatalogueError) -> Word {
    guard let word = Word(rawValue: try self[column]) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw CatalogueError("\(place): \(column) is none of \(words).")
    }
    return word
  }
}

/// A file of comma-separated values with a head line. Cells may be quoted, but hold no line breaks.
private struct Table {
  private(set) var rows: [Row] = []

  init(_ bytes: [UInt8], name: String) throws(CatalogueError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CatalogueError("\(name) is not UTF-8; save it as UTF-8.")
    }
    var head: [String] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      let cells = Table.cells(line)
      if index == 0 {
        head = cells
      } else if cells.count == head.count {
        let pairs = zip(head, cells)
        rows.append(
          Row(place: "\(name) line \(index + 1)", cells: Dictionary(pairs, uniquingKeysWith: { first, _ in first })))
      } else {
        throw CatalogueError("\(name) line \(index + 1) has \(cells.count) cells instead of \(head.count).")
      }
    }
  }

  private static func cells(_ line: Substring) -> [String] {
    var cells = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells
  }
}
