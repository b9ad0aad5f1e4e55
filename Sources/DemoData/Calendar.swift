/// A calendar date as the number of days since 1970-01-01. It has no time and no zone.
struct Day: Hashable, Comparable, CustomStringConvertible {
  let number: Int

  init(number: Int) { self.number = number }

  init(year: Int, month: Int, day: Int) {
    // Years are counted from March, so that the leap day is the last one of a year.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Reads `YYYY-MM-DD`; nil if it is anything else or no date of the calendar.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
    guard description == text else { return nil }
  }

  var description: String {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(year)-\(twoDigits(month))-\(twoDigits(dayOfYear - (153 * monthIndex + 2) / 5 + 1))"
  }

  static func < (left: Day, right: Day) -> Bool { left.number < right.number }
  static func + (day: Day, count: Int) -> Day { Day(number: day.number + count) }
  static func - (day: Day, count: Int) -> Day { Day(number: day.number - count) }

  /// The instant of a time of day in UTC.
  func utc(_ hour: Int, _ minute: Int = 0) -> Moment { Moment(seconds: number * 86_400 + hour * 3600 + minute * 60) }
}

/// An instant in whole seconds since 1970-01-01T00:00:00Z.
struct Moment: Hashable, Comparable, CustomStringConvertible {
  let seconds: Int

  var description: String {
    let day = Day(number: (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400)
    let time = seconds - day.number * 86_400
    return "\(day)T\(twoDigits(time / 3600)):\(twoDigits(time / 60 % 60)):\(twoDigits(time % 60))Z"
  }

  static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }
  func plus(minutes: Int) -> Moment { Moment(seconds: seconds + minutes * 60) }
}

/// A time zone by its standard time.
///
/// Summer time is left out on purpose: it only ends a day earlier, so an instant after the day's end here
/// is after it in truth, and the generator needs no time zone database.
struct Zone: Hashable {
  let name: String
  let minutesEast: Int

  func start(of day: Day) -> Moment { day.utc(0).plus(minutes: -minutesEast) }
  func end(of day: Day) -> Moment { start(of: day + 1) }

  static let berlin = Zone(name: "Europe/Berlin", minutesEast: 60)
  static let london = Zone(name: "Europe/London", minutesEast: 0)
  static let newYork = Zone(name: "America/New_York", minutesEast: -300)
  static let chicago = Zone(name: "America/Chicago", minutesEast: -360)
  static let losAngeles = Zone(name: "America/Los_Angeles", minutesEast: -480)
  static let honolulu = Zone(name: "Pacific/Honolulu", minutesEast: -600)
  static let saoPaulo = Zone(name: "America/Sao_Paulo", minutesEast: -180)
  static let kolkata = Zone(name: "Asia/Kolkata", minutesEast: 330)
  static let tokyo = Zone(name: "Asia/Tokyo", minutesEast: 540)
  static let sydney = Zone(name: "Australia/Sydney", minutesEast: 600)
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
