internal import HealthPayload

/// A decimal number as a whole number of units in the last place, for the little arithmetic that formats need. Exact but
/// where it says so.
private struct Scaled {
  /// More digits than any measurement has, and few enough that nothing below overflows.
  static let mostDigits = 20

  let units: Int128
  let decimals: Int

  init(_ units: Int128, decimals: Int) {
    self.units = units
    self.decimals = decimals
  }

  init?(_ number: ExactNumber) {
    let parts = number.text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard digits.utf8.count <= Scaled.mostDigits, let units = Int128(digits) else { return nil }
    self.units = units
    decimals = parts.count == 2 ? parts[1].utf8.count : 0
  }

  /// The same number with more decimals; nil where it would have too many digits.
  func with(decimals more: Int) -> Scaled? {
    guard more >= decimals, more - decimals <= Scaled.mostDigits + 6 else { return nil }
    var units = units
    for _ in decimals..<more {
      let (product, overflow) = units.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      units = product
    }
    return Scaled(units, decimals: more)
  }

  var number: ExactNumber? {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let sign = units < 0 ? "-" : ""
    return ExactNumber(
      decimals == 0 ? sign + padded : "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))")
  }
}

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
