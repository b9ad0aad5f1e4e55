import Postgres
import TestSupport
import Testing

/// COPY takes rows as they are, or none of them.
@Suite struct CopyTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await freshDatabase(from: .empty)
    connection = try await database.connect()
    try await connection.script("CREATE TABLE line (n int PRIMARY KEY, text text)")
  }

  @Test func `every text arrives as it was, and NULL is not the empty text`() async throws {
    let texts: [String?] = [nil, "", "\\N", "\\.", "tab\there", "line\nand\r\n", #"{"a":"\u0041\\"}"#, "零🏃"]
    let rows = texts.enumerated().map { CopyText.row([String($0), $1]) }
    #expect(try await connection.copyIn("COPY line FROM STDIN", rows) == texts.count)
    let stored = try await connection.execute("SELECT text FROM line ORDER BY n")
    #expect(try stored.map { try $0.optionalText("text") } == texts)
  }

  @Test func `rows may be cut anywhere, and many megabytes pass`() async throws {
    let text = String(repeating: "0123456789", count: 300_000)
    let bytes = (1...8).flatMap { CopyText.row([String($0), text]) }
    let chunks = stride(from: 0, to: bytes.count, by: 2_000_003).map {
      Array(bytes[$0..<min($0 + 2_000_003, bytes.count)])
    }
    #expect(try await connection.copyIn("COPY line FROM STDIN", chunks) == 8)
    let sum = try await connection.execute("SELECT sum(length(text)) FROM line").one()
    #expect(try sum.int(0) == 8 * text.count)
  }

  @Test func `one bad row keeps all of them out`() async throws {
    let rows = (1...1000).map { CopyText.row([$0 == 700 ? "x" : String($0), "text"]) }
    await #expect {
      try await connection.copyIn("COPY line FROM STDIN", rows)
    } throws: {
      SQLState("22P02") ~= $0
    }
    #expect(try await connection.execute("SELECT count(*) FROM line").one().int(0) == 0)
    #expect(try await connection.copyIn("COPY line FROM STDIN", [[UInt8]]()) == 0)
  }

  @Test func `COPY anywhere else is refused and blocks nobody`() async throws {
    for sql in ["COPY line FROM STDIN", "COPY line TO STDOUT"] {
      let other = try await database.connect()
      await #expect(throws: PostgresError.self) { try await other.execute(sql) }
      #expect(!other.isOpen)
    }
    await #expect(throws: PostgresError.self) { try await connection.copyIn("SELECT 1", [[UInt8]]()) }
    #expect(try await connection.execute("SELECT 1").one().int(0) == 1)
    await #expect(throws: PostgresError.self) { try await connection.copyIn("COPY line TO STDOUT", [[UInt8]]()) }
  }
}
