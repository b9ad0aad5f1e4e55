/// A file of comma-separated values with a head line. Cells may be quoted, with doubled quotes for quotes inside them, but
/// hold no line breaks.
public struct CSVTable: Sendable {
  /// The words of the head line.
  public let head: [String]
  /// The lines below the head line.
  public let rows: [CSVRow]

  /// The table that a file holds.
  ///
  /// - Throws: If it is not UTF-8, is empty, or a line has more or fewer cells than the head line.
  public init(_ bytes: [UInt8], name: String) throws(CatalogueError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CatalogueError("\(name) is not UTF-8; save it as UTF-8.")
    }
    let lines = text.split(whereSeparator: \.isNewline).map(CSVTable.cells(of:))
    guard let head = lines.first else { throw CatalogueError("\(name) is empty; give it at least a head line.") }
    let places = Dictionary(zip(head, head.indices), uniquingKeysWith: { first, _ in first })
    var rows: [CSVRow] = []
    for (number, cells) in zip(2..., lines.dropFirst()) {
      guard cells.count == head.count else {
        throw CatalogueError("\(name) line \(number) has \(cells.count) cells instead of \(head.count).")
      }
      rows.append(CSVRow(place: "\(name) line \(number)", cells: cells, places: places))
    }
    self.head = head
    self.rows = rows
  }

  /// The cells below each word of the head line.
  public var columns: [[String]] { head.indices.map { index in rows.map { $0.cells[index] } } }

  /// The cells of one line.
  public static func cells(of line: Substring) -> [String] {
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

/// One line of a table.
public struct CSVRow: Sendable {
  /// File and line, for what is said about it.
  public let place: String
  /// The cells in the order of the file.
  public let cells: [String]
  fileprivate let places: [String: Int]

  /// The cell below a word of the head line.
  ///
  /// - Throws: If the head line has no such word.
  public subscript(column: String) -> String {
    get throws(CatalogueError) {
      guard let place = places[column] else { throw CatalogueError("\(self.place) has no column \(column); add it.") }
      return cells[place]
    }
  }
}
