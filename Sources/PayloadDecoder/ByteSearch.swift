// Searches that look at eight bytes at a time. The loads are unaligned and checked by the comparison before them.
extension Span<UInt8> {
  /// The first place from `start` on that is no part of plain text in a string: a quote, a backslash or a control character.
  @inline(__always)
  func endOfPlainText(from start: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let raw = bytes
    var place = start
    while place &+ 8 <= count {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let hits =
        ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word) & (ones &* 0x80)
      // The lowest hit is exact; bits above it may be carries.
      if hits != 0 { return place &+ hits.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < count, self[place] >= 0x20, self[place] != UInt8(ascii: "\""), self[place] != UInt8(ascii: "\\") {
      place &+= 1
    }
    return place
  }

  /// The first place from `start` on that is no space, or one before it: the last bytes of the text are not looked at.
  @inline(__always)
  func endOfSpaces(from start: Int) -> Int {
    let raw = bytes
    var place = start
    while place &+ 8 <= count {
      let others =
        UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ 0x2020_2020_2020_2020
      if others != 0 { return place &+ others.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    return place
  }
}

/// The value of a hexadecimal digit, or nil for any other byte.
func hexDigit(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
