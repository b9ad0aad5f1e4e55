import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// A payload that would delete much of what is known of a person waits for somebody's consent.
@Suite struct MassDeletionTests {
  /// Ten days are known: more than two of them must not go at once.
  private static let limits = MassDeletionLimits(share: 20, records: 5, cells: 3)
  private static let late = "2026-11-21T08:00:00Z"
  private static let whole = Array(repeating: Optional("200"), count: 10)

  private static func deletion(_ number: Int, of days: ClosedRange<Int>, adding: [String] = []) -> String {
    DeletionStage.payload(number, at: late, records: adding, deletions: DeletionStage.records(of: days))
  }

  private static func retry(_ stage: DeletionStage, consent: Bool) async throws -> BatchReport {
    let now = try instant("2026-11-29T09:00:00Z")
    let parked = try await stage.worker.store.deadLetterNumbers(RefusalFilter(code: "mass_deletion"))
    let retried = try await stage.worker.store.retryDeadLetters(parked, consent: consent, asOf: now)
    #expect(retried.count == 1)
    return try await stage.take(limits: limits)
  }

  @Test func `it is parked with its tombstones, and a repetition of it is one`() async throws {
    let stage = try await DeletionStage(days: 10)
    let payload = Self.deletion(2, of: 1...4, adding: [DeletionStage.record("c", on: 11)])
    let report = try await stage.take(payload, limits: Self.limits)
    #expect(report.deadLetters == 1 && report.entries == 0 && report.cells == 0)
    #expect(try await stage.steps() == Self.whole)
    #expect(try await stage.tombstones() == ["0"])
    let letters = try await stage.connection.table("SELECT code, pointer, detail FROM intake.dead_letter")
    #expect(letters.first?.prefix(2) == ["mass_deletion", "/deletions"])
    let detail = try #require(letters.first?[2])
    #expect(detail.contains("7 records and 3 of 10 measured cells") && detail.contains("--consent"))
    #expect(try await stage.take(payload, limits: Self.limits).repeated == 1)
    let receipt = try await stage.connection.table(
      "SELECT outcome, cells, repetitions FROM intake.receipt WHERE payload_id = '\(DeletionStage.id(2))'")
    #expect(receipt == [["mass_deletion", "0", "1"]])
  }

  @Test func `a retry without consent is parked again, with consent it is merged`() async throws {
    let stage = try await DeletionStage(days: 10)
    try await stage.take(Self.deletion(2, of: 1...3), limits: Self.limits)
    #expect(try await Self.retry(stage, consent: false).deadLetters == 1)
    #expect(try await stage.steps() == Self.whole)
    let report = try await Self.retry(stage, consent: true)
    #expect(report.deadLetters == 0 && report.cells == 3)
    #expect(
      try await stage.steps() == Array(repeating: "deleted_at_source", count: 3) + Array(repeating: "200", count: 7))
    #expect(try await stage.tombstones() == ["6"])
    #expect(try await stage.connection.list("SELECT count(*) FROM intake.dead_letter") == ["0"])
    #expect(
      try await stage.connection.list("SELECT outcome FROM intake.receipt WHERE payload_id = '\(DeletionStage.id(2))'")
        == ["merged"])
  }

  @Test func `one that is dropped leaves nothing behind`() async throws {
    let stage = try await DeletionStage(days: 10)
    try await stage.take(Self.deletion(2, of: 1...10), limits: Self.limits)
    let letters = try await stage.worker.store.deadLetters(limit: 10).letters
    #expect(try await stage.worker.store.dropDeadLetters(letters.map(\.id)).count == 1)
    #expect(try await stage.steps() == Self.whole)
    #expect(try await stage.tombstones() == ["0"])
  }

  @Test(arguments: [
    // A share that is reached is not passed.
    (1...2, MassDeletionLimits(share: 20, records: 1, cells: 1), false),
    (1...3, MassDeletionLimits(share: 30, records: 1, cells: 1), false),
    (1...10, MassDeletionLimits(share: 100, records: 1, cells: 1), false),
    // Either number is enough.
    (1...3, MassDeletionLimits(share: 20, records: 6, cells: 99), true),
    (1...3, MassDeletionLimits(share: 20, records: 99, cells: 3), true),
    (1...3, MassDeletionLimits(share: 20, records: 7, cells: 4), false),
    (1...10, MassDeletionLimits(), false),
  ])
  func `both the share and one of the numbers must be passed`(
    _ days: ClosedRange<Int>, _ limits: MassDeletionLimits, _ isParked: Bool
  ) async throws {
    let stage = try await DeletionStage(days: 10)
    let report = try await stage.take(Self.deletion(2, of: days), limits: limits)
    #expect(report.deadLetters == (isParked ? 1 : 0))
    #expect(try await stage.steps().count { $0 == "200" } == (isParked ? 10 : 10 - days.count))
  }

  @Test func `what the payload adds again is no loss`() async throws {
    let stage = try await DeletionStage(days: 10)
    let again = (1...10).map { DeletionStage.record("\($0)c", on: $0) }
    #expect(try await stage.take(Self.deletion(2, of: 1...10, adding: again), limits: Self.limits).deadLetters == 0)
    #expect(try await stage.steps() == Array(repeating: "100", count: 10))
  }

  @Test func `an interval is judged by what it holds`() async throws {
    let stage = try await DeletionStage(days: 10)
    func interval(_ number: Int, to day: Int) -> String {
      let end = "\(DeletionStage.date(day))T00:00:00Z"
      return DeletionStage.payload(
        number, at: Self.late,
        deletions: [#"{"metric": "steps", "start": "2026-11-01T00:00:00Z", "end": "\#(end)"}"#])
    }
    #expect(try await stage.take(interval(2, to: 4), limits: Self.limits).deadLetters == 1)
    #expect(try await stage.steps() == Self.whole)
    #expect(try await stage.take(interval(3, to: 3), limits: Self.limits).deadLetters == 0)
    #expect(try await stage.steps().prefix(3) == ["deleted_at_source", "deleted_at_source", "200"])
  }

  @Test func `it is judged by what the payloads of its own batch leave`() async throws {
    let stage = try await DeletionStage(days: 10)
    let more = (11...15).map { DeletionStage.record("\($0)a", on: $0) }
    let report = try await stage.take(
      DeletionStage.payload(2, at: Self.late, records: more), Self.deletion(3, of: 1...3),
      DeletionStage.payload(4, at: Self.late, records: [DeletionStage.record("16a", on: 16)]), limits: Self.limits)
    #expect(report.payloads == 3 && report.deadLetters == 0)
    #expect(try await stage.steps().count { $0 == "deleted_at_source" } == 3)
    #expect(try await stage.take(Self.deletion(5, of: 4...7), limits: Self.limits).deadLetters == 1)
  }

  @Test func `an abandoned payload that deletes too much waits with its deletions`() async throws {
    let stage = try await DeletionStage(days: 10)
    let payload = DeletionStage.payload(
      2, at: Self.late, days: [#"{"metric": "weight", "local_date": "2026-11-02", "outcome": "failed"}"#],
      deletions: DeletionStage.records(of: 1...10), read: #", "all_or_nothing": true"#)
    #expect(try await stage.take(payload, limits: Self.limits).deadLetters == 1)
    #expect(try await stage.steps() == Self.whole)
    #expect(try await Self.retry(stage, consent: true).deadLetters == 1)
    #expect(try await stage.connection.list("SELECT code FROM intake.dead_letter") == ["load_abandoned"])
    #expect(try await stage.steps() == Array(repeating: "deleted_at_source", count: 10))
  }

  /// All hours of these days.
  private static func hours(of days: ClosedRange<Int>) -> [String] {
    days.flatMap { day in
      (0...23).map { hour in
        #"{"metric": "steps", "local_date": "\#(DeletionStage.date(day))", "local_hour": \#(hour), "#
          + #""covered_minutes": 60, "value": 8}"#
      }
    }
  }

  private static func with(_ block: String, _ entries: [String], _ payload: String) -> String {
    payload.replacing(#""days": ["#, with: #""\#(block)": [\#(entries.joined(separator: ","))], "days": ["#)
  }

  /// A day of hours weighs as much as a cell. The days themselves stay measured: each keeps its second record.
  @Test(arguments: [(4, 4, true), (5, 4, false), (2, 2, false)])
  func `hours are counted as days are`(_ cells: Int, _ deleted: Int, _ isParked: Bool) async throws {
    let stage = try await DeletionStage(days: 10)
    let read = DeletionStage.payload(2, at: "2026-11-20T09:00:00Z")
    #expect(try await stage.take(Self.with("hours", Self.hours(of: 1...10), read)).deadLetters == 0)
    let deletions = (1...deleted).map { #"{"record_id": "\#($0)a"}"# }
    let limits = MassDeletionLimits(share: 20, records: 99, cells: cells)
    let report = try await stage.take(
      DeletionStage.payload(3, at: Self.late, deletions: deletions), limits: limits)
    #expect(report.deadLetters == (isParked ? 1 : 0))
    let left = "SELECT count(*) FROM hourly_metric WHERE value IS NOT NULL"
    #expect(try await stage.connection.list(left) == [isParked ? "240" : String(24 * (10 - deleted))])
    guard isParked else { return }
    let detail = try await stage.connection.list("SELECT detail FROM intake.dead_letter").first ?? nil
    #expect(detail?.contains("4 records, 0 of 10 measured cells and 96 of 240 hours;") == true, "\(detail ?? "none")")
    // The same with the hours as they are since.
    let again = DeletionStage.payload(4, at: Self.late, deletions: deletions)
    #expect(
      try await stage.take(Self.with("hours", Self.hours(of: 1...4), again), limits: limits).deadLetters == 0)
    #expect(try await stage.connection.list(left) == ["240"])
  }

  /// A workout weighs as much as five cells.
  @Test(arguments: [(15, true), (16, false)])
  func `workouts are counted as days are`(_ cells: Int, _ isParked: Bool) async throws {
    let stage = try await DeletionStage(days: 10)
    let workouts = (1...3).map { day in
      #"{"record_id": "ride \#(day)", "local_date": "\#(DeletionStage.date(day))", "source": "watch", "#
        + #""start": "\#(DeletionStage.date(day))T09:00:00Z", "end": "\#(DeletionStage.date(day))T09:30:00Z"}"#
    }
    let read = DeletionStage.payload(2, at: "2026-11-20T09:00:00Z")
    #expect(try await stage.take(Self.with("workouts", workouts, read)).deadLetters == 0)
    let deletions = (1...3).map { #"{"record_id": "ride \#($0)"}"# }
    let report = try await stage.take(
      DeletionStage.payload(3, at: Self.late, deletions: deletions),
      limits: MassDeletionLimits(share: 40, records: 99, cells: cells))
    #expect(report.deadLetters == (isParked ? 1 : 0))
    #expect(try await stage.connection.list("SELECT count(*) FROM workout_summary") == [isParked ? "3" : "0"])
    guard isParked else { return }
    let detail = try await stage.connection.list("SELECT detail FROM intake.dead_letter").first ?? nil
    #expect(detail?.contains("and 3 of 3 workouts;") == true, "\(detail ?? "none")")
  }
}
