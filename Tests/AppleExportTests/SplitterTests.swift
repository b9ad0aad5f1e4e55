import AppleExport
import Foundation
import Testing

struct SplitterTests {
  private static let export = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ELEMENT HealthData (ExportDate,Me,Record*)>
    <!ATTLIST HealthData locale CDATA #REQUIRED>
    ]>
    <HealthData locale="de_DE">
     <ExportDate value="2026-11-29 08:10:05 +0100"/>
     <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
     <Record type="Steps" sourceName="Käthes &quot;Uhr&quot;" value="640"><MetadataEntry key="HKWasUserEntered" value="1"/></Record>
     <Record type="Rare" value="1"/>
     <Correlation type="Pressure"><Record type="Steps" value="7"/></Correlation>
     <ActivitySummary dateComponents="2026-11-28" appleStandHours="11"/>
     <Workout workoutActivityType="Walking"><WorkoutEvent type="Pause"/><WorkoutRoute><Location speed="-1"/></WorkoutRoute></Workout>
    </HealthData>
    """

  /// The documents of a text that is fed in pieces of this size.
  private func split(_ text: String, pieces: Int, largest: Int = 2_000) throws -> ([String], ExportSplitter) {
    let splitter = try ExportSplitter(types: ["Steps"], largest: largest)
    let bytes = Array(text.utf8)
    var documents: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      documents += try splitter.feed(Array(bytes[start..<min(start + pieces, bytes.count)]))
    }
    if let last = try splitter.finish() { documents.append(last) }
    return (documents.map { String(decoding: $0, as: UTF8.self) }, splitter)
  }

  @Test(arguments: [1, 7, 64, 100_000])
  func `elements keep their attributes and metadata, however the file is cut into pieces`(_ pieces: Int) throws {
    let (documents, splitter) = try split(Self.export, pieces: pieces)
    #expect(
      documents == [
        #"{"elements":[{"attributes":{"sourceName":"Käthes \"Uhr\"","type":"Steps","value":"640"},"kind":"Record","#
          + #""metadata":{"HKWasUserEntered":"1"}},{"attributes":{"type":"Steps","value":"7"},"kind":"Record","metadata":{}},"#
          + #"{"attributes":{"appleStandHours":"11","dateComponents":"2026-11-28"},"kind":"ActivitySummary","metadata":{}},"#
          + #"{"attributes":{"workoutActivityType":"Walking"},"kind":"Workout","metadata":{}}],"#
          + #""exported":"2026-11-29 08:10:05 +0100"}"#
      ])
    #expect(splitter.taken == 4)
    #expect(splitter.passedOver == ["Rare": 1])
  }

  @Test
  func `a long file becomes several documents, and none of them has much more than was asked for`() throws {
    let record = #"<Record type="Steps" value="1"/>"#
    let text = "<HealthData>" + String(repeating: record, count: 1_000) + "</HealthData>"
    let (documents, splitter) = try split(text, pieces: 100, largest: 50)
    #expect(splitter.taken == 1_000)
    #expect(documents.count == 20)
    let sizes = documents.map { $0.components(separatedBy: "\"kind\"").count - 1 }
    #expect(sizes.reduce(0, +) == 1_000)
    #expect(sizes.allSatisfy { $0 <= 55 })
  }

  @Test(arguments: [
    "<HealthData><Record type=\"Steps\"", "no XML at all", "", "<HealthData><Record></HealthData>",
    "<HealthData>&unknown;</HealthData>", "<Other/>",
    "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><HealthData><Record type=\"&x;\"/></HealthData>",
  ])
  func `what is no export is an error with a line`(_ text: String) {
    #expect(throws: ExportError.self) { try split(text, pieces: 10) }
  }

  @Test
  func `entities that grow without bound are refused`() {
    var entities = "<!ENTITY a0 \"aaaaaaaaaa\">"
    for level in 1...12 {
      entities += "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">"
    }
    #expect(throws: ExportError.self) {
      try split("<!DOCTYPE a [\(entities)]><HealthData><Record type=\"&a12;\"/></HealthData>", pieces: 4_096)
    }
  }
}
