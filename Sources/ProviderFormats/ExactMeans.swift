internal import HealthPayload

extension ExactNumber {
  /// So many seconds as there are in these microseconds.
  init?(microseconds: Int64) {
    guard let number = Scaled(Int128(microseconds), decimals: 6).number else { return nil }
    self = number
  }

  /// Their sum; nil where there are none, or too many digits.
  static func sum(_ numbers: [ExactNumber]) -> ExactNumber? { total(numbers)?.number }

  /// Their mean, with six decimals more than the most exact of them, half away from zero; nil where there are none.
  static func mean(_ numbers: [ExactNumber]) -> ExactNumber? {
    guard let total = total(numbers), let scaled = total.with(decimals: total.decimals + 6) else { return nil }
    let count = Int128(numbers.count)
    let (quotient, rest) = scaled.units.quotientAndRemainder(dividingBy: count)
    let step: Int128 = rest.magnitude * 2 < count.magnitude ? 0 : scaled.units.signum()
    return Scaled(quotient + step, decimals: scaled.decimals).number
  }

  private static func total(_ numbers: [ExactNumber]) -> Scaled? {
    let scaled = numbers.compactMap { Scaled($0) }
    guard scaled.count == numbers.count, let decimals = scaled.map(\.decimals).max() else { return nil }
    let aligned = scaled.compactMap { $0.with(decimals: decimals) }
    guard aligned.count == scaled.count else { return nil }
    var sum: Int128 = 0
    for number in aligned {
      let (next, overflow) = sum.addingReportingOverflow(number.units)
      if overflow { return nil }
      sum = next
    }
    return Scaled(sum, decimals: decimals)
  }
}
