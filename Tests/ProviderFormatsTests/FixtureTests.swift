import Foundation
import HealthPayload
import PayloadDecoder
import ProviderFormats
import Testing

struct FixtureTests {
  @Test(arguments: Fixture.all)
  func `a delivery says what its fixture says, and nothing else`(_ fixture: Fixture) {
    switch decode(fixture.delivery) {
    case .payload(let payload):
      #expect(fixture.dead == nil)
      #expect(payload.lines == fixture.says.prefix(1) + fixture.says.dropFirst().sorted())
      #expect(payload.quarantined.map { "\($0.pointer) \($0.code.rawValue)" } == fixture.refused)
    case .dead(let fault):
      #expect("\(fault.code.rawValue) \(fault.pointer)" == fixture.dead, "\(fault.detail)")
    }
  }

  @Test
  func `every format has fixtures, and every folder of fixtures a format`() throws {
    let names = try FormatCatalogue.builtIn().declarations.map(\.name)
    #expect(Set(names) == Set(Fixture.all.map(\.format)))
  }

  @Test(arguments: Fixture.all)
  func `the same delivery gives the same payload`(_ fixture: Fixture) {
    #expect(decode(fixture.delivery) == decode(fixture.delivery))
  }

  @Test
  func `a format that this build does not take is a dead letter that names those it takes`() {
    let text = #"{"format":"nonsense","user_id":"00000000-0000-4000-8000-000000000001","body":{}}"#
    guard case .dead(let fault) = decode(Data(text.utf8)) else {
      Issue.record("it was taken")
      return
    }
    #expect(fault.code == .unsupportedSchema)
    #expect(fault.pointer == "/format")
    #expect(fault.detail.contains("oura"))
  }
}
