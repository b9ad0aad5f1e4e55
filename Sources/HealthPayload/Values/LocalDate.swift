/// A day as the client that knows the clock wrote it: a date of the proleptic Gregorian calendar without any time zone.
///
/// It is never computed from an instant on the server, because only the phone knows which day it was there.
public struct LocalDate: Sendable, Hashable, Comparable {
  /// Whole days since 1970-01-01; negative before it.
  public let daysSince1970: Int32

  /// The date that lies `daysSince1970` days after 1970-01-01.
  public init(daysSince1970: Int32) {
    self.daysSince1970 = daysSince1970
  }

  /// The date of a calendar day, or nil if no such day exists (February 30, month 13, a year outside 1…9999).
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= LocalDate.length(ofMonth: month, in: year)
    else { return nil }
    self.daysSince1970 = LocalDate.dayNumber(year: year, month: month, day: day)
  }

  /// The date that `text` names, or nil unless it is exactly `YYYY-MM-DD` and that day exists.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(ascii: bytes.span)
  }

  /// The date that an ASCII text names, or nil unless it is exactly `YYYY-MM-DD` and that day exists.
  public init?(ascii text: Span<UInt8>) {
    guard text.count == 10 else { return nil }
    self.init(ascii: text, at: 0)
  }

  /// The date written in the ten bytes at `index`; the caller has seen that there are ten.
  init?(ascii text: Span<UInt8>, at index: Int) {
    guard text[index + 4] == UInt8(ascii: "-"), text[index + 7] == UInt8(ascii: "-"),
      let century = twoDigits(text, at: index), let year = twoDigits(text, at: index + 2),
      let month = twoDigits(text, at: index + 5), let day = twoDigits(text, at: index + 8)
    else { return nil }
    self.init(year: century * 100 + year, month: month, day: day)
  }

  /// Year, month and day of this date.
  public var components: (year: Int, month: Int, day: Int) {
    // Counted from 0000-03-01, so that the leap day is the last day of its year.
    let days = Int(daysSince1970) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  /// The date `days` days later, or earlier where `days` is negative.
  public func adding(days: Int32) -> LocalDate {
    LocalDate(daysSince1970: daysSince1970 + days)
  }

  /// Orders dates by the calendar.
  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    left.daysSince1970 < right.daysSince1970
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func dayNumber(year: Int, month: Int, day: Int) -> Int32 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int32(era * 146_097 + dayOfEra - 719_468)
  }
}

extension LocalDate: CustomStringConvertible {
  /// The ISO text of this date, `YYYY-MM-DD`.
  public var description: String {
    let (year, month, day) = components
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
  }
}

extension LocalDate: Encodable {
  /// Writes the ISO text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
