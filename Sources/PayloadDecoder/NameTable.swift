/// Finds which of a fixed list of words stands in a range of bytes, without making a string.
///
/// It is a class because it is shared by everything that reads, and must cost no copy.
final class NameTable: Sendable {
  private let names: [[UInt8]]
  /// Open addressing; at least three of four slots are free.
  private let slots: [Slot]
  private let shift: UInt64

  private struct Slot {
    var print = NamePrint()
    /// Index of the name; negative where the slot is free.
    var index = -1
  }

  /// A table of these names; of equal ones the first is found.
  init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    var bits: UInt64 = 4
    while 1 << bits < 4 * names.count { bits += 1 }
    shift = 64 - bits
    var slots = [Slot](repeating: Slot(), count: 1 << bits)
    for (index, name) in self.names.enumerated() {
      let print = NamePrint(name.span, 0..<name.count)
      var place = print.slot(shift)
      while slots[place].index >= 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = Slot(print: print, index: index)
    }
    self.slots = slots
  }

  /// The index of the name that these bytes write, or nil.
  @inline(__always)
  func index(of range: Range<Int>, in bytes: Span<UInt8>) -> Int? {
    let print = NamePrint(bytes, range)
    var place = print.slot(shift)
    while slots[place].index >= 0 {
      if slots[place].print == print,
        range.count <= NamePrint.wholeNames || isEqual(names[slots[place].index], range, bytes)
      {
        return slots[place].index
      }
      place = (place &+ 1) & (slots.count &- 1)
    }
    return nil
  }

  private func isEqual(_ name: [UInt8], _ range: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    for index in name.indices where name[index] != bytes[range.lowerBound + index] { return false }
    return true
  }

  /// The index of the name that a string token writes, or nil.
  func index(of token: Token, in bytes: Span<UInt8>) -> Int? {
    if token.kind == .string { return index(of: token.contents, in: bytes) }
    guard token.kind == .escapedString else { return nil }
    let contents = bytes.unescaped(token.contents)
    return index(of: 0..<contents.count, in: contents.span)
  }
}

/// Length, first and last eight bytes of a name: all there is for names of up to `wholeNames` bytes.
struct NamePrint: Sendable, Equatable {
  /// Names that are longer need a look at their other bytes.
  static let wholeNames = 16

  private(set) var count = 0
  private var first: UInt64 = 0
  private var last: UInt64 = 0

  init() {}

  @inline(__always)
  init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    // Nothing here can overflow, and the loads are checked.
    count = range.upperBound &- range.lowerBound
    let raw = bytes.bytes
    if count >= 8 {
      first = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
      last = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: range.upperBound &- 8, as: UInt64.self))
    } else if range.lowerBound &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
      first = word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
    } else {
      for index in range.reversed() { first = first << 8 | UInt64(bytes[index]) }
    }
  }

  /// Whether a name has this print and is short enough for the print to be all of it.
  @inline(__always)
  func isWhole(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    range.count == count && count <= NamePrint.wholeNames && NamePrint(bytes, range) == self
  }

  @inline(__always)
  func slot(_ shift: UInt64) -> Int {
    let mixed = (first ^ last &<< 5 ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed &>> shift)
  }
}
