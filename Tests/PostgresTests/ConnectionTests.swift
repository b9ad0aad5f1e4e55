import Foundation
import Glibc
import Postgres
import Synchronization
import TestSupport
import Testing

/// What a connection is, how it begins and what it keeps.
@Suite struct ConnectionTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await sharedDatabase()
    connection = try await database.connect()
  }

  @Test func `a connection tells who serves it`() async throws {
    let row = try await connection.execute(
      "SELECT pg_backend_pid(), current_setting('server_version_num'), current_setting('application_name')"
    ).one()
    #expect(try row.int(0) == connection.backendPID)
    #expect(try row.int(1) == connection.serverVersion)
    #expect(try row.text(2) == "test")
    #expect(try await connection.parameterStatus("in_hot_standby") == "off")
    #expect(try await connection.parameterStatus("no_such_thing") == nil)
  }

  @Test func `what the user says in the connection string wins, except for the encoding`() async throws {
    let options = ConnectionOptions(
      dsn: database.dsn + " application_name=theirs client_encoding=LATIN1", applicationName: "ours")
    let theirs = try await Connection.connect(options)
    let row = try await theirs.execute("SELECT current_setting('application_name'), 'ä'").one()
    #expect(try row.text(0) == "theirs")
    #expect(try row.text(1) == "ä")
    #expect(try await theirs.parameterStatus("client_encoding") == "UTF8")
  }

  @Test func `a URI works like keywords`() async throws {
    let host = try #require(database.cluster.host.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let uri = "postgresql://postgres@\(host):\(database.cluster.port)/\(database.name)?application_name=uri"
    let other = try await Connection.connect(ConnectionOptions(dsn: uri))
    let row = try await other.execute("SELECT current_database(), current_setting('application_name')").one()
    #expect(try row.text(0) == database.name)
    #expect(try row.text(1) == "uri")
  }

  @Test(arguments: ["postgresql://me:hunter2@[::1/x", "host=x hunter2", "password=hunter2 nonsense=1"])
  func `an unreadable connection string is refused without quoting it`(_ dsn: String) async throws {
    await #expect {
      try await Connection.connect(ConnectionOptions(dsn: dsn))
    } throws: { error in
      (error as? PostgresError)?.kind == .usage && !"\(error)".contains("hunter2")
    }
  }

  @Test func `nobody at home is a lost connection that names the place`() async throws {
    await #expect {
      try await Connection.connect(ConnectionOptions(dsn: "host=/nowhere port=1 dbname=x"))
    } throws: { error in
      (error as? PostgresError)?.kind == .connectionLost && "\(error)".contains("/nowhere")
    }
  }

  @Test func `a statement is prepared once and used again`() async throws {
    let count = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%twice%'"
    for number in [1, 2] {
      #expect(try await connection.execute("SELECT $1::int AS twice", [.int(Int64(number))]).one().int(0) == number)
    }
    // The counting statement counts itself.
    #expect(try await connection.execute(count).one().int(0) == 2)
    try await connection.execute("SELECT $1::int AS twice", [.bool(nil)])
    #expect(try await connection.execute(count).one().int(0) == 3)
  }

  @Test func `more statements than are kept still run`() async throws {
    for number in 1...300 {
      #expect(try await connection.execute("SELECT \(number) + $1::int", [.int(1)]).one().int(0) == number + 1)
    }
    #expect(try await connection.execute("SELECT count(*) FROM pg_prepared_statements").one().int(0) == 256)
  }

  @Test func `a statement survives a change of its table and a DEALLOCATE`() async throws {
    try await connection.script("CREATE TEMP TABLE t (a int); INSERT INTO t VALUES (1)")
    #expect(try await connection.execute("SELECT * FROM t").columns == ["a"])
    try await connection.script("ALTER TABLE t ADD b int")
    #expect(try await connection.execute("SELECT * FROM t").columns == ["a", "b"])
    try await connection.script("DEALLOCATE ALL")
    #expect(try await connection.execute("SELECT * FROM t").columns == ["a", "b"])
  }

  @Test func `notices reach the closure and nobody else`() async throws {
    let notices = Mutex<[Notice]>([])
    let other = try await Connection.connect(database.options) { notice in
      notices.withLock { $0.append(notice) }
    }
    try await other.script("DO $$ BEGIN RAISE NOTICE 'first'; RAISE WARNING 'second'; END $$")
    try await connection.script("DO $$ BEGIN RAISE NOTICE 'dropped'; END $$")
    #expect(notices.withLock { $0.map(\.message) } == ["first", "second"])
    #expect(notices.withLock { $0.map(\.severity) } == ["NOTICE", "WARNING"])
  }

  @Test func `a closed connection says so, as often as it is asked`() async throws {
    await connection.close()
    await connection.close()
    connection.wake()
    connection.cancel()
    #expect(!connection.isOpen)
    await #expect {
      try await connection.execute("SELECT 1")
    } throws: {
      ($0 as? PostgresError)?.kind == .connectionLost
    }
    await #expect(throws: PostgresError.self) { try await connection.waitForNotification(timeout: .zero) }
    await #expect(throws: PostgresError.self) { try await connection.parameterStatus("TimeZone") }
  }

  @Test func `a connection that nobody holds is closed`() async throws {
    var other: Connection? = try await database.connect()
    let pid = try #require(other?.backendPID)
    other = nil
    // The server needs a moment to see it: it waits for the session's end itself, and gives up in time.
    let gone = try await connection.execute(
      "SELECT NOT pg_terminate_backend(\(pid), 0) OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(pid))")
    #expect(gone.count == 1)
    try await connection.waitUntilGone(pid, within: .seconds(20))
  }
}
