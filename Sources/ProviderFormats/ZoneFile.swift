/// Reads the bytes of a TZif file from front to back. Whatever does not fit is nil, never a guess.
struct ZoneFile {
  /// How many of what a block has, in the order in which the file says so.
  struct Counts {
    let utcFlags, standardFlags, leaps, transitions, types, letters: Int
  }

  /// What a block says.
  struct Block {
    let first: Int64
    let transitions: [ZoneRules.Transition]
  }

  private let bytes: [UInt8]
  private var index = 0
  /// Version of the file, from 1; nil before a header was read.
  private(set) var version: Int?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next header.
  mutating func header() -> Counts? {
    guard let magic = take(5), magic.starts(with: "TZif".utf8), let digit = magic.last, take(15) != nil else {
      return nil
    }
    version = digit == 0 ? 1 : Int(digit) - Int(UInt8(ascii: "0"))
    let counts = (0..<6).compactMap { _ in number(4).map { Int($0) } }
    guard counts.count == 6, counts.allSatisfy({ (0...65_536).contains($0) }) else { return nil }
    return Counts(
      utcFlags: counts[0], standardFlags: counts[1], leaps: counts[2], transitions: counts[3], types: counts[4],
      letters: counts[5])
  }

  /// Passes over a block with times of four bytes.
  mutating func skip(_ counts: Counts) -> Bool {
    take(counts.transitions * 5 + counts.types * 6 + counts.letters + counts.leaps * 8 + counts.flags) != nil
  }

  /// The next block, whose times have eight bytes or four.
  mutating func block(_ counts: Counts, wide: Bool) -> Block? {
    let width = wide ? 8 : 4
    let times = (0..<counts.transitions).compactMap { _ in number(width) }
    guard times.count == counts.transitions, let kinds = take(counts.transitions) else { return nil }
    let offsets = (0..<counts.types).compactMap { _ in
      let offset = number(4)
      return take(2) == nil ? nil : offset
    }
    guard offsets.count == counts.types, let first = offsets.first,
      take(counts.letters + counts.leaps * (width + 4) + counts.flags) != nil,
      kinds.allSatisfy({ $0 < counts.types })
    else { return nil }
    return Block(
      first: first,
      transitions: zip(times, kinds).map { ZoneRules.Transition(at: $0, offset: offsets[Int($1)]) })
  }

  /// The line between the two line feeds at the end of the file.
  mutating func footer() -> String {
    String(decoding: bytes[index...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard bytes.count - index >= count else { return nil }
    defer { index += count }
    return bytes[index..<index + count]
  }

  /// A signed number, its largest byte first.
  private mutating func number(_ width: Int) -> Int64? {
    guard let taken = take(width) else { return nil }
    let number = taken.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return width == 4 ? Int64(Int32(truncatingIfNeeded: number)) : number
  }
}

extension ZoneFile.Counts {
  fileprivate var flags: Int { utcFlags + standardFlags }
}
