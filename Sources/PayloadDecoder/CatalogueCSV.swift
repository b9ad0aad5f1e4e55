import HealthPayload

extension Catalogue {
  /// The catalogue of the files metrics.csv and units.csv. Ids of metrics are their line numbers, from 1.
  public init(
    metricsCSV: [UInt8], unitsCSV: [UInt8], platforms: [PlatformRow] = PlatformRow.known
  ) throws(CatalogueError) {
    var metrics: [MetricRow] = []
    for (index, row) in try CSVTable(metricsCSV, name: "metrics.csv").rows.enumerated() {
      metrics.append(try MetricRow(row, id: Int16(index + 1)))
    }
    var units: [UnitRow] = []
    for row in try CSVTable(unitsCSV, name: "units.csv").rows { units.append(try UnitRow(row)) }
    try self.init(metrics: metrics, units: units, platforms: platforms)
  }
}

extension MetricRow {
  fileprivate init(_ row: CSVRow, id: Int16) throws(CatalogueError) {
    self.init(
      id: id, name: try row["metric"], unit: try row["unit"],
      aggregation: try row.word("aggregation", as: Aggregation.self),
      zeroPolicy: try row.word("zero_policy", as: ZeroPolicy.self),
      low: try row.number("low"), high: try row.number("high"), needsSource: try row["needs_source"] == "t")
  }
}

extension UnitRow {
  fileprivate init(_ row: CSVRow) throws(CatalogueError) {
    self.init(
      unit: try row["unit"], fromUnit: try row["from_unit"], factor: try row.number("factor"),
      offset: try row.number("offset"))
  }
}

extension CSVRow {
  fileprivate func number(_ column: String) throws(CatalogueError) -> ExactNumber {
    guard let number = ExactNumber(try self[column]) else {
      throw CatalogueError("\(place): \(column) is no number; write a plain decimal.")
    }
    return number
  }

  fileprivate func word<Word: RawRepresentable<String> & CaseIterable>(
    _ column: String, as type: Word.Type
  ) throws(CatalogueError) -> Word {
    guard let word = Word(rawValue: try self[column]) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw CatalogueError("\(place): \(column) is none of \(words).")
    }
    return word
  }
}
