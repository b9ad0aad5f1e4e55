/// Finds which of a fixed list of words stands in a range of bytes, without making a string.
struct NameTable: Sendable {
  private let names: [[UInt8]]
  private let prints: [Print]
  /// Open addressing: index of a name plus one, zero where the slot is free.
  private let slots: [UInt16]
  private let shift: UInt64

  /// Length, first and last eight bytes: for names of up to sixteen bytes, all there is.
  private struct Print: Equatable {
    var count: Int
    var first: UInt64
    var last: UInt64

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
      count = range.count
      if count >= 8 {
        let raw = bytes.bytes
        first = raw.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
        last = raw.unsafeLoadUnaligned(fromByteOffset: range.upperBound - 8, as: UInt64.self)
      } else {
        first = 0
        last = 0
        for index in range { first = first << 8 | UInt64(bytes[index]) }
      }
    }

    func slot(_ shift: UInt64) -> Int {
      let mixed = (first ^ (last &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93 >> shift)
    }
  }

  /// A table of these names; of equal ones the first is found.
  init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    prints = self.names.map { Print($0.span, 0..<$0.count) }
    var bits: UInt64 = 4
    while 1 << bits < 4 * names.count { bits += 1 }
    shift = 64 - bits
    var slots = [UInt16](repeating: 0, count: 1 << bits)
    for (index, print) in prints.enumerated() {
      var slot = print.slot(shift)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt16(index + 1)
    }
    self.slots = slots
  }

  /// The index of the name that these bytes write, or nil.
  func index(of range: Range<Int>, in bytes: Span<UInt8>) -> Int? {
    let print = Print(bytes, range)
    var slot = print.slot(shift)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if prints[index] == print, range.count <= 16 || isEqual(names[index], range, bytes) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func isEqual(_ name: [UInt8], _ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    for index in name.indices where name[index] != bytes[range.lowerBound + index] { return false }
    return true
  }
}

extension NameTable {
  /// The index of the name that a string token writes, or nil.
  func index(of token: Token, in bytes: Span<UInt8>) -> Int? {
    if token.kind == .string { return index(of: token.contents, in: bytes) }
    guard token.kind == .escapedString else { return nil }
    let contents = bytes.unescaped(token.contents)
    return index(of: 0..<contents.count, in: contents.span)
  }
}
