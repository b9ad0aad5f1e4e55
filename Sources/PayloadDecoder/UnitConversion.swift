import HealthPayload

/// An exact conversion from one unit to another: × factor, + offset, rounded to six decimals, half away from zero.
struct UnitConversion: Sendable {
  /// Decimals that a converted value keeps.
  static let places = 6

  private let factor: ExactNumber
  private let offset: ExactNumber
  private let shortFactor: ShortDecimal?
  private let shortOffset: ShortDecimal?

  init(factor: ExactNumber, offset: ExactNumber) {
    self.factor = factor
    self.offset = offset
    shortFactor = ShortDecimal(factor)
    shortOffset = ShortDecimal(offset)
  }

  /// The value in the other unit.
  func convert(_ value: ExactNumber) -> ExactNumber? {
    convertShort(value) ?? convertLong(value)
  }

  /// With one machine number, which is enough unless the value has very many digits; nil where it is not.
  func convertShort(_ value: ExactNumber) -> ExactNumber? {
    guard let shortFactor, let shortOffset, let short = ShortDecimal(value),
      let sum = short.multiplied(by: shortFactor)?.added(to: shortOffset)
    else { return nil }
    return sum.rounded(to: UnitConversion.places)
  }

  /// With as many digits as it takes.
  func convertLong(_ value: ExactNumber) -> ExactNumber? {
    LongDecimal(value).multiplied(by: LongDecimal(factor)).added(to: LongDecimal(offset))
      .rounded(to: UnitConversion.places)
  }
}

/// A decimal whose digits fit into 128 bits: `digits` × 10^−`places`.
private struct ShortDecimal {
  let digits: Int128
  let places: Int

  init(digits: Int128, places: Int) {
    self.digits = digits
    self.places = places
  }

  init?(_ number: ExactNumber) {
    let parts = number.text.split(separator: ".")
    guard let digits = Int128(parts.joined()) else { return nil }
    self.digits = digits
    places = parts.count == 2 ? parts[1].utf8.count : .zero
  }

  func multiplied(by other: ShortDecimal) -> ShortDecimal? {
    let (product, overflow) = digits.multipliedReportingOverflow(by: other.digits)
    return overflow ? nil : ShortDecimal(digits: product, places: places + other.places)
  }

  func added(to other: ShortDecimal) -> ShortDecimal? {
    let common = max(places, other.places)
    guard let left = digits(at: common), let right = other.digits(at: common) else { return nil }
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? nil : ShortDecimal(digits: sum, places: common)
  }

  func rounded(to limit: Int) -> ExactNumber? {
    guard places > limit, let unit = ShortDecimal.power(places - limit) else {
      return ExactNumber("\(digits)e-\(places)")
    }
    let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: unit)
    // The remainder has the sign of the number, so that this rounds away from zero on both sides.
    let step: Int128 = remainder.magnitude >= (unit / 2).magnitude ? digits.signum() : .zero
    return ExactNumber("\(quotient + step)e-\(limit)")
  }

  /// The digits with more places after the point; nil where they no longer fit.
  private func digits(at common: Int) -> Int128? {
    guard let factor = ShortDecimal.power(common - places) else { return nil }
    let (shifted, overflow) = digits.multipliedReportingOverflow(by: factor)
    return overflow ? nil : shifted
  }

  /// 10 to an exponent that is not negative; nil where it does not fit.
  private static func power(_ exponent: Int) -> Int128? {
    guard exponent <= 38 else { return nil }
    return (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}

/// A decimal of any length: digits from the least on, the first `places` of them after the point.
private struct LongDecimal {
  let isNegative: Bool
  let digits: [UInt8]
  let places: Int

  init(isNegative: Bool, digits: [UInt8], places: Int) {
    self.isNegative = isNegative
    self.digits = digits
    self.places = places
  }

  init(_ number: ExactNumber) {
    let parts = number.text.split(separator: ".")
    isNegative = number.text.hasPrefix("-")
    digits = parts.joined().utf8.reversed().filter { $0 != UInt8(ascii: "-") }.map { $0 - UInt8(ascii: "0") }
    places = parts.count == 2 ? parts[1].utf8.count : .zero
  }

  func multiplied(by other: LongDecimal) -> LongDecimal {
    var product = [UInt8](repeating: 0, count: digits.count + other.digits.count)
    for (place, digit) in digits.enumerated() {
      var carry = 0
      for (otherPlace, otherDigit) in other.digits.enumerated() {
        let sum = Int(digit) * Int(otherDigit) + Int(product[place + otherPlace]) + carry
        product[place + otherPlace] = UInt8(sum % 10)
        carry = sum / 10
      }
      product[place + other.digits.count] = UInt8(carry)
    }
    return LongDecimal(isNegative: isNegative != other.isNegative, digits: product, places: places + other.places)
  }

  func added(to other: LongDecimal) -> LongDecimal {
    let common = max(places, other.places)
    let left = shifted(to: common)
    let right = other.shifted(to: common)
    if isNegative == other.isNegative {
      return LongDecimal(isNegative: isNegative, digits: LongDecimal.sum(left, right), places: common)
    }
    if LongDecimal.isSmaller(left, right) {
      return LongDecimal(isNegative: other.isNegative, digits: LongDecimal.difference(right, left), places: common)
    }
    return LongDecimal(isNegative: isNegative, digits: LongDecimal.difference(left, right), places: common)
  }

  func rounded(to limit: Int) -> ExactNumber? {
    var kept = digits[...]
    if places > limit {
      let cut = places - limit
      let isUp = cut <= digits.count && digits[cut - 1] >= 5
      kept = digits.dropFirst(cut)
      if isUp { kept = LongDecimal.sum(Array(kept), [1])[...] }
    }
    let text = String(decoding: kept.reversed().map { $0 + UInt8(ascii: "0") }.drop { $0 == 0x30 }, as: UTF8.self)
    guard !text.isEmpty else { return ExactNumber(Int.zero) }
    // A converted value may be longer than what a payload may write.
    return ExactNumber("\(isNegative ? "-" : "")\(text)e-\(min(places, limit))", maximumDigits: 1_000)
  }

  private func shifted(to common: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: common - places) + digits
  }

  private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var carry: UInt8 = 0
    var sum: [UInt8] = []
    for place in 0..<max(left.count, right.count) {
      if place < left.count { carry += left[place] }
      if place < right.count { carry += right[place] }
      sum.append(carry % 10)
      carry /= 10
    }
    return sum + [carry]
  }

  /// The smaller number taken from the larger one.
  private static func difference(_ large: [UInt8], _ small: [UInt8]) -> [UInt8] {
    var borrow = false
    return large.indices.map { place in
      let taken = (place < small.count ? small[place] : .zero) + (borrow ? 1 : .zero)
      borrow = large[place] < taken
      return (borrow ? large[place] + 10 : large[place]) - taken
    }
  }

  private static func isSmaller(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    for place in (0..<max(left.count, right.count)).reversed() {
      let leftDigit = place < left.count ? left[place] : .zero
      let rightDigit = place < right.count ? right[place] : .zero
      if leftDigit != rightDigit { return leftDigit < rightDigit }
    }
    return false
  }
}
