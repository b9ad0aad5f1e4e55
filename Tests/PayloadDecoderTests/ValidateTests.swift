import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

@Suite struct ValidateTests {
  private func findings(_ text: String) throws -> [String] {
    try decoder().validate(Array(text.utf8), arrivedAt: arrival()).map {
      "\($0.consequence.rawValue) \($0.code) \($0.pointer)"
    }
  }

  @Test func `a payload without mistakes has no findings`() throws {
    #expect(try findings(Sample.days(day("steps", "2026-11-28", value: "1"))).isEmpty)
  }

  @Test func `every mistake is listed, in the order of the text`() throws {
    let text = Sample.days(
      #"{"metric":"telepathy","local_date":"2026-02-30","value":"x","sources":["",1],"complete":0}"#,
      day("basal_energy", "2026-11-28", value: "0"), day("steps", "2026-11-28", value: "0"),
      changes: ["schema": "1", "user_id": nil, "origin": #"{"platform":"tamagotchi","store":7}"#])
    #expect(
      try findings(text) == [
        "dead_letter missing_field /user_id", "dead_letter unsupported_schema /schema",
        "dead_letter unknown_platform /origin/platform", "dead_letter invalid_field /origin/store",
        "quarantine missing_field /days/0/outcome", "quarantine unknown_metric /days/0/metric",
        "quarantine invalid_date /days/0/local_date", "quarantine invalid_field /days/0/sources/0",
        "quarantine invalid_field /days/0/sources/1", "quarantine invalid_field /days/0/complete",
        "quarantine impossible_zero /days/1/value",
      ])
    let judged = try findings(
      Sample.days(day("steps", "2026-11-28", value: "0"), day("basal_energy", "2026-11-28", value: "0")))
    #expect(judged == ["quarantine impossible_zero /days/0/value", "quarantine impossible_zero /days/1/value"])
  }

  @Test func `each finding points at its byte`() throws {
    let text = Sample.days(day("steps", "2026-13-28", value: "1"), day("telepathy", "2026-11-28", value: "\"x\""))
    let bytes = Array(text.utf8)
    let marks = try decoder().validate(bytes, arrivedAt: arrival()).map { finding in
      String(decoding: bytes[try #require(finding.byteOffset)...].prefix(5), as: UTF8.self)
    }
    #expect(marks == ["\"2026", "\"tele", "\"x\"}]"].map { String($0.prefix(5)) })
  }

  @Test func `a text that cannot be read to its end has what was found before, and the end`() throws {
    let text = #"{"read":{"page":0},"origin":{"platform":"oura"},"days":[7,"#
    #expect(
      try findings(text) == [
        "dead_letter invalid_field /read/page", "quarantine invalid_field /days/0", "dead_letter not_json ",
      ])
  }

  @Test func `no finding and no fault holds a value`() throws {
    let text = Sample.days(day("heart_rate_avg", "2026-11-28", value: "987654"), changes: ["schema": "\"secret\""])
    let fault = try #require(try fault(of: text))
    #expect(!"\(fault)".contains("987654") && !"\(fault)".contains("secret"))
  }
}
