/// The value of one ASCII digit, or nil for any other byte.
func digit(_ byte: UInt8) -> Int? {
  let value = byte &- UInt8(ascii: "0")
  return value < 10 ? Int(value) : nil
}

/// The number that two ASCII digits at `index` write, or nil.
func twoDigits(_ text: Span<UInt8>, at index: Int) -> Int? {
  guard let tens = digit(text[index]), let ones = digit(text[index + 1]) else { return nil }
  return tens * 10 + ones
}

/// A number that is not negative, with zeros before it up to a width.
func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
