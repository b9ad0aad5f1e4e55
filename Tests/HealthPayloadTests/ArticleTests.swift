import Foundation
import Testing

/// The code of the documentation is code of the client package, which is compiled and run by Tests/scripts/client.sh.
@Suite struct ArticleTests {
  private let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  private func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  /// The lines of a text without their indentation and without empty ones.
  private func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test func `each example of the article stands in the client package`() throws {
    let article = try text("Sources/HealthPayload/HealthPayload.docc/HowNotToSendAZero.md")
    let blocks = article.components(separatedBy: "```swift\n").dropFirst().map { block in
      lines(block.components(separatedBy: "```").first ?? "")
    }
    #expect(blocks.count >= 6)
    let folder = "Tests/ClientPackage/Sources/Client"
    let sources = try FileManager.default.contentsOfDirectory(atPath: repository.appending(path: folder).path())
      .map { try lines(text("\(folder)/\($0)")) }
    for block in blocks {
      #expect(!block.isEmpty && sources.contains { $0.contains(block) }, "not in the client package: \(block)")
    }
  }
}
