import Testing

/// Who may import what. A payload goes through these rooms in this order and never back; SwiftPM alone does not see
/// an import that reaches through another room. What ships imports FoundationEssentials: one `import Foundation` brings its
/// tables of all languages into the static binary, 44 MB. (HealthPayload is also built for the app, where there is no such
/// module.)
private let mayImport: [String: Set<String>] = [
  "HealthPayload": ["FoundationEssentials", "Foundation"],
  "HealthPayloadApple": ["HealthPayload", "Foundation", "HealthKit", "CoreLocation", "CoreMotion"],
  "PayloadDecoder": ["HealthPayload", "FoundationEssentials", "Synchronization"],
  "ProviderFormats": ["HealthPayload", "PayloadDecoder", "FoundationEssentials"],
  "AppleExport": ["CExpat", "FoundationEssentials"],
  "Postgres": ["CLibPQ", "Glibc", "Dispatch", "Synchronization", "FoundationEssentials"],
  "MetricStore": [
    "CMigrations", "HealthPayload", "PayloadDecoder", "Postgres", "FoundationEssentials", "Synchronization",
  ],
  "MetricDaemon": [
    "HealthPayload", "PayloadDecoder", "MetricStore", "Glibc", "Dispatch", "Synchronization", "FoundationEssentials",
  ],
  "MetricEndpoint": ["CMicroHTTPD", "HealthPayload", "MetricDaemon", "PayloadDecoder", "Glibc"],
  "MetricPictures": ["HealthPayload", "Glibc", "FoundationEssentials"],
  "dailymetricd": [
    "AppleExport", "MetricDaemon", "MetricEndpoint", "MetricPictures", "MetricStore", "PayloadDecoder",
    "ProviderFormats",
    "HealthPayload",
    "Glibc", "FoundationEssentials",
  ],
  "DemoData": ["HealthPayload", "Glibc", "Foundation"],
]

struct ImportTests {
  @Test(arguments: mayImport.keys.sorted())
  func `a room imports only what its row allows`(_ room: String) throws {
    let allowed = try #require(mayImport[room])
    let files = try SourceFile.all().filter { $0.room == room }
    #expect(!files.isEmpty, "no such room; take its row out of the table")
    for file in files {
      let others = Set(Findings.imports(in: file.text)).subtracting(allowed).subtracting([room])
      #expect(others.isEmpty, "\(file.path) imports \(others.sorted())")
    }
  }

  @Test func `every room with Swift in it has a row`() throws {
    let rooms = Set(try SourceFile.all().map(\.room))
    #expect(rooms.subtracting(mayImport.keys).isEmpty)
  }

  @Test(arguments: [
    "import Postgres", "internal import Postgres", "public import Postgres", "private import Postgres",
    "@testable import Postgres", "@_spi(Testing) public import Postgres", "import struct Postgres.Rows",
    "  import Postgres  // inside #if",
  ])
  func `an import is seen however it is spelled`(_ line: String) {
    #expect(Findings.imports(in: "// a comment\n\(line)\nlet x = 1\n") == ["Postgres"])
  }

  @Test(arguments: ["// import Postgres", "let important = 1", "/// see import Postgres"])
  func `what only looks like an import is none`(_ line: String) {
    #expect(Findings.imports(in: line) == [])
  }
}
