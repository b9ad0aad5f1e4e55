import Foundation
import Postgres
import TestSupport
import Testing

@testable import MetricStore

@Suite struct StatementTests {
  /// What SQL's PREPARE does not take, and texts of several statements.
  private static let commands: Set<String> = [
    "begin", "commit", "rollback", "savepoint", "releaseSavepoint", "rollbackToSavepoint", "trial", "releaseTrial",
    "rollbackToTrial", "listen", "enqueueCopy",
    "prepareMigration", "createJournal", "sealCatalogue", "presentParts", "all", "beginSnapshot", "fetchItem",
    "fetchItems", "closeExport",
  ]

  /// The migrator's statements, which are not among those of the daemon's work.
  private static let migration: [(name: String, text: String)] = [
    ("actAsOwner", Statements.actAsOwner), ("lockMigrations", Statements.lockMigrations),
    ("unlockMigrations", Statements.unlockMigrations),
    ("hasJournal", Statements.hasJournal), ("collisions", Statements.collisions), ("journal", Statements.journal),
    ("recordFile", Statements.recordFile), ("checksum", Statements.checksum), ("forgetParts", Statements.forgetParts),
    ("recordParts", Statements.recordParts), ("alteredParts", Statements.alteredParts),
    ("shipMetrics", Statements.shipMetrics), ("shipUnits", Statements.shipUnits),
    ("shipReasons", Statements.shipReasons), ("shipPlatforms", Statements.shipPlatforms),
    ("shipPlatformErrors", Statements.shipPlatformErrors),
    ("shipFormats", Statements.shipFormats),
  ]

  private static let statements = Statements.all + migration

  @Test func `every statement can be prepared against the migrated database`() async throws {
    let connection = try await freshDatabase(from: .migrated).connect()
    for (number, statement) in Self.statements.enumerated() {
      do {
        try await connection.script("PREPARE statement_\(number) AS \(statement.text)")
      } catch {
        Issue.record("\(statement.name): \(error)")
      }
    }
  }

  @Test func `a statement about something that is not there cannot be prepared`() async throws {
    let connection = try await freshDatabase(from: .migrated).connect()
    await #expect(throws: PostgresError.self) {
      try await connection.script("PREPARE statement AS SELECT moon FROM public.daily_metric")
    }
  }

  @Test func `no statement is left out of the test above`() throws {
    let folder = BuiltProducts.packageRoot.appending(path: "Sources/MetricStore")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("Statements") }
    var declared: Set<String> = []
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      declared.formUnion(text.matches(of: /static let (\w+)/).map { String($0.1) })
    }
    #expect(declared.count > 40)
    #expect(declared.subtracting(Self.commands) == Set(Self.statements.map(\.name)))
    #expect(Self.statements.count == Set(Self.statements.map(\.text)).count)
  }
}
