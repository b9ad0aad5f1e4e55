public import Foundation

/// Numbers that look random and come again for the same seed.
public struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers of a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next one.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One of several things, which must not be none.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  /// True in so many of a hundred cases.
  public mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  /// A number of a range.
  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }
}

extension UUID {
  /// The id of two numbers.
  public init(_ high: UInt64, _ low: UInt64) {
    func byte(_ number: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * place)) }
    self.init(
      uuid: (
        byte(high, 7), byte(high, 6), byte(high, 5), byte(high, 4), byte(high, 3), byte(high, 2), byte(high, 1),
        byte(high, 0), byte(low, 7), byte(low, 6), byte(low, 5), byte(low, 4), byte(low, 3), byte(low, 2), byte(low, 1),
        byte(low, 0)
      ))
  }
}
