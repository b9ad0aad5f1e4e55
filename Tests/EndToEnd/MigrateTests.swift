import Postgres
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

  @Test func `who may not make the role for analysts is told what to do, and it works then`() async throws {
    let cluster = try await ThrowawayCluster.start()
    let administrator = try await Connection.connect(ConnectionOptions(dsn: cluster.dsn(database: "postgres")))
    for statement in ["CREATE ROLE plain LOGIN", "CREATE DATABASE health OWNER plain"] {
      try await administrator.execute(statement)
    }
    let environment = [
      "PGHOST": cluster.host, "PGPORT": String(cluster.port), "PGUSER": "plain", "PGDATABASE": "health",
    ]
    func migrate() async throws -> ProcessResult {
      try await run(BuiltProducts.path("dailymetricd"), ["migrate"], environment: environment)
    }
    let first = try await migrate()
    #expect(first.status == 0)
    #expect(first.stderr.contains("CREATE ROLE dailymetric_analyst LOGIN; then dailymetricd migrate again"))
    for role in ["dailymetric_analyst", "dailymetric_auditor"] {
      try await administrator.execute("CREATE ROLE \(role) LOGIN")
    }
    let second = try await migrate()
    #expect(second.status == 0)
    #expect(second.stderr.contains("The defaults of the role dailymetric_analyst"))
    let reader = try await Connection.connect(
      ConnectionOptions(
        dsn: cluster.dsn(database: "health").replacing("user=postgres", with: "user=dailymetric_analyst")))
    #expect(try await reader.execute("SELECT count(*) FROM daily_metric").one().int(0) == 0)
    await reader.close()
    await administrator.close()
  }

  @Test func `the analyst's transactions are read-only until the operator says otherwise`() async throws {
    let program = try await Program.prepared(migrated: false)
    let making = "CREATE TEMPORARY TABLE mine (a int)"
    func tried() async throws -> String? {
      let dsn = program.database.dsn.replacing("user=postgres", with: "user=dailymetric_analyst")
      let analyst = try await Connection.connect(ConnectionOptions(dsn: dsn))
      defer { Task { await analyst.close() } }
      do {
        try await analyst.execute(making)
        return nil
      } catch {
        return error.sqlState
      }
    }
    #expect(try await program("migrate").status == 0)
    #expect(try await tried() == "25006")
    try await program.database.psql(
      "ALTER ROLE dailymetric_analyst IN DATABASE \(program.database.name) SET default_transaction_read_only = off")
    #expect(try await program("migrate").status == 0)
    #expect(try await tried() == nil, "migrate leaves the operator's choice alone")
  }
}
