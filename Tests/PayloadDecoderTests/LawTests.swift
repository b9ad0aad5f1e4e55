import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// The laws that the boundary decides.
@Suite struct LawTests {
  @Test func `a read time that is missing or in the future is that of the arrival`() throws {
    let missing = try decoded(Sample(["read": nil]).text)
    let arrived = try arrival()
    #expect(missing.readAtWasMissing && missing.readAt == arrived)
    let future = try decoded(Sample(["read": #"{"read_at":"2031-01-01T00:00:00Z"}"#]).text)
    #expect(!future.readAtWasMissing && future.readAt == arrived)
    let past = try decoded(Sample().text)
    #expect(past.readAt == (try instant("2026-11-29T07:05:00Z")))
  }

  @Test func `a date may be as late as any clock showed at the time of the read`() throws {
    let read = #"{"read_at":"2026-11-28T10:00:00Z"}"#
    func codes(_ date: String) throws -> [String] {
      try quarantined(in: Sample.days(day("steps", date, value: "1"), changes: ["read": .some(read)]))
    }
    #expect(try codes("2026-11-29").isEmpty)
    #expect(try codes("2026-11-30") == ["date_in_future /days/0/local_date"])
  }

  @Test func `an envelope that comes after its blocks judges them all the same`() throws {
    let entry = #"{"metric":"steps","local_date":"2026-11-29","outcome":"value","value":0}"#
    let head =
      #""schema":"dailymetricd.sync/1","payload_id":"00000000-0000-4000-8000-00000000000A","user_id":"7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa""#
    let late =
      #"{"days":[\#(entry)],"records":[],"read":{"read_at":"2026-11-27T00:00:00Z"},"origin":{"platform":"oura"},\#(head)}"#
    #expect(try quarantined(in: late) == ["date_in_future /days/0/local_date"])
    let never = #"{"days":[\#(entry)],\#(head),"origin":{"platform":"oura"},"read":{"last_successful_read_at":null}}"#
    #expect(try quarantined(in: never) == ["never_read /days/0/value"])
  }

  @Test func `of a process that never read, values are refused and the rest is kept`() throws {
    let payload = try decoded(
      Sample.days(
        day("basal_energy", "2026-11-28", value: "0"), day("steps", "2026-11-28", value: "5"),
        #"{"metric":"weight","local_date":"2026-11-28","outcome":"failed","code":"HKError.6"}"#,
        changes: ["read": #"{"last_successful_read_at":null}"#]))
    #expect(payload.neverRead)
    #expect(payload.quarantined.map(\.code) == [.neverRead, .neverRead])
    #expect(payload.days.map(\.kind) == [.failed], "no row may come of a refused zero")
  }

  @Test func `an impossible zero discredits the zeros of sums beside it, and only those`() throws {
    let payload = try decoded(
      Sample.days(
        day("steps", "2026-11-28", value: "0"), day("basal_energy", "2026-11-28", value: "0"),
        day("flights_climbed", "2026-11-28", value: "3"), day("workout_count", "2026-11-28", value: "0"),
        day("steps", "2026-11-27", value: "0"), day("weight", "2026-11-27", value: "0")))
    #expect(payload.days.map(\.kind) == [.invalid, .invalid, .value, .value, .value, .invalid])
    #expect(payload.days.map(\.code) == ["impossible_zero", "impossible_zero", nil, nil, nil, "impossible_zero"])
    #expect(payload.quarantined.map(\.pointer) == ["/days/0/value", "/days/1/value", "/days/5/value"])
    #expect(payload.payload.days.map(\.metric) == ["flights_climbed", "workout_count", "steps"])
    #expect(payload.days[0].value == nil)
  }

  @Test func `a value out of range leaves an invalid reading and its siblings alone`() throws {
    let payload = try decoded(
      Sample.days(
        day("heart_rate_avg", "2026-11-28", value: "900"), day("weight", "2026-11-28", value: "1", #","unit":"stone""#),
        day("steps", "2026-02-30", value: "900000"), day("steps", "2026-11-28", value: "250000")))
    #expect(payload.days.map(\.kind) == [.invalid, .invalid, .value])
    #expect(payload.days.map(\.position) == [0, 1, 3])
    #expect(payload.days.map(\.code) == ["out_of_range", "unknown_unit", nil])
  }

  @Test func `HKError 11 is an empty read in any spelling and no failure; others are`() throws {
    func payload(_ code: String) throws -> DecodedPayload {
      try decoded(
        Sample.days(
          #"{"metric":"steps","local_date":"2026-11-28","outcome":"failed","code":\#(code)}"#,
          changes: ["read": #"{"mode":"history_load"}"#]))
    }
    for code in ["HKError.11", "hkerror 11", "HKErrorDomain Code=11", "HKError.errorNoData"] {
      let empty = try payload("\"\(code)\"")
      #expect(empty.days.map(\.kind) == [.empty] && !empty.abandoned, "\(code)")
    }
    for code in ["\"HKError.6\"", "\"HKError.111\"", "\"11\"", "null"] {
      let failed = try payload(code)
      #expect(failed.days.map(\.kind) == [.failed] && failed.abandoned, "\(code)")
    }
  }

  @Test func `all or nothing is asked for, or comes with a history load`() throws {
    func isAbandoned(_ read: String) throws -> Bool {
      let entry = #"{"metric":"steps","local_date":"2026-11-28","outcome":"failed"}"#
      return try decoded(Sample.days(entry, changes: ["read": .some(read)])).abandoned
    }
    #expect(try isAbandoned(#"{"mode":"history_load"}"#))
    #expect(try isAbandoned(#"{"all_or_nothing":true}"#))
    #expect(try !isAbandoned(#"{"mode":"history_load","all_or_nothing":false}"#))
    #expect(try !isAbandoned(#"{"mode":"reread"}"#))
    #expect(try !isAbandoned("{}"))
  }

  @Test func `a number that platforms make up counts only with a source`() throws {
    let payload = try decoded(
      Sample.days(
        day("basal_energy", "2026-11-28", value: "1600"),
        day("basal_energy", "2026-11-27", value: "1600", #","sources":["watch"]"#),
        changes: ["records": #"[{"record_id":"a","metric":"total_energy","local_date":"2026-11-28","value":9}]"#]))
    #expect(payload.days.map(\.kind) == [.empty, .value, .empty])
    #expect(payload.days.map(\.code) == ["derived_default", nil, "derived_default"])
    #expect(payload.days.map(\.position) == [0, 1, 2])
    #expect(payload.days[0].value == nil && payload.payload.records.isEmpty && payload.quarantined.isEmpty)
  }

  @Test func `where denial is hidden, only the same payload proves that a metric can be read`() throws {
    let entries = [
      day("steps", "2026-11-28", value: "0"), day("weight", "2026-11-28", value: "80"),
      #"{"metric":"weight","local_date":"2026-11-27","outcome":"empty"}"#,
      #"{"metric":"hydration","local_date":"2026-11-28","outcome":"empty"}"#,
      #"{"metric":"caffeine","local_date":"2026-11-28","outcome":"empty"}"#,
    ]
    func proven(_ platform: String) throws -> [Bool] {
      var sample = Sample([
        "origin": "{\"platform\":\"\(platform)\"}", "readable": #"["hydration"]"#,
        "records": #"[{"record_id":"a","metric":"caffeine","local_date":"2026-11-20","value":3}]"#,
      ])
      sample.members.append(("days", "[\(entries.joined(separator: ","))]"))
      return try decoded(sample.text).days.map(\.proven)
    }
    #expect(try proven("healthkit") == [false, true, true, true, true])
    #expect(try proven("oura") == [true, true, true, true, true])
    let zeroRecord = Sample([
      "origin": #"{"platform":"healthkit"}"#, "days": "[\(entries[4])]",
      "records": #"[{"record_id":"a","metric":"caffeine","local_date":"2026-11-20","value":0}]"#,
    ])
    #expect(try decoded(zeroRecord.text).days.map(\.proven) == [false])
  }

  @Test func `records follow on the days in position, wherever they stand`() throws {
    let records =
      #"[{"record_id":"a","metric":"weight","local_date":"2026-11-28","value":3,"unit":"furlong"},{"record_id":"b","metric":"basal_energy","local_date":"2026-11-28","value":3}]"#
    let payload = try decoded(Sample(["records": .some(records), "days": "[7,8,9]"]).text)
    #expect(payload.days.map(\.position) == [3, 4])
    #expect(payload.days.map(\.kind) == [.invalid, .empty])
  }

  @Test func `sources are kept once, in their order`() throws {
    let many = (0..<40).map { "\"s\($0 % 20)\"" }.joined(separator: ",")
    let payload = try decoded(
      Sample.days(
        day("steps", "2026-11-28", value: "1", #","sources":["b","a","b","\u0061"]"#),
        day("steps", "2026-11-27", value: "1", ",\"sources\":[\(many)]")))
    #expect(payload.days[0].sources == ["b", "a"])
    #expect(payload.days[1].sources == (0..<20).map { "s\($0)" })
  }

  @Test func `a range is cut at the last possible day and has at most 400`() throws {
    let ranges =
      #"[{"from":"2026-11-20","to":"2027-01-01"},{"metric":null,"from":"2025-01-01","to":"2026-02-04"},{"from":"2026-11-30","to":"2026-11-30"}]"#
    let payload = try decoded(Sample(["looked": .some(ranges)]).text)
    #expect(
      payload.payload.looked == [
        LookedRange(from: try date("2026-11-20"), to: try date("2026-11-29")),
        LookedRange(from: try date("2025-01-01"), to: try date("2026-02-04")),
      ])
    #expect(payload.quarantined.map(\.pointer) == ["/looked/2/from"])
  }

  @Test func `a history window needs its grant unless reading is free`() throws {
    func pointers(_ osMajor: String, _ window: String) throws -> [String] {
      let origin = "{\"platform\":\"health_connect\"\(osMajor)}"
      return try quarantined(
        in: Sample(["origin": .some(origin), "windows": "[{\"kind\":\"history_window\"\(window)}]"]).text)
    }
    #expect(try pointers("", #","history_permission":true"#).isEmpty)
    #expect(try pointers(",\"os_major\":14", #","own_data":true"#).isEmpty)
    #expect(try pointers(",\"os_major\":13", #","own_data":true"#) == ["missing_field /windows/0/first_grant_at"])
    #expect(try pointers("", #","own_data":true"#) == ["missing_field /windows/0/first_grant_at"])
    #expect(try pointers("", #","history_permission":1"#).contains("missing_field /windows/0/first_grant_at"))
  }

  @Test func `null counts as missing, and lifts a boundary`() throws {
    let payload = try decoded(
      Sample([
        "days": "null", "read": "null", "windows": #"[{"kind":"authorized_from","metric":null,"instant":null}]"#,
        "permissions": #"[{"state":"granted"}]"#,
      ]).text)
    #expect(payload.payload.windows == [ReadWindow(boundary: .authorizedFrom(nil))])
    #expect(payload.payload.permissions == [Permission(state: .granted)])
    #expect(!payload.neverRead && payload.readAtWasMissing && payload.quarantined.isEmpty)
  }

  @Test func `a repeated key that no pointer can name is pointed at by its object and its offset`() throws {
    for (key, token) in [
      ("k", "/k"), ("a/b", "/a~1b"), (#"~\u0301"#, "/~0\u{301}"), (#"\u0000"#, ""), (#"\ud800"#, ""),
      (String(repeating: "k", count: 128), "/" + String(repeating: "k", count: 128)),
      (String(repeating: "k", count: 129), ""),
    ] {
      let repeated = "\"\(key)\":1,\"\(key)\":1"
      let entry = #"{"metric":"steps","local_date":"2026-11-28","outcome":"empty","# + repeated + "}"
      let text = Sample.days(entry)
      let refused = try #require(try decoded(text).quarantined.first)
      #expect(refused.code == .duplicateKey && refused.pointer == "/days/0\(token)")
      #expect(text.utf8.dropFirst(refused.byteOffset).starts(with: "\"\(key)\":1}".utf8))
      let dead = try #require(try fault(of: Sample(["origin": .some("{\(repeated)}")]).text))
      #expect((([dead] + dead.others).map(\.pointer)).contains("/origin\(token)"))
    }
  }

  @Test func `a deletion may reach from the beginning to the end of time; nothing else may`() throws {
    let (past, future) = ("0001-01-01T00:00:00Z", "4001-01-01T00:00:00Z")
    let interval = #""metric":"steps","start":"\#(past)","end":"\#(future)""#
    let record = #"[{"record_id":"r","local_date":"2026-11-28","value":1,\#(interval)}]"#
    let payload = try decoded(Sample(["deletions": "[{\(interval)}]", "records": record]).text)
    let start = try #require(Instant(past, years: Instant.writableYears))
    let end = try #require(Instant(future, years: Instant.writableYears))
    #expect(payload.payload.deletions == [Deletion(.interval(metric: "steps", start: start, end: end))])
    #expect(payload.quarantined.map(\.pointer) == ["/records/0/start"])
  }

  @Test func `a deletion by id is kept whatever else it says`() throws {
    let text = Sample(["deletions": #"[{"record_id":"A-1","metric":"telepathy","start":7}]"#]).text
    #expect(try decoded(text).payload.deletions == [Deletion(.record(id: "A-1"))])
  }

  @Test func `presence of no minutes is decoded`() throws {
    let text = Sample(["presence": #"[{"local_date":"2026-11-28","source":"w","kind":"wear","minutes":0}]"#]).text
    #expect(try decoded(text).payload.presence.map(\.minutes) == [0])
  }
}
