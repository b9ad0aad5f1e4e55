internal import HealthPayload

/// A decimal number as a whole number of units in the last place, for the little arithmetic that formats need. Exact but
/// where it says so.
struct Scaled {
  /// More digits than any measurement has, and few enough that nothing below overflows.
  static let mostDigits = 20

  let units: Int128
  let decimals: Int

  init(_ units: Int128, decimals: Int) {
    self.units = units
    self.decimals = decimals
  }

  /// nil for a number of too many digits.
  init?(_ number: ExactNumber, mostDigits: Int = Scaled.mostDigits) {
    let parts = number.text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard digits.utf8.count <= mostDigits, let units = Int128(digits) else { return nil }
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

  /// The number itself.
  var number: ExactNumber? { ExactNumber("\(units)e-\(decimals)") }
}
