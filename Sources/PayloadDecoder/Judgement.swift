import HealthPayload

extension PayloadReader {
  /// Judges what concerns several entries at once, and puts the payload together. Call it once, after everything was read.
  mutating func judge(_ ids: PayloadIDs) throws(PayloadFault) -> DecodedPayload {
    let platform = tables.platforms[ids.platform]
    spreadTaint()
    joinWorkoutRecords()
    if platform.hidesDenial { withdrawUnprovenReads() }
    placeRecords(areManual: platform.isManual)
    try spreadLooked(hidesDenial: platform.hidesDenial)
    if !quarantined.isEmpty { quarantined.sort { $0.byteRange.lowerBound < $1.byteRange.lowerBound } }
    return DecodedPayload(
      payload: payload(ids), readAt: envelope.readAt, readAtWasMissing: envelope.read.readAt == nil,
      neverRead: envelope.isNeverRead, abandoned: envelope.isAllOrNothing && accepted.hasFailedDay,
      days: accepted.judgedDays, hours: accepted.judgedHours, records: accepted.judgedRecords,
      quarantined: quarantined)
  }

  /// Gives records, and what they say that is none, their places behind the days.
  private mutating func placeRecords(areManual: Bool) {
    for index in accepted.judgedRecords.indices {
      accepted.judgedRecords[index].position += accepted.dayCount
      if areManual { accepted.judgedRecords[index].isManual = true }
    }
    for day in accepted.recordDays {
      var day = day
      day.position += accepted.dayCount
      accepted.judgedDays.append(day)
    }
  }

  /// Independent reads that return zero together are a problem of reading: beside an impossible zero of a sum, no zero of a
  /// sum of that date is believed.
  private mutating func spreadTaint() {
    var refused: Set<Int> = []
    for zero in accepted.zeros where accepted.tainted.contains(accepted.judgedDays[zero.judged].localDate) {
      accepted.judgedDays[zero.judged].kind = .invalid
      accepted.judgedDays[zero.judged].value = nil
      accepted.judgedDays[zero.judged].sources = []
      accepted.judgedDays[zero.judged].code = QuarantineCode.impossibleZero.rawValue
      refused.insert(zero.entry)
      problems = [Problem(code: .impossibleZero, pointer: zero.pointer, offset: zero.offset)]
      refuse(zero.range)
    }
    spreadTaintOverHours()
    guard !refused.isEmpty else { return }
    accepted.days = accepted.days.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
  }

  /// Where the platform hides a denial, only what the same payload has of a metric proves that it could be read.
  private mutating func withdrawUnprovenReads() {
    for (index, metric) in accepted.judgedMetrics.enumerated() where !accepted.proof[metric] {
      accepted.judgedDays[index].proven = false
    }
    for (index, metric) in accepted.judgedRecordMetrics.enumerated() where !accepted.proof[metric] {
      accepted.judgedRecords[index].proven = false
    }
    for (index, metric) in accepted.recordDayMetrics.enumerated() where !accepted.proof[metric] {
      accepted.recordDays[index].proven = false
    }
  }

  private func payload(_ ids: PayloadIDs) -> SyncPayload {
    var payload = SyncPayload(payloadID: ids.payload, userID: ids.user, origin: envelope.origin, read: envelope.read)
    payload.timeZones = accepted.timeZones
    payload.windows = accepted.windows
    payload.permissions = accepted.permissions
    payload.presence = accepted.presence
    payload.days = accepted.days
    payload.hours = accepted.hours
    payload.records = accepted.records
    payload.workouts = accepted.workouts
    payload.deletions = accepted.deletions
    payload.backfill = accepted.backfill
    payload.readable = accepted.readable
    payload.looked = accepted.looked
    return payload
  }
}
