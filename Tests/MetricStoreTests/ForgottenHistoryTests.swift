import Testing

@testable import MetricStore

/// What a person deletes at its source is not kept in the history either, in whatever order it comes and wherever the record was.
@Suite struct ForgottenHistoryTests {
  /// Batches of payloads in the order of their arrival, and what the history of steps then says, oldest state first.
  struct Arrivals: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let batches: [[String]]
    let history: [String]
  }

  private static func at(_ hour: Int, on day: Int = 20) -> String { "2026-11-\(day)T0\(hour):00:00Z" }
  private static func payload(
    _ number: Int, _ hour: Int, days: [String] = [], records: [String] = [], deletions: [String] = []
  ) -> String {
    DeletionStage.payload(number, at: at(hour), days: days, records: records, deletions: deletions)
  }
  private static func total(_ value: Int, on day: Int = 2) -> String {
    #"{"metric": "steps", "local_date": "2026-11-0\#(day)", "outcome": "value", "value": \#(value), "sources": ["watch"]}"#
  }
  private static func record(_ value: Int, on day: Int = 2, times: String = "") -> String {
    """
    {"record_id": "r", "metric": "steps", "local_date": "2026-11-0\(day)", "source": "watch", "value": \(value)\(times)}
    """
  }
  private static let byID = #"{"record_id": "r"}"#
  private static func interval(on day: Int) -> String {
    #"{"metric": "steps", "start": "2026-11-0\#(day)T00:00:00Z", "end": "2026-11-0\#(day + 1)T00:00:00Z"}"#
  }

  static let all = [
    Arrivals(
      testDescription: "a deletion that comes late, when a newer total counts already",
      batches: [
        [payload(2, 1, records: [record(1234)])], [payload(3, 5, days: [total(500)])],
        [payload(4, 3, deletions: [byID])],
      ], history: ["2: forgotten"]),
    Arrivals(
      testDescription: "a deletion that comes late, of a record in a day that was looked at again",
      batches: [
        [payload(2, 1, records: [record(1234)])],
        [payload(3, 5, records: [record(77).replacing(#""r""#, with: #""s""#)])], [payload(4, 3, deletions: [byID])],
      ], history: ["2: forgotten", "2: forgotten"]),
    Arrivals(
      testDescription: "a record that had moved to another day",
      batches: [
        [payload(2, 1, records: [record(1234)])], [payload(3, 2, records: [record(1234, on: 3)])],
        [payload(4, 3, deletions: [byID])],
      ], history: ["2: forgotten", "3: forgotten"]),
    Arrivals(
      testDescription: "a record that moves and is deleted at once",
      batches: [
        [payload(2, 1, records: [record(1234)])],
        [payload(3, 2, records: [record(1234, on: 3)]), payload(4, 3, deletions: [byID])],
      ], history: ["2: forgotten"]),
    Arrivals(
      testDescription: "a record that had moved, with the stretch of time where it was then",
      batches: [
        [payload(2, 1, records: [record(1234)])], [payload(3, 2, records: [record(1234, on: 4)])],
        [payload(4, 3, deletions: [interval(on: 4)])],
      ], history: ["2: forgotten", "4: forgotten"]),
    Arrivals(
      testDescription: "a total whose record comes later than its deletion",
      batches: [
        [payload(2, 1, days: [total(1234)])], [payload(3, 5, days: [total(500)])], [payload(4, 3, deletions: [byID])],
        [payload(5, 0, records: [record(1234)])],
      ], history: ["2: forgotten"]),
    Arrivals(
      testDescription: "a stretch of time that was deleted before the total that counts",
      batches: [
        [payload(2, 1, days: [total(1234)])], [payload(3, 5, days: [total(500)])],
        [payload(4, 3, deletions: [interval(on: 2)])],
      ], history: ["2: forgotten"]),
    Arrivals(
      testDescription: "what was read after the deletion stays",
      batches: [
        [payload(2, 1, days: [total(1234)])], [payload(3, 3, deletions: [interval(on: 2)])],
        [payload(4, 5, days: [total(500)])],
        [payload(5, 6, days: [total(600)])], [payload(6, 2, deletions: [interval(on: 2)])],
      ], history: ["2: forgotten", "2: deleted_at_source", "2: 500"]),
    Arrivals(
      testDescription: "a deleted record that a stale device reads again on another day",
      batches: [
        [payload(2, 1, days: [total(5817), total(4000, on: 3)], records: [record(700)])],
        [payload(3, 2, deletions: [byID])], [payload(4, 3, records: [record(700, on: 3)])],
        [payload(5, 4, days: [total(5117), total(4100, on: 3)])],
      ], history: ["2: forgotten", "2: deleted_at_source", "3: 4000"]),
    Arrivals(
      testDescription: "another day and a record that stays are not forgotten",
      batches: [
        [payload(2, 1, records: [record(1234)])], [payload(3, 2, days: [total(7, on: 3)])],
        [payload(4, 3, days: [total(8, on: 3)])],
        [payload(5, 4, deletions: [byID.replacing(#""r""#, with: #""other""#)])],
        [payload(6, 5, records: [record(1235)])],
      ], history: ["2: 1234", "3: 7"]),
  ]

  @Test(arguments: all)
  func `a deleted value is in no history`(_ arrivals: Arrivals) async throws {
    let stage = try await DeletionStage(days: 1)
    for batch in arrivals.batches { try await stage.take(each: batch) }
    let history = try await stage.connection.list(
      """
      SELECT extract(day FROM local_date) || ': ' || COALESCE(trim_scale(value)::text, unknown_reason, 'forgotten')
      FROM daily_metric_history WHERE metric = 'steps' ORDER BY local_date, revision
      """)
    #expect(history == arrivals.history)
  }
}
