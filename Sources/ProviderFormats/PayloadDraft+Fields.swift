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
}
