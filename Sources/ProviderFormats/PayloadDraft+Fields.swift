public import HealthPayload
public import PayloadDecoder

extension PayloadDraft {
  /// The local date that a field of an element names; nil after it was set aside because it names none.
  public mutating func date(of element: Place, _ field: String) -> LocalDate? {
    guard let place = element[field] else {
      refuse(element, .missingField, field: field)
      return nil
    }
    guard let date = place.text.flatMap({ LocalDate($0) }) else {
      refuse(element, .invalidDate, field: field)
      return nil
    }
    return date
  }

  /// Whether an element is about the account that the delivery is about. The id of anybody else is set aside, and nothing but
  /// the id: the rest of the element is nobody's business here.
  public mutating func isOf(_ account: String, _ element: Place, _ field: String) -> Bool {
    guard let id = element[field] else {
      refuse(element, .missingField, field: field)
      return false
    }
    guard id.identifier == account else {
      refuse(id, .invalidField)
      return false
    }
    return true
  }

  /// The id and the local date of an element; nil after it was set aside because it lacks one of them.
  public mutating func identity(of element: Place, id: String, date: String) -> (id: String, date: LocalDate)? {
    guard let name = element[id]?.identifier else {
      refuse(element, .missingField, field: id)
      return nil
    }
    guard let date = self.date(of: element, date) else { return nil }
    return (name, date)
  }
}

extension ProviderFormat {
  /// The fault of a document that lacks what the format is known by.
  public static func missing(_ pointer: String) -> PayloadFault {
    PayloadFault(
      code: .missingField, pointer: pointer,
      detail: "This is no document of the format \(declaration.name), or the delivery does not say enough about it.")
  }

  /// Holds the account that a whole document names against that of the delivery, where both say one.
  ///
  /// - Throws: `user_mismatch` where they differ: what is said of somebody else must not reach this person.
  static func require(_ account: String, _ named: Place?) throws(PayloadFault) {
    guard let named, !account.isEmpty, named.identifier != account else { return }
    throw PayloadFault(
      code: .userMismatch, pointer: named.pointer, byteOffset: named.node.range.lowerBound,
      detail: "The document is about another account of \(declaration.title) than the delivery says.")
  }
}
