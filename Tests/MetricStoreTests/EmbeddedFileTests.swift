import Foundation
import TestSupport
import Testing

@testable import MetricStore

@Suite struct EmbeddedFileTests {
  /// The files of a folder, by their path below the root; `logic/` is a folder of its own.
  private static func files(_ folder: String, _ suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: BuiltProducts.packageRoot.appending(path: folder).path)
      .filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
  }

  @Test func `none is missing and none is left over`() throws {
    let folders =
      try Self.files("migrations", ".sql") + Self.files("migrations/logic", ".sql") + Self.files("catalogue", ".csv")
    // The codes of dead letters have no table: they are words of the code, and this file explains them.
    // The snapshot is what the migrations come to, and is not applied.
    let others = ["catalogue/codes.csv", "migrations/schema.snapshot.sql"]
    #expect(EmbeddedFile.all.map(\.name).sorted() == folders.filter { !others.contains($0) }.sorted())
  }

  @Test(arguments: EmbeddedFile.all.map(\.name)) func `a file is the one of the checkout, byte for byte`(_ name: String)
    throws
  {
    let file = try Data(contentsOf: BuiltProducts.packageRoot.appending(path: name))
    #expect(Data(try EmbeddedFile.named(name).bytes) == file)
  }

  @Test func `they are applied in the order of their names, tables before functions`() {
    let migrations = EmbeddedFile.migrations.map(\.name)
    let logic = EmbeddedFile.logic.map(\.name)
    #expect(migrations == migrations.sorted())
    #expect(logic == logic.sorted())
    #expect(!migrations.isEmpty && !logic.isEmpty)
    #expect(migrations.allSatisfy { !$0.contains("logic") })
  }

  @Test func `every migration says in its first line whether older daemons may go on`() throws {
    for file in EmbeddedFile.migrations {
      let line = try #require(file.text.split(separator: "\n").first)
      #expect(
        ["-- compatible: yes", "-- compatible: no"].contains { line == $0 || line.hasPrefix("\($0) ") }, "\(file.name)")
    }
  }

  @Test func `a name that this build does not have is an error that says what to do`() {
    #expect { try EmbeddedFile.named("migrations/9999_moon.sql") } throws: { error in
      "\(error)" == "This build has no file migrations/9999_moon.sql; build it again from a complete checkout."
    }
  }
}
