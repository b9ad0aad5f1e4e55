import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// One person whose steps are known by records, two of each day; record 7b is the second one of 7 November.
struct DeletionStage {
  static let person = "00000000-0000-8000-8000-000000000900"
  let worker: Worker
  let connection: Connection

  init(days: Int) async throws {
    let database = try await freshDatabase(from: .migrated)
    worker = try await Worker(database)
    connection = try await database.connect()
    let records = (1...days).flatMap { day in ["a", "b"].map { Self.record("\(day)\($0)", on: day) } }
    let report = try await take(Self.payload(1, at: "2026-11-20T08:00:00Z", records: records))
    #expect(report.entries == 2 * days && report.cells == days)
  }

  static func id(_ number: Int) -> String {
    "00000000-0000-8000-8000-" + String(repeating: "0", count: 12 - String(number).count) + String(number)
  }

  static func date(_ day: Int) -> String { "2026-11-\(day < 10 ? "0" : "")\(day)" }

  static func record(_ id: String, on day: Int) -> String {
    #"{"record_id": "\#(id)", "metric": "steps", "local_date": "\#(date(day))", "source": "watch", "value": 100}"#
  }

  /// Both records of these days.
  static func records(of days: ClosedRange<Int>) -> [String] {
    days.flatMap { [#"{"record_id": "\#($0)a"}"#, #"{"record_id": "\#($0)b"}"#] }
  }

  static func payload(
    _ number: Int, at time: String, days: [String] = [], records: [String] = [], deletions: [String] = [],
    read: String = ""
  ) -> String {
    """
    {"schema": "dailymetricd.sync/1", "payload_id": "\(id(number))", "user_id": "\(person)",
     "origin": {"platform": "health_connect"}, "read": {"read_at": "\(time)"\(read)}, "time_zones": [{"iana": "UTC"}],
     "days": [\(days.joined(separator: ","))], "records": [\(records.joined(separator: ","))],
     "deletions": [\(deletions.joined(separator: ","))]}
    """
  }

  @discardableResult
  func take(
    _ payloads: String..., limits: MassDeletionLimits = MassDeletionLimits()
  ) async throws -> BatchReport {
    try await take(each: payloads, limits: limits)
  }

  /// Enqueues these together and works off one batch.
  @discardableResult
  func take(
    each payloads: [String], limits: MassDeletionLimits = MassDeletionLimits()
  ) async throws -> BatchReport {
    let now = try instant("2026-11-29T08:00:00Z")
    try await worker.store.enqueue(
      payloads.map { EnqueuedLine(user: UUID(uuidString: Self.person), text: $0) }, receivedAt: now)
    var cursor: UUID?
    return try await worker.store.ingestBatch(
      decoder: worker.decoder, limits: BatchLimits(massDeletion: limits), cursor: &cursor, asOf: now)
  }

  /// What is known of steps: "value" or the reason of each day.
  func steps() async throws -> [String?] {
    try await connection.list(
      "SELECT COALESCE(value::text, unknown_reason) FROM daily_metric WHERE metric = 'steps' ORDER BY local_date")
  }

  func tombstones() async throws -> [String?] {
    try await connection.list("SELECT count(*) FROM evidence.deleted_record")
  }
}

/// What is deleted stays deleted, whatever becomes of the rest of its payload.
@Suite struct DeletionTests {
  private static let late = "2026-11-21T08:00:00Z"

  /// A payload of a load that deletes the first day and has a number for the third.
  private static func page(_ page: Int, of load: String, final: Bool, failed: Bool) -> String {
    let failure = #"{"metric": "weight", "local_date": "2026-11-02", "outcome": "failed"}"#
    return DeletionStage.payload(
      100 + page, at: late,
      days: [
        #"{"metric": "weight", "local_date": "2026-11-03", "outcome": "value", "value": 80, "sources": ["scale"]}"#
      ]
        + (failed ? [failure] : []),
      deletions: page == 1 ? DeletionStage.records(of: 1...1) : [],
      read: #", "mode": "history_load", "load_id": "\#(load)", "page": \#(page), "final_page": \#(final)"#)
  }

  private static func expectDeleted(_ stage: DeletionStage, letters: Int) async throws {
    #expect(try await stage.steps() == ["deleted_at_source", "200"])
    #expect(
      try await stage.connection.list("SELECT code FROM intake.dead_letter")
        == Array(repeating: "load_abandoned", count: letters))
    #expect(try await stage.connection.list("SELECT count(*) FROM daily_metric WHERE metric = 'weight'") == ["0"])
    #expect(try await stage.connection.list("SELECT count(*) FROM intake.load_page") == ["0"])
  }

  @Test func `of an all-or-nothing payload that failed the deletions apply, and nothing else`() async throws {
    let stage = try await DeletionStage(days: 2)
    let whole = Self.page(1, of: "L", final: true, failed: true)
      .replacing(#""load_id": "L", "page": 1, "final_page": true"#, with: #""all_or_nothing": true"#)
    try await stage.take(whole)
    try await Self.expectDeleted(stage, letters: 1)
  }

  @Test func `a deletion from the distant past to the distant future takes all that was read before`() async throws {
    let stage = try await DeletionStage(days: 3)
    let all = #"{"metric": "steps", "start": "0001-01-01T00:00:00Z", "end": "4001-01-01T00:00:00Z"}"#
    let later = DeletionStage.record("3c", on: 3)
    try await stage.take(
      DeletionStage.payload(2, at: Self.late, deletions: [all]),
      DeletionStage.payload(3, at: "2026-11-22T08:00:00Z", records: [later]))
    #expect(try await stage.steps() == ["deleted_at_source", "deleted_at_source", "100"])
    // The same with what is there already: it would delete everything.
    let limits = MassDeletionLimits(share: 20, records: 1, cells: 1)
    let again = DeletionStage.payload(4, at: "2026-11-23T08:00:00Z", deletions: [all])
    #expect(try await stage.take(again, limits: limits).deadLetters == 1)
  }

  @Test func `of a load that failed the deletions apply`() async throws {
    let stage = try await DeletionStage(days: 2)
    try await stage.take(Self.page(1, of: "L", final: false, failed: false))
    #expect(try await stage.steps() == ["200", "200"])
    try await stage.take(Self.page(2, of: "L", final: true, failed: true))
    try await Self.expectDeleted(stage, letters: 2)
  }

  @Test func `of a page that comes too late the deletions apply`() async throws {
    let stage = try await DeletionStage(days: 2)
    let first = DeletionStage.payload(
      3, at: Self.late, read: #", "load_id": "L", "page": 1, "final_page": true"#)
    try await stage.take(first, Self.page(1, of: "L", final: true, failed: false))
    try await Self.expectDeleted(stage, letters: 1)
  }

  @Test func `of a load that stays incomplete the deletions apply when it is given up`() async throws {
    let stage = try await DeletionStage(days: 2)
    try await stage.take(Self.page(1, of: "L", final: false, failed: false))
    let worker = stage.worker
    let early = try instant("2026-12-06T07:59:59Z")
    #expect(try await worker.store.giveUpExpiredLoads(decoder: worker.decoder, asOf: early) == 0)
    #expect(try await stage.steps() == ["200", "200"])
    let week = try instant("2026-12-06T08:00:00Z")
    #expect(try await worker.store.giveUpExpiredLoads(decoder: worker.decoder, asOf: week) == 1)
    try await Self.expectDeleted(stage, letters: 1)
    #expect(
      try await stage.connection.list("SELECT outcome FROM intake.receipt ORDER BY payload_id")
        == ["merged", "load_abandoned"])
    #expect(try await worker.store.giveUpExpiredLoads(decoder: worker.decoder, asOf: week) == 0)
  }

  @Test func `a load whose deletions the database refuses is given up all the same`() async throws {
    let stage = try await DeletionStage(days: 2)
    try await stage.take(Self.page(1, of: "L", final: false, failed: false))
    try await stage.connection.script("ALTER TABLE evidence.deleted_record ADD CONSTRAINT moon CHECK (false)")
    let worker = stage.worker
    let week = try instant("2026-12-06T08:00:00Z")
    #expect(try await worker.store.giveUpExpiredLoads(decoder: worker.decoder, asOf: week) == 1)
    #expect(try await stage.steps() == ["200", "200"])
    #expect(try await stage.connection.list("SELECT code FROM intake.dead_letter") == ["rejected_by_database"])
    #expect(try await stage.connection.list("SELECT state FROM intake.load") == ["abandoned"])
  }

  @Test func `tens of thousands of ids that nobody knows change nothing and are remembered`() async throws {
    let stage = try await DeletionStage(days: 2)
    let unknown = (1...40_000).map { #"{"record_id": "unknown-\#($0)"}"# }
    let report = try await stage.take(DeletionStage.payload(2, at: Self.late, deletions: unknown))
    #expect(report.deadLetters == 0 && report.cells == 0)
    #expect(try await stage.tombstones() == ["40000"])
    #expect(try await stage.steps() == ["200", "200"])
    try await stage.take(
      DeletionStage.payload(
        3, at: Self.late,
        records: [DeletionStage.record("unknown-39999", on: 2), DeletionStage.record("known", on: 2)]))
    #expect(try await stage.steps() == ["200", "300"])
  }

  @Test func `a payload that deletes and adds is derived once`() async throws {
    let stage = try await DeletionStage(days: 2)
    try await stage.connection.script(
      """
      CREATE TABLE public.seen (status text);
      CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO public.seen VALUES (NEW.status); RETURN NEW; END $$;
      CREATE TRIGGER see AFTER UPDATE ON public.daily_metric FOR EACH ROW EXECUTE FUNCTION public.see();
      """)
    try await stage.take(
      DeletionStage.payload(
        2, at: Self.late, records: [DeletionStage.record("1c", on: 1)], deletions: DeletionStage.records(of: 1...1)))
    #expect(try await stage.steps() == ["100", "200"])
    #expect(try await stage.connection.list("SELECT status FROM public.seen") == ["measured"])
  }
}
