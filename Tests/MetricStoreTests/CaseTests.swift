import Foundation
import TestSupport
import Testing

/// The laws in examples: every file of `cases/` is played, and what comes out must be what it says.
@Suite struct CaseTests {
  private static let folder = BuiltProducts.packageRoot.appending(path: "Tests/MetricStoreTests/cases")

  private static func read(_ name: String) throws -> CaseFile {
    try JSONDecoder().decode(CaseFile.self, from: Data(contentsOf: folder.appending(path: name)))
  }

  private static let names: [String] = {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted()
    } catch {
      return []
    }
  }()

  @Test(arguments: names) func `a case comes out as it says`(_ name: String) async throws {
    let file = try Self.read(name)
    let wrong = try await CasePlayer.play(file)
    #expect(wrong == [], "\(file.name)")
  }

  @Test func `there are cases to play`() {
    #expect(Self.names.count > 30)
  }

  @Test func `a wrong expectation of each kind is found`() async throws {
    var file = try Self.read("001-three-states.json")
    file.cells?[0][3] = .number(8124)
    file.cells?[1][5] = .number(2)
    file.cells?.append([.string("steps"), .string("2026-11-01"), .string("unknown")])
    file.no_cells = [["steps", "2026-11-28"]]
    file.only_cells = true
    file.queries = [.init(sql: "SELECT 1, NULL", rows: [[.bool(true), .null]]), .init(sql: "SELECT 1", rows: [])]
    file.fails = [.init(sql: "SELECT 1", sqlstate: "23"), .init(sql: "SELECT 1/0", sqlstate: "23")]
    #expect(try await CasePlayer.play(file).count == 9)
  }

  @Test func `a value that is not the expected one is seen`() {
    #expect(JSONValue.number(5).matches("5.000000"))
    #expect(!JSONValue.number(0).matches(nil))
    #expect(!JSONValue.number(0).matches("NaN"))
    #expect(!JSONValue.null.matches("0"))
    #expect(!JSONValue.bool(true).matches("1"))
    #expect(!JSONValue.string("a").matches("*"))
    #expect(JSONValue.string("*").matches(nil))
  }
}
