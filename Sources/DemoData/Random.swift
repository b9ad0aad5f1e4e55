/// SplitMix64: small, seeded, the same on every machine and in every Swift version.
///
/// The standard library's `random(in:using:)` is avoided because its arithmetic may change between releases.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A generator of its own for one purpose: what is drawn from it does not shift anything drawn elsewhere.
  mutating func fork() -> SplitMix64 { SplitMix64(seed: next()) }

  mutating func number(in range: ClosedRange<Int>) -> Int {
    let width = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int(next().multipliedFullWidth(by: width).high)
  }

  mutating func chance(_ percent: Int) -> Bool { number(in: 1...100) <= percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(in: 0...(elements.count - 1))]
  }

  /// A version 4 UUID in lower case.
  mutating func uuid() -> String {
    let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = Array(padded(high) + padded(low))
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return groups.joined(separator: "-")
  }

  private func padded(_ word: UInt64) -> String {
    let hex = String(word, radix: 16)
    return String(repeating: "0", count: 16 - hex.count) + hex
  }
}
