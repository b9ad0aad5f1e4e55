import TestSupport
import Testing

@Suite struct MigrateTests {
  @Test func `twenty migrators at once make one schema`() async throws {
    let program = try await Program.prepared(migrated: false)
    let results = try await withThrowingTaskGroup(of: ProcessResult.self) { group in
      for _ in 0..<20 { group.addTask { try await program("migrate") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.filter { $0.status != 0 }.map(\.stderr) == [])
    #expect(results.filter { $0.stdout.contains("applied migrations/0001") }.count == 1)
    #expect(results.filter { $0.stdout == "nothing to do, the schema is up to date\n" }.count == 19)
    #expect(try await program("status").status == 0)
  }

  @Test func `tables of somebody else are refused and left alone`() async throws {
    let program = try await Program.prepared(migrated: false)
    try await program.database.psql("CREATE TABLE daily_metric(mine int)")
    let result = try await program("migrate")
    #expect(result.status == 78)
    #expect(result.stderr.contains("daily_metric"))
    let schemas = "SELECT count(*) FROM information_schema.schemata WHERE schema_name IN ('intake', 'evidence')"
    #expect(try await program.value(schemas) == "0")
  }

  @Test(arguments: ["run", "drain", "recheck"])
  func `without a schema there is a sentence and code 78`(_ command: String) async throws {
    let program = try await Program.prepared(migrated: false)
    let result = try await program(command)
    #expect(result.status == 78)
    #expect(result.stderr.contains("run: dailymetricd migrate"))
  }

  @Test func `a constraint that was taken away keeps the service from starting`() async throws {
    let program = try await Program.prepared()
    try await program.database.psql("ALTER TABLE daily_metric DROP CONSTRAINT \"\(program.someConstraint())\"")
    let result = try await program("run")
    #expect(result.status == 78)
    #expect(result.stderr.contains("altered by hand"))
  }
}
