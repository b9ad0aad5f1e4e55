#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Instant {
  /// All instants that can be written, from the year 1 to the year 9999.
  private static let writable: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

  /// The instant of a framework's date, rounded to the microsecond; nil where the date is NaN, infinite or in a year that
  /// cannot be written.
  ///
  /// `distantPast` is the first day of the year 1 in the old calendar, which is two days before the first that can be
  /// written; it becomes the first instant that can.
  public init?(_ date: Date) {
    if date == Date.distantPast {
      self.init(microseconds: Instant.writable.lowerBound)
      return
    }
    let seconds = date.timeIntervalSince1970
    guard let microseconds = Int64(exactly: (seconds * 1_000_000).rounded()), Instant.writable.contains(microseconds)
    else { return nil }
    self.init(microseconds: microseconds)
  }
}

extension Date {
  /// The date of an instant.
  public init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
  }
}
