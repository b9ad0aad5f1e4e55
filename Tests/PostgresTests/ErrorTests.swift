import Foundation
import Postgres
import TestSupport
import Testing

/// Errors say what and where, and hold no value of a row.
@Suite struct ErrorTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await measureDatabase.value
    connection = try await database.connect()
  }

  private func failure(_ body: () async throws -> Void) async throws -> PostgresError {
    do {
      try await body()
    } catch let error as PostgresError {
      return error
    }
    throw TestSupportError("no error where one was expected")
  }

  @Test(arguments: [
    ("INSERT INTO measure VALUES (1, 777333.25)", "23514"),
    ("INSERT INTO measure VALUES (777333, 1), (777333, 2)", "23505"),
    ("INSERT INTO measure VALUES (777333, NULL)", "23502"),
    ("SELECT '777333x'::numeric", "22P02"),
    ("SELECT '777333'::smallint", "22003"),
    ("SELECT '777333-14-01'::date", "22008"),
    ("SELECT 777333::bigint::smallint", "22003"),
    ("SELECT '[{\"v\":777333,,}]'::jsonb", "22P02"),
    ("SELECT spill(777333.25)", "23514"),
  ])
  func `no value of a row leaks into an error`(_ sql: String, _ state: String) async throws {
    let error = try await failure { try await connection.execute(sql) }
    #expect(error.sqlState == state)
    for text in ["\(error)", String(reflecting: error), error.localizedDescription] {
      #expect(!text.contains("777333"), "\(text)")
    }
  }

  @Test func `no parameter and no row of a COPY leaks into an error`() async throws {
    let bound = try await failure {
      try await connection.execute("INSERT INTO measure VALUES ($1, $2::numeric)", [.int(1), .text("777333.25")])
    }
    let copied = try await failure {
      try await connection.copyIn("COPY measure FROM STDIN", [CopyText.row(["1", "777333z", nil])])
    }
    #expect(bound.sqlState == "23514")
    #expect(copied.sqlState == "22P02")
    #expect(!String(reflecting: [bound, copied]).contains("777333"))
  }

  @Test func `a violated constraint is named with its table`() async throws {
    let check = try await failure { try await connection.execute("INSERT INTO measure VALUES (1, 5000)") }
    #expect(check.kind == .serverError)
    #expect(check.constraint == "measure_value_is_small")
    #expect(check.table == "public.measure")
    #expect("\(check)".contains("measure_value_is_small"))
    let missing = try await failure { try await connection.execute("INSERT INTO measure VALUES (1)") }
    #expect(missing.column == "value")
  }

  @Test func `an error inside a function names the function and its line`() async throws {
    let error = try await failure { try await connection.execute("SELECT spill(5000)") }
    #expect(error.routine == "PL/pgSQL function spill(numeric) line 3 at SQL statement")
  }

  @Test func `our own mistakes keep the server's sentence, hint and place`() async throws {
    let error = try await failure { try await connection.execute("SELECT valeu\nFROM measure") }
    #expect(error.sqlState == "42703")
    #expect(error.message == "column \"valeu\" does not exist")
    #expect(error.hint?.contains("measure.value") == true)
    #expect(error.position == 8)
    #expect(error.line == 1)
    #expect(error.statement == nil)
  }

  @Test func `a failing script names the line and the statement, past characters of several bytes`() async throws {
    let error = try await failure {
      try await connection.script("SELECT 'äöü🏃';\n\nSELECT 1;\nSELECT 2,\n  nonsense;\nSELECT 3;")
    }
    #expect(error.line == 5)
    #expect(error.statement == 3)
    #expect("\(error)".contains("at line 5"))
    let late = try await failure { try await connection.script("SELECT 1;\nINSERT INTO measure VALUES (1, 5000);") }
    #expect(late.line == nil)
    #expect(late.statement == 2)
    #expect("\(late)".contains("in statement 2"))
  }

  @Test func `a script that fails leaves nothing behind`() async throws {
    _ = try await failure { try await connection.script("CREATE TABLE half (n int); SELECT 1 / 0") }
    #expect(try await connection.execute("SELECT to_regclass('half')").one().optionalText(0) == nil)
  }

  @Test func `errors are caught by state or by class`() async throws {
    let division = try await failure { try await connection.execute("SELECT 1 / 0") }
    #expect(division.hasState("22"))
    #expect(division.hasState("22012"))
    #expect(!division.hasState("23"))
    #expect(try await isSyntaxError(in: "SELECT 1 +"))
    await #expect(throws: PostgresError.self) { try await isSyntaxError(in: "SELECT 1 / 0") }
  }

  private func isSyntaxError(in sql: String) async throws -> Bool {
    do {
      try await connection.execute(sql)
      return false
    } catch SQLState("42601") {
      return true
    }
  }

  @Test func `the connection is usable after an error`() async throws {
    _ = try await failure { try await connection.execute("SELECT 1 / 0") }
    #expect(connection.isOpen)
    #expect(try await connection.execute("SELECT 1").one().int(0) == 1)
  }

  @Test func `a spoilt transaction says so until it is rolled back`() async throws {
    try await connection.execute("BEGIN")
    _ = try await failure { try await connection.execute("SELECT 1 / 0") }
    #expect(try await connection.isInTransaction())
    #expect(try await failure { try await connection.execute("SELECT 1") }.sqlState == "25P02")
    try await connection.execute("ROLLBACK")
    #expect(try await !connection.isInTransaction())
  }
}

/// A database with a table and a function to fail in. No test of this suite stores anything.
private let measureDatabase = Task {
  let database = try await freshDatabase(from: .empty)
  let connection = try await database.connect()
  try await connection.script(
    """
    CREATE TABLE measure (id int PRIMARY KEY, value numeric NOT NULL
      CONSTRAINT measure_value_is_small CHECK (value < 1000), day date);
    CREATE FUNCTION spill(secret numeric) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO measure VALUES (9, secret);
    END $$;
    """)
  return database
}
