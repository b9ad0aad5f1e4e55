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
  ]

  /// - Throws: `schema` if a line has more or fewer cells than the head line.
  init(_ file: EmbeddedFile) throws(StoreError) {
    let lines = file.text.split(whereSeparator: \.isNewline).map(Self.cells)
    guard let width = lines.first?.count else { throw StoreError(.schema, "\(file.name) is empty.") }
    var columns = [[String]](repeating: [], count: width)
    for (number, cells) in lines.enumerated().dropFirst() {
      guard cells.count == width else {
        throw StoreError(.schema, "\(file.name), line \(number + 1): \(cells.count) cells instead of \(width).")
      }
      for (index, cell) in cells.enumerated() { columns[index].append(cell) }
    }
    self.columns = columns
  }

  /// The cells of a line; a quoted cell may hold commas and doubled quotes.
  private static func cells(of line: Substring) -> [String] {
    var cells = [""]
    var isQuoted = false
    var quoteBefore = false
    for character in line {
      if character == "\"" {
        if quoteBefore { cells[cells.count - 1].append(character) }
        quoteBefore = isQuoted && !quoteBefore
        isQuoted.toggle()
        continue
      }
      quoteBefore = false
      if character == ",", !isQuoted { cells.append("") } else { cells[cells.count - 1].append(character) }
    }
    return cells
  }
}
