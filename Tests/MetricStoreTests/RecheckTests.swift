import Foundation
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// Re-checks beside other sessions.
@Suite struct RecheckTests {
  private static let persons = ["00000000-0000-8000-8000-000000000901", "00000000-0000-8000-8000-000000000902"]

  /// Two persons with steps on two days and a silent day between them, settled.
  private static func settled() async throws -> (worker: MetricStoreTests.Worker, database: TestDatabase) {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    let lines = persons.map { person in
      EnqueuedLine(
        user: UUID(uuidString: person),
        text: """
          {"schema": "dailymetricd.sync/1", "payload_id": "\(person)", "user_id": "\(person)",
           "origin": {"platform": "health_connect"}, "read": {"read_at": "2026-11-14T07:00:00Z"},
           "days": [{"metric": "steps", "local_date": "2026-11-10", "outcome": "value", "value": 5000, "sources": ["watch"]},
                    {"metric": "steps", "local_date": "2026-11-12", "outcome": "value", "value": 6000, "sources": ["watch"]}]}
          """)
    }
    let now = try instant("2026-11-15T08:00:00Z")
    try await worker.store.enqueue(lines, receivedAt: now)
    try await worker.drain(asOf: now)
    try await worker.deriveDue(asOf: now, includeScheduled: true)
    return (worker, database)
  }

  @Test func `what another session says about silent days while a re-check runs is not lost`() async throws {
    let (worker, database) = try await Self.settled()
    let (blocker, other) = (try await database.connect(), try await database.connect())
    try await other.script(
      """
      DELETE FROM daily_metric WHERE user_id = '\(Self.persons[1])' AND local_date = '2026-11-11';
      UPDATE evidence.person SET silent_from = '2026-11-14', silent_due_at = '2026-11-15 10:00Z' WHERE user_id = '\(Self.persons[0])';
      UPDATE evidence.person SET silent_from = '2026-11-14', silent_due_at = '2026-11-15 11:00Z' WHERE user_id = '\(Self.persons[1])';
      """)
    try await blocker.execute("BEGIN")
    try await blocker.execute("SELECT FROM evidence.person WHERE user_id = '\(Self.persons[0])' FOR UPDATE")
    let later = try instant("2026-11-15T12:00:00Z")
    let recheck = Task { try await worker.store.deriveDue(limit: 500, asOf: later, includeScheduled: true) }
    // It has read both persons and waits for the first.
    while try await other.list("SELECT count(*) FROM pg_locks WHERE NOT granted") == ["0"] { await Task.yield() }
    try await other.execute(
      "UPDATE evidence.person SET silent_from = '2026-11-11', silent_due_at = '2026-11-12 00:00Z' WHERE user_id = '\(Self.persons[1])'"
    )
    try await blocker.execute("COMMIT")
    _ = try await recheck.value
    let silent =
      "SELECT unknown_reason FROM daily_metric WHERE user_id = '\(Self.persons[1])' AND local_date = '2026-11-11'"
    #expect(try await other.list(silent) == ["not_yet_synced"])
  }

  @Test func `a session sees what others commit and may write, whatever the database prefers`() async throws {
    let (_, database) = try await Self.settled()
    try await database.connect().script(
      """
      ALTER DATABASE \(database.name) SET default_transaction_isolation = 'serializable';
      ALTER DATABASE \(database.name) SET default_transaction_read_only = on;
      """)
    let worker = try await Worker(database)
    // Each of these is one statement without a transaction of its own.
    #expect(
      try await worker.store.deriveDue(limit: 1, asOf: instant("2026-11-16T12:00:00Z"), includeScheduled: true) > 0)
    try await worker.store.enqueue([EnqueuedLine(user: nil, text: "x")], receivedAt: instant("2026-11-16T12:00:00Z"))
    #expect(try await worker.store.connection.list("SHOW transaction_isolation") == ["read committed"])
  }
}
