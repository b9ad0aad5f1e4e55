import HealthPayload

/// What the decoder looks things up in. It is one object, and what reads an entry gets it as a parameter, so that looking
/// something up costs no reference count.
final class CatalogueTables: Sendable {
  let keys = KeyTable.shared
  let words = Words.shared
  let rules: [MetricRule]
  /// By metric, as the rules.
  let facts: [MetricFacts]
  let metricNames: NameTable
  let platforms: [PlatformRow]
  let platformNames: NameTable
  /// The metrics that a workout is a record of; nil where the catalogue does not have them.
  let workoutCount: MetricFacts?
  let workoutMinutes: MetricFacts?

  init(_ metrics: [MetricRow], _ units: [UnitRow], _ platforms: [PlatformRow]) {
    rules = metrics.enumerated().map { MetricRule($1, index: $0, units: units) }
    facts = rules.map(\.facts)
    metricNames = NameTable(metrics.map(\.name))
    workoutCount = rules.first { $0.name == "workout_count" }?.facts
    workoutMinutes = rules.first { $0.name == "workout_minutes" }?.facts
    self.platforms = platforms
    platformNames = NameTable(platforms.map(\.name))
  }

  /// What is wrong with a value of a day, or nil if nothing is. A number of which the digits before the point are known
  /// and lie well inside the range needs no comparison of all its digits.
  @inline(__always)
  func fault(in measurement: Measurement, _ metric: MetricFacts) -> QuarantineCode? {
    if let whole = measurement.whole, metric.certain.contains(whole) { return nil }
    return rules[metric.index].fault(in: measurement.converted)
  }

  /// The unit in which a value is written; nil if it does not say.
  func unit(of measurement: Measurement?, _ metric: MetricFacts) -> String? {
    measurement?.unit.map { rules[metric.index].units[$0] }
  }
}

/// What most entries have to know about their metric: plain bits, which are copied without counting references.
struct MetricFacts: Sendable {
  /// Place in the catalogue's list.
  let index: Int
  let id: Int16
  /// Whether a value counts only with a named source.
  let needsSource: Bool
  /// Whether a zero that cannot be discredits the zeros beside it, and is discredited by them.
  let isSum: Bool
  /// Whole numbers that are in the range, whatever digits follow them after a point.
  let certain: Range<Int>
  /// The unit in which most values come.
  let ownUnit: NamePrint
}

/// A metric and how to judge its values.
final class MetricRule: Sendable {
  let facts: MetricFacts
  let name: String
  private let low: ExactNumber
  private let high: ExactNumber
  private let cannotBeZero: Bool
  private let conversions: [UnitConversion]
  private let unitNames: NameTable
  /// Units in which values may come; the first is the metric's own.
  let units: [String]

  init(_ metric: MetricRow, index: Int, units: [UnitRow]) {
    name = metric.name
    low = metric.low
    high = metric.high
    cannotBeZero = metric.zeroPolicy == .never
    let least = Swift.max(metric.low.whole.map { $0 + 1 } ?? .max, 1)
    let most = metric.high.whole ?? .min
    let ownUnit = Array(metric.unit.utf8)
    facts = MetricFacts(
      index: index, id: metric.id, needsSource: metric.needsSource, isSum: metric.aggregation == .sum,
      certain: least < most ? least..<most : 0..<0, ownUnit: NamePrint(ownUnit.span, 0..<ownUnit.count))
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

  /// What is wrong with a value of a day, or nil if nothing is.
  func fault(in value: ExactNumber) -> QuarantineCode? {
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
