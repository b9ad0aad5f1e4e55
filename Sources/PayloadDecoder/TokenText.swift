import HealthPayload

import struct FoundationEssentials.UUID

extension Span<UInt8> {
  /// The text of a string, or nil if it holds what cannot be stored: half of a surrogate pair, or the character zero.
  func text(of token: Token) -> String? {
    guard token.kind == .escapedString else { return plainText(token.contents) }
    let contents = unescaped(token.contents)
    guard !contents.contains(0) else { return nil }
    return String(validating: contents, as: UTF8.self)
  }

  /// The text of a token, or nil if it is no text of so many characters.
  func text(of token: Token, characters: ClosedRange<Int>) -> String? {
    guard token.isString, let text = text(of: token) else { return nil }
    // A character has at least one byte, so that most texts need no counting.
    let isShort = text.utf8.count <= characters.upperBound || text.unicodeScalars.count <= characters.upperBound
    return isShort && (characters.lowerBound == 0 || !text.isEmpty) ? text : nil
  }

  /// The text of bytes that are known to be UTF-8.
  func plainText(_ range: Range<Int>) -> String {
    extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a string with its escapes replaced. Half of a surrogate pair becomes three bytes that are not UTF-8.
  func unescaped(_ range: Range<Int>) -> [UInt8] {
    var contents: [UInt8] = []
    contents.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      guard self[index] == UInt8(ascii: "\\") else {
        contents.append(self[index])
        index += 1
        continue
      }
      let letter = self[index + 1]
      index += 2
      if letter == UInt8(ascii: "u") {
        append(unicodeEscape(at: &index, before: range.upperBound), to: &contents)
      } else {
        contents.append(shortEscapes[letter] ?? letter)
      }
    }
    return contents
  }

  /// The code point whose four digits stand at `index`, joined with a second half of a surrogate pair behind it.
  private func unicodeEscape(at index: inout Int, before end: Int) -> UInt32 {
    let unit = fourDigits(at: index)
    index += 4
    guard (0xD800..<0xDC00).contains(unit), index + 6 <= end, self[index] == UInt8(ascii: "\\"),
      self[index + 1] == UInt8(ascii: "u")
    else { return unit }
    let second = fourDigits(at: index + 2)
    guard (0xDC00..<0xE000).contains(second) else { return unit }
    index += 6
    return 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
  }

  private func fourDigits(at index: Int) -> UInt32 {
    (index..<index + 4).reduce(into: 0) { unit, place in
      if let digit = hexDigit(self[place]) { unit = unit << 4 | digit }
    }
  }

  /// Appends a code point as UTF-8, and surrogates in the same manner.
  private func append(_ point: UInt32, to contents: inout [UInt8]) {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | point >> shift & 0x3F) }
    switch point {
    case 0..<0x80: contents.append(UInt8(point))
    case 0x80..<0x800: contents += [UInt8(0xC0 | point >> 6), tail(0)]
    case 0x800..<0x10000: contents += [UInt8(0xE0 | point >> 12), tail(6), tail(0)]
    default: contents += [UInt8(0xF0 | point >> 18), tail(12), tail(6), tail(0)]
    }
  }
}

extension Span<UInt8> {
  /// The instant that a string names, or nil.
  func instant(of token: Token, years: ClosedRange<Int> = Instant.acceptedYears) -> Instant? {
    guard token.isString else { return nil }
    if token.kind == .string { return Instant(ascii: extracting(token.contents), years: years) }
    return Instant(ascii: unescaped(token.contents).span, years: years)
  }

  /// The date that a string names, or nil.
  func date(of token: Token) -> LocalDate? {
    if token.kind == .string { return LocalDate(ascii: extracting(token.contents)) }
    return LocalDate(ascii: unescaped(token.contents).span)
  }

  /// The UUID that a string names, or nil.
  func uuid(of token: Token) -> UUID? {
    guard token.isString else { return nil }
    if token.kind == .string { return UUID(ascii: extracting(token.contents)) }
    return UUID(ascii: unescaped(token.contents).span)
  }

  /// The digits before the point of a number that has neither sign nor exponent; nil for others.
  func whole(of token: Token) -> Int? {
    var whole = 0
    var isBehindPoint = false
    guard token.range.count <= 18 else { return nil }
    for index in token.range {
      let digit = self[index] &- UInt8(ascii: "0")
      if digit < 10 {
        if !isBehindPoint { whole = whole &* 10 &+ Int(digit) }
      } else if self[index] == UInt8(ascii: ".") {
        isBehindPoint = true
      } else {
        return nil
      }
    }
    return whole
  }

  /// The whole number that a token writes with digits alone, or nil.
  func integer(of token: Token) -> Int? {
    guard token.kind == .number, token.range.count <= 18 else { return nil }
    var magnitude = 0
    let isNegative = self[token.offset] == UInt8(ascii: "-")
    for index in token.range.dropFirst(isNegative ? 1 : 0) {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      magnitude = magnitude * 10 + Int(digit)
    }
    return isNegative ? -magnitude : magnitude
  }
}

/// What a letter behind a backslash stands for, where it does not stand for itself.
private let shortEscapes: [UInt8: UInt8] = [
  UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
  UInt8(ascii: "t"): 0x09,
]
