/// The signs of a text picture.
struct Glyphs: Equatable {
  let value: Character
  let partial: Character
  let zero: Character
  let unknown: Character
  let axis: Character
  let tick: Character
  let corner: Character
  let floor: Character
  let dayTick: Character
  /// Points to what lies before the earliest day.
  let before: Character
  /// Whether lines are drawn in dots of a quarter of a character; otherwise in these two signs.
  let hasBraille: Bool
  let solid: Character
  let dashed: Character

  static let unicode = Glyphs(
    value: "●", partial: "○", zero: "◆", unknown: "░", axis: "│", tick: "┤", corner: "└", floor: "─", dayTick: "┬",
    before: "◀",
    hasBraille: true, solid: "⠒", dashed: "⠂")
  static let ascii = Glyphs(
    value: "*", partial: "o", zero: "0", unknown: ":", axis: "|", tick: "+", corner: "+", floor: "-", dayTick: "+",
    before: "<",
    hasBraille: false, solid: ".", dashed: "-")
}

/// A field of characters. Lines are drawn in dots, two across and four down in each character.
/// Marks cover lines, and lines cover bands.
struct TextCanvas {
  let columns: Int
  let rows: Int
  private var dots: [UInt8]
  private var isDashed: [Bool]
  private var marks: [Character?]
  private var ground: [Character]
  private let glyphs: Glyphs

  init(columns: Int, rows: Int, glyphs: Glyphs) {
    (self.columns, self.rows, self.glyphs) = (columns, rows, glyphs)
    dots = Array(repeating: 0, count: columns * rows)
    isDashed = Array(repeating: false, count: columns * rows)
    marks = Array(repeating: nil, count: columns * rows)
    ground = Array(repeating: " ", count: columns)
  }

  mutating func mark(column: Int, row: Int, _ sign: Character) {
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    marks[row * columns + column] = sign
  }

  /// Fills a column from top to bottom.
  mutating func fill(column: Int, _ sign: Character) { ground[column] = sign }

  mutating func dot(x: Int, y: Int, dashed: Bool = false) {
    let (column, row) = (x / 2, y / 4)
    guard x >= 0, y >= 0, column < columns, row < rows else { return }
    // The bits of a braille character: 1 2 3 7 down the left side, 4 5 6 8 down the right.
    let bit: UInt8 = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]][x % 2][y % 4]
    dots[row * columns + column] |= bit
    isDashed[row * columns + column] = dashed
  }

  mutating func line(from: (x: Int, y: Int), to: (x: Int, y: Int), dashed: Bool) {
    let steps = max(abs(to.x - from.x), abs(to.y - from.y), 1)
    for step in 0...steps {
      // Three dots, three blanks.
      if dashed, step / 3 % 2 == 1 { continue }
      let share = Double(step) / Double(steps)
      let x = Double(from.x) + share * Double(to.x - from.x)
      let y = Double(from.y) + share * Double(to.y - from.y)
      dot(x: Int(x.rounded()), y: Int(y.rounded()), dashed: dashed)
    }
  }

  /// One row as text.
  func text(row: Int) -> String {
    String((0..<columns).map { sign(at: row * columns + $0) })
  }

  private func sign(at place: Int) -> Character {
    if let mark = marks[place] { return mark }
    guard dots[place] != 0 else { return ground[place % columns] }
    guard glyphs.hasBraille, let scalar = UnicodeScalar(0x2800 + UInt32(dots[place])) else {
      return isDashed[place] ? glyphs.dashed : glyphs.solid
    }
    return Character(scalar)
  }
}
