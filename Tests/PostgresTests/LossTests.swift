import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// A connection that breaks, and a server that does not answer, are errors of their own and hold nobody.
@Suite struct LossTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await sharedDatabase()
    connection = try await database.connect()
  }

  private func kind(_ body: () async throws -> Void) async -> PostgresError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? PostgresError)?.kind
    }
  }

  @Test func `a session that was terminated while idle is lost at the next statement`() async throws {
    let other = try await database.connect()
    try await other.execute("SELECT pg_terminate_backend($1::int, 180000)", [.int(Int64(connection.backendPID))])
    #expect(await kind { try await connection.execute("SELECT 1") } == .connectionLost)
    #expect(!connection.isOpen)
    #expect(await kind { try await connection.execute("SELECT 1") } == .connectionLost)
  }

  @Test func `a session that terminates itself in mid-statement is lost, with the server's last words`() async throws {
    do {
      try await connection.execute("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)")
      Issue.record("the statement outlived its session")
    } catch {
      #expect(error.kind == .connectionLost)
      #expect(error.sqlState == "57P01")
    }
    #expect(!connection.isOpen)
  }

  @Test func `a session killed without a word is lost too, without SQLSTATE`() async throws {
    let cluster = try await ThrowawayCluster.start()
    let own = try await Connection.connect(ConnectionOptions(dsn: cluster.dsn(database: "postgres")))
    try await own.execute("BEGIN")
    try await cluster.control(["stop", "-m", "immediate"])
    #expect(await kind { try await own.execute("COMMIT") } == .connectionLost)
    try await cluster.control(["start"])
    let again = try await Connection.connect(ConnectionOptions(dsn: cluster.dsn(database: "postgres")))
    #expect(try await again.execute("SELECT 1").one().int(0) == 1)
  }

  @Test func `a frozen server holds nobody past the deadline`() async throws {
    let pid = pid_t(connection.backendPID)
    #expect(kill(pid, SIGSTOP) == 0)
    defer { kill(pid, SIGCONT) }
    #expect(
      await kind { try await connection.execute("SELECT 1", deadline: .milliseconds(100)) } == .deadlineExceeded)
    #expect(!connection.isOpen)
  }

  @Test func `a frozen server holds no parameter that does not fit into the socket either`() async throws {
    let pid = pid_t(connection.backendPID)
    let large = [UInt8](repeating: 7, count: 16 << 20)
    #expect(try await connection.execute("SELECT length($1)", [.bytes(large)]).one().int(0) == large.count)
    #expect(kill(pid, SIGSTOP) == 0)
    defer { kill(pid, SIGCONT) }
    #expect(
      await kind {
        try await connection.execute("SELECT length($1)", [.bytes(large)], deadline: .milliseconds(100))
      } == .deadlineExceeded)
  }

  @Test func `the deadline of the options holds for every call`() async throws {
    var options = database.options
    options.deadline = .milliseconds(100)
    let first = try await Connection.connect(options)
    #expect(await kind { try await first.execute("SELECT pg_sleep(60)") } == .deadlineExceeded)
    let second = try await Connection.connect(options)
    #expect(await kind { try await second.script("SELECT pg_sleep(60)") } == .deadlineExceeded)
  }

  @Test func `a statement that missed its deadline does not run on`() async throws {
    let pid = connection.backendPID
    #expect(
      await kind { try await connection.execute("SELECT pg_sleep(600)", deadline: .milliseconds(100)) }
        == .deadlineExceeded)
    let other = try await database.connect()
    try await other.waitUntilGone(pid)
  }

  @Test func `cancel ends the running statement and keeps the connection`() async throws {
    let other = try await database.connect()
    let sleeping = Task { try await connection.execute("SELECT pg_sleep(600)", deadline: .seconds(60)) }
    try await other.execute(
      """
      DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(connection.backendPID) AND wait_event = 'PgSleep')
        LOOP PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP;
      END $$
      """, deadline: .seconds(30))
    connection.cancel()
    do {
      _ = try await sleeping.value
      Issue.record("the statement was not cancelled")
    } catch {
      #expect(SQLState("57014") ~= error)
    }
    #expect(try await connection.execute("SELECT 1").one().int(0) == 1)
  }

  @Test func `a host that accepts and stays silent is given up after the connect timeout`() async throws {
    let directory = try temporaryDirectory()
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = directory.appending(path: ".s.PGSQL.5432").path
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(listener, 8) == 0)
    let options = ConnectionOptions(dsn: "host=\(directory.path) dbname=x", connectTimeout: .seconds(2))
    #expect(await kind { _ = try await Connection.connect(options) } == .connectionLost)
    try FileManager.default.removeItem(at: directory)
  }
}
