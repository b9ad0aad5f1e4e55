import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// The files fill the catalogue; what an operator has changed since is the operator's.
@Suite struct CatalogueEditTests {
  /// Lets the next migrate find that the catalogue's files have changed.
  private static let forgetFiles = "UPDATE intake.migration SET checksum = 'other' WHERE file LIKE 'catalogue/%'"

  @Test func `an operator's edit survives, whether the file has changed or not`() async throws {
    let database = try await freshDatabase(from: .migrated)
    let connection = try await database.connect()
    try await connection.script(
      """
      UPDATE metric SET absence_message = 'Where was your phone on {day}?', high = 100000 WHERE metric = 'steps';
      UPDATE unit SET factor = 4.184 WHERE unit = 'kcal' AND from_unit = 'kJ';
      UPDATE unknown_reason SET first_check = '2 hours' WHERE code = 'provider_error';
      UPDATE platform SET name = 'Apple' WHERE platform = 'healthkit';
      UPDATE platform_error SET detail = 'slow_down' WHERE code = 'http.429';
      """)
    let edited = try await database.shipped().filter { $0[0] != "intake.schema_part" }
    #expect(try await database.migrate() == [])
    #expect(try await database.shipped().filter { $0[0] != "intake.schema_part" } == edited)
    try await connection.script(Self.forgetFiles)
    #expect(try await database.migrate().count == CatalogueFile.statements.count)
    #expect(
      try await connection.table(
        """
        SELECT (SELECT absence_message FROM metric WHERE metric = 'steps'), (SELECT high FROM metric WHERE metric = 'steps'),
          (SELECT factor FROM unit WHERE unit = 'kcal' AND from_unit = 'kJ'), (SELECT first_check FROM unknown_reason WHERE code = 'provider_error'),
          (SELECT name FROM platform WHERE platform = 'healthkit'), (SELECT detail FROM platform_error WHERE code = 'http.429')
        """) == [["Where was your phone on {day}?", "100000", "4.184", "02:00:00", "Apple", "slow_down"]])
  }

  @Test func `a row that nobody has edited follows a changed file`() async throws {
    let database = try await freshDatabase(from: .migrated)
    let connection = try await database.connect()
    // As an older file would have shipped it.
    try await connection.script(
      """
      UPDATE metric SET noun = 'paces' WHERE metric = 'steps';
      UPDATE metric m SET as_shipped = md5((to_jsonb(m) - 'as_shipped')::text) WHERE metric = 'steps';
      DELETE FROM metric WHERE metric = 'weight';
      """)
    try await connection.script(Self.forgetFiles)
    #expect(try await database.migrate().count == CatalogueFile.statements.count)
    #expect(
      try await connection.list("SELECT noun FROM metric WHERE metric IN ('steps', 'weight') ORDER BY 1") == [
        "kg", "steps",
      ])
    #expect(try await connection.list("SELECT metric_id FROM metric WHERE metric = 'steps'") == ["1"])
  }

  @Test func `a preference of platforms is the operator's own, and no edit of the row`() async throws {
    let database = try await freshDatabase(from: .migrated)
    let connection = try await database.connect()
    try await connection.script(
      """
      UPDATE platform SET name = 'Oura of old' WHERE platform = 'oura';
      UPDATE platform p SET as_shipped = md5((to_jsonb(p) - 'as_shipped' - 'preference')::text) WHERE platform = 'oura';
      UPDATE platform SET preference = 7 WHERE platform = 'oura';
      """)
    try await connection.script(Self.forgetFiles)
    #expect(try await database.migrate().count == CatalogueFile.statements.count)
    #expect(
      try await connection.table("SELECT name, preference FROM platform WHERE platform = 'oura'") == [["Oura", "7"]])
  }
}
