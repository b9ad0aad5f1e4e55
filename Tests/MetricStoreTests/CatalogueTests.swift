import Foundation
import PayloadDecoder
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// The CSV files are the one place to change; the tables and the code follow them.
@Suite struct CatalogueTests {
  /// The rows of a CSV file, by its head line.
  private static func rows(_ name: String) throws -> [[String: String]] {
    let path = "catalogue/\(name).csv"
    let file = EmbeddedFile(
      name: path, bytes: Array(try Data(contentsOf: BuiltProducts.packageRoot.appending(path: path))))
    let names = try #require(file.text.split(whereSeparator: \.isNewline).first).split(separator: ",").map(String.init)
    let columns = try CatalogueFile(file).columns
    return try #require(columns.first).indices.map { row in
      Dictionary(uniqueKeysWithValues: zip(names, columns.map { $0[row] }))
    }
  }

  /// The column that a table has instead of one of its file.
  private static let renamed = ["unit.offset": "addend"]

  @Test(arguments: [
    ("metric", "metrics"), ("unit", "units"), ("unknown_reason", "reasons"), ("platform", "platforms"),
    ("platform_error", "platform_errors"), ("intake.format", "formats"),
  ])
  func `a table holds what its file says, cell by cell`(_ table: String, _ file: String) async throws {
    let connection = try await freshDatabase(from: .migrated).connect()
    let rows = try Self.rows(file)
    let table = table.contains(".") ? table : "public.\(table)"
    #expect(try await connection.list("SELECT count(*) FROM \(table)") == [String(rows.count)])
    let types = Dictionary(
      uniqueKeysWithValues: try await connection.table(
        "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 0"
      ).compactMap { row in row[0].flatMap { name in row[1].map { (name, $0) } } })
    for row in rows {
      let conditions = try row.map { name, cell in
        let column = Self.renamed["\(table.dropFirst(7)).\(name)"] ?? name
        let type = try #require(types[column], "\(table) has no column \(column)")
        let literal = "'\(cell.replacing("'", with: "''"))'"
        let value = type == "text[]" ? "string_to_array(\(literal), ' ')" : "NULLIF(\(literal), '')::\(type)"
        // Texts that may be empty are kept as empty.
        return "(\(column) IS NOT DISTINCT FROM \(value)\(type == "text" ? " OR \(column) = \(literal)" : ""))"
      }
      let found = try await connection.list(
        "SELECT count(*) FROM \(table) WHERE \(conditions.sorted().joined(separator: " AND "))")
      #expect(found == ["1"], "\(row)")
    }
  }

  @Test func `the decoder's catalogue is the same from the files and from the tables`() async throws {
    let fromTables = try await Worker(freshDatabase(from: .migrated)).decoder.catalogue
    let fromFiles = try Catalogue(
      metricsCSV: EmbeddedFile.named("catalogue/metrics.csv").bytes,
      unitsCSV: EmbeddedFile.named("catalogue/units.csv").bytes)
    #expect(fromTables.metrics.sorted { $0.id < $1.id } == fromFiles.metrics.sorted { $0.id < $1.id })
    #expect(Set(fromTables.units) == Set(fromFiles.units))
    #expect(fromTables.platforms == fromFiles.platforms)
    #expect(fromTables.platforms == PlatformRow.known)
  }

  @Test func `the reasons are those that daily_metric takes`() async throws {
    let connection = try await freshDatabase(from: .migrated).connect()
    let check = try #require(
      try await connection.list(
        "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'daily_metric_reason_is_known' AND conrelid = 'daily_metric'::regclass"
      ).first ?? nil)
    #expect(
      Set(check.matches(of: /'(\w+)'/).map { String($0.1) }) == Set(try Self.rows("reasons").compactMap { $0["code"] }))
  }

  @Test func `every error code of a platform is in its canonical spelling`() throws {
    for row in try Self.rows("platform_errors") {
      let code = try #require(row["code"])
      #expect(platformCode(code) == code)
    }
  }

  @Test func `the codes of dead letters and quarantine are those of the code, in its order`() throws {
    let rows = try Self.rows("codes")
    #expect(rows.filter { $0["kind"] == "dead_letter" }.map { $0["code"] } == DeadLetterCode.allCases.map(\.rawValue))
    #expect(rows.filter { $0["kind"] == "quarantine" }.map { $0["code"] } == QuarantineCode.allCases.map(\.rawValue))
  }

  @Test func `every metric can be written in its own unit`() throws {
    let catalogue = try Catalogue(
      metricsCSV: EmbeddedFile.named("catalogue/metrics.csv").bytes,
      unitsCSV: EmbeddedFile.named("catalogue/units.csv").bytes)
    for unit in catalogue.units {
      #expect(catalogue.metrics.contains { $0.unit == unit.unit }, "no metric has the unit \(unit.unit)")
    }
  }
}
