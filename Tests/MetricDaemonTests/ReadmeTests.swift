import Foundation
import Testing

@testable import MetricDaemon

@Suite struct ReadmeTests {
  /// The cells of the README's table of settings, without back-quotes: flag, variable, default, meaning.
  private static func rows() throws -> [[String]] {
    let readme = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "README.md")
    let lines = try String(contentsOf: readme, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.drop { !$0.hasPrefix("| Flag |") }.prefix { $0.hasPrefix("|") }
    return table.dropFirst(2).map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test func `the README lists every setting with its variable and its default`() throws {
    let settings = Setting.documented.map { [$0.flag, $0.environment ?? "none", $0.fallback ?? ""] }
    #expect(try Self.rows().map { Array($0.prefix(3)) } == settings)
  }

  @Test func `the README says of each setting what it does`() throws {
    #expect(try Self.rows().allSatisfy { $0.count == 4 && !$0[3].isEmpty })
  }
}
