internal import HealthPayload
internal import PayloadDecoder

extension PayloadDraft {
  /// What an element says of each metric of its table.
  ///
  /// - Parameters:
  ///   - unit: the document's word for the unit, where it has one.
  ///   - length: microseconds from the element's begin to its end, where it has both.
  mutating func outcomes(
    _ shape: Shape, of element: Place, worn: Bool, unit: String? = nil, length: Int64? = nil
  ) -> [(FieldRule, DayEntry.Outcome)] {
    let state = shape.states.first { element[$0.path]?.word == $0.state }
    if let state, state.meaning == .impossible {
      refuse(element, .invalidField, field: state.path)
      return []
    }
    return shape.fields.compactMap { rule in
      let outcome =
        if let state {
          outcome(state.meaning, nil, element, rule, worn: worn, .missingValue)
        } else {
          outcome(of: element, by: rule, worn: worn, unit: unit, length: length)
        }
      return outcome.map { (rule, $0) }
    }
  }

  /// What a field says by its rule; nil says nothing, or was set aside.
  mutating func outcome(
    of element: Place, by rule: FieldRule, worn: Bool, unit word: String?, length: Int64?
  ) -> DayEntry.Outcome? {
    guard let quantity = element.quantity(rule, length: length) else { return nil }
    switch quantity {
    case .absent: return outcome(rule.absent, nil, element, rule, worn: worn, .missingValue)
    case .null: return outcome(rule.null, nil, element, rule, worn: worn, .missingValue)
    case .unreadable(let path):
      refuse(element, .notANumber, field: path)
      return nil
    case .number(let number):
      guard let unit = rule.units.isEmpty ? rule.unit : word.flatMap({ rule.units[$0] }) else {
        refuse(element, .unknownUnit, field: rule.path)
        return nil
      }
      // A code's 0 is what the table says; the number that another code stands for is one, also where it is 0.
      if case .code = rule.taking, element[rule.path]?.word != "0" { return .value(number, unit: unit) }
      guard number.isZero else { return .value(number, unit: unit) }
      return outcome(rule.zero, (number, unit), element, rule, worn: worn, .impossibleZero)
    }
  }

  private mutating func outcome(
    _ meaning: Meaning, _ number: (value: ExactNumber, unit: String)?, _ element: Place, _ rule: FieldRule, worn: Bool,
    _ code: QuarantineCode
  ) -> DayEntry.Outcome? {
    switch meaning {
    case .value: return number.map { .value($0.value, unit: $0.unit) }
    case .valueIfWorn: return worn ? number.map { .value($0.value, unit: $0.unit) } : .empty
    case .zero: return .value(ExactNumber(0), unit: rule.unit)
    case .one: return .value(ExactNumber(1), unit: rule.unit)
    case .empty: return .empty
    case .emptyIfUnworn: return worn ? nil : .empty
    case .failed(let code): return .failed(code: code)
    case .unavailable: return .unavailable()
    case .silence: return nil
    case .impossible:
      refuse(element, code, field: rule.path)
      return nil
    }
  }
}
