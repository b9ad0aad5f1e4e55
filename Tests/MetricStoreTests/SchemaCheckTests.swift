import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// A daemon works with the schema that it was built for, or says in a sentence why it does not.
@Suite struct SchemaCheckTests {
  private static let putItBack = "Put it back as migrations/ has it (functions: run dailymetricd migrate)."
  private static let byHand = "The schema was altered by hand, and numbers may not be safe: "

  private static func check(_ database: TestDatabase) async throws -> SchemaCheck {
    let store = try await StoreSession.open(database.options)
    return try await store.checkSchema()
  }

  private static func altered(by sql: String) async throws -> TestDatabase {
    let database = try await freshDatabase(from: .migrated)
    try await database.connect().script(sql)
    return database
  }

  @Test func `a migrated database is current`() async throws {
    #expect(try await Self.check(freshDatabase(from: .migrated)) == .current)
  }

  @Test func `a database without the schema says how to get it`() async throws {
    let database = try await freshDatabase(from: .empty)
    await #expect {
      try await Self.check(database)
    } throws: { error in
      "\(error)" == "The database has no dailymetricd schema yet; run: dailymetricd migrate"
    }
  }

  @Test(arguments: [
    (
      "DELETE FROM intake.migration WHERE file = 'migrations/logic/30_derive.sql'",
      "The database is older than this build: migrations/logic/30_derive.sql is missing; run: dailymetricd migrate"
    ),
    (
      "UPDATE intake.migration SET checksum = 'x' WHERE file = 'migrations/logic/30_derive.sql'",
      "The database has other functions than this build (migrations/logic/30_derive.sql); run: dailymetricd migrate"
    ),
    (
      "CREATE OR REPLACE FUNCTION evidence.rule_version() RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS 'BEGIN RETURN 2; END'",
      "\(byHand)function evidence.rule_version() is not as the migrations made it. \(putItBack)"
    ),
    ("DROP FUNCTION intake.wake_key()", "\(byHand)function intake.wake_key() is missing. \(putItBack)"),
  ])
  func `what migrate can put right is refused until it does`(_ sql: String, _ sentence: String) async throws {
    let database = try await Self.altered(by: sql)
    await #expect {
      try await Self.check(database)
    } throws: { error in
      "\(error)" == sentence
    }
    _ = try await database.migrate()
    #expect(try await Self.check(database) == .current)
  }

  @Test(arguments: [
    (
      "ALTER TABLE daily_metric DROP CONSTRAINT daily_metric_value_is_finite",
      "\(byHand)constraint daily_metric_value_is_finite of daily_metric is missing. \(putItBack)"
    ),
    (
      "ALTER TABLE daily_metric DROP CONSTRAINT daily_metric_measured_has_a_covering_source, "
        + "ADD CONSTRAINT daily_metric_measured_has_a_covering_source CHECK (covering_sources >= 0)",
      "\(byHand)constraint daily_metric_measured_has_a_covering_source of daily_metric is not as the migrations made it. \(putItBack)"
    ),
    (
      "ALTER TABLE intake.receipt DROP CONSTRAINT receipt_outcome_is_known, "
        + "ADD CONSTRAINT receipt_outcome_is_known CHECK (outcome IN ('merged', 'load_abandoned')) NOT VALID",
      "\(byHand)constraint receipt_outcome_is_known of intake.receipt is missing. \(putItBack)"
    ),
    (
      "ALTER TABLE evidence.reading ALTER is_over DROP NOT NULL",
      "\(byHand)column evidence.reading.is_over is not as the migrations made it. \(putItBack)"
    ),
    ("ALTER TABLE metric DROP COLUMN loinc", "\(byHand)column metric.loinc is missing. \(putItBack)"),
    (
      "UPDATE intake.migration SET checksum = 'x' WHERE file = 'migrations/0002_intake.sql'",
      "migrations/0002_intake.sql was applied to this database with other content than this build has. "
        + "Applied migrations never change: use the build that made the database, or a new database."
    ),
    (
      "INSERT INTO intake.migration VALUES ('migrations/0099_moon.sql', 'x', false, '2027-01-01Z')",
      "The database has been migrated by a newer build (migrations/0099_moon.sql), which this one cannot work with. Install that build."
    ),
  ])
  func `what migrate cannot put right is refused by both, and stays as it is`(_ sql: String, _ sentence: String)
    async throws
  {
    let database = try await Self.altered(by: sql)
    let before = try await (database.schema(), database.shipped())
    await #expect {
      try await Self.check(database)
    } throws: { error in
      "\(error)" == sentence
    }
    await #expect {
      try await database.migrate()
    } throws: { error in
      "\(error)" == sentence
    }
    let after = try await (database.schema(), database.shipped())
    #expect(before == after)
  }

  @Test func `with a newer compatible migration it goes on, says so, and changes nothing`() async throws {
    let database = try await Self.altered(
      by: """
        INSERT INTO intake.migration VALUES ('migrations/0099_moon.sql', 'x', true, '2027-01-01Z');
        ALTER TABLE daily_metric ADD moon text
        """)
    #expect(
      try await Self.check(database)
        == .newerCompatible("The database has newer, compatible migrations: migrations/0099_moon.sql."))
    let before = try await (database.schema(), database.shipped())
    #expect(try await database.migrate() == [])
    let after = try await (database.schema(), database.shipped())
    #expect(before == after)
  }
}
