internal import PayloadDecoder

/// A CSV file of catalogue/, column by column.
struct CatalogueFile {
  /// The cells below each word of the head line.
  let columns: [[String]]

  /// The files in the order in which they refer to each other, with the statement that takes their columns.
  static let statements: [(name: String, statement: String)] = [
    ("catalogue/metrics.csv", Statements.shipMetrics),
    ("catalogue/units.csv", Statements.shipUnits),
    ("catalogue/reasons.csv", Statements.shipReasons),
    ("catalogue/platforms.csv", Statements.shipPlatforms),
    ("catalogue/platform_errors.csv", Statements.shipPlatformErrors),
    ("catalogue/formats.csv", Statements.shipFormats),
  ]

  /// - Throws: `schema` if the file is no table.
  init(_ file: EmbeddedFile) throws(StoreError) {
    do throws(CatalogueError) {
      columns = try CSVTable(file.bytes, name: file.name).columns
    } catch {
      throw StoreError(.schema, error.description)
    }
  }
}
