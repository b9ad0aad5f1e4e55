/// Text arrays as PostgreSQL writes them; arrays of unequal length cannot travel inside an array.
///
/// Neighbours mostly have the same list, so the last one is kept.
struct ArrayLiterals {
  private var last: (texts: [String], literal: String) = ([], "{}")

  mutating func literal(_ texts: [String]) -> String {
    // Byte by byte: two ways to write an accent are one String to Swift, and two sources to PostgreSQL.
    if !texts.elementsEqual(last.texts, by: { $0.utf8.elementsEqual($1.utf8) }) {
      last = (texts, Self.literal(of: texts))
    }
    return last.literal
  }

  private static func literal(of texts: [String]) -> String {
    // By scalar: as a Character, a quotation mark with an accent on it is no quotation mark, and would go unescaped.
    var literal = String.UnicodeScalarView()
    literal.append("{")
    for (index, text) in texts.enumerated() {
      literal.append(contentsOf: index > 0 ? ",\"".unicodeScalars : "\"".unicodeScalars)
      for scalar in text.unicodeScalars {
        if scalar == "\\" || scalar == "\"" { literal.append("\\") }
        literal.append(scalar)
      }
      literal.append("\"")
    }
    literal.append("}")
    return String(literal)
  }
}
