import struct FoundationEssentials.UUID

extension UUID {
  /// The UUID that an ASCII text writes as 8-4-4-4-12 hexadecimal digits of either case, or nil.
  init?(ascii text: Span<UInt8>) {
    guard text.count == 36, text[8] == UInt8(ascii: "-"), text[13] == UInt8(ascii: "-"), text[18] == UInt8(ascii: "-"),
      text[23] == UInt8(ascii: "-")
    else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var wrong: UInt64 = 0
    for index in [0, 4, 9, 14] { high = high << 16 | UUID.sixteenBits(text, at: index, &wrong) }
    for index in [19, 24, 28, 32] { low = low << 16 | UUID.sixteenBits(text, at: index, &wrong) }
    guard wrong == 0 else { return nil }
    func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * place)) }
    self.init(
      uuid: (
        byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
        byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6),
        byte(low, 7)
      ))
  }

  /// The number that four digits write; whatever is no digit leaves a bit in `wrong`.
  private static func sixteenBits(_ text: Span<UInt8>, at index: Int, _ wrong: inout UInt64) -> UInt64 {
    var bits: UInt64 = 0
    for place in index..<index + 4 {
      let digit = hexDigit(text[place])
      if let digit { bits = bits << 4 | UInt64(digit) } else { wrong |= 1 }
    }
    return bits
  }
}
