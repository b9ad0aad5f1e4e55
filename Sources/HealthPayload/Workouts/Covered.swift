/// A quantity of a workout together with the part of the workout that it was computed from.
///
/// There is no value without coverage, and no zero where nothing was seen.
public enum Covered: Sendable, Hashable {
  /// No second of the workout has what the quantity is computed from. This is not zero.
  case noData
  /// A value, zero included, and the fraction of the workout's seconds that it was computed from: above 0 and at most 1.
  case value(Double, coverage: Double)

  /// The fraction of the workout that was seen: 0 where there is no data.
  public var coverage: Double {
    switch self {
    case .noData: .zero
    case .value(_, let coverage): coverage
    }
  }

  /// A value that was computed from so many of a workout's seconds.
  init(_ value: Double, seconds: Double, of duration: Double) {
    self = seconds > 0 && value.isFinite ? .value(value, coverage: min(1, seconds / duration)) : .noData
  }
}
