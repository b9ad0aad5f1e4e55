#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decimal number as text, exact to its last digit. It is never held as a binary float, which could not even hold 0.1.
///
/// There is no number for "nothing", "unknown" or "infinite": where a value is missing, the property is nil.
/// Equal numbers have equal texts: no exponent, no needless zeros, no negative zero.
public struct ExactNumber: Sendable, Hashable {
  /// The number in plain notation, such as `-12.5`.
  public let text: String

  /// The number that a text in JSON's notation writes, or nil if it is none or needs more than `maximumDigits` digits
  /// when it is written without an exponent.
  public init?(_ text: some StringProtocol, maximumDigits: Int = 40) {
    let bytes = Array(text.utf8)
    self.init(ascii: bytes.span, maximumDigits: maximumDigits)
  }

  /// The number that an ASCII text in JSON's notation writes; the same rules without a copy.
  public init?(ascii text: Span<UInt8>, maximumDigits: Int) {
    guard let token = NumberToken(text), let plain = token.plainText(text, maximumDigits: maximumDigits) else {
      return nil
    }
    self.text = plain
  }

  /// A whole number.
  public init(_ number: some BinaryInteger) {
    text = String(number)
  }

  /// The shortest decimal that names the binary `number`, or nil for NaN and the infinities: a quantity that a framework
  /// could not compute is an unknown, not a number.
  public init?(_ number: Double) {
    guard number.isFinite else { return nil }
    self.init(number.description, maximumDigits: 400)
  }

  /// A decimal, or nil for Foundation's not-a-number.
  public init?(_ number: Decimal) {
    guard !number.isNaN else { return nil }
    self.init(number.description, maximumDigits: 200)
  }

  /// True for zero, which is a measurement like any other and not a missing value.
  public var isZero: Bool { text == "0" }
}

extension ExactNumber: CustomStringConvertible {
  /// The number in plain notation.
  public var description: String { text }
}

extension ExactNumber: Encodable {
  /// Writes a JSON number. Throws where Foundation's encoder, which takes 38 digits, would have to round it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      ExactNumber(decimal) == self
    else {
      let context = EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "The number has more digits than can be encoded exactly.")
      throw EncodingError.invalidValue(self, context)
    }
    try container.encode(decimal)
  }
}
