internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

// Hours are kept beside the days and change none of them. Which of several statements counts is judged in SQL.
extension EvidenceWriter {
  /// Merges the hours. Returns the days that they are of.
  func mergeHours(_ sources: [Source]) -> Set<UserDay> {
    let entries = NumberedEntries(sources.map(\.decoded.hours))
    guard !entries.isEmpty else { return [] }
    session.runLater(
      Statements.mergeHours,
      payloads(sources) + [
        .int4Array(entries.numbers), .int2Array(entries.column { $0.metric }),
        .dateArray(entries.column { $0.localDate.daysSince1970 }), .int2Array(entries.column { $0.localHour }),
        .int4Array(entries.column { $0.position }), .textArray(entries.column { $0.value?.text }),
        .int2Array(entries.column { $0.coveredMinutes }), .int2Array(entries.column { $0.minutes }),
      ], "merging hours")
    var days: Set<UserDay> = []
    for source in sources {
      for hour in source.decoded.hours { days.insert(UserDay(user: source.user, date: hour.localDate)) }
    }
    return days
  }

  /// The days of hours that deletions by interval may touch. An origin that sends nothing but hours has no other trace.
  func hoursTouched(byDeletionsOf sources: [Source]) async throws(StoreError) -> Set<UserDay> {
    var all: [(source: Source, metric: Int16, start: Int64, end: Int64)] = []
    for source in sources {
      for case .interval(let metric, let start, let end) in source.decoded.payload.deletions.map(\.target) {
        all.append((source, try metricID(metric), start.microseconds, end.microseconds))
      }
    }
    guard !all.isEmpty else { return [] }
    let doing = "looking for hours that were deleted"
    let rows = try await session.run(
      Statements.hoursBetween,
      [
        .uuidArray(all.map(\.source.user)), .int2Array(all.map(\.source.platform)), .textArray(all.map(\.source.store)),
        .int2Array(all.map(\.metric)), .timestampArray(all.map(\.start)), .timestampArray(all.map(\.end)),
      ], doing)
    return try await storing(doing) { () throws(PostgresError) in
      var days: Set<UserDay> = []
      for row in rows {
        days.insert(
          UserDay(user: try row.uuid("user_id"), date: LocalDate(daysSince1970: try row.date("local_date"))))
      }
      return days
    }
  }

  /// Makes the hours of these days what was said of them.
  func deriveHours(_ days: Set<UserDay>) {
    guard !days.isEmpty else { return }
    let days = days.sorted()
    session.runLater(
      Statements.deriveHours, [.uuidArray(days.map(\.user)), .dateArray(days.map(\.date.daysSince1970))],
      "deriving hours")
  }
}
