internal import HealthPayload
internal import PayloadDecoder

extension PayloadDraft {
  /// The time that a field names in seconds since 1970; nil after the element was set aside because it names none, or
  /// nobody knows in which zone.
  mutating func time(of element: Place, seconds field: String, zone: String?) -> WrittenTime? {
    guard let place = required(element, field) else { return nil }
    guard let instant = place.instant else {
      refuse(element, .invalidDate, field: field)
      return nil
    }
    guard let zone else {
      refuse(element, .missingField, field: "timezone")
      return nil
    }
    guard let rules = rules(of: zone) else {
      refuse(element, .unknownTimeZone, field: "timezone")
      return nil
    }
    return WrittenTime(instant, offset: rules.offset(at: instant))
  }
}

extension Place {
  /// The instant that a number of seconds since 1970 names; nil for anything else, and for one that no person lives in.
  var instant: Instant? {
    guard let seconds = whole, (-2_000_000_000...7_000_000_000).contains(seconds) else { return nil }
    return Instant(microseconds: Int64(seconds) * 1_000_000)
  }
}
