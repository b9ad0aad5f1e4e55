import Testing

/// Each kind of text has one place: SQL in `migrations/` and `Statements`, the reading of JSON in the decoder.
struct PlacementTests {
  private static func findings(
    _ look: (String) -> [String], in files: (SourceFile) -> Bool
  ) throws -> [String] {
    try SourceFile.all().filter(files).flatMap { file in look(file.text).map { "\(file.path): \($0)" } }
  }

  @Test func `SQL stands only in the migrations and in the store's statements`() throws {
    let elsewhere = try Self.findings(Findings.sql) { file in
      !(file.room == "MetricStore" && file.name.hasPrefix("Statements"))
    }
    #expect(elsewhere == [])
  }

  @Test(arguments: ["MetricDaemon", "dailymetricd"])
  func `the daemon and its commands know no SQL`(_ room: String) throws {
    #expect(try Self.findings(Findings.sqlWords) { $0.room == room } == [])
  }

  @Test func `nothing past the decoder reads JSON`() throws {
    let boundary = ["HealthPayload", "PayloadDecoder"]
    #expect(try Self.findings(Findings.foundationDecoders) { !boundary.contains($0.room) } == [])
  }

  @Test func `no number stands in for a missing one`() throws {
    #expect(try Self.findings(Findings.defaultNumbers) { _ in true } == [])
  }

  @Test(arguments: [
    "let text = \"select value from daily_metric where user_id = $1\"", "INSERT INTO intake.receipt VALUES ($1)",
    "  delete from evidence.due_day", "update evidence.person set zone = $2", "CREATE OR REPLACE FUNCTION derive()",
    "ON CONFLICT DO NOTHING",
  ])
  func `a statement in a Swift file is seen`(_ line: String) {
    #expect(Findings.sql(in: line) == [line])
  }

  @Test(arguments: [
    "// select the newest from the list", "let update = settings", "selectNewest(from: list)",
    "throw .usage(\"could not update the schema\")",
  ])
  func `a sentence about a statement is none`(_ line: String) {
    #expect(Findings.sql(in: line) == [])
  }

  @Test func `a word of SQL in the daemon is seen`() {
    #expect(Findings.sqlWords(in: "try await session.run(\"COMMIT\")") == ["try await session.run(\"COMMIT\")"])
    #expect(Findings.sqlWords(in: "let delete = \"deletes nothing\"  // COMMIT") == [])
  }

  @Test func `a decoder of Foundation is seen and an encoder is not`() {
    let text = "let a = JSONDecoder()\nlet b = JSONEncoder()"
    #expect(Findings.foundationDecoders(in: text) == ["let a = JSONDecoder()"])
  }

  @Test(arguments: [
    "let steps = value ?? 0", "value ?? -1.5", "value ?? .zero", "value ?? Decimal.zero", "value ?? Decimal(0)",
  ])
  func `a default number is seen`(_ line: String) {
    #expect(Findings.defaultNumbers(in: line) == [line])
  }

  @Test func `a default that is no number is none`() {
    #expect(Findings.defaultNumbers(in: "let name = given ?? \"\"\nlet other = given ?? fallback") == [])
  }
}
