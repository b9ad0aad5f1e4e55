import Foundation
import HealthPayload
import MetricStore
import Postgres
import TestSupport
import Testing

/// Who waits for new payloads hears of all of them, and of none in vain.
@Suite struct WaitTests {
  private let database: TestDatabase
  private let watcher: Connection
  private let long = Duration.seconds(300)

  init() async throws {
    database = try await freshDatabase(from: .migrated)
    watcher = try await database.connect()
  }

  private func listener() async throws -> StoreSession {
    let session = try await StoreSession.open(database.options)
    try await session.listen()
    return session
  }

  private func enqueue(_ producer: Connection) async throws {
    try await producer.execute("SELECT public.enqueue_sync_payload(gen_random_uuid(), '{}')")
  }

  /// Waits until `count` listeners have looked at the queue and lie still.
  private func untilLyingStill(_ count: Int) async throws {
    let question = """
      SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle' AND query LIKE '%has_work%'
      """
    let still = try await ask(until: { $0 == count }) { try await watcher.execute(question).one().int(0) }
    #expect(still == count)
  }

  @Test func `a payload is announced to who holds the gate, and what is left of it to the others`() async throws {
    let sessions = [try await listener(), try await listener()]
    async let first = sessions[0].waitForNotification(timeout: long)
    async let second = sessions[1].waitForNotification(timeout: long)
    try await untilLyingStill(2)
    try await enqueue(watcher)
    // Nobody takes it, so both have something to do.
    #expect(try await [first, second] == [true, true])
  }

  @Test func `a producer who was at it when the gate was to be closed is not missed`() async throws {
    let producer = try await database.connect()
    try await producer.execute("BEGIN")
    try await enqueue(producer)
    let session = try await listener()
    async let called = session.waitForNotification(timeout: long)
    try await untilLyingStill(1)
    // It has passed the open gate, so its commit announces nothing.
    try await producer.execute("COMMIT")
    let began = ContinuousClock.now
    #expect(try await called)
    #expect(ContinuousClock.now - began < long / 2)
  }

  @Test func `a wait ends with its time or when somebody says so, gate or no gate`() async throws {
    let producer = try await database.connect()
    let session = try await listener()
    #expect(try await !session.waitForNotification(timeout: .milliseconds(20)))
    // The next statement opens the gate, whatever it is.
    try await session.listen()
    try await producer.execute("BEGIN")
    try await producer.execute("SELECT pg_advisory_xact_lock_shared(intake.wake_key())")
    #expect(try await !session.waitForNotification(timeout: .milliseconds(50)))
    session.wake()
    #expect(try await !session.waitForNotification(timeout: long))
    try await producer.execute("ROLLBACK")
    session.wake()
    #expect(try await !session.waitForNotification(timeout: long))
  }
}
