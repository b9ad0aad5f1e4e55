/// A manual page in the language of man(7).
struct Roff {
  private var lines: [String]

  init(title: String, section: Int, version: String) {
    lines = [
      ".\\\" Made by dailymetricd manual.",
      ".TH \(title) \(section) \"\" \"dailymetricd \(Roff.escaped(version))\" \"\"",
    ]
  }

  /// The page; ends with a line feed.
  var finished: String { lines.joined(separator: "\n") + "\n" }

  mutating func section(_ name: String) { lines.append(".SH \(name)") }

  mutating func subsection(_ name: String) { lines.append(".SS \"\(Roff.quoted(name))\"") }

  /// A term; what it means follows.
  mutating func item(_ term: String) { lines += [".TP", ".B \"\(Roff.quoted(term))\""] }

  /// Paragraphs, told apart by an empty line.
  mutating func text(_ text: String) {
    for (index, paragraph) in text.split(separator: "\n\n").enumerated() {
      if index > 0 { lines.append(".PP") }
      lines += Columns.wrap(String(paragraph.map { $0.isNewline ? " " : $0 }), to: Columns.width - 8).map(Roff.line)
    }
  }

  /// A line that begins with a dot or a quote would be a request.
  private static func line(_ text: String) -> String {
    let text = escaped(text)
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  private static func quoted(_ text: String) -> String { escaped(text).replacing("\"", with: "\\(dq") }

  /// Dashes stay dashes, so that a command can be copied.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
