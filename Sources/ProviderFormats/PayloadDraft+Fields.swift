public import HealthPayload
public import PayloadDecoder

extension PayloadDraft {
  /// What stands at a field of an element; nil after the element was set aside because there is nothing.
  public mutating func required(_ element: Place, _ field: String) -> Place? {
    guard let place = element[field] else {
      refuse(element, .missingField, field: field)
      return nil
    }
    return place
  }

  /// The id at a field of an element; nil after the element was set aside because it has none.
  public mutating func identifier(of element: Place, _ field: String) -> String? {
    guard let id = element[field]?.identifier else {
      refuse(element, .missingField, field: field)
      return nil
    }
    return id
  }

  /// Says of all metrics of which a record was taken since then that they can be read: another one has written it.
  ///
  /// - Parameter known: how many records there were before.
  mutating func provesReadable(since known: Int) {
    for record in payload.records[known...] where !payload.readable.contains(record.metric) {
      payload.readable.append(record.metric)
    }
  }

  /// The local date that a field of an element names; nil after it was set aside because it names none.
  public mutating func date(of element: Place, _ field: String) -> LocalDate? {
    guard let place = required(element, field) else { return nil }
    guard let date = place.text.flatMap({ LocalDate($0) }) else {
      refuse(element, .invalidDate, field: field)
      return nil
    }
    return date
  }

  /// Whether an element is about the account that the delivery is about. The id of anybody else is set aside, and nothing but
  /// the id: the rest of the element is nobody's business here.
  public mutating func isOf(_ account: String, _ element: Place, _ field: String) -> Bool {
    guard let id = required(element, field) else { return false }
    guard id.identifier == account else {
      refuse(id, .invalidField)
      return false
    }
    return true
  }

  /// The id and the local date of an element; nil after it was set aside because it lacks one of them.
  public mutating func identity(of element: Place, id: String, date: String) -> (id: String, date: LocalDate)? {
    guard let name = identifier(of: element, id), let date = self.date(of: element, date) else { return nil }
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
