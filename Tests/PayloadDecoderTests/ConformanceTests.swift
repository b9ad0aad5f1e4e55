import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// Each kind of input of the public JSON test suites, with the outcome that was decided for it.
@Suite struct ConformanceTests {
  /// Texts that are JSON, whatever stands in them.
  static let valid = [
    "[]", "[[]   ]", "[\"\"]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]",
    "[1,null,null,null,2]",
    "[2] ", "[0]", "[-0]", "[-0.0]", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-1]", "[-123]", "[1E22]", "[1E-2]",
    "[1E+2]",
    "[123e45]", "[123.456e78]", "[1e-2]", "[1e+2]", "[123]", "[123.456789]",
    "[-0.000000000000000000000000000000000001]",
    "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"asd\":\"sdf\"}", "{}", "{\"\":0}", "{\"foo\\u0000bar\": 42}",
    "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\"title\":\"\\u041f\\u043e\\u043b\" }", "{\n\"a\": \"b\"\n}",
    "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
    "[\"\\\\u0000\"]", "[\"\\\"\"]", "[\"a/*b*/c/*d//e\"]", "[\"\\\\a\"]", "[\"\\\\n\"]", "[\"\\u0012\"]",
    "[\"\\uFFFF\"]",
    "[\"asd\"]", "[ \"asd\"]", "[\"\\uDBFF\\uDFFF\"]", "[\"new\\u00A0line\"]", "[\"\u{10FFFF}\"]", "[\"\u{FFFF}\"]",
    "[\"\\u0000\"]", "[\"\\u002c\"]", "[\"π\"]", "[\"\u{1BFFF}\"]", "\" \"", "[\"\u{2028}\"]", "[\"\u{2029}\"]",
    "[\"\u{7F}\"]",
    "false", "42", "-0.1", "null", "\"asd\"", "true", "\"\"", "[\"a\"]\n", "[true]", " [] ", "[\"€𝄞\"]", "[\"⍂㈴⍂\"]",
    "[\"\\u0821\"]", "[\"\\u0123\"]", "[\"\\u200B\"]", "[\"\\u2064\"]", "[\"\\uFDD0\"]", "[\"\\u0022\"]", "\t[1]\r\n",
    "[1.7976931348623157e308]", "[4503599627370496]", "[\"a\u{FEFF}b\"]", "[1, [2, [3, [4]]]]",
  ]

  /// Texts that are no JSON.
  static let invalid = [
    "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x", "[3[4]]",
    "[1:2]",
    "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]", "[1,\n1\n,1", "[\"\u{B}a\"\\f]", "[*]", "[\"\"", "[1,",
    "[{}",
    "[fals]", "[nul]", "[tru]", "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]",
    "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]",
    "[2.e3]",
    "[9.e+]", "[Inf]", "[NaN]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]", "[-123.123foo]", "[-Infinity]",
    "[-foo]",
    "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]",
    "[١]",
    "[\"x\", truth]", "{[: \"x\"}", "{\"x\", null}", "{\"x\"::\"b\"}", "{🇨🇭}", "{\"a\":\"a\" 123}", "{key: 'value'}",
    "{\"a\" b}",
    "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
    "{\"id\":0,,,,,}",
    "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}//", "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}",
    "{\"a\":\"a",
    "{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#", " ", "", "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]",
    "[\"\\uD800\\u1\"]",
    "[\"\\uD800\\u1x\"]", "[é]", "[\"\\\u{0}\"]", "[\"\\\\\\\"]", "[\"\\x00\"]", "[\"\\\t\"]", "[\"\\🌀\"]", "[\"\\\"]",
    "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]", "[\"\\a\"]", "[\"\\uqqqq\"]", "[\\u0020\"asd\"]", "[\\n]", "\"",
    "['single quote']",
    "abc", "[\"\\", "[\"a\u{0}a\"]", "[\"new\nline\"]", "[\"\t\"]", "\"\\UA66D\"", "<.>", "[<null>]", "[1]x", "[1]]",
    "[\"asd]", "aå", "[True]", "1]", "{\"x\": true,", "[][]", "]", "{}}", "{\"\":", "{\"a\":/*comment*/\"b\"}",
    "{\"a\": true} \"x\"",
    "['", "[\"a", "[\"a\"", "{", "{\"a", "{\"a\": 1", "{]", "[}", "{,", "{[", "*", "{\"a\":\"b\"}#{}", "[\u{2060}]",
    "[\u{C}]",
    "\u{FEFF}[]", "\u{FEFF}", "[\u{A0}1]", "[1\u{0}]", "tru", "truee", "nulll", "\u{0}", "{\"a\":1;}", "{\"a\"=1}",
    "--1", "'a'",
  ]

  @Test(arguments: valid)
  func `JSON is read to its end`(_ text: String) throws {
    #expect(try syntax(Array(text.utf8)) == nil)
    #expect(isJSON(text), "Foundation disagrees")
  }

  @Test(arguments: invalid)
  func `what is no JSON is refused at a byte of the text`(_ text: String) throws {
    let offset = try #require(try syntax(Array(text.utf8)))
    #expect((0...text.utf8.count).contains(offset))
    // Foundation takes byte order marks and commas before a closing bracket.
    let isLenient = text.hasPrefix("\u{FEFF}") || ["[\"\",]", "[1,]", "{\"id\":0,}"].contains(text)
    #expect(!isJSON(text) || isLenient, "Foundation disagrees")
  }

  @Test(
    arguments: [
      [0xFF], [0x5B, 0x22, 0xFF, 0x22, 0x5D], [0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D],
      [0x5B, 0x22, 0xE6, 0x97, 0x22, 0x5D],
      [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], [0x5B, 0x22, 0xF4, 0xBF, 0xBF, 0xBF, 0x22, 0x5D],
      [0x5B, 0x22, 0x81, 0x22, 0x5D],
      [0x5B, 0x22, 0xFC, 0x80, 0x80, 0x80, 0x80, 0x80, 0x22, 0x5D], [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00],
      [0x00, 0x5B, 0x00, 0x5D],
      [0x5B, 0x22, 0xE0, 0xFF, 0x22, 0x5D], [0x5B, 0x22, 0xE9, 0x22, 0x5D], [0x5B, 0xFF, 0x5D],
      [0x5B, 0x31, 0xE5, 0x5D],
      [0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
    ] as [[UInt8]])
  func `bytes that are no UTF-8, other encodings and byte order marks are no JSON`(_ bytes: [UInt8]) throws {
    #expect(try syntax(bytes) != nil)
  }

  @Test func `the offset is that of the first byte that does not fit`() throws {
    let broken = [
      ("{\"a\": tru}", 9), ("\u{FEFF}{}", 0), ("{} x", 3), ("[1,]", 3), ("", 0), ("[\"\n\"]", 2), ("[01]", 2),
    ]
    for (text, offset) in broken { #expect(try syntax(Array(text.utf8)) == offset, "\(text)") }
    #expect(try syntax([0x5B, 0x22, 0x61, 0xFF, 0x22, 0x5D]) == 3)
  }

  @Test func `nesting beyond any limit is refused without exhausting the stack`() throws {
    let levels = 100_000
    let arrays = String(repeating: "[", count: levels)
    #expect(try fault(of: arrays)?.code == .notAnObject)
    #expect(try fault(of: String(repeating: "{\"\":", count: levels))?.code == .tooLarge)
    let nested = Sample(["x": arrays + String(repeating: "]", count: levels)]).text
    #expect(try fault(of: nested, limits: DecoderLimits(depth: .max))?.code == .tooLarge)
  }

  /// What implementations decide for themselves: here each is decided.
  @Test func `texts of the grey zone have a decided outcome`() throws {
    // Halves of surrogate pairs are JSON, but no text: nothing that is stored may hold one.
    for half in [#"\uDADA"#, #"\ud800"#, #"\udd1e\ud834"#, #"\uD888\u1234"#, #"\ud800\ud800"#, #"\uDFAA"#, #"\u0000"#] {
      let entry = day("steps", "2026-11-28", value: "1", ",\"sources\":[\"x\(half)\"]")
      #expect(try quarantined(in: Sample.days(entry)) == ["invalid_field /days/0/sources/0"])
      #expect(try quarantined(in: Sample.days(day("steps", "2026-11-28", value: "1", ",\"mood\":\"\(half)\""))).isEmpty)
      #expect(
        try fault(of: Sample(["origin": "{\"platform\":\"oura\",\"store\":\"\(half)\"}"]).text)?.pointer
          == "/origin/store")
    }
    // Numbers of any size are JSON; as a value they are exact or refused.
    for number in [
      "1e9999", "-1e+9999", "123123e100000", "0.4e00669999999999999999999999999999999999999999999969999999006",
    ] {
      #expect(
        try quarantined(in: Sample.days(day("steps", "2026-11-28", value: number))) == ["not_a_number /days/0/value"])
    }
    let precise = "12345678901234567890.12345678901234567"
    #expect(
      try quarantined(in: Sample.days(day("steps", "2026-11-28", value: precise))) == ["out_of_range /days/0/value"])
    #expect(
      try decoded(Sample.days(day("steps", "2026-11-28", value: "0.1000000000000000055"))).days[0].value?.text
        == "0.1000000000000000055")
    #expect(try decoded(Sample.days(day("steps", "2026-11-28", value: "1e-10"))).days[0].value?.text == "0.0000000001")
  }

  /// Where the text breaks the grammar; nil if it is JSON.
  private func syntax(_ bytes: [UInt8]) throws -> Int? {
    guard case .dead(let fault) = try decoder().decode(bytes, queueUser: nil, arrivedAt: arrival()),
      fault.code == .notJSON
    else { return nil }
    let offset: Int = try #require(fault.byteOffset)
    return offset
  }

  private func isJSON(_ text: String) -> Bool {
    do {
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      return true
    } catch {
      return false
    }
  }
}
