import Foundation
import HealthPayload
import Testing

@Suite struct NumberTests {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-0.000e7", "0"), ("0e999999999999999999999", "0"), ("12", "12"), ("-12.50", "-12.5"),
    ("1e3", "1000"), ("1.5E+2", "150"), ("15e-1", "1.5"), ("15e-5", "0.00015"), ("0.10", "0.1"), ("100.00", "100"),
    ("1000e-3", "1"), ("1200e-4", "0.12"), ("9007199254740993", "9007199254740993"), ("0.1e1", "1"),
    ("1e39", "1" + String(repeating: "0", count: 39)),
  ])
  func `a number is kept exactly, in one notation`(_ written: String, _ kept: String) {
    #expect(ExactNumber(written)?.text == kept)
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x10", "NaN", "Infinity", "1 ", " 1", "1,5", "١", "1e40",
    "1e-40",
    "1e999999999999999999999", "1e-999999999999999999999", String(repeating: "1", count: 41), "--1", "1.2.3", "1e2e3",
  ])
  func `what is no number, or has too many digits, is nil`(_ text: String) {
    #expect(ExactNumber(text) == nil)
  }

  @Test func `what a framework could not compute is no number`() {
    #expect(ExactNumber(Double.nan) == nil)
    #expect(ExactNumber(Double.infinity) == nil)
    #expect(ExactNumber(-Double.infinity) == nil)
    #expect(ExactNumber(Decimal.nan) == nil)
    #expect(ExactNumber(0.1)?.text == "0.1")
    #expect(ExactNumber(-0.0)?.text == "0")
    #expect(ExactNumber(1e21)?.text == "1" + String(repeating: "0", count: 21))
    #expect(ExactNumber(8123).text == "8123")
  }

  @Test func `numbers are ordered as their decimals are`() throws {
    let texts = [
      "-10.5", "-10", "-9.99", "-0.5", "-0.05", "0", "0.0001", "0.5", "0.51", "1", "1.5", "2", "10", "10.01", "99999",
    ]
    let numbers = try texts.map { try #require(ExactNumber($0)) }
    for (left, leftNumber) in numbers.enumerated() {
      for (right, rightNumber) in numbers.enumerated() {
        #expect((leftNumber < rightNumber) == (left < right), "\(leftNumber) < \(rightNumber)")
      }
    }
  }

  @Test func `a number that the encoder would round is not encoded`() throws {
    let long = try #require(ExactNumber("0.987654321098765432109876543210987654321"))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([long]) }
    let exact = try #require(ExactNumber("12345678901234567890.123456789012345678"))
    #expect(String(decoding: try JSONEncoder().encode([exact]), as: UTF8.self) == "[\(exact)]")
  }
}
