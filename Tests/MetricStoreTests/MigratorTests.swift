import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

extension TestDatabase {
  /// The whole schema as SQL.
  func schema() async throws -> [Substring] {
    let dump = try await run("/usr/bin/env", ["pg_dump", "--schema-only", "--no-owner"], environment: environment)
    try #require(dump.status == 0, "\(dump.stderr)")
    // Newer servers' dumps begin and end with a word that is drawn anew each time.
    return dump.stdout.split(separator: "\n").filter { !$0.hasPrefix("\\") }
  }

  /// Every row of the catalogue and the journal, with the transaction that wrote it.
  func shipped() async throws -> [[String?]] {
    let tables = [
      "metric", "unit", "unknown_reason", "platform", "platform_error", "intake.migration", "intake.schema_part",
    ]
    let query = tables.map { "SELECT '\($0)', x.xmin::text, x::text FROM \($0) x" }.joined(separator: " UNION ALL ")
    return try await connect().table("\(query) ORDER BY 1, 3")
  }

  func migrate() async throws -> [String] {
    try await Migrator.migrate(options, now: instant("2026-11-29T08:00:00Z"))
  }
}

@Suite struct MigratorTests {
  @Test(arguments: ["LATIN1", "SQL_ASCII"])
  func `a database that cannot hold every text is refused`(_ encoding: String) async throws {
    let database = try await freshDatabase(from: .empty)
    let other = "\(database.name)_\(encoding.lowercased())"
    try await database.psql("CREATE DATABASE \(other) TEMPLATE template0 LOCALE 'C' ENCODING '\(encoding)'")
    let options = ConnectionOptions(dsn: database.cluster.dsn(database: other))
    let refusal = await #expect(throws: StoreError.self) {
      try await Migrator.migrate(options, now: instant("2026-11-29T08:00:00Z"))
    }
    #expect(refusal?.kind == .schema && refusal?.message.contains(encoding) == true)
    let connection = try await Connection.connect(options)
    #expect(try await connection.list("SELECT count(*) FROM pg_namespace WHERE nspname = 'intake'") == ["0"])
    await connection.close()
    try await database.psql("DROP DATABASE \(other)")
  }

  @Test func `an empty database gets every file, and nothing at the second time`() async throws {
    let database = try await freshDatabase(from: .empty)
    #expect(
      try await database.migrate() == (EmbeddedFile.migrations + EmbeddedFile.logic).map(\.name)
        + CatalogueFile.statements.map(\.name))
    let schema = try await database.schema()
    let shipped = try await database.shipped()
    #expect(try await database.migrate() == [])
    #expect(try await database.schema() == schema)
    // Which parts there are is written anew each time; what they are stays.
    let again = try await database.shipped()
    #expect(again.filter { $0[0] != "intake.schema_part" } == shipped.filter { $0[0] != "intake.schema_part" })
    #expect(again.map { $0[2] } == shipped.map { $0[2] })
  }

  @Test func `twenty at once make the database that one makes`() async throws {
    let database = try await freshDatabase(from: .empty)
    let applied = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 1...20 { group.addTask { try await database.migrate() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(applied.count == 20)
    #expect(applied.filter { !$0.isEmpty }.count == 1)
    #expect(try await database.schema() == freshDatabase(from: .migrated).schema())
  }

  @Test(arguments: [
    ("CREATE TABLE public.metric (name text)", "table public.metric"),
    ("CREATE TABLE public.daily_metric (value int DEFAULT 0)", "table public.daily_metric"),
    ("CREATE SCHEMA evidence", "schema evidence"),
    ("CREATE VIEW public.unit AS SELECT 1", "table public.unit"),
  ])
  func `somebody else's table is left alone`(_ sql: String, _ name: String) async throws {
    let database = try await freshDatabase(from: .empty)
    try await database.connect().script(sql)
    let schema = try await database.schema()
    await #expect {
      try await database.migrate()
    } throws: { error in
      "\(error)"
        == "This database already has \(name), which dailymetricd did not make. Give it a database of its own: createdb dailymetric"
    }
    #expect(try await database.schema() == schema)
  }

  @Test func `a file that cannot be applied is named, those before it stay, and the next time goes on from there`()
    async throws
  {
    let database = try await freshDatabase(from: .empty)
    let connection = try await database.connect()
    try await connection.script(
      """
      CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no types today'; END $$;
      CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('CREATE TYPE') EXECUTE FUNCTION public.refuse();
      """)
    await #expect {
      try await database.migrate()
    } throws: { error in
      "\(error)".hasPrefix("applying migrations/0003_evidence.sql: ")
    }
    #expect(
      try await connection.list("SELECT file FROM intake.migration ORDER BY file") == [
        "migrations/0001_catalogue.sql", "migrations/0002_intake.sql",
      ])
    #expect(try await connection.list("SELECT to_regclass('evidence.person')") == [nil])
    try await connection.script("DROP EVENT TRIGGER refuse; DROP FUNCTION public.refuse()")
    #expect(try await database.migrate().first == "migrations/0003_evidence.sql")
    #expect(try await database.schema() == freshDatabase(from: .migrated).schema())
  }

  @Test func `an error in a file is reported with its line`() async throws {
    let store = try await StoreSession.open(freshDatabase(from: .empty).options)
    await #expect {
      try await store.script("SELECT 1;\n\nSELECT moon\nFROM pg_class", "applying migrations/0099_moon.sql")
    } throws: { error in
      "\(error)".hasPrefix("applying migrations/0099_moon.sql, line 3: ")
    }
  }
}
