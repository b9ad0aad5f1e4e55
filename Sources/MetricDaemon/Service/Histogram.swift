/// How often something was at most so large, for each of a few sizes.
public struct Histogram: Sendable, Equatable {
  /// The largest value of each bucket, ascending; one more bucket takes what is larger than all of them.
  public let bounds: [Double]
  /// Observations of each bucket alone, the last one included.
  public private(set) var counts: [Int]
  /// All observations together.
  public private(set) var sum = 0.0

  /// No observation yet.
  public init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// How many observations there were.
  public var count: Int { counts.reduce(0, +) }

  mutating func observe(_ value: Double) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }

  mutating func observe(_ duration: Duration) { observe(duration / .seconds(1)) }
}
