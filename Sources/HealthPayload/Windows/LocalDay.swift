#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A day of a person's calendar with the instants at which it begins and ends: 22 to 26 hours, as its zone gives it.
public struct LocalDay: Sendable, Hashable {
  /// The date, as clocks there show it.
  public let date: LocalDate
  /// When it begins, which is not always midnight.
  public let start: Instant
  /// When the next one begins.
  public let end: Instant

  /// A day by its bounds; nil unless it begins before it ends.
  public init?(date: LocalDate, start: Instant, end: Instant) {
    guard start < end else { return nil }
    self.date = date
    self.start = start
    self.end = end
  }

  /// The day in this zone to which the instant belongs; nil for years that the wire form cannot write.
  ///
  /// The calendar is always the Gregorian one, whatever the device shows to its person.
  public init?(containing instant: Instant, in zone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let date = Date(instant)
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    guard let interval = calendar.dateInterval(of: .day, for: date), let start = Instant(interval.start),
      let end = Instant(interval.end), let year = parts.year, let month = parts.month, let day = parts.day,
      let localDate = LocalDate(year: year, month: month, day: day)
    else { return nil }
    self.init(date: localDate, start: start, end: end)
  }

  /// All days from the one that contains `first` to the one that contains `last`, in order. A date that the zone has
  /// skipped is not among them. None where `last` comes before `first`; nil for years that the wire form cannot write.
  public static func days(from first: Instant, through last: Instant, in zone: TimeZone) -> [LocalDay]? {
    guard first <= last else { return [] }
    guard var day = LocalDay(containing: first, in: zone) else { return nil }
    var days = [day]
    while day.end <= last {
      guard let next = LocalDay(containing: day.end, in: zone) else { return nil }
      day = next
      days.append(day)
    }
    return days
  }
}
