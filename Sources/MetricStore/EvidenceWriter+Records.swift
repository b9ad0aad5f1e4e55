internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

// Records and deletions. Which of two reads of a record counts, and whether it is deleted, is judged in SQL.
extension EvidenceWriter {
  /// Merges the records. Returns the days that they are of, and the days that they have left.
  func mergeRecords(_ sources: [Source]) async throws(StoreError) -> Touched {
    let entries = NumberedEntries(sources.map(\.decoded.records))
    guard !entries.isEmpty else { return Touched() }
    return try await touched(
      Statements.mergeRecords,
      payloads(sources) + [
        .int4Array(entries.numbers), .textArray(entries.column { $0.recordID }),
        .int2Array(entries.column { $0.metric }), .dateArray(entries.column { $0.localDate.daysSince1970 }),
        .int4Array(entries.column { $0.position }), .textArray(entries.column { $0.value?.text }),
        .textArray(entries.column { $0.source }), .timestampArray(entries.column { $0.start?.microseconds }),
        .timestampArray(entries.column { $0.end?.microseconds }), .boolArray(entries.column { $0.isManual }),
        .boolArray(entries.column { $0.proven }), now,
      ], "merging records")
  }

  /// Merges the deletions. Returns the days that they are about, as far as anything is known of these.
  func mergeDeletions(_ sources: [Source]) async throws(StoreError) -> Touched {
    let entries = NumberedEntries(sources.map(\.decoded.payload.deletions))
    guard !entries.isEmpty else { return Touched() }
    let metrics = try entries.column { (entry) throws(StoreError) -> Int16? in
      try entry.interval.map { (interval) throws(StoreError) in try metricID(interval.metric) }
    }
    return try await touched(
      Statements.mergeDeletions,
      payloads(sources) + [
        .int4Array(entries.numbers), .textArray(entries.column { $0.recordID }), .int2Array(metrics),
        .timestampArray(entries.column { $0.interval?.start.microseconds }),
        .timestampArray(entries.column { $0.interval?.end.microseconds }), now,
      ], "merging deletions")
  }

  /// The columns with one element for each payload.
  func payloads(_ sources: [Source]) -> [Parameter] {
    [
      .uuidArray(sources.map(\.user)), .int2Array(sources.map(\.platform)), .textArray(sources.map(\.store)),
      .uuidArray(sources.map(\.id)), .timestampArray(sources.map(\.read)),
    ]
  }

  private func touched(
    _ sql: String, _ parameters: consuming [Parameter], _ doing: String
  ) async throws(StoreError) -> Touched {
    let rows = try await session.run(sql, parameters, doing)
    return try await storing(doing) { () throws(PostgresError) in
      var touched = Touched()
      for row in rows {
        let day = UserDay(user: try row.uuid("user_id"), date: LocalDate(daysSince1970: try row.date("local_date")))
        guard let metric = try row.optionalText("metric") else {
          touched.days.insert(day)
          continue
        }
        touched.deleted.append(
          DeletedCell(
            day: day, metric: metric, platform: try row.text("platform"), deletedAt: try row.timestamp("deleted_at"),
            held: try row.bool("held")))
      }
      return touched
    }
  }

  /// Takes out of the history what the deletions have taken back; after deriving, so that what was shown until now is in it.
  func forget(_ cells: [DeletedCell]) {
    guard !cells.isEmpty else { return }
    session.runLater(
      Statements.forgetDeleted,
      [
        .uuidArray(cells.map(\.day.user)), .textArray(cells.map(\.metric)),
        .dateArray(cells.map(\.day.date.daysSince1970)), .textArray(cells.map(\.platform)),
        .timestampArray(cells.map(\.deletedAt)), .boolArray(cells.map(\.held)),
      ], "forgetting what was deleted")
  }
}

/// What merged evidence has to do with.
struct Touched {
  /// The days to derive.
  var days: Set<UserDay> = []
  /// The cells whose history a deletion takes back.
  var deleted: [DeletedCell] = []
  /// The days of which hours are to be derived.
  var hours: Set<UserDay> = []

  mutating func formUnion(_ other: Touched) {
    days.formUnion(other.days)
    hours.formUnion(other.hours)
    // What a deletion takes from a day it takes from its hours.
    hours.formUnion(other.deleted.map(\.day))
    deleted += other.deleted
  }
}

/// A cell of which a platform has deleted something.
struct DeletedCell {
  let day: UserDay
  let metric: String
  let platform: String
  /// When the deletion was read, in microseconds since 1970.
  let deletedAt: Int64
  /// Whether a record that is deleted is in the cell, or was before it moved.
  let held: Bool
}

extension Deletion {
  /// The id of the record that was deleted; nil: an interval was.
  fileprivate var recordID: String? {
    if case .record(let id) = target { id } else { nil }
  }

  /// The interval that was deleted; nil: a record was.
  fileprivate var interval: (metric: String, start: Instant, end: Instant)? {
    if case .interval(let metric, let start, let end) = target { (metric, start, end) } else { nil }
  }
}
