import HealthPayload

extension PayloadReader {
  /// Reads the record in hand.
  mutating func readRecord() {
    let recordID = text(.recordID, required(.recordID), characters: 1...512)
    let metric = metric(required(.metric), tables)
    let date = date(.localDate, required(.localDate))
    let source = text(.source, fields.optional(.source), characters: 1...256).map { accepted.shared($0) }
    let start = instant(.start, fields.optional(.start))
    let end = instant(.end, fields.optional(.end))
    let entry = fields.optional(.entry) == nil ? .sensor : word(.entry, tables.words.entries)
    let hasValue = fields[.value] != nil
    let measurement = hasValue ? measurement(metric, tables) : nil
    // Ranges judge the day and not its records; but a number that no metric can have is not even kept.
    if let measurement, measurement.converted.wholeDigits > 12 { problem(.outOfRange, .value) }
    guard problems.isEmpty, let recordID, let metric, let date, let entry, hasValue == (measurement != nil) else {
      return refuseRecord(metric, date)
    }
    if let measurement, !measurement.converted.isZero {
      guard source != nil || !metric.needsSource else {
        return judgeRecord(metric, date, .empty, JudgedDay.derivedDefault)
      }
      accepted.proof[metric.index] = true
    }
    if parts == .all {
      accepted.records.append(
        RecordEntry(
          recordID: recordID, metric: tables.rules[metric.index].name, localDate: date, source: source, start: start,
          end: end, value: measurement?.written, unit: tables.unit(of: measurement, metric), entry: entry))
    }
    accepted.judgedRecords.append(
      JudgedRecord(
        recordID: recordID, metric: metric.id, localDate: date, position: Int32(place.index),
        value: measurement?.converted, source: source ?? "", start: start, end: end, isManual: entry == .manual,
        proven: true))
    accepted.judgedRecordMetrics.append(metric.index)
  }

  /// Puts the record into quarantine. What is no number of its metric leaves the day with something that is no value.
  private mutating func refuseRecord(_ metric: MetricFacts?, _ date: LocalDate?) {
    accepted.noteRefused(metric, date, last: envelope.lastDate)
    let code = refuse(fields.range)
    if let metric, let date, let code, code == .unknownUnit || code == .outOfRange {
      judgeRecord(metric, date, .invalid, code.rawValue)
    }
  }

  /// Notes that the record says something about its day without being a record.
  private mutating func judgeRecord(_ metric: MetricFacts, _ date: LocalDate, _ kind: JudgedDay.Kind, _ code: String) {
    accepted.recordDays.append(
      JudgedDay(
        metric: metric.id, localDate: date, position: Int32(place.index), kind: kind, code: code,
        proven: true))
    accepted.recordDayMetrics.append(metric.index)
  }

  /// Reads the deletion in hand. One by id says all that it has to: an error elsewhere in it must not keep the record.
  mutating func readDeletion() {
    let kind = text(.kind, fields.optional(.kind), characters: 0...64)
    if let token = fields.optional(.recordID) {
      let recordID = text(.recordID, token, characters: 1...512)
      guard problems.isEmpty, let recordID else { return _ = refuse(fields.range) }
      return accepted.deletions.append(Deletion(.record(id: recordID), kind: kind))
    }
    let metric = metric(required(.metric), tables)
    // Whoever deletes all of it says so with the earliest and the latest date of their language.
    let start = instant(.start, required(.start), years: Instant.writableYears)
    let end = instant(.end, required(.end), years: Instant.writableYears)
    if let start, let end, end < start { problem(.invalidField, .end) }
    guard problems.isEmpty, let metric, let start, let end else { return _ = refuse(fields.range) }
    accepted.deletions.append(
      Deletion(.interval(metric: tables.rules[metric.index].name, start: start, end: end), kind: kind))
  }

  /// Reads the evidence of presence in hand.
  mutating func readPresence() {
    let date = date(.localDate, required(.localDate))
    let source = text(.source, required(.source), characters: 1...256)
    let kind = word(.kind, tables.words.presenceKinds)
    let minutes = minutes(.minutes)
    guard problems.isEmpty, let date, let source, let kind else { return _ = refuse(fields.range) }
    accepted.presence.append(Presence(localDate: date, source: source, kind: kind, minutes: minutes))
  }
}
