import HealthPayload
import Testing

@testable import PayloadDecoder

/// A payload with one workout of 28 November, from nine to half past nine; members are appended as they are.
private func workout(
  _ members: String = "", times: String = #""start":"2026-11-28T09:00:00Z","end":"2026-11-28T09:30:00Z""#
) -> String {
  let entry =
    #"{"record_id":"w-1","local_date":"2026-11-28","source":"watch",\#(times)\#(members.isEmpty ? "" : ",")\#(members)}"#
  return Sample(["workouts": "[\(entry)]"]).text
}

/// A list of fixes, each with the same time and place; members are appended as they are.
private func fixes(_ members: String...) -> String {
  let list = members.map { #"{"at":"2026-11-28T09:00:01Z","latitude":51.5,"longitude":-0.1\#($0)}"# }
  return #""locations":[\#(list.joined(separator: ","))]"#
}

@Suite struct WorkoutEntryTests {
  @Test func `a workout is a record of the metrics that count workouts and their minutes`() throws {
    let payload = try decoded(workout())
    let catalogue = try catalogue()
    let names = payload.records.map { record in catalogue.metrics.first { $0.id == record.metric }?.name }
    #expect(names == ["workout_count", "workout_minutes"])
    #expect(payload.records.map(\.recordID) == ["w-1", "w-1 minutes"])
    #expect(payload.records.map { $0.value?.text } == [nil, "30"])
    #expect(payload.records.map(\.position) == [0, 1])
    #expect(payload.payload.workouts.count == 1 && payload.payload.records.isEmpty)
  }

  @Test func `records of workouts come behind the others, wherever the blocks stand`() throws {
    let record = #"[{"record_id":"r","metric":"steps","local_date":"2026-11-28","value":5}]"#
    let workouts =
      #"[{"record_id":"w","local_date":"2026-11-28","start":"2026-11-28T09:00:00Z","end":"2026-11-28T09:00:01Z"}]"#
    let looked = #"[{"metric":"steps","from":"2026-11-27","to":"2026-11-27"}]"#
    for text in [
      Sample(["workouts": workouts, "records": record, "looked": looked]).text,
      Sample(["looked": looked, "records": record, "workouts": workouts]).text,
    ] {
      let payload = try decoded(text)
      #expect(payload.records.map { "\($0.recordID) \($0.position)" }.sorted() == ["r 0", "w 1", "w minutes 2"])
      #expect(payload.records.compactMap { $0.value?.text }.sorted() == ["0.016667", "5"])
      #expect(payload.days.map(\.position) == [3, 4])
    }
  }

  @Test func `what a sensor means by a negative number is unknown, and what is not a fix is a gap`() throws {
    let text = workout(
      fixes(
        #","horizontal_accuracy":5,"altitude":12,"vertical_accuracy":-1,"speed":-1,"speed_accuracy":-1"#,
        #","horizontal_accuracy":5,"altitude":0,"vertical_accuracy":3,"speed":0"#,
        #","horizontal_accuracy":-1,"speed":3"#,
        #","speed":null"#))
    let fixes = try #require(try decoded(text).payload.workouts.first).locations
    #expect(fixes.map(\.altitude) == [nil, 0, nil])
    #expect(fixes.map(\.speed) == [nil, 0, nil])
    #expect(fixes.map(\.speedAccuracy) == [nil, nil, nil])
    #expect(fixes.map(\.horizontalAccuracy) == [5, 5, nil])
  }

  @Test func `no pulse is no heart rate`() throws {
    let text = workout(#""heart_rates":[{"at":"2026-11-28T09:00:00Z","bpm":0},{"at":"2026-11-28T09:00:05Z","bpm":61}]"#)
    #expect(try decoded(text).payload.workouts.first?.heartRates.map(\.beatsPerMinute) == [61])
  }

  @Test(arguments: [
    (fixes(#","speed":"3""#), "invalid_field /workouts/0/locations/0/speed"),
    (fixes(#","altitude":1000001"#), "invalid_field /workouts/0/locations/0/altitude"),
    (fixes("", #","speed":3,"speed":4"#), "invalid_field /workouts/0/locations/1/speed"),
    (#""locations":[{"at":"2026-11-28T09:00:00Z","latitude":5}]"#, "missing_field /workouts/0/locations/0/longitude"),
    (#""locations":[{"latitude":5,"longitude":5}]"#, "missing_field /workouts/0/locations/0/at"),
    (#""locations":[{"at":"nine","latitude":5,"longitude":5}]"#, "invalid_field /workouts/0/locations/0/at"),
    (#""locations":[5]"#, "invalid_field /workouts/0/locations/0"),
    (#""locations":{}"#, "invalid_field /workouts/0/locations"),
    (#""heart_rates":[{"at":"2026-11-28T09:00:00Z"}]"#, "missing_field /workouts/0/heart_rates/0/bpm"),
    (#""entry":"guessed""#, "invalid_field /workouts/0/entry"),
  ])
  func `a malformed sample spoils its workout, which is neither kept nor counted`(_ members: String, _ refusal: String)
    throws
  {
    let payload = try decoded(workout(members))
    #expect(try quarantined(in: workout(members)) == [refusal])
    #expect(payload.payload.workouts.isEmpty && payload.records.isEmpty)
  }

  @Test(arguments: ["2026-11-28T09:00:00Z", "2026-11-28T08:59:59Z", "2026-12-12T09:00:01Z"])
  func `a workout lasts, and not for more than two weeks`(_ end: String) throws {
    let text = workout(times: #""start":"2026-11-28T09:00:00Z","end":"\#(end)""#)
    #expect(try quarantined(in: text) == ["invalid_field /workouts/0/end"])
  }

  @Test func `each sample counts as an entry of the payload`() throws {
    let text = workout(fixes("", "", ""))
    guard case .payload = try result(of: text, limits: DecoderLimits(entries: 4)) else {
      Issue.record("four entries did not pass a limit of four")
      return
    }
    guard case .dead(let fault) = try result(of: text, limits: DecoderLimits(entries: 3)) else {
      Issue.record("four entries passed a limit of three")
      return
    }
    #expect(fault.code == .tooLarge)
  }

  @Test func `a process that never read anything has no workouts`() throws {
    let workouts =
      #"[{"record_id":"w","local_date":"2026-11-28","start":"2026-11-28T09:00:00Z","end":"2026-11-28T09:01:00Z"}]"#
    let text = Sample(["read": #"{"last_successful_read_at":null}"#, "workouts": workouts]).text
    #expect(try quarantined(in: text) == ["never_read /workouts/0/record_id"])
    #expect(try decoded(text).records.isEmpty)
  }
}
