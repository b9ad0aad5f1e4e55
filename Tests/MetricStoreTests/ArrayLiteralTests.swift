import Testing

@testable import MetricStore

@Suite struct ArrayLiteralTests {
  /// "é" as one scalar and as a letter with an accent on it, which Swift takes for equal.
  private static let composed = "\u{e9}"
  private static let decomposed = "e\u{301}"

  @Test func `names that are equal to Swift alone keep their own bytes`() {
    var literals = ArrayLiterals()
    #expect(Self.composed == Self.decomposed)
    #expect(Array(literals.literal([Self.composed]).utf8) == Array("{\"\u{e9}\"}".utf8))
    #expect(Array(literals.literal([Self.decomposed]).utf8) == Array("{\"e\u{301}\"}".utf8))
  }

  @Test(arguments: [
    ([], "{}"), ([""], "{\"\"}"), (["a", "b,c"], "{\"a\",\"b,c\"}"), (["\\", "\""], "{\"\\\\\",\"\\\"\"}"),
    (["\"\u{301}"], "{\"\\\"\u{301}\"}"),
  ])
  func `a list is written as PostgreSQL reads it`(_ texts: [String], _ literal: String) {
    var literals = ArrayLiterals()
    _ = literals.literal(["another"])
    #expect(Array(literals.literal(texts).utf8) == Array(literal.utf8))
    #expect(Array(literals.literal(texts).utf8) == Array(literal.utf8))
  }
}
