import Foundation

/// One Swift file of `Sources`, read from the checkout that this test was built from.
struct SourceFile: Sendable {
  /// The path below `Sources`.
  let path: String
  let text: String

  /// The folder below `Sources`.
  var room: String { String(path.prefix { $0 != "/" }) }
  var name: String { URL(filePath: path).lastPathComponent }

  private static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  static func all() throws -> [SourceFile] {
    try FileManager.default.subpathsOfDirectory(atPath: sources.path()).sorted()
      .filter { $0.hasSuffix(".swift") }
      .map { SourceFile(path: $0, text: try String(contentsOf: sources.appending(path: $0), encoding: .utf8)) }
  }
}
