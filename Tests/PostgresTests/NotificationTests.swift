import Postgres
import TestSupport
import Testing

/// Waiting for a notification ends with the notification, with the timeout, with a wake-up or with the connection.
@Suite struct NotificationTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await freshDatabase(from: .empty)
    connection = try await database.connect()
    try await connection.execute("LISTEN payload")
  }

  @Test func `a notification of another session ends the wait`() async throws {
    async let notified = connection.waitForNotification(timeout: .seconds(60))
    let other = try await database.connect()
    try await other.execute("NOTIFY payload")
    #expect(try await notified)
  }

  @Test func `notifications that came during a statement are not lost, and count once`() async throws {
    try await connection.script("NOTIFY payload; NOTIFY payload, 'again'")
    #expect(try await connection.waitForNotification(timeout: .seconds(60)))
    #expect(try await !connection.waitForNotification(timeout: .zero))
  }

  @Test func `without a notification the wait ends with its timeout`() async throws {
    let begin = ContinuousClock.now
    #expect(try await !connection.waitForNotification(timeout: .milliseconds(50)))
    #expect(ContinuousClock.now - begin >= .milliseconds(50))
  }

  @Test func `a channel that nobody listens to wakes nobody`() async throws {
    try await connection.execute("NOTIFY elsewhere")
    #expect(try await !connection.waitForNotification(timeout: .zero))
  }

  @Test func `wake ends a wait that has begun, and one that has not`() async throws {
    for _ in 1...100 {
      async let notified = connection.waitForNotification(timeout: .seconds(3600))
      connection.wake()
      #expect(try await !notified)
    }
  }

  @Test func `one wait uses up all calls of wake before it`() async throws {
    for _ in 1...1000 { connection.wake() }
    #expect(try await !connection.waitForNotification(timeout: .seconds(3600)))
    try await connection.execute("NOTIFY payload")
    #expect(try await connection.waitForNotification(timeout: .seconds(3600)))
  }

  @Test func `a connection lost while waiting is an error`() async throws {
    async let notified = connection.waitForNotification(timeout: .seconds(3600))
    let other = try await database.connect()
    try await other.execute("SELECT pg_terminate_backend($1::int)", [.int(Int64(connection.backendPID))])
    do {
      _ = try await notified
      Issue.record("the wait outlived its connection")
    } catch {
      #expect((error as? PostgresError)?.kind == .connectionLost)
    }
    #expect(!connection.isOpen)
  }
}
