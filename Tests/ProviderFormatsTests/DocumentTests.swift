import Foundation
import HealthPayload
import PayloadDecoder
import ProviderFormats
import Testing

struct DocumentTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appending(path: path), encoding: .utf8)
  }

  @Test
  func `the page of formats ends with the tables that the code reads by`() throws {
    let page = try text("docs/formats.md")
    let tables = try FormatPages.markdown(FormatCatalogue.builtIn())
    #expect(page.hasSuffix(tables + "\n"), "run scripts/manual.sh")
  }

  @Test
  func `the catalogue's file of formats, by which SQL finds platforms, says what the tables say`() throws {
    let tables = try FormatCatalogue.builtIn().declarations.flatMap { table in
      table.platform.map { ["\(table.name),,\($0)"] }
        ?? table.platforms.map { "\(table.name),\($0.key),\($0.value)" }.sorted()
    }
    #expect(try text("catalogue/formats.csv").split(separator: "\n").dropFirst().map(String.init) == tables)
  }

  @Test
  func `the authors' guide shows the example that is compiled here`() throws {
    let guide = try text("docs/format-authors.md")
    let source = try text("Tests/ProviderFormatsTests/PedometerClock.swift")
    #expect(guide.contains("```swift\n\(source)```"))
  }

  @Test
  func `the guide's example says what the guide says it says`() throws {
    let delivery = """
      {"format":"pedometer_clock","user_id":"11111111-1111-4111-8111-111111111111","from":"2026-11-26","to":"2026-11-28",
       "body":{"days":[{"date":"2026-11-26","carried":true,"steps":0},{"date":"2026-11-27","carried":false,"steps":0}]}}
      """
    let catalogue = try FormatCatalogue([PedometerClock.self])
    let payload = try #require(
      try catalogue.translate(
        Array(delivery.utf8), queueUser: nil, arrivedAt: Instant(microseconds: 0), limits: DecoderLimits()))
    let said = String(decoding: payload.text, as: UTF8.self)
    #expect(
      said.contains(
        #"{"local_date":"2026-11-26","metric":"steps","outcome":"value","sources":["clock"],"unit":"1","value":0}"#))
    #expect(said.contains(#"{"local_date":"2026-11-27","metric":"steps","outcome":"empty"}"#))
    #expect(said.contains(#"{"from":"2026-11-26","metric":"steps","to":"2026-11-28"}"#))
  }

  @Test
  func `a table that leaves something to guess keeps its format from loading`() {
    #expect(throws: CatalogueError.self) { try FormatCatalogue([Guesser.self]) }
    #expect(throws: CatalogueError.self) { try FormatCatalogue([PedometerClock.self, PedometerClock.self]) }
  }
}

/// A format that does not say what shows wear.
private enum Guesser: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "guesser", title: "Says nothing of wear", platform: "manual",
    shapes: [
      Shape(
        "day", place: "days", kind: .days, fields: [], day: "`date`.", identity: "The day.", missingElement: .silence,
        deletions: "None.", wear: "")
    ],
    errors: "None.", sources: ["Nobody"])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {}
}
