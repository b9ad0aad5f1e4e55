public import HealthPayload
internal import PayloadDecoder

/// An interval as it was written, or a point in time, whose end is its begin.
public struct WrittenInterval: Sendable, Hashable {
  /// Its begin.
  public let start: WrittenTime
  /// Its end.
  public let end: WrittenTime

  /// The date on which its night ends: nights run from 18:00 to 18:00 on the clock of its end.
  public var wakeDate: LocalDate {
    Instant(microseconds: end.instant.microseconds + 6 * 3_600_000_000 - 1).date(secondsFromUTC: end.offset)
  }
}

extension PayloadDraft {
  /// The time that a field of an element names; nil after the element was set aside because nobody can tell which.
  ///
  /// - Parameters:
  ///   - offset: seconds ahead of UTC that another field names; nil where none does.
  ///   - zone: IANA name of a zone that another field names.
  public mutating func time(
    of element: Place, _ field: String, offset: Int64? = nil, zone: String? = nil
  ) -> WrittenTime? {
    guard let place = required(element, field) else { return nil }
    guard let text = place.text else {
      refuse(element, .invalidField, field: field)
      return nil
    }
    // An offset of its own says more than the one that the time is written with: many programs write all in UTC.
    if let time = WrittenTime(text) { return offset.map { WrittenTime(time.instant, offset: $0) } ?? time }
    guard let instant = Instant(text) else {
      refuse(element, .invalidDate, field: field)
      return nil
    }
    // An instant in UTC: which day it was there is known only with an offset or a zone.
    guard let offset = offset ?? rules(of: zone ?? delivery.timeZone)?.offset(at: instant) else {
      refuse(element, .missingField, field: "time_zone")
      return nil
    }
    return WrittenTime(instant, offset: offset)
  }

  /// The interval between two fields of an element; nil after the element was set aside because it has none.
  public mutating func interval(
    of element: Place, _ start: String, _ end: String, offsets: (Int64?, Int64?) = (nil, nil), zone: String? = nil
  ) -> WrittenInterval? {
    guard let begin = time(of: element, start, offset: offsets.0 ?? offsets.1, zone: zone),
      let finish = time(of: element, end, offset: offsets.1 ?? offsets.0, zone: zone)
    else { return nil }
    guard begin.instant <= finish.instant else {
      refuse(element, .invalidField, field: end)
      return nil
    }
    return WrittenInterval(start: begin, end: finish)
  }

  /// Takes an element as records of the days to which its shape says that it counts.
  public mutating func records(
    _ shape: Shape, of element: Place, id: String, during interval: WrittenInterval, source: String?,
    entry: RecordEntry.Entry = .sensor, unit: String? = nil
  ) {
    records(
      shape, of: element,
      like: RecordEntry(
        recordID: id, metric: "",
        localDate: shape.dayRule == .wake ? interval.wakeDate : interval.start.localDate, source: source,
        start: interval.start.instant, end: interval.end.instant, entry: entry),
      splitAt: shape.dayRule == .split ? interval.start.offset : nil, unit: unit)
  }

  /// The rules of a zone; nil for no zone, and for one that the system does not know.
  mutating func rules(of zone: String?) -> ZoneRules? {
    guard let zone else { return nil }
    if let known = zones[zone] { return known }
    let rules = ZoneRules(named: zone)
    zones[zone] = .some(rules)
    return rules
  }
}

extension Place {
  /// How many seconds a field says that clocks were ahead of UTC: `+01:00`, `3600s`, `3600`, or an object with
  /// `totalSeconds`; nil for anything else.
  public func offset(_ field: String) -> Int64? {
    guard let place = self[field] else { return nil }
    if let seconds = place.whole ?? place["totalSeconds"]?.whole { return Place.plausible(seconds) }
    guard let text = place.text else { return nil }
    if text == "Z" { return Place.plausible(0) }
    if text.hasSuffix("s") { return Int(text.dropLast()).flatMap(Place.plausible) }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = text.first, sign == "+" || sign == "-", digits.count == 4, let number = Int(digits) else {
      return nil
    }
    let seconds = number / 100 * 3_600 + number % 100 * 60
    return Place.plausible(sign == "-" ? -seconds : seconds)
  }

  /// Clocks are at most 14 hours ahead of UTC and 12 behind it; old ones were a little further.
  private static func plausible(_ seconds: Int) -> Int64? {
    (-16 * 3_600...16 * 3_600).contains(seconds) ? Int64(seconds) : nil
  }
}
