internal import HealthPayload

extension RecordEntry {
  /// The record itself, or one for each day that its interval touches, with its share of the value.
  ///
  /// The shares have six decimals, or as many as the value, and their sum is the value exactly. The first keeps the record's
  /// id, the others have `+1`, `+2` behind it, so that whoever knows the id can delete them all.
  func splitByDay(offset: Int64) -> [RecordEntry] {
    guard let start, let end, start < end, let value else { return [self] }
    var part = self
    part.localDate = start.date(secondsFromUTC: offset)
    let last = Instant(microseconds: end.microseconds - 1).date(secondsFromUTC: offset)
    guard part.localDate < last, last.daysSince1970 - part.localDate.daysSince1970 < Shape.mostDays,
      let whole = Scaled.divisible(value)
    else { return [part] }
    let length = Int128(end.microseconds - start.microseconds)
    var parts: [RecordEntry] = []
    var rest = whole.units
    var begin = start
    while part.localDate <= last {
      let stop = min(part.localDate.adding(days: 1).midnight(offset: offset), end)
      let time = Int128(stop.microseconds - begin.microseconds)
      let share = part.localDate == last ? rest : (whole.units * time + length / 2) / length
      rest -= share
      part.recordID = Shape.partID(recordID, parts.count)
      part.start = begin
      part.end = stop
      part.value = Scaled(share, decimals: whole.decimals).number
      parts.append(part)
      begin = stop
      part.localDate = part.localDate.adding(days: 1)
    }
    return parts
  }
}

extension WrittenInterval {
  /// To how many days it can count on whatever clock: they all show midnight at a quarter of an hour of UTC.
  var daysOnAnyClock: Int {
    let quarter: Int64 = 900_000_000
    let first = start.instant.microseconds
    let length = end.instant.microseconds - first
    let past = ((first % quarter) + quarter) % quarter
    guard quarter - past < length else { return 1 }
    return Int(min(length / 86_400_000_000 + 2, Int64(Shape.mostDays)))
  }

  /// To how many days it can count on its own clock if its begin and its end are moved by so many hours.
  func days(movedBy hours: Int64) -> Int {
    let reach = hours * 3_600_000_000
    let first = Instant(microseconds: start.instant.microseconds - reach).date(secondsFromUTC: start.offset)
    let last = Instant(microseconds: end.instant.microseconds + reach).date(secondsFromUTC: start.offset)
    return min(Int(last.daysSince1970 - first.daysSince1970) + 1, Shape.mostDays)
  }
}

extension Scaled {
  /// A number as a whole number of its smallest decimal place, of which there are at least six; nil for one that is
  /// negative, or has more digits than can be divided without an overflow.
  fileprivate static func divisible(_ number: ExactNumber) -> Scaled? {
    guard let given = Scaled(number, mostDigits: 22), let scaled = given.with(decimals: max(6, given.decimals)),
      (0..<10_000_000_000_000_000_000_000).contains(scaled.units)
    else { return nil }
    return scaled
  }
}

extension LocalDate {
  /// When a clock that is ahead of UTC by an offset in seconds shows the begin of the day.
  func midnight(offset: Int64) -> Instant {
    Instant(microseconds: (Int64(daysSince1970) * 86_400 - offset) * 1_000_000)
  }
}
