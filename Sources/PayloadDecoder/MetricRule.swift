import HealthPayload

/// How to judge the values of one metric.
struct MetricRule: Sendable {
  private let low: ExactNumber
  private let high: ExactNumber
  private let cannotBeZero: Bool
  private let conversions: [UnitConversion]
  private let unitNames: NameTable
  /// Units in which values may come; the first is the metric's own.
  let units: [String]
  /// Whether a zero that cannot be discredits the zeros beside it, and is discredited by them.
  let isSum: Bool

  init(_ metric: MetricRow, units: [UnitRow]) {
    low = metric.low
    high = metric.high
    cannotBeZero = metric.zeroPolicy == .never
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

  /// What is wrong with a value of a day, or nil if nothing is.
  func fault(in value: ExactNumber) -> QuarantineCode? {
    if cannotBeZero && value.isZero { return .impossibleZero }
    return value < low || high < value ? .outOfRange : nil
  }
}
