import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// What records and looked ranges say once judged.
@Suite struct RecordTests {
  private func record(_ id: String, _ metric: String, _ date: String, _ rest: String = "") -> String {
    #"{"record_id":"\#(id)","metric":"\#(metric)","local_date":"\#(date)"\#(rest)}"#
  }

  private func payload(
    _ records: [String], days: [String] = [], looked: String = "[]", _ others: KeyValuePairs<String, String?> = [:]
  ) throws -> DecodedPayload {
    var sample = Sample(others)
    sample.members += [
      ("records", "[\(records.joined(separator: ","))]"), ("looked", looked),
      ("days", "[\(days.joined(separator: ","))]"),
    ]
    return try decoded(sample.text)
  }

  /// Statements about days as "metric date kind", in order of position.
  private func says(_ payload: DecodedPayload) throws -> [String] {
    let names = Dictionary(uniqueKeysWithValues: try catalogue().metrics.map { ($0.id, $0.name) })
    return payload.days.sorted { $0.position < $1.position }
      .map { "\(names[$0.metric] ?? "?") \($0.localDate) \($0.kind)" }
  }

  @Test func `a record keeps its id, source and interval, and its value comes in the metric's unit`() throws {
    let all = try payload([
      record(
        "B-1", "total_energy", "2026-11-28",
        #","value":4.184,"unit":"kJ","source":"w","start":"2026-11-28T07:00:00Z","end":"2026-11-28T08:00:00Z""#),
      record("B-2", "workout_count", "2026-11-28"),
    ])
    let first = try #require(all.records.first)
    #expect(first.recordID == "B-1" && first.source == "w" && first.value?.text == "1")
    #expect([first.start, first.end] == (try [instant("2026-11-28T07:00:00Z"), instant("2026-11-28T08:00:00Z")]))
    #expect(first.metric == (try catalogue().metric(named: "total_energy")?.id))
    #expect(all.records[1].value == nil && all.records[1].source == "" && all.records[1].start == nil)
    #expect(all.payload.records.map(\.recordID) == ["B-1", "B-2"])
  }

  @Test func `records count as manual where their entry or their whole platform says so`() throws {
    let records = [
      record("a", "steps", "2026-11-28", #","value":1,"entry":"manual""#), record("b", "steps", "2026-11-28"),
    ]
    #expect(try payload(records).records.map(\.isManual) == [true, false])
    let byHand = try payload(records, ["origin": #"{"platform":"manual"}"#])
    #expect(byHand.records.map(\.isManual) == [true, true])
  }

  @Test func `records follow on the days, and days looked at on the records, refused ones counted`() throws {
    let all = try payload(
      [record("", "steps", "2026-11-28"), record("b", "steps", "2026-11-28")],
      days: [day("weight", "2026-11-28", value: "80"), "7"],
      looked: #"[{"metric":"steps","from":"2026-11-27","to":"2026-11-28"}]"#)
    #expect(all.records.map(\.position) == [3])
    #expect(all.days.map(\.position) == [0, 4, 5, 6])
    #expect(
      try says(all) == [
        "weight 2026-11-28 value", "steps 2026-11-27 looked", "steps 2026-11-27 empty", "steps 2026-11-28 looked",
      ])
  }

  @Test func `a day that was looked at is empty unless an entry speaks of it, be it refused`() throws {
    let all = try payload(
      [record("a", "steps", "2026-11-26", #","value":"x""#), record("b", "steps", "2026-11-25")],
      days: [
        #"{"metric":"steps","local_date":"2026-11-28","outcome":"moon"}"#,
        #"{"metric":"steps","local_date":"2026-11-27","outcome":"failed"}"#, day("steps", "2026-11-24", value: "-1"),
      ], looked: #"[{"metric":"steps","from":"2026-11-23","to":"2026-11-28"}]"#)
    #expect(all.days.filter { $0.kind == .empty }.map(\.localDate) == [try date("2026-11-23")])
    #expect(all.days.count { $0.kind == .looked } == 6)
  }

  @Test func `a range of all metrics means those that days, records or readable mention`() throws {
    let all = try payload(
      [record("a", "hydration", "2026-11-20"), record("a", "caffeine", "2026-02-30")],
      days: [
        day("steps", "2026-11-28", value: "5"), #"{"metric":"weight","local_date":"2026-11-28","outcome":"moon"}"#,
      ], looked: #"[{"from":"2026-11-28","to":"2026-11-28"}]"#, ["readable": #"["sleep_duration"]"#])
    let expected = ["hydration", "sleep_duration", "steps", "weight"]
    let looked = try says(all).filter { $0.hasSuffix("looked") }.map { $0.prefix { $0 != " " } }.sorted()
    #expect(looked.map(String.init) == expected)
    let empty = try says(all).filter { $0.hasSuffix("empty") }.map { $0.prefix { $0 != " " } }.sorted()
    #expect(empty == ["hydration", "sleep_duration"])
  }

  @Test func `a refused entry mentions its metric, unless its day cannot be`() throws {
    let range = #"[{"from":"2026-11-27","to":"2026-11-27"}]"#
    #expect(try says(payload([], days: [day("steps", "2026-11-28", value: "null")], looked: range)).count == 2)
    for impossible in ["2031-01-01", "1850-01-01", "2026-02-30"] {
      #expect(try says(payload([], days: [day("steps", impossible, value: "1")], looked: range)) == [])
      #expect(try says(payload([record("a", "steps", impossible)], looked: range)) == [])
    }
  }

  @Test func `a record with a number that no metric can have is refused alone`() throws {
    let all = try payload([
      record("a", "steps", "2026-11-01", #","value":11"#),
      record("b", "steps", "2026-11-02", #","value":1000000000001"#),
      record("c", "steps", "2026-11-03", #","value":-9999999999999.5"#),
      record("d", "steps", "2026-11-04", #","value":999999999999.5"#),
    ])
    #expect(all.records.map(\.recordID) == ["a", "d"])
    #expect(all.quarantined.map(\.code.rawValue) == ["out_of_range", "out_of_range"])
    #expect(try says(all) == ["steps 2026-11-02 invalid", "steps 2026-11-03 invalid"])
  }

  @Test func `days that several ranges name are looked at once, and future ones not at all`() throws {
    let all = try payload(
      [],
      looked: #"""
        [{"metric":"steps","from":"2026-11-27","to":"2027-06-01"},{"metric":"steps","from":"2026-11-26","to":"2026-11-28"}]
        """#)
    let days = all.days.filter { $0.kind == .looked }.map(\.localDate.description)
    #expect(days == ["2026-11-29", "2026-11-26", "2026-11-27", "2026-11-28"])
    #expect(Set(all.days.map(\.position)).count == all.days.count)
    // The first range found it empty, the last one looked at it last: that is how late its records were read.
    let twice = all.days.filter { $0.localDate.description == "2026-11-27" }.sorted { $0.position < $1.position }
    #expect(twice.map(\.kind) == [.empty, .looked])
  }

  @Test func `what was looked at is proven like everything else of its payload`() throws {
    func proven(_ platform: String) throws -> [Bool] {
      let all = try payload(
        [record("a", "steps", "2026-11-01", #","value":3"#), record("b", "weight", "2026-11-01")],
        looked: #"[{"from":"2026-11-28","to":"2026-11-28"}]"#, ["origin": "{\"platform\":\"\(platform)\"}"])
      return all.records.map(\.proven) + all.days.map(\.proven)
    }
    let hidden = try proven("healthkit")
    #expect(hidden.prefix(2) == [true, false])
    #expect(hidden.dropFirst(2).sorted { $0 && !$1 } == [true, true, false, false])
    #expect(try proven("oura") == Array(repeating: true, count: 6))
  }

  @Test func `days looked at count as entries, however often they are named`() throws {
    let range = #"{"metric":"steps","from":"2026-11-20","to":"2026-11-28"}"#
    let once = Sample(["looked": "[\(range)]"]).text
    let twice = Sample(["looked": "[\(range),\(range)]"]).text
    #expect(try fault(of: once, limits: DecoderLimits(entries: 10)) == nil)
    #expect(try fault(of: once, limits: DecoderLimits(entries: 9))?.code == .tooLarge)
    #expect(try fault(of: twice, limits: DecoderLimits(entries: 20)) == nil)
    let dead = try fault(of: twice, limits: DecoderLimits(entries: 19))
    #expect(dead?.code == .tooLarge && dead?.pointer == "/looked")
  }
}
