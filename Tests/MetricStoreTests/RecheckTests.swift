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
    while try await other.list("SELECT count(*) FROM pg_locks WHERE NOT granted") == ["0"] { try await moment() }
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

  @Test func `whom another session holds keeps nobody else from their turn, and has one in the next round`()
    async throws
  {
    let (worker, database) = try await Self.settled()
    let blocker = try await database.connect()
    try await blocker.script(
      """
      INSERT INTO evidence.due_day SELECT user_id, '2026-11-10', '2026-11-15 09:00Z', false FROM evidence.person
      ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE SET due_at = excluded.due_at, is_scheduled = false;
      """)
    try await blocker.script("BEGIN; SELECT evidence.lock_person('\(Self.persons[0])')")
    let later = try instant("2026-11-15T10:00:00Z")
    // One day at a time, and the first of the list is held.
    #expect(try await worker.store.deriveDue(limit: 1, asOf: later, includeScheduled: false) == 1)
    #expect(try await worker.store.deriveDue(limit: 1, asOf: later, includeScheduled: false) == 0)
    let left = "SELECT user_id FROM evidence.due_day WHERE NOT is_scheduled"
    #expect(try await blocker.list(left) == [Self.persons[0]])
    try await blocker.execute("COMMIT")
    #expect(try await worker.store.deriveDue(limit: 1, asOf: later, includeScheduled: false) == 1)
    #expect(try await blocker.list(left) == [])
  }

  @Test func `a change of the catalogue waits for whom another session derives under the old row`() async throws {
    let (worker, database) = try await Self.settled()
    let blocker = try await database.connect()
    try await blocker.script("BEGIN; SELECT evidence.lock_person('\(Self.persons[1])')")
    let other = try await database.connect()
    try await other.execute("UPDATE unknown_reason SET first_check = '9 days' WHERE code = 'not_yet_synced'")
    let later = try instant("2026-11-15T08:00:01Z")
    try await worker.deriveDue(asOf: later, includeScheduled: true)
    let changed = "SELECT DISTINCT user_id FROM daily_metric WHERE computed_at = '\(later)' ORDER BY 1"
    #expect(try await other.list(changed) == [Self.persons[0]])
    #expect(try await other.list("SELECT next_user FROM evidence.catalogue_change") == [Self.persons[1]])
    try await blocker.execute("COMMIT")
    try await worker.deriveDue(asOf: later, includeScheduled: true)
    #expect(try await other.list(changed) == Self.persons)
    #expect(try await other.list("SELECT count(*) FROM evidence.catalogue_change") == ["0"])
  }

  @Test func `two sessions share what a change of the catalogue affects, and nothing of it is left`() async throws {
    let (first, database) = try await Self.settled()
    let second = try await Worker(database)
    let other = try await database.connect()
    try await other.execute("UPDATE unknown_reason SET first_check = '9 days' WHERE code = 'not_yet_synced'")
    let later = try instant("2026-11-15T08:00:01Z")
    try await withThrowingTaskGroup { group in
      for worker in [first, second] {
        group.addTask { while try await worker.store.deriveDue(limit: 1, asOf: later, includeScheduled: true) > 0 {} }
      }
      try await group.waitForAll()
    }
    // One of them may have ended while the other still looked for cells.
    try await first.deriveDue(asOf: later, includeScheduled: true)
    #expect(
      try await other.table(
        """
        SELECT unknown_reason, count(*), count(*) FILTER (WHERE computed_at = '\(later)'), min(next_check_at) = '\(later)'::timestamptz + interval '9 days'
        FROM daily_metric GROUP BY 1 ORDER BY 1
        """) == [["not_yet_synced", "4", "4", "t"], [nil, "4", "0", nil]])
    #expect(try await other.list("SELECT count(*) FROM evidence.due_cell") == ["0"])
  }
}
