import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// Payloads of builds that know less and of one that knows more than this one; see fixtures/builds/README.md.
@Suite struct ClientBuildTests {
  private let folder = "Tests/PayloadDecoderTests/fixtures/builds"

  private func payload(_ name: String) throws -> DecodedPayload {
    try decoded(String(decoding: try file("\(folder)/\(name).json"), as: UTF8.self))
  }

  @Test(arguments: ["n-2", "n-1", "n", "n+1"])
  func `no entry of another build is lost`(_ name: String) throws {
    let payload = try payload(name)
    #expect(payload.quarantined.isEmpty)
    #expect(payload.days.allSatisfy { ($0.kind == .value) == ($0.value != nil) })
    #expect(!payload.days.isEmpty && !payload.neverRead && !payload.abandoned)
  }

  @Test func `what an earlier build did not say is unknown, and its zeros stay zeros`() throws {
    let older = try payload("n-2")
    #expect(older.days.map(\.kind) == [.value, .value, .empty, .failed])
    #expect(older.days.map { $0.value?.text } == ["8123", "0", nil, nil])
    #expect(older.payload.read.lastSuccess == .unstated && older.payload.origin.osMajor == nil)
    let old = try payload("n-1")
    #expect(old.days.map(\.kind) == [.value, .value, .failed, .empty, .denied])
    #expect(old.days.map(\.code) == [nil, nil, "HKError.6", "HKError.11", nil])
    #expect(old.payload.permissions.isEmpty && old.payload.readable.isEmpty && old.payload.looked.isEmpty)
  }

  @Test func `what a later build says besides is passed over, and no number of it is taken`() throws {
    let newer = try payload("n+1")
    let entries = newer.days.prefix(3)
    #expect(entries.map(\.kind) == [.value, .empty, .failed])
    #expect(entries.last?.code == "HKError.99")
    #expect(newer.days.compactMap { $0.value?.text } == ["8123"])
    #expect(newer.payload.read.mode == .incremental)
    #expect(newer.payload.records.count == 1 && newer.payload.deletions.count == 1 && newer.payload.looked.count == 1)
  }

  @Test func `an outcome that only a later build knows is no empty day`() throws {
    let text = Sample.days(
      #"{"metric":"steps","local_date":"2026-11-28","outcome":"estimated","estimate":0}"#,
      #"{"metric":"steps","local_date":"2026-11-27","outcome":"empty"}"#)
    #expect(try quarantined(in: text) == ["unknown_outcome /days/0/outcome"])
    #expect(try decoded(text).days.map(\.kind) == [.empty])
  }

  @Test func `this build writes what the file of this build says`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = Array(try encoder.encode(try ClientBuild.payload()))
    let said = try file("\(folder)/n.json")
    #expect(
      ContentHash.of(text) == ContentHash.of(said),
      "the wire form has changed; if that is meant, write \(folder)/n.json anew: \(String(decoding: text, as: UTF8.self))"
    )
  }
}

/// A payload with all that the client library makes, the same each time.
enum ClientBuild {
  static func payload() throws -> SyncPayload {
    let readAt = try instant("2026-11-29T07:05:00Z")
    let (yesterday, before) = (try date("2026-11-28"), try date("2026-11-27"))
    var guarded = PublishGuard<Int>()
    guarded.readSucceeded(8_123, describing: yesterday, at: readAt)
    var payload = SyncPayload(
      payloadID: try #require(UUID(uuidString: "00000000-0000-4000-8000-0000000000B0")),
      userID: try #require(UUID(uuidString: "7B0C2F5E-1D2A-4E0B-9A51-2F6D0C9E11AA")),
      origin: Origin(platform: "healthkit", installationID: "i-1", osMajor: 27, appBuild: "412"),
      read: ReadContext(readAt: readAt, lastSuccess: guarded.lastSuccessStatement))
    payload.timeZones = [TimeZoneStatement(iana: "Europe/Berlin", from: try instant("2026-01-01T00:00:00Z"))]
    let shared = AuthorizedHistory(
      types: ["StepCount"], in: ["StepCount": try instant("2026-10-30T13:20:00Z")])
    let floor = EarliestPermitted(try instant("2014-06-01T00:00:00Z"))
    payload.windows = [floor.window] + [shared.window(metric: "steps")].compactMap { $0 }
    payload.presence = [Presence(localDate: yesterday, source: "watch", kind: .wear, minutes: 1_210)]
    payload.days = [
      DayEntry(metric: "steps", localDate: yesterday, .sum(8_123), unit: "1", sources: ["watch", "phone"]),
      DayEntry(metric: "flights_climbed", localDate: yesterday, .sum(0), unit: "1", sources: ["watch"]),
      DayEntry(metric: "active_energy", localDate: yesterday, .sum(412.6), unit: "kcal", sources: ["watch"]),
      DayEntry(metric: "steps", localDate: before, StatisticsAnswer(error: .healthKit(11)), unit: "1"),
      DayEntry(metric: "hydration", localDate: yesterday, .noSum, unit: "mL"),
      DayEntry(metric: "weight", localDate: yesterday, StatisticsAnswer(error: .healthKit(6)), unit: "kg"),
      DayEntry(metric: "stand_hours", localDate: yesterday, .sum(.nan), unit: "h"),
    ]
    let readings: [(metric: String, reading: Reading<ExactNumber>)] = [
      ("distance_walk_run", .unavailable), ("caffeine", .notAuthorized), ("mindful_minutes", .notYet),
    ]
    payload.days += readings.compactMap { DayEntry(metric: $0.metric, localDate: yesterday, reading: $0.reading) }
    payload.records = [
      RecordEntry(
        recordID: "5C6C1A52-6A31-4C1C-9F3E-0B7F51B1D001", metric: "weight", localDate: before, source: "scale",
        start: try instant("2026-11-27T06:30:00Z"), value: ExactNumber("81.4"), unit: "kg", entry: .manual)
    ]
    payload.deletions = [Deletion(.record(id: "5C6C1A52-6A31-4C1C-9F3E-0B7F51B1D002"))]
    payload.backfill = [BackfillState(metric: "steps", state: .running, reached: try date("2026-01-01"))]
    payload.readable = ["steps"]
    payload.looked = [LookedRange(metric: "steps", from: before, to: yesterday)]
    return payload
  }
}
