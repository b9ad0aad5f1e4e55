internal import Foundation
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

// Records and deletions. Which of two reads of a record counts, and whether it is deleted, is judged in SQL.
extension EvidenceWriter {
  /// Merges the records. Returns the days that they are of, and the days that they have left.
  func mergeRecords(_ sources: [Source]) async throws(StoreError) -> [UserDay] {
    let entries = numbered(sources, \.decoded.records)
    guard !entries.isEmpty else { return [] }
    return try await touched(
      Statements.mergeRecords,
      payloads(sources) + [
        .int4Array(entries.map(\.number)), .textArray(entries.map(\.entry.recordID)),
        .int2Array(entries.map(\.entry.metric)), .dateArray(entries.map(\.entry.localDate.daysSince1970)),
        .int4Array(entries.map(\.entry.position)), .textArray(entries.map(\.entry.value?.text)),
        .textArray(entries.map(\.entry.source)), .timestampArray(entries.map(\.entry.start?.microseconds)),
        .timestampArray(entries.map(\.entry.end?.microseconds)), .boolArray(entries.map(\.entry.isManual)),
        .boolArray(entries.map(\.entry.proven)), now,
      ], "merging records")
  }

  /// Merges the deletions. Returns the days that they are about, as far as anything is known of these.
  func mergeDeletions(_ sources: [Source]) async throws(StoreError) -> [UserDay] {
    let entries = numbered(sources, \.decoded.payload.deletions)
    guard !entries.isEmpty else { return [] }
    var metrics: [Int16?] = []
    for entry in entries {
      metrics.append(try entry.entry.interval.map { (interval) throws(StoreError) in try metricID(interval.metric) })
    }
    return try await touched(
      Statements.mergeDeletions,
      payloads(sources) + [
        .int4Array(entries.map(\.number)), .textArray(entries.map(\.entry.recordID)), .int2Array(metrics),
        .timestampArray(entries.map { $0.entry.interval?.start.microseconds }),
        .timestampArray(entries.map { $0.entry.interval?.end.microseconds }), now,
      ], "merging deletions")
  }

  /// The columns with one element for each payload.
  private func payloads(_ sources: [Source]) -> [Parameter] {
    [
      .uuidArray(sources.map(\.user)), .int2Array(sources.map(\.platform)), .textArray(sources.map(\.store)),
      .uuidArray(sources.map(\.id)), .timestampArray(sources.map(\.read)),
    ]
  }

  /// Entries of all payloads, each with the number of its payload, from 1.
  private func numbered<Entry>(
    _ sources: [Source], _ block: (Source) -> [Entry]
  ) -> [(number: Int32, entry: Entry)] {
    sources.enumerated().flatMap { index, source in block(source).map { (Int32(index + 1), $0) } }
  }

  private func touched(
    _ sql: String, _ parameters: [Parameter], _ doing: String
  ) async throws(StoreError) -> [UserDay] {
    let rows = try await session.run(sql, parameters, doing)
    return try await storing(doing) { () throws(PostgresError) in
      var days: [UserDay] = []
      for row in rows {
        days.append(
          UserDay(user: try row.uuid("user_id"), date: LocalDate(daysSince1970: try row.date("local_date"))))
      }
      return days
    }
  }
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
