import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// Every code that the boundary can give, each with a payload that deserves it.
@Suite struct CodeTests {
  struct Case: CustomTestStringConvertible {
    let code: String
    let pointer: String
    let text: String
    var testDescription: String { "\(code) \(pointer)" }

    init(_ code: String, _ pointer: String, _ text: String) {
      self.code = code
      self.pointer = pointer
      self.text = text
    }
  }

  static let deadLetters = [
    Case("not_json", "", "{\"schema\":"),
    Case("not_an_object", "", "[]"),
    Case("too_large", "", Sample(["x": String(repeating: "[", count: 32) + String(repeating: "]", count: 32)]).text),
    Case("too_large", "/read/page", Sample(["read": "{\"page\":\(String(repeating: "1", count: 41))}"]).text),
    Case("unsupported_schema", "/schema", Sample(["schema": "\"dailymetricd.sync/2\""]).text),
    Case("unsupported_schema", "/schema", Sample(["schema": "1"]).text),
    Case("missing_field", "/schema", Sample(["schema": nil]).text),
    Case("missing_field", "/schema", Sample(["schema": "null"]).text),
    Case("missing_field", "/payload_id", Sample(["payload_id": nil]).text),
    Case("missing_field", "/user_id", Sample(["user_id": "null"]).text),
    Case("missing_field", "/origin", Sample(["origin": nil]).text),
    Case("missing_field", "/origin", Sample(["origin": "null"]).text),
    Case("missing_field", "/origin/platform", Sample(["origin": "{}"]).text),
    Case("invalid_field", "/payload_id", Sample(["payload_id": "\"7\""]).text),
    Case("invalid_field", "/user_id", Sample(["user_id": "7"]).text),
    Case("invalid_field", "/origin", Sample(["origin": "[]"]).text),
    Case("invalid_field", "/origin/platform", Sample(["origin": "{\"platform\":1}"]).text),
    Case("invalid_field", "/origin/store", Sample(["origin": #"{"platform":"oura","store":"\u0000"}"#]).text),
    Case("invalid_field", "/origin/os_major", Sample(["origin": #"{"platform":"oura","os_major":"14"}"#]).text),
    Case("invalid_field", "/origin/app_build", Sample(["origin": #"{"platform":"oura","app_build":7}"#]).text),
    Case("invalid_field", "/origin/platform", Sample(["origin": #"{"platform":"oura","platform":"oura"}"#]).text),
    Case("invalid_field", "/read", Sample(["read": "\"now\""]).text),
    Case("invalid_field", "/read/read_at", Sample(["read": #"{"read_at":"2026-11-29T07:05:00"}"#]).text),
    Case("invalid_field", "/read/read_at", Sample(["read": #"{"read_at":"1899-11-29T07:05:00Z"}"#]).text),
    Case("invalid_field", "/read/page", Sample(["read": #"{"page":0}"#]).text),
    Case("invalid_field", "/read/page", Sample(["read": #"{"page":1.5}"#]).text),
    Case("invalid_field", "/read/load_id", Sample(["read": #"{"load_id":""}"#]).text),
    Case("invalid_field", "/read/final_page", Sample(["read": #"{"final_page":1}"#]).text),
    Case("invalid_field", "/read/mode", Sample(["read": #"{"mode":1}"#]).text),
    Case("invalid_field", "/read/all_or_nothing", Sample(["read": #"{"all_or_nothing":"yes"}"#]).text),
    Case("invalid_field", "/read/last_successful_read_at", Sample(["read": #"{"last_successful_read_at":0}"#]).text),
    Case("invalid_field", "/days", Sample(["days": "{}"]).text),
    Case("invalid_field", "/readable", Sample(["readable": "\"steps\""]).text),
    Case("invalid_field", "/a~1b~0", Sample(["a/b~": "1"]).text.replacing(#""a/b~":1"#, with: #""a/b~":1,"a\/b~":2"#)),
    Case("unknown_platform", "/origin/platform", Sample(["origin": #"{"platform":"tamagotchi"}"#]).text),
  ]

  static let quarantine = [
    Case("missing_field", "/days/0/metric", Sample.days(#"{"local_date":"2026-11-28","outcome":"empty"}"#)),
    Case("missing_field", "/days/0/outcome", Sample.days(#"{"metric":"steps","local_date":"2026-11-28"}"#)),
    Case("missing_field", "/records/0/record_id", Sample(["records": "[{}]"]).text),
    Case("missing_field", "/windows/0/instant", Sample(["windows": #"[{"kind":"platform_floor"}]"#]).text),
    Case("missing_field", "/windows/0/first_grant_at", Sample(["windows": #"[{"kind":"history_window"}]"#]).text),
    Case("missing_field", "/deletions/0/metric", Sample(["deletions": "[{}]"]).text),
    Case("missing_field", "/permissions/0/state", Sample(["permissions": "[{}]"]).text),
    Case("missing_field", "/time_zones/0/iana", Sample(["time_zones": "[{}]"]).text),
    Case("missing_field", "/backfill/0/state", Sample(["backfill": "[{}]"]).text),
    Case("missing_field", "/looked/0/from", Sample(["looked": #"[{"to":"2026-11-28"}]"#]).text),
    Case(
      "missing_field", "/presence/0/source", Sample(["presence": #"[{"local_date":"2026-11-28","kind":"wear"}]"#]).text),
    Case("invalid_field", "/days/0", Sample.days("7")),
    Case("invalid_field", "/days/0/metric", Sample.days(#"{"metric":5,"local_date":"2026-11-28","outcome":"empty"}"#)),
    Case(
      "invalid_field", "/days/0/sources/1", Sample.days(day("steps", "2026-11-28", value: "1", #","sources":["a",""]"#))
    ),
    Case("invalid_field", "/days/0/sources", Sample.days(day("steps", "2026-11-28", value: "1", #","sources":"a""#))),
    Case("invalid_field", "/days/0/code", Sample.days(day("steps", "2026-11-28", value: "1", #","code":"\ud800""#))),
    Case("invalid_field", "/days/0/complete", Sample.days(day("steps", "2026-11-28", value: "1", #","complete":1"#))),
    Case(
      "invalid_field", "/days/0/covered_minutes",
      Sample.days(day("steps", "2026-11-28", value: "1", #","covered_minutes":1501"#))),
    Case(
      "invalid_field", "/deletions/0/end",
      Sample(["deletions": #"[{"metric":"steps","start":"2026-11-28T01:00:00Z","end":"2026-11-28T00:00:00Z"}]"#]).text),
    Case("invalid_field", "/looked/0/to", Sample(["looked": #"[{"from":"2026-11-28","to":"2026-11-27"}]"#]).text),
    Case("invalid_field", "/looked/0/to", Sample(["looked": #"[{"from":"2025-01-01","to":"2026-02-05"}]"#]).text),
    Case("invalid_field", "/readable/1", Sample(["readable": #"["steps",7]"#]).text),
    Case("duplicate_key", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "1", #","v\u0061lue":2"#))),
    Case("duplicate_key", "/days/0/mood", Sample.days(day("steps", "2026-11-28", value: "1", #","mood":1,"mood":1"#))),
    Case(
      "unknown_outcome", "/days/0/outcome",
      Sample.days(#"{"metric":"steps","local_date":"2026-11-28","outcome":"invalid"}"#)),
    Case(
      "unknown_outcome", "/days/0/outcome", Sample.days(#"{"metric":"steps","local_date":"2026-11-28","outcome":5}"#)),
    Case("unknown_metric", "/days/0/metric", Sample.days(day("telepathy", "2026-11-28", value: "1"))),
    Case("unknown_metric", "/readable/0", Sample(["readable": #"["step"]"#]).text),
    Case("invalid_date", "/days/0/local_date", Sample.days(day("steps", "2026-02-29", value: "1"))),
    Case("invalid_date", "/days/0/local_date", Sample.days(day("steps", "2026-11-28T00:00:00Z", value: "1"))),
    Case("date_in_future", "/days/0/local_date", Sample.days(day("steps", "2026-11-30", value: "1"))),
    Case("date_too_old", "/days/0/local_date", Sample.days(day("steps", "1899-12-31", value: "1"))),
    Case(
      "never_read", "/days/0/value",
      Sample.days(day("steps", "2026-11-28", value: "1"), changes: ["read": #"{"last_successful_read_at":null}"#])),
    Case(
      "never_read", "/records/0/value",
      Sample([
        "read": #"{"last_successful_read_at":null}"#,
        "records": #"[{"record_id":"a","metric":"steps","local_date":"2026-11-28","value":7}]"#,
      ]).text),
    Case(
      "missing_value", "/days/0/value", Sample.days(#"{"metric":"steps","local_date":"2026-11-28","outcome":"value"}"#)),
    Case("missing_value", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "null"))),
    Case(
      "missing_value", "/records/0/value",
      Sample(["records": #"[{"record_id":"a","metric":"steps","local_date":"2026-11-28","value":null}]"#]).text),
    Case(
      "unexpected_value", "/days/0/value",
      Sample.days(#"{"metric":"steps","local_date":"2026-11-28","outcome":"empty","value":0}"#)),
    Case(
      "unexpected_value", "/days/0/value",
      Sample.days(#"{"metric":"steps","local_date":"2026-11-28","outcome":"failed","value":null}"#)),
    Case("not_a_number", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "\"12\""))),
    Case("not_a_number", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "true"))),
    Case("not_a_number", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "1e400"))),
    Case("not_a_number", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "1e-400"))),
    Case("not_a_number", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "1e99999999999999999999"))),
    Case(
      "not_a_number", "/days/0/value",
      Sample.days(day("steps", "2026-11-28", value: "1." + String(repeating: "1", count: 40)))),
    Case("unknown_unit", "/days/0/unit", Sample.days(day("weight", "2026-11-28", value: "80", #","unit":"furlong""#))),
    Case("unknown_unit", "/days/0/unit", Sample.days(day("weight", "2026-11-28", value: "80", #","unit":"km""#))),
    Case("unknown_unit", "/days/0/unit", Sample.days(day("weight", "2026-11-28", value: "80", #","unit":7"#))),
    Case("impossible_zero", "/days/0/value", Sample.days(day("weight", "2026-11-28", value: "-0.0e5"))),
    Case("out_of_range", "/days/0/value", Sample.days(day("heart_rate_avg", "2026-11-28", value: "240.0000000000001"))),
    Case("out_of_range", "/days/0/value", Sample.days(day("steps", "2026-11-28", value: "-1"))),
    Case("unknown_time_zone", "/time_zones/0/iana", Sample(["time_zones": #"[{"iana":"Europe/Atlantis"}]"#]).text),
  ]

  @Test(arguments: deadLetters)
  func `a faulty envelope is a dead letter with code and pointer`(_ expected: Case) throws {
    let fault = try #require(try fault(of: expected.text))
    #expect("\(fault.code.rawValue) \(fault.pointer)" == "\(expected.code) \(expected.pointer)")
    #expect(fault.others.isEmpty, "one mistake was made, \(fault.others.map(\.code)) more were found")
  }

  @Test(arguments: quarantine)
  func `a faulty entry is put into quarantine alone`(_ expected: Case) throws {
    let payload = try decoded(expected.text)
    #expect(payload.quarantined.map { "\($0.code.rawValue) \($0.pointer)" } == ["\(expected.code) \(expected.pointer)"])
    let bytes = Array(expected.text.utf8)
    let entry = try #require(payload.quarantined.first)
    #expect(entry.byteRange.contains(entry.byteOffset))
    #expect(["{", "7", "\""].contains(String(decoding: bytes[entry.byteRange].prefix(1), as: UTF8.self)))
    #expect(payload.payload.days.isEmpty && payload.payload.records.isEmpty)
  }

  @Test func `a user who is not the queue's is a mismatch`() throws {
    let other = try #require(UUID(uuidString: "7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11ab"))
    #expect(try fault(of: Sample().text, queueUser: other)?.code == .userMismatch)
    let same = try #require(UUID(uuidString: "7B0C2F5E-1D2A-4E0B-9A51-2F6D0C9E11AA"))
    #expect(try fault(of: Sample().text, queueUser: same) == nil)
  }

  @Test func `each limit is a fault of its own`() throws {
    let text = Sample.days(day("steps", "2026-11-28", value: "12345"), day("steps", "2026-11-27", value: "1"))
    #expect(try fault(of: text) == nil)
    #expect(try fault(of: text, limits: DecoderLimits(maximumBytes: text.utf8.count)) == nil)
    #expect(try fault(of: text, limits: DecoderLimits(maximumBytes: text.utf8.count - 1))?.code == .tooLarge)
    #expect(try fault(of: text, limits: DecoderLimits(depth: 3)) == nil)
    #expect(try fault(of: text, limits: DecoderLimits(depth: 2))?.code == .tooLarge)
    #expect(try fault(of: text, limits: DecoderLimits(entries: 2)) == nil)
    #expect(try fault(of: text, limits: DecoderLimits(entries: 1))?.code == .tooLarge)
    guard case .payload(let payload) = try result(of: text, limits: DecoderLimits(digits: 4)) else {
      Issue.record("digits of a value are no fault of the payload")
      return
    }
    #expect(payload.quarantined.map(\.code) == [.notANumber])
  }

  @Test func `the codes are those of the catalogue, in its order`() throws {
    let lines = String(decoding: try file("catalogue/codes.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
    let rows = lines.map { $0.split(separator: ",") }
    func codes(_ kind: String) -> [String] { rows.filter { $0[0] == kind }.map { String($0[1]) } }
    #expect(DeadLetterCode.allCases.map(\.rawValue) == codes("dead_letter"))
    #expect(QuarantineCode.allCases.map(\.rawValue) == codes("quarantine"))
    #expect(QuarantineCode.allCases.sorted() == QuarantineCode.allCases)
    #expect(DeadLetterCode.allCases.sorted() == DeadLetterCode.allCases)
  }

  @Test func `every code of the boundary has a case above`() {
    let ofTheStore: Set<DeadLetterCode> = [
      .userMismatch, .payloadIDReused, .loadAbandoned, .massDeletion, .rejectedByDatabase, .crashed, .timedOut,
    ]
    let boundary = Set(DeadLetterCode.allCases).subtracting(ofTheStore).map(\.rawValue)
    #expect(Set(boundary) == Set(Self.deadLetters.map(\.code)))
    #expect(Set(QuarantineCode.allCases.map(\.rawValue)) == Set(Self.quarantine.map(\.code)))
  }

  @Test func `of several faults the first in the catalogue's order counts`() throws {
    let entry = #"{"metric":"telepathy","local_date":"2026-02-30","outcome":"value","value":"x","sources":[1]}"#
    #expect(try quarantined(in: Sample.days(entry)) == ["invalid_field /days/0/sources/0"])
    let found = try #require(try fault(of: Sample(["schema": "7", "origin": nil, "user_id": "1", "days": "1"]).text))
    #expect(found.code == .unsupportedSchema)
    #expect(
      found.others.map { "\($0.code.rawValue) \($0.pointer)" } == [
        "missing_field /origin", "invalid_field /user_id", "invalid_field /days",
      ])
  }

  @Test func `a fault names the payload and the person where they can be read`() throws {
    let id = UUID(uuidString: "00000000-0000-4000-8000-00000000000A")
    let user = UUID(uuidString: "7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa")
    let stranger = try #require(try fault(of: Sample(["origin": #"{"platform":"pebble"}"#]).text))
    #expect(stranger.payloadID == id)
    #expect(stranger.userID == user)
    let broken = try #require(try fault(of: String(Sample().text.dropLast(4))))
    #expect(broken.code == .notJSON)
    #expect(broken.payloadID == id)
    let nameless = try #require(try fault(of: Sample(["payload_id": "7"]).text))
    #expect(nameless.payloadID == nil)
    #expect(nameless.userID == user)
    #expect(try fault(of: "nonsense")?.userID == nil)
    let hidden = Sample(["user_id": nil, "x": #"{"user_id":"7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa"}"#]).text
    #expect(try decoder().userID(of: Array(hidden.utf8), arrivedAt: arrival()) == nil)
    #expect(try decoder().userID(of: Array(Sample().text.utf8), arrivedAt: arrival()) == user)
  }
}
