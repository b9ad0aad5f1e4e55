import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// A dead letter that is tried again is merged as if it came for the first time, whatever its receipt says.
@Suite struct DeadLetterTests {
  private static let person = "00000000-0000-8000-8000-000000000900"

  private static func payload(_ id: Int, value: String, read: String = "", mode: String = "") -> EnqueuedLine {
    let text = """
      {"schema": "dailymetricd.sync/1", "payload_id": "00000000-0000-8000-8000-00000000000\(id)", "user_id": "\(person)",
       "origin": {"platform": "health_connect"}, "read": {\(mode)\(read)},
       "days": [{"metric": "steps", "local_date": "2026-11-20", "outcome": "value", "value": \(value), "sources": ["watch"]}]}
      """
    return EnqueuedLine(user: UUID(uuidString: person), text: text)
  }

  private static func started() async throws -> (worker: Worker, connection: Connection) {
    let database = try await freshDatabase(from: .migrated)
    return (try await Worker(database), try await database.connect())
  }

  @discardableResult
  private static func take(_ lines: EnqueuedLine..., at time: String, in worker: Worker) async throws -> BatchReport {
    try await worker.store.enqueue(lines, receivedAt: instant(time))
    var cursor: UUID?
    return try await worker.store.ingestBatch(
      decoder: worker.decoder, limits: BatchLimits(), cursor: &cursor, asOf: instant(time))
  }

  private static func retryAll(at time: String, in worker: Worker) async throws -> BatchReport {
    let (letters, _) = try await worker.store.deadLetters(limit: 100)
    let retried = try await worker.store.retryDeadLetters(letters.map(\.id), asOf: instant(time))
    #expect(retried == letters.map(\.id).sorted())
    return try await take(at: time, in: worker)
  }

  private static let known = "SELECT value, observed_at FROM daily_metric WHERE status = 'measured'"

  @Test func `it keeps its first arrival, which stands in for a read time that is missing`() async throws {
    let (worker, connection) = try await Self.started()
    try await connection.script("ALTER TABLE public.daily_metric ADD CONSTRAINT moon CHECK (value <> 5000)")
    #expect(
      try await Self.take(Self.payload(1, value: "5000"), at: "2026-11-21T08:00:00Z", in: worker).deadLetters == 1)
    try await connection.script("ALTER TABLE public.daily_metric DROP CONSTRAINT moon")
    #expect(try await Self.retryAll(at: "2026-11-29T08:00:00Z", in: worker).cells == 1)
    #expect(try await connection.table(Self.known) == [["5000", "2026-11-21 08:00:00+00"]])
    #expect(try await connection.list("SELECT first_seen FROM intake.receipt") == ["2026-11-21 08:00:00+00"])
    #expect(try await connection.list("SELECT count(*) FROM intake.dead_letter") == ["0"])
  }

  @Test func `one whose id was taken by another payload is merged beside it`() async throws {
    let (worker, connection) = try await Self.started()
    let read = #""read_at": "2026-11-2DT07:00:00Z""#
    let first = Self.payload(1, value: "5000", read: read.replacing("2D", with: "21"))
    let second = Self.payload(1, value: "6000", read: read.replacing("2D", with: "22"))
    #expect(try await Self.take(first, second, at: "2026-11-22T08:00:00Z", in: worker).deadLetters == 1)
    #expect(try await connection.list("SELECT code FROM intake.dead_letter") == ["payload_id_reused"])
    #expect(try await Self.retryAll(at: "2026-11-29T08:00:00Z", in: worker).cells == 1)
    #expect(try await connection.table(Self.known) == [["6000", "2026-11-22 07:00:00+00"]])
  }

  @Test func `one that still cannot be used is parked again and never taken for a repetition`() async throws {
    let (worker, connection) = try await Self.started()
    let line = Self.payload(1, value: "5000", mode: #""mode": "history_load""#)
    let failed = EnqueuedLine(
      user: line.user,
      text: line.text.replacing(
        #""outcome": "value", "value": 5000, "sources": ["watch"]"#, with: #""outcome": "failed", "code": "HKError.6""#)
    )
    #expect(try await Self.take(failed, at: "2026-11-22T08:00:00Z", in: worker).deadLetters == 1)
    let again = try await Self.retryAll(at: "2026-11-29T08:00:00Z", in: worker)
    #expect(again.deadLetters == 1)
    #expect(again.repeated == 0)
    #expect(
      try await connection.table("SELECT code, received_at FROM intake.dead_letter")
        == [["load_abandoned", "2026-11-22 08:00:00+00"]])
  }

  @Test func `the list counts all, shows the newest, and keeps to code and person`() async throws {
    let (worker, _) = try await Self.started()
    let nobody = EnqueuedLine(user: nil, text: "nonsense")
    let somebody = EnqueuedLine(user: UUID(uuidString: Self.person), text: "[]")
    try await Self.take(nobody, nobody, somebody, at: "2026-11-22T08:00:00Z", in: worker)
    let store = worker.store
    let newest = try await store.deadLetters(limit: 2)
    #expect(newest.count == 3)
    #expect(newest.letters.map(\.id) == newest.letters.map(\.id).sorted(by: >))
    #expect(newest.letters.count == 2)
    #expect(try await store.deadLetters(RefusalFilter(code: "not_json"), limit: 9).letters.map(\.bytes) == [8, 8])
    #expect(
      try await store.deadLetters(RefusalFilter(user: somebody.user), limit: 9).letters.map(\.code) == ["not_an_object"]
    )
    let id = try #require(newest.letters.first?.id)
    #expect(try await store.deadLetter(id)?.letter == newest.letters.first)
    #expect(try await store.deadLetter(99) == nil)
    #expect(try await store.dropDeadLetters([id, 99]) == [id])
    #expect(try await store.deadLetters(limit: 9).count == 2)
  }
}
