/// The parts of a number in JSON's notation, as positions in its bytes.
struct NumberToken {
  private let isNegative: Bool
  /// Digits before the point: `0`, or digits without a leading zero.
  private let whole: Range<Int>
  /// Digits after the point; empty where there is no point.
  private let fraction: Range<Int>
  private let exponent: Int

  /// Exponents are cut to this many places: whatever lies beyond is refused by any digit limit, and must not overflow.
  private static let largestExponent = 1_000_000

  /// The parts of `bytes`, or nil unless all of them are one JSON number.
  init?(_ bytes: Span<UInt8>) {
    var index = 0
    isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let start = index
    NumberToken.skipDigits(bytes, &index)
    whole = start..<index
    guard !whole.isEmpty, bytes[start] != UInt8(ascii: "0") || whole.count == 1 else { return nil }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let first = index
      NumberToken.skipDigits(bytes, &index)
      fraction = first..<index
      guard !fraction.isEmpty else { return nil }
    } else {
      fraction = index..<index
    }
    guard let exponent = NumberToken.exponent(bytes, &index), index == bytes.count else { return nil }
    self.exponent = exponent
  }

  /// The number in plain notation without needless zeros, or nil if it has more than `maximumDigits` digits, as written or
  /// once the exponent is spelt out.
  func plainText(_ bytes: Span<UInt8>, maximumDigits: Int) -> String? {
    guard whole.count + fraction.count <= maximumDigits else { return nil }
    if exponent == 0 { return textAsWritten(bytes) }
    var digits: [UInt8] = []
    for index in whole { digits.append(bytes[index]) }
    for index in fraction { digits.append(bytes[index]) }
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    guard zeros < digits.count else { return "0" }
    digits.removeFirst(zeros)
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    let point = whole.count + exponent - zeros
    guard max(point, 1) + max(0, digits.count - point) <= maximumDigits else { return nil }
    return (isNegative ? "-" : "") + NumberToken.plainText(digits, point: point)
  }

  /// Digits with a point before the digit at `point`, which may lie outside of them.
  private static func plainText(_ digits: [UInt8], point: Int) -> String {
    let zero = UInt8(ascii: "0")
    var text = point > 0 ? digits.prefix(point) : [zero]
    if point > digits.count { text += repeatElement(zero, count: point - digits.count) }
    if point < digits.count {
      text.append(UInt8(ascii: "."))
      text += repeatElement(zero, count: max(0, -point))
      text += digits.dropFirst(max(0, point))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a number without exponent, which are the plain notation but for zeros at the end.
  private func textAsWritten(_ bytes: Span<UInt8>) -> String {
    var end = fraction.upperBound
    while end > fraction.lowerBound, bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
    if end == fraction.lowerBound {
      end = whole.upperBound
      if bytes[whole.lowerBound] == UInt8(ascii: "0") { return "0" }
    }
    return bytes.extracting(0..<end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private static func skipDigits(_ bytes: Span<UInt8>, _ index: inout Int) {
    while index < bytes.count, digit(bytes[index]) != nil { index += 1 }
  }

  /// The exponent at `index`, zero where there is none, nil where its digits are missing.
  private static func exponent(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
    guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return .zero }
    index += 1
    guard index < bytes.count else { return nil }
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
    let first = index
    var exponent = 0
    while index < bytes.count, let digit = digit(bytes[index]) {
      exponent = min(exponent * 10 + digit, largestExponent)
      index += 1
    }
    guard index > first else { return nil }
    return isNegative ? -exponent : exponent
  }
}
