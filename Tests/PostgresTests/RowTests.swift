import Postgres
import TestSupport
import Testing

/// A result says what is there, what is NULL and what is no such value, and never mixes them up.
@Suite struct RowTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await sharedDatabase()
    connection = try await database.connect()
  }

  private func kind(_ body: () throws -> Void) -> PostgresError.Kind? {
    do {
      try body()
      return nil
    } catch {
      return (error as? PostgresError)?.kind
    }
  }

  @Test func `NULL where a value is required is an error in every accessor`() async throws {
    let row = try await connection.execute("SELECT NULL AS nothing").one()
    #expect(kind { _ = try row.text("nothing") } == .decoding)
    #expect(kind { _ = try row.utf8("nothing") } == .decoding)
    #expect(kind { _ = try row.int("nothing") } == .decoding)
    #expect(kind { _ = try row.int("nothing", as: Int16.self) } == .decoding)
    #expect(kind { _ = try row.bool("nothing") } == .decoding)
    #expect(kind { _ = try row.uuid("nothing") } == .decoding)
    #expect(kind { _ = try row.bytes("nothing") } == .decoding)
    #expect(kind { _ = try row.timestamp("nothing") } == .decoding)
    #expect(kind { _ = try row.date("nothing") } == .decoding)
  }

  @Test func `NULL is nil in every optional accessor`() async throws {
    let row = try await connection.execute("SELECT NULL AS nothing").one()
    #expect(try row.optionalText("nothing") == nil)
    #expect(try row.optionalInt("nothing") == nil)
    #expect(try row.optionalInt("nothing", as: Int16.self) == nil)
    #expect(try row.optionalBool("nothing") == nil)
    #expect(try row.optionalUUID("nothing") == nil)
    #expect(try row.optionalBytes("nothing") == nil)
    #expect(try row.optionalTimestamp("nothing") == nil)
    #expect(try row.optionalDate("nothing") == nil)
  }

  @Test func `text that is no such value is an error, never nil and never zero`() async throws {
    let row = try await connection.execute("SELECT '' AS empty, 'word' AS word, 1.5 AS fraction, 70000 AS big").one()
    for column in ["empty", "word", "fraction"] {
      #expect(kind { _ = try row.int(column) } == .decoding)
      #expect(kind { _ = try row.optionalInt(column) } == .decoding)
      #expect(kind { _ = try row.optionalBool(column) } == .decoding)
      #expect(kind { _ = try row.optionalUUID(column) } == .decoding)
      #expect(kind { _ = try row.optionalBytes(column) } == .decoding)
      #expect(kind { _ = try row.optionalTimestamp(column) } == .decoding)
      #expect(kind { _ = try row.optionalDate(column) } == .decoding)
    }
    #expect(kind { _ = try row.int("big", as: Int16.self) } == .decoding)
    #expect(try row.int("big", as: Int32.self) == 70_000)
  }

  @Test func `infinity and a time without zone are no instants`() async throws {
    let row = try await connection.execute(
      """
      SELECT 'infinity'::timestamptz AS a, '-infinity'::timestamptz AS b, timestamp '2026-03-01 08:00' AS c,
        '294247-01-10 04:00:54.775808+00'::timestamptz AS d, 'infinity'::date AS e, '-infinity'::date AS f
      """
    ).one()
    for column in ["a", "b", "c", "d"] { #expect(kind { _ = try row.timestamp(column) } == .decoding) }
    for column in ["e", "f"] { #expect(kind { _ = try row.date(column) } == .decoding) }
  }

  @Test(arguments: ["UTC", "Asia/Kathmandu", "America/St_Johns", "Europe/Amsterdam", "Etc/GMT+12"])
  func `instants and dates are read as the server means them, in any zone and era`(_ zone: String) async throws {
    try await connection.script("SET timezone TO '\(zone)'")
    let rows = try await connection.execute(
      """
      SELECT t, (extract(epoch FROM t) * 1000000)::numeric(30, 0) AS micros, t::date AS d, t::date - date '1970-01-01' AS days
      FROM generate_series(-4650, 9000, 37) AS year,
        LATERAL (SELECT timestamptz '2000-02-29 23:59:59.000001+00' + (year - 2000) * interval '1 year'
          + year * interval '1.000101 seconds' + year * interval '1 day' AS t) AS x
      """)
    #expect(rows.count > 300)
    for row in rows {
      #expect(try row.timestamp("t") == row.int("micros", as: Int64.self))
      #expect(try row.date("d") == row.int("days", as: Int32.self))
    }
  }

  @Test func `a column that is not there is a mistake of the caller`() async throws {
    let row = try await connection.execute("SELECT 1 AS one").one()
    #expect(kind { _ = try row.int("two") } == .usage)
    #expect(kind { _ = try row.optionalInt(1) } == .usage)
    #expect(try row.int(0) == 1)
  }

  @Test func `one row is asked for and neither none nor two is taken`() async throws {
    for count in [0, 2] {
      let rows = try await connection.execute("SELECT generate_series(1, \(count))")
      #expect(rows.count == count)
      #expect(kind { _ = try rows.one() } == .decoding)
    }
  }

  @Test func `affected counts changed rows, and is nil where nothing is counted`() async throws {
    #expect(try await connection.execute("CREATE TEMP TABLE t (n int)").affected == nil)
    #expect(try await connection.execute("INSERT INTO t SELECT generate_series(1, 7)").affected == 7)
    #expect(try await connection.execute("DELETE FROM t WHERE n > 100").affected == 0)
    #expect(try await connection.execute("SELECT n FROM t ORDER BY n").map { try $0.int("n") } == Array(1...7))
  }

  @Test func `texts are read alike whatever the database prefers`() async throws {
    let database = try await freshDatabase(from: .empty)
    try await database.psql(
      """
      ALTER DATABASE "\(database.name)" SET datestyle TO 'SQL, DMY';
      ALTER DATABASE "\(database.name)" SET bytea_output TO 'escape';
      """)
    let other = try await database.connect()
    let row = try await other.execute("SELECT date '2026-03-04' AS d, '\\x5c00ff'::bytea AS b").one()
    #expect(try row.date("d") == 20_516)
    #expect(try row.bytes("b") == [0x5c, 0, 0xff])
  }
}
