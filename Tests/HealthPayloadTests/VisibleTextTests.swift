import HealthPayload
import Testing

@Suite struct VisibleTextTests {
  /// Of each kind the first and the last.
  private static let commands: [Unicode.Scalar] = [
    "\0", "\u{7}", "\n", "\r", "\u{1B}", "\u{1F}", "\u{7F}", "\u{80}", "\u{9B}", "\u{9F}", "\u{61C}", "\u{200E}",
    "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
  ]

  @Test(arguments: commands)
  func `a command is written out, left out, or written as in JSON`(_ command: Unicode.Scalar) {
    let code = String(command.value, radix: 16)
    #expect("a\(command)b".onOneLine == "a\\u{\(code)}b")
    #expect("a\(command)b".withoutCommands == "ab")
    let padded = String(repeating: "0", count: 4 - code.count) + code
    #expect("a\(command)b".inVisibleJSON == "a\\u\(padded)b")
  }

  @Test(arguments: [" ", "~", "\u{A0}", "é", "ש", "\u{200D}", "\u{2027}", "\u{202F}", "\u{2065}", "\u{206A}", "👩‍🚀"])
  func `a sign stays what it is`(_ text: String) {
    for shown in [text.onOneLine, text.inVisibleLines, text.withoutCommands, text.inVisibleJSON] {
      #expect(Array(shown.utf8) == Array(text.utf8))
    }
  }

  @Test func `what is called plain holds no command`() {
    #expect(" {\"a\": 1}~".isPlain)
    for text in ["\u{1b}", "a\n", "\u{7f}", "\u{9b}", "é", "\u{202e}"] { #expect(!text.isPlain) }
  }

  @Test func `only one's own lines keep line feeds, and no return writes over one`() {
    #expect("a\n\tb\r\nc".inVisibleLines == "a\n\tb\\u{d}\nc")
    #expect("a\n\tb\r\nc".onOneLine == "a\\u{a}\\u{9}b\\u{d}\\u{a}c")
  }
}
