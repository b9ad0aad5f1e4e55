/// What the tests of this folder look for in a Swift file, line by line. Good enough for files that the formatter laid
/// out: one statement a line, comments with `//`.
enum Findings {
  /// The modules that a file imports, however the line is spelled: with an access level, an attribute, or for one
  /// declaration (`import struct Foundation.Date`).
  static func imports(in text: String) -> [String] {
    let spelling =
      #/
      ^\s* (?:@\w+(?:\([^)]*\))?\s+)* (?:[a-z]+\s+)? import\s+
      (?:(?:struct|class|enum|protocol|typealias|func|var|let)\s+)? (\w+)
      /#
    return code(of: text).compactMap { $0.prefixMatch(of: spelling).map { String($0.1) } }
  }

  /// Lines that hold a statement of SQL, in capitals or not.
  static func sql(in text: String) -> [String] {
    let statement =
      #/
      \b(?: insert\s+into\s+[\w"\\] | delete\s+from\s+[\w"\\] | update\s+[\w."]+\s+set\b | select\b.+\bfrom\b
      | left\s+join\b | on\s+conflict\b
      | (?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:table|schema|index|function|view|type|role|extension)\b )
      /#.ignoresCase()
    return code(of: text).filter { $0.contains(statement) }
  }

  /// Lines with a word that only SQL writes in capitals: what a room that knows no SQL has no use for.
  static func sqlWords(in text: String) -> [String] {
    let word = #/\b(?:SELECT|INSERT INTO|UPDATE|DELETE|WHERE|JOIN|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|TRUNCATE)\b/#
    return code(of: text).filter { $0.contains(word) }
  }

  /// Lines that read JSON or a property list with Foundation.
  static func foundationDecoders(in text: String) -> [String] {
    let decoder = #/\b(?:JSONDecoder|JSONSerialization|PropertyListDecoder|PropertyListSerialization)\b/#
    return code(of: text).filter { $0.contains(decoder) }
  }

  /// Lines that put a number where a value is missing: `?? 0`, `?? -1.5`, `?? .zero`, `?? Decimal(0)`.
  static func defaultNumbers(in text: String) -> [String] {
    let number = #/\?\?\s*(?:[-+]?\.?\d|(?:[A-Z]\w*)?\.zero\b|[A-Z]\w*\(\s*[-+]?\d)/#
    return code(of: text).filter { $0.contains(number) }
  }

  /// The lines without comments. A `//` that follows a colon stays: it is a link inside a string.
  private static func code(of text: String) -> [String] {
    text.split(separator: "\n").map { line in
      guard let comment = line.firstMatch(of: #/(?:^|[^:])\/\//#) else { return String(line) }
      return String(line[..<comment.range.lowerBound])
    }
  }
}
