import Glibc

/// An axis of values with round ticks.
struct Scale: Equatable {
  /// The values at its ends.
  let low: Double
  let high: Double
  /// Where it is labelled, from low to high.
  let ticks: [Double]
  /// As many as tell the ticks apart.
  private let decimals: Int

  /// The axis on which all these values can be shown; nil without any.
  init?(_ values: [Double], fromZero: Bool, ticks wanted: Int) {
    guard var low = values.min(), var high = values.max() else { return nil }
    if fromZero { (low, high) = (min(low, 0), max(high, 0)) }
    // One value alone is shown in the middle of something.
    if low == high { (low, high) = fromZero ? (0, 1) : (low - 1, high + 1) }
    let step: Double
    (step, decimals) = Scale.round(step: (high - low) / Double(wanted))
    let first = (low / step).rounded(.down)
    let last = (high / step).rounded(.up)
    ticks = stride(from: first, through: last, by: 1).map { $0 * step }
    (self.low, self.high) = (first * step, last * step)
  }

  /// How far up a value lies, from 0 at the low end to 1 at the high one.
  func share(of value: Double) -> Double { (value - low) / (high - low) }

  /// The smallest of 1, 2, 2.5 and 5 times a power of ten that is not less, and its decimals.
  private static func round(step: Double) -> (step: Double, decimals: Int) {
    let exponent = log10(step).rounded(.down)
    let power = pow(10, exponent)
    for factor in [1, 2, 2.5, 5] where factor * power >= step * 0.999_999 {
      return (factor * power, max(0, (factor == 2.5 ? 1 : 0) - Int(exponent)))
    }
    return (10 * power, max(0, -1 - Int(exponent)))
  }

  /// The labels of the ticks.
  var labels: [String] { ticks.map { Words.number(Words.fixed($0, decimals: decimals)) } }
}

extension Series {
  /// The axis of the known days; nil if none is known.
  func scale(ticks: Int) -> Scale? {
    let values = days.compactMap(\.position)
    let hasZero = days.contains { $0.state == .zero }
    return Scale(values, fromZero: metric.beginsAtZero || hasZero, ticks: ticks)
  }
}
