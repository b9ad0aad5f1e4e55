internal import HealthPayload

/// The rule by which a zone goes on after the last transition that its file names, in the notation of POSIX with the
/// extensions of RFC 8536, such as `CET-1CEST,M3.5.0,M10.5.0/3` or `<+0330>-3:30`.
struct ZoneFooter {
  /// The day and time of a change, each year.
  fileprivate struct Change {
    /// Which day it is.
    enum Day {
      /// Of a month the week from 1, of which 5 is the last, and in it the day of the week from Sunday, 0.
      case weekday(month: Int, week: Int, day: Int)
      /// From 1, without the leap day.
      case withoutLeapDay(Int)
      /// From 0, with the leap day.
      case withLeapDay(Int)
    }
    let day: Day
    /// Seconds after midnight; also before it, or some days later.
    let time: Int64
  }

  private let standard: Int64
  private let summer: (offset: Int64, begin: Change, end: Change)?

  /// The rule that a text describes; nil for any other text, also the empty one, which says that nothing is known.
  init?(_ text: String) {
    var rest = Substring(text)
    guard ZoneFooter.takeName(&rest), let west = ZoneFooter.takeTime(&rest) else { return nil }
    standard = -west
    guard !rest.isEmpty else {
      summer = nil
      return
    }
    guard ZoneFooter.takeName(&rest) else { return nil }
    let offset = rest.first == "," ? standard + 3_600 : ZoneFooter.takeTime(&rest).map { -$0 }
    guard let offset, let begin = ZoneFooter.takeChange(&rest), let end = ZoneFooter.takeChange(&rest), rest.isEmpty
    else { return nil }
    summer = (offset, begin, end)
  }

  /// All changes of these years, in the order of time.
  func transitions(in years: ClosedRange<Int>) -> [ZoneRules.Transition] {
    guard let summer else {
      // A zone without changes is from here on what its rule says.
      return years.prefix(1).compactMap { LocalDate(year: $0, month: 1, day: 1) }.map {
        ZoneRules.Transition(at: Int64($0.daysSince1970) * 86_400, offset: standard)
      }
    }
    var transitions: [ZoneRules.Transition] = []
    for year in years {
      guard let begin = summer.begin.midnight(in: year), let end = summer.end.midnight(in: year) else { continue }
      // The time of a change is read on the clock that is changed.
      transitions.append(ZoneRules.Transition(at: begin + summer.begin.time - standard, offset: summer.offset))
      transitions.append(ZoneRules.Transition(at: end + summer.end.time - summer.offset, offset: standard))
    }
    return transitions.sorted { $0.at < $1.at }
  }

  /// Letters, or anything between angle brackets.
  private static func takeName(_ rest: inout Substring) -> Bool {
    if rest.first == "<" {
      guard let end = rest.firstIndex(of: ">") else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let letters = rest.prefix { $0.isASCII && $0.isLetter }
    rest = rest.dropFirst(letters.count)
    return letters.count >= 3
  }

  /// Hours, minutes and seconds, with a sign or without.
  private static func takeTime(_ rest: inout Substring) -> Int64? {
    let written = rest.prefix { "+-0123456789:".contains($0) }
    rest = rest.dropFirst(written.count)
    let isNegative = written.first == "-"
    let parts = written.drop { $0 == "+" || $0 == "-" }.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.count == parts.count, (1...3).contains(numbers.count), numbers[0] <= 167,
      numbers.dropFirst().allSatisfy({ (0..<60).contains($0) })
    else { return nil }
    let seconds = zip(numbers, [Int64(3_600), 60, 1]).reduce(Int64(0)) { $0 + $1.0 * $1.1 }
    return isNegative ? -seconds : seconds
  }

  /// A comma, a day and, after a stroke, the time; two hours after midnight where none is given.
  private static func takeChange(_ rest: inout Substring) -> Change? {
    guard rest.first == "," else { return nil }
    let written = rest.dropFirst().prefix { $0 != "," }
    rest = rest.dropFirst(written.count + 1)
    let parts = written.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let word = parts.first, let day = day(word) else { return nil }
    guard parts.count == 2 else { return Change(day: day, time: 7_200) }
    var clock = parts[1]
    return takeTime(&clock).flatMap { clock.isEmpty ? Change(day: day, time: $0) : nil }
  }

  private static func day(_ word: Substring) -> Change.Day? {
    if word.first == "M" {
      let numbers = word.dropFirst().split(separator: ".").compactMap { Int($0) }
      guard numbers.count == 3, (1...12).contains(numbers[0]), (1...5).contains(numbers[1]),
        (0...6).contains(numbers[2])
      else { return nil }
      return .weekday(month: numbers[0], week: numbers[1], day: numbers[2])
    }
    if word.first == "J" {
      return Int(word.dropFirst()).flatMap { (1...365).contains($0) ? .withoutLeapDay($0) : nil }
    }
    return Int(word).flatMap { (0...365).contains($0) ? .withLeapDay($0) : nil }
  }
}

extension ZoneFooter.Change {
  /// Midnight of the day, in seconds since 1970 of a clock that shows UTC.
  fileprivate func midnight(in year: Int) -> Int64? {
    guard let first = LocalDate(year: year, month: 1, day: 1) else { return nil }
    let date: LocalDate?
    switch day {
    case .withLeapDay(let number): date = first.adding(days: Int32(number))
    case .withoutLeapDay(let number):
      let isLeap = LocalDate(year: year, month: 2, day: 29) != nil
      date = first.adding(days: Int32(isLeap && number >= 60 ? number : number - 1))
    case .weekday(let month, let week, let day):
      date = ZoneFooter.date(of: day, week: week, month: month, year: year)
    }
    return date.map { Int64($0.daysSince1970) * 86_400 }
  }
}

extension ZoneFooter {
  fileprivate static func date(of weekday: Int, week: Int, month: Int, year: Int) -> LocalDate? {
    guard let first = LocalDate(year: year, month: month, day: 1) else { return nil }
    // 1970-01-01 was a Thursday, 4.
    let begin = ((Int(first.daysSince1970) + 4) % 7 + 7) % 7
    let day = 1 + (weekday - begin + 7) % 7 + (week - 1) * 7
    // The fifth where there are only four is the fourth, which is the last.
    return LocalDate(year: year, month: month, day: day) ?? LocalDate(year: year, month: month, day: day - 7)
  }
}
