import HealthPayload

extension PayloadReader {
  /// Reads the hour in hand.
  mutating func readHour() {
    let metric = metric(required(.metric), tables)
    let date = date(.localDate, required(.localDate))
    let hour = number(.localHour, required(.localHour), 0...23)
    let minutes =
      fields.optional(.minutes) == nil ? HourEntry.usualMinutes : number(.minutes, fields[.minutes], 1...1_500)
    let covered = number(.coveredMinutes, required(.coveredMinutes), 0...1_500)
    if let covered, let minutes, covered > minutes { problem(.invalidField, .coveredMinutes) }
    var measurement: Measurement?
    if covered == 0 {
      // A number of which nothing was seen, a zero above all, is what this table is there to keep out.
      if fields.optional(.value) != nil { problem(.unexpectedValue, .value) }
    } else {
      measurement = self.measurement(metric, tables)
      if let metric, let measurement, let code = tables.fault(in: measurement, metric) { problem(code, .value) }
    }
    guard problems.isEmpty, let metric, let date, let hour, let minutes, let covered,
      (covered == 0) == (measurement == nil)
    else { return refuseHour(metric, date) }
    if measurement?.converted.isZero == true, metric.isSum { noteZeroHour() }
    if parts == .all {
      accepted.hours.append(
        HourEntry(
          metric: tables.rules[metric.index].name, localDate: date, localHour: hour,
          seen: measurement.map {
            .value($0.written, unit: tables.unit(of: $0, metric), coveredMinutes: covered)
          } ?? .nothing, minutes: minutes))
    }
    accepted.judgedHours.append(
      JudgedHour(
        metric: metric.id, localDate: date, localHour: Int16(hour), position: Int32(place.index),
        value: measurement?.converted, coveredMinutes: Int16(covered), minutes: Int16(minutes)))
  }

  private mutating func noteZeroHour() {
    guard let token = fields[.value] else { return }
    accepted.hourZeros.append(
      AcceptedEntries.Zero(
        entry: accepted.judgedHours.count, judged: accepted.judgedHours.count,
        pointer: "\(place.pointer)/\(Key.value.name)", offset: token.offset, range: fields.range))
  }

  /// Puts the hour into quarantine. An impossible zero discredits the others of its day, as that of a day does.
  private mutating func refuseHour(_ metric: MetricFacts?, _ date: LocalDate?) {
    let code = refuse(fields.range)
    if code == .impossibleZero, let metric, let date, metric.isSum { accepted.tainted.insert(date) }
  }

  /// Puts the zeros of hours into quarantine that an impossible zero of their date discredits.
  mutating func spreadTaintOverHours() {
    var refused: Set<Int> = []
    for zero in accepted.hourZeros where accepted.tainted.contains(accepted.judgedHours[zero.judged].localDate) {
      refused.insert(zero.entry)
      problems = [Problem(code: .impossibleZero, pointer: zero.pointer, offset: zero.offset)]
      refuse(zero.range)
    }
    guard !refused.isEmpty else { return }
    accepted.hours = accepted.hours.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
    accepted.judgedHours = accepted.judgedHours.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
  }

  /// A whole number in a range.
  private mutating func number(_ key: Key, _ token: Token?, _ range: ClosedRange<Int>) -> Int? {
    guard let token else { return nil }
    guard let number = scanner.bytes.integer(of: token), range.contains(number) else {
      problem(.invalidField, key)
      return nil
    }
    return number
  }
}
