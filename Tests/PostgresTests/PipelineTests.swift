import Foundation
import Glibc
import Postgres
import Synchronization
import TestSupport
import Testing

/// Several statements in one round trip do what they would do one by one.
@Suite struct PipelineTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await sharedDatabase()
    connection = try await database.connect()
  }

  private func failure(of statements: [Statement], deadline: Duration? = nil) async throws -> PostgresError {
    do throws(PostgresError) {
      try await connection.execute(statements, deadline: deadline)
    } catch {
      return error
    }
    throw TestSupportError("no error where one was expected")
  }

  /// Statements that count in a temporary table whether they have run.
  private func marks(_ number: Int) -> [Statement] {
    (1...number).map { Statement("INSERT INTO mark VALUES ($1::int)", [.int(Int64($0))]) }
  }

  private func marked() async throws -> [Int] {
    var numbers: [Int] = []
    for row in try await connection.execute("SELECT n FROM mark ORDER BY n") { numbers.append(try row.int(0)) }
    return numbers
  }

  @Test func `each statement has its rows, in order, the first time and again`() async throws {
    for round in 1...2 {
      let rows = try await connection.execute([
        Statement("SELECT $1::int + 1", [.int(Int64(round))]), Statement("SET application_name = 'pipeline'"),
        Statement("SELECT n FROM generate_series(1, $1::int) n", [.int(3)]),
        Statement("SELECT $1::int + 1", [.int(10)]), Statement("SELECT 1 WHERE false"),
      ])
      #expect(rows.map(\.count) == [1, 0, 3, 1, 0])
      #expect(try rows[0].one().int(0) == round + 1)
      #expect(try rows[2].map { try $0.int("n") } == [1, 2, 3])
      #expect(try rows[3].one().int(0) == 11)
    }
    #expect(try await connection.execute([]).isEmpty)
    // Prepared once, however often they were sent.
    let prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT $1::int + 1'"
    #expect(try await connection.execute(prepared).one().int(0) == 1)
  }

  @Test(arguments: 0...4)
  func `an error names its statement, and nothing of an open transaction's savepoint is kept`(_ place: Int) async throws
  {
    try await connection.script("CREATE TEMPORARY TABLE mark (n int)")
    try await connection.execute([Statement("BEGIN"), Statement("INSERT INTO mark VALUES (0)")])
    var statements = [Statement("SAVEPOINT here")] + marks(4)
    statements.insert(Statement("SELECT 1 / $1::int", [.int(0)]), at: place + 1)
    let error = try await failure(of: statements)
    #expect(error.sqlState == "22012")
    #expect(error.statement == place + 2)
    #expect(error.kind == .serverError)
    try await connection.execute("ROLLBACK TO SAVEPOINT here")
    try await connection.execute([Statement("RELEASE SAVEPOINT here")] + marks(1) + [Statement("COMMIT")])
    #expect(try await marked() == [0, 1])
    #expect(try await !connection.isInTransaction())
  }

  @Test func `behind an error nothing runs, and what was committed before it stays`() async throws {
    try await connection.script("CREATE TEMPORARY TABLE mark (n int UNIQUE)")
    let error = try await failure(
      of: [Statement("BEGIN")] + marks(2) + [Statement("COMMIT")] + marks(3))
    #expect(error.sqlState == "23505")
    #expect(error.statement == 5)
    #expect(try await marked() == [1, 2])
  }

  @Test func `outside of a transaction they are one`() async throws {
    try await connection.script("CREATE TEMPORARY TABLE mark (n int)")
    let error = try await failure(of: marks(2) + [Statement("SELECT 1 / 0")])
    #expect(error.statement == 3)
    #expect(try await marked().isEmpty)
    try await connection.execute(marks(2))
    #expect(try await marked() == [1, 2])
  }

  @Test func `a parameter that cannot be sent ends the row where it stands`() async throws {
    try await connection.script("CREATE TEMPORARY TABLE mark (n int)")
    let error = try await failure(
      of: [Statement("BEGIN")] + marks(1) + [Statement("SELECT $1::text", [.text("a\0b")])] + marks(2))
    #expect(error.sqlState == "22021")
    #expect(error.statement == 3)
    #expect(try await connection.isInTransaction())
    #expect(try await marked() == [1])
    // Without anything before it nothing is sent.
    #expect(try await failure(of: [Statement("SELECT $1::text", [.text("\0")])]).statement == 1)
    try await connection.execute("ROLLBACK")
    // An error of the server that comes before it is the first.
    #expect(
      try await failure(of: [Statement("SELECT 1 / 0"), Statement("SELECT $1::text", [.text("\0")])]).sqlState
        == "22012")
  }

  @Test func `what cannot be prepared is named too`() async throws {
    let error = try await failure(of: [Statement("SELECT 1"), Statement("SELECT nothing\nFROM nowhere")])
    #expect(error.sqlState == "42P01")
    #expect(error.statement == 2)
    #expect(error.line == 2)
    #expect(try await connection.execute("SELECT 1").one().int(0) == 1)
  }

  @Test func `a statement that misses its deadline ends the connection, and does not run on`() async throws {
    let pid = connection.backendPID
    let error = try await failure(
      of: [Statement("SELECT 1"), Statement("SELECT pg_sleep(600)"), Statement("SELECT 2")],
      deadline: .milliseconds(100))
    #expect(error.kind == .deadlineExceeded)
    #expect(!connection.isOpen)
    let other = try await database.connect()
    try await other.waitUntilGone(pid)
  }

  @Test func `each of them has the whole deadline, and no more`() async throws {
    // Prepared before, so that only sleeping takes time.
    let nap = Statement("SELECT pg_sleep($1::float8)", [.text("0")])
    try await connection.execute([nap, nap])
    let long = Statement(nap.sql, [.text("3")])
    try await connection.execute([long, long, nap], deadline: .seconds(5))
    #expect(connection.isOpen)
    let began = ContinuousClock.now
    let endless = Statement(nap.sql, [.text("600")])
    let error = try await failure(of: [nap, endless] + Array(repeating: nap, count: 100), deadline: .seconds(2))
    #expect(error.kind == .deadlineExceeded)
    #expect(ContinuousClock.now - began < .seconds(100))
  }

  @Test func `the server's own limit is for each statement, and the connection stays`() async throws {
    try await connection.execute("SET statement_timeout = '2s'")
    let nap = Statement("SELECT pg_sleep($1::float8)", [.text("0.9")])
    try await connection.execute([nap, nap, nap])
    let error = try await failure(of: [nap, Statement(nap.sql, [.text("600")]), nap])
    #expect(error.sqlState == "57014")
    #expect(error.statement == 2)
    #expect(connection.isOpen)
  }

  @Test(arguments: [0, 1, 3])
  func `a killed session is lost wherever it dies, with the server's last words`(_ place: Int) async throws {
    var statements = (1...3).map { Statement("SELECT \($0)") }
    statements.insert(Statement("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)"), at: place)
    let error = try await failure(of: statements)
    #expect(error.kind == .connectionLost)
    #expect(error.sqlState == "57P01")
    #expect(!connection.isOpen)
    #expect(try await failure(of: [Statement("SELECT 1"), Statement("SELECT 2")]).kind == .connectionLost)
  }

  @Test func `a session that was killed while idle, or dies without a word, is lost too`() async throws {
    let other = try await database.connect()
    try await other.execute("SELECT pg_terminate_backend($1::int, 180000)", [.int(Int64(connection.backendPID))])
    #expect(try await failure(of: [Statement("SELECT 1"), Statement("SELECT 2")]).kind == .connectionLost)
    let cluster = try await ThrowawayCluster.start()
    let own = try await Connection.connect(ConnectionOptions(dsn: cluster.dsn(database: "postgres")))
    try await own.execute("BEGIN")
    try await cluster.control(["stop", "-m", "immediate"])
    await #expect { try await own.execute([Statement("SELECT 1"), Statement("COMMIT")]) } throws: {
      ($0 as? PostgresError)?.kind == .connectionLost
    }
  }

  @Test func `a frozen server holds nobody past the deadline`() async throws {
    let pid = pid_t(connection.backendPID)
    let statements = [
      Statement("SELECT 1"), Statement("SELECT length($1)", [.bytes([UInt8](repeating: 7, count: 4 << 20))]),
    ]
    try await connection.execute(statements)
    #expect(kill(pid, SIGSTOP) == 0)
    defer { kill(pid, SIGCONT) }
    #expect(try await failure(of: statements, deadline: .milliseconds(100)).kind == .deadlineExceeded)
  }

  @Test func `notices of all of them arrive in order`() async throws {
    let heard = Mutex<[String]>([])
    let loud = try await Connection.connect(database.options) { notice in heard.withLock { $0.append(notice.message) } }
    try await loud.execute(
      (1...3).map { Statement("DO $$ BEGIN RAISE WARNING 'number \($0)'; END $$") })
    #expect(heard.withLock { $0 } == ["number 1", "number 2", "number 3"])
  }

  @Test func `large parameters and large answers do not wait for each other`() async throws {
    let size = 8 << 20
    let text = String(repeating: "x", count: size)
    let rows = try await connection.execute(
      (0..<6).map { Statement("SELECT $1::text || $2::text", [.text(text), .text("\($0)")]) }, deadline: .seconds(60))
    for (index, row) in rows.enumerated() {
      let answer = try row.one().text(0)
      #expect(answer.utf8.count == size + 1)
      #expect(answer.hasSuffix("x\(index)"))
    }
  }

  @Test func `more statements than are kept prepared still run`() async throws {
    let statements = (1...300).map { Statement("SELECT \($0) + $1::int", [.int(1)]) }
    let rows = try await connection.execute(statements)
    #expect(try rows.map { try $0.one().int(0) } == (1...300).map { $0 + 1 })
  }

  @Test func `after DEALLOCATE ALL they are prepared again`() async throws {
    let statements = [Statement("SELECT $1::int + 2", [.int(1)]), Statement("SELECT $1::int + 3", [.int(1)])]
    try await connection.execute(statements)
    try await connection.script("DEALLOCATE ALL")
    #expect(try await connection.execute(statements).map { try $0.one().int(0) } == [3, 4])
    try await connection.execute("BEGIN")
    try await connection.script("DEALLOCATE ALL")
    // In a transaction the error has spoilt all of it.
    #expect(try await failure(of: statements).sqlState == "26000")
    try await connection.execute("ROLLBACK")
    #expect(try await connection.execute(statements).map { try $0.one().int(0) } == [3, 4])
  }

  @Test func `a table that changed is noticed, and nothing is sent twice`() async throws {
    try await connection.script("CREATE TEMPORARY TABLE mark (n int)")
    let statements = marks(1) + [Statement("SELECT * FROM mark")]
    try await connection.execute(statements)
    try await connection.script("ALTER TABLE mark ADD COLUMN more text")
    let error = try await failure(of: statements)
    #expect(error.sqlState == "0A000")
    #expect(error.statement == 2)
    #expect(try await connection.execute(statements)[1].columns == ["n", "more"])
    #expect(try await marked() == [1, 1])
    // As the first one it is prepared and sent again.
    try await connection.script("ALTER TABLE mark ADD COLUMN most text")
    let again = try await connection.execute([Statement("SELECT * FROM mark"), Statement("SELECT 1")])
    #expect(again[0].columns == ["n", "more", "most"])
  }

  @Test(arguments: ["COPY (SELECT 1) TO STDOUT", "COPY pg_temp.mark FROM STDIN"])
  func `COPY is refused and ends the connection`(_ sql: String) async throws {
    try await connection.script("CREATE TEMPORARY TABLE mark (n int)")
    let error = try await failure(of: [Statement("SELECT 1"), Statement(sql), Statement("SELECT 2")])
    #expect(error.kind == .usage)
    #expect(error.message.contains("copyIn"))
    #expect(!connection.isOpen)
  }

  @Test func `notifications and single statements work as before, afterwards`() async throws {
    try await connection.execute([Statement("LISTEN pipeline"), Statement("SELECT pg_notify('pipeline', '')")])
    #expect(try await connection.waitForNotification(timeout: .seconds(30)))
    try await connection.script("SELECT 1; SELECT 2")
    #expect(try await connection.execute("SELECT 3").one().int(0) == 3)
  }
}
