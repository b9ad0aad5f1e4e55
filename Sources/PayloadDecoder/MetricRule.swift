import HealthPayload

/// A catalogue as the decoder looks things up in it.
final class CatalogueTables: Sendable {
  let rules: [MetricRule]
  let metricNames: NameTable
  let platforms: [PlatformRow]
  let platformNames: NameTable

  init(_ metrics: [MetricRow], _ units: [UnitRow], _ platforms: [PlatformRow]) {
    rules = metrics.enumerated().map { MetricRule($1, index: $0, units: units) }
    metricNames = NameTable(metrics.map(\.name))
    self.platforms = platforms
    platformNames = NameTable(platforms.map(\.name))
  }
}

/// A metric and how to judge its values. It is a class because every entry looks one up, and must cost no copy.
final class MetricRule: Sendable {
  /// Place in the catalogue's list.
  let index: Int
  let id: Int16
  let name: String
  /// Whether a value counts only with a named source.
  let needsSource: Bool
  private let low: ExactNumber
  private let high: ExactNumber
  private let cannotBeZero: Bool
  /// Whole numbers that are in the range, whatever digits follow them after a point.
  private let certain: Range<Int>
  private let conversions: [UnitConversion]
  private let unitNames: NameTable
  /// Units in which values may come; the first is the metric's own.
  let units: [String]
  /// Whether a zero that cannot be discredits the zeros beside it, and is discredited by them.
  let isSum: Bool

  init(_ metric: MetricRow, index: Int, units: [UnitRow]) {
    self.index = index
    id = metric.id
    name = metric.name
    needsSource = metric.needsSource
    low = metric.low
    high = metric.high
    cannotBeZero = metric.zeroPolicy == .never
    let least = Swift.max(metric.low.whole.map { $0 + 1 } ?? .max, 1)
    let most = metric.high.whole ?? .min
    certain = least < most ? least..<most : 0..<0
    isSum = metric.aggregation == .sum
    let others = units.filter { $0.unit == metric.unit }
    self.units = [metric.unit] + others.map(\.fromUnit)
    unitNames = NameTable(self.units)
    let isDifference = metric.name == "wrist_temp_deviation"
    // A difference of temperatures has no zero point that an offset could move.
    conversions = others.map {
      UnitConversion(factor: $0.factor, offset: isDifference ? ExactNumber(Int.zero) : $0.offset)
    }
  }

  /// Which of the units a token names, or nil.
  func unit(of token: Token, in bytes: Span<UInt8>) -> Int? { unitNames.index(of: token, in: bytes) }

  /// The value in the metric's unit.
  func convert(_ value: ExactNumber, fromUnit unit: Int) -> ExactNumber? {
    unit == 0 ? value : conversions[unit - 1].convert(value)
  }

  /// What is wrong with a value of a day, or nil if nothing is. A number of which the digits before the point are known
  /// and lie well inside the range needs no comparison of all its digits.
  func fault(in value: ExactNumber, whole: Int?) -> QuarantineCode? {
    if let whole, certain.contains(whole) { return nil }
    if cannotBeZero && value.isZero { return .impossibleZero }
    return value < low || high < value ? .outOfRange : nil
  }
}

extension ExactNumber {
  /// The digits before the point as a number; nil where they are too many.
  fileprivate var whole: Int? {
    let digits = text.prefix { $0 != "." }
    return digits.utf8.count <= 15 ? Int(digits) : nil
  }
}
