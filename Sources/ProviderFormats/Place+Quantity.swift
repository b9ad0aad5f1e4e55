internal import FoundationEssentials
internal import HealthPayload

extension Place {
  /// What an element holds of a quantity.
  enum Quantity {
    /// A field of it is not there.
    case absent
    /// A field of it is null.
    case null
    /// The field at this path is no number, or the sum has too many digits.
    case unreadable(String)
    /// A number, zero included.
    case number(ExactNumber)
  }

  /// The quantity that a row of a table describes: one field, the sum of several, a field times a power of ten, or what a
  /// field is only the sign of.
  ///
  /// - Parameter length: microseconds from the element's begin to its end, where it has both.
  /// - Returns: nil where the field has a code that this row does not take.
  func quantity(_ rule: FieldRule, length: Int64?) -> Quantity? {
    switch (rule.taking, member(rule.path)) {
    case (.itself, _), (.average, _), (.lowest, _), (.highest, _): return written(rule)
    case (_, .absent): return .absent
    case (_, .null): return .null
    case (.once, .present): return .number(ExactNumber(1))
    case (.length, .present): break
    case (.time(let codes), .present(let place)):
      guard let code = place.word, codes.contains(code) else { return nil }
    case (.code(let numbers), .present(let place)):
      guard let code = place.word, let number = code == "0" ? 0 : numbers[code] else { return nil }
      return .number(ExactNumber(number))
    }
    guard let length, let seconds = ExactNumber(microseconds: length) else { return .unreadable(rule.path) }
    return .number(seconds)
  }

  private func written(_ rule: FieldRule) -> Quantity {
    let paths = rule.path.split(separator: "+").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
    var numbers: [ExactNumber] = []
    var lacks = false
    for path in paths {
      switch member(path) {
      case .null: return .null
      case .absent: lacks = true
      case .present(let place):
        guard let number = place.lenientNumber else { return .unreadable(path) }
        numbers.append(number)
      }
    }
    if lacks { return .absent }
    guard let sum = numbers.count == 1 ? numbers.first : ExactNumber.sum(numbers) else { return .unreadable(rule.path) }
    return rule.exponent.isEmpty ? .number(sum) : scaled(sum, rule)
  }

  /// A number that is written with its power of ten beside it; without it nobody knows what it is.
  private func scaled(_ number: ExactNumber, _ rule: FieldRule) -> Quantity {
    guard let exponent = self[rule.exponent]?.whole, (-30...30).contains(exponent),
      let scaled = ExactNumber("\(number.text)e\(exponent)")
    else { return .unreadable(rule.exponent) }
    return .number(scaled)
  }
}
