import HealthPayload
import Testing

@testable import PayloadDecoder

/// A payload with these hours of 28 November.
private func hours(_ entries: String..., days: String = "") -> String {
  let list = entries.map { #"{"local_date":"2026-11-28",\#($0)}"# }.joined(separator: ",")
  return Sample(["days": "[\(days)]", "hours": "[\(list)]"]).text
}

@Suite struct HourTests {
  @Test func `a value, a zero and nothing are three things`() throws {
    let payload = try decoded(
      hours(
        #""metric":"steps","local_hour":9,"value":1840,"covered_minutes":42"#,
        #""metric":"steps","local_hour":10,"value":0,"covered_minutes":60"#,
        #""metric":"steps","local_hour":11,"covered_minutes":0"#))
    #expect(payload.hours.map { $0.value?.text } == ["1840", "0", nil])
    #expect(payload.hours.map(\.coveredMinutes) == [42, 60, 0])
    #expect(payload.payload.hours.map { $0.display() } == ["1840+ (42 of 60 min)", "0", "no data"])
    #expect(payload.days.isEmpty)
  }

  @Test(arguments: [
    (#""local_hour":9,"value":0,"covered_minutes":0"#, "unexpected_value /hours/0/value"),
    (#""local_hour":9,"value":5,"covered_minutes":0"#, "unexpected_value /hours/0/value"),
    (#""local_hour":9,"covered_minutes":5"#, "missing_value /hours/0/value"),
    (#""local_hour":9,"value":null,"covered_minutes":5"#, "missing_value /hours/0/value"),
    (#""local_hour":9,"value":5"#, "missing_field /hours/0/covered_minutes"),
    (#""value":5,"covered_minutes":5"#, "missing_field /hours/0/local_hour"),
    (#""local_hour":24,"value":5,"covered_minutes":5"#, "invalid_field /hours/0/local_hour"),
    (#""local_hour":-1,"value":5,"covered_minutes":5"#, "invalid_field /hours/0/local_hour"),
    (#""local_hour":9.5,"value":5,"covered_minutes":5"#, "invalid_field /hours/0/local_hour"),
    (#""local_hour":9,"value":5,"covered_minutes":61"#, "invalid_field /hours/0/covered_minutes"),
    (#""local_hour":9,"value":"5","covered_minutes":5"#, "not_a_number /hours/0/value"),
    (#""local_hour":9,"value":5,"covered_minutes":5,"unit":"kg""#, "unknown_unit /hours/0/unit"),
    (#""local_hour":9,"value":250001,"covered_minutes":5"#, "out_of_range /hours/0/value"),
    (#""local_hour":9,"local_hour":9,"value":5,"covered_minutes":5"#, "duplicate_key /hours/0/local_hour"),
  ])
  func `an hour that cannot be used is refused alone`(_ entry: String, _ refusal: String) throws {
    let text = hours(#""metric":"steps",\#(entry)"#, #""metric":"steps","local_hour":8,"value":5,"covered_minutes":5"#)
    #expect(try quarantined(in: text) == [refusal])
    #expect(try decoded(text).hours.map(\.localHour) == [8])
  }

  @Test func `an hour that the clock showed twice has more minutes`() throws {
    let payload = try decoded(
      hours(#""metric":"steps","local_hour":2,"value":90,"covered_minutes":61,"minutes":120"#))
    #expect(payload.payload.hours.first?.display() == "90+ (61 of 120 min)")
  }

  @Test func `units are converted, and an average is no lower bound`() throws {
    let payload = try decoded(
      hours(#""metric":"distance_walk_run","local_hour":9,"value":1.5,"unit":"km","covered_minutes":60"#))
    #expect(payload.hours.map { $0.value?.text } == ["1500"])
    let average = HourEntry(
      metric: "heart_rate_avg", localDate: try date("2026-11-28"), localHour: 9,
      seen: .value(ExactNumber(72), coveredMinutes: 42))
    #expect(average.display(addsUp: false) == "72 (42 of 60 min)")
  }

  @Test func `zeros beside an impossible zero of their day are not believed, hours as little as days`() throws {
    let text = hours(
      #""metric":"steps","local_hour":9,"value":0,"covered_minutes":60"#,
      #""metric":"steps","local_hour":10,"value":5,"covered_minutes":60"#,
      days: day("basal_energy", "2026-11-28", value: "0"))
    #expect(try decoded(text).hours.map(\.localHour) == [10])
    #expect(try quarantined(in: text).sorted() == ["impossible_zero /days/0/value", "impossible_zero /hours/0/value"])
  }

  @Test func `a process that never read anything has no hours`() throws {
    let text = Sample([
      "read": #"{"last_successful_read_at":null}"#,
      "hours": #"[{"metric":"steps","local_date":"2026-11-28","local_hour":9,"value":0,"covered_minutes":60}]"#,
    ]).text
    #expect(try decoded(text).hours.isEmpty)
    #expect(try quarantined(in: text) == ["never_read /hours/0/value"])
  }

  @Test func `hours count among the entries of a payload`() throws {
    let text = hours(
      #""metric":"steps","local_hour":9,"covered_minutes":0"#, #""metric":"steps","local_hour":10,"covered_minutes":0"#)
    guard case .dead(let fault) = try result(of: text, limits: DecoderLimits(entries: 1)) else {
      Issue.record("two entries passed a limit of one")
      return
    }
    #expect(fault.code == .tooLarge)
  }
}
