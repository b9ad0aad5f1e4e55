import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// A local day as its zones make it, and the instant at which it is over in the westernmost of them.
struct LocalDay: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let date: String
  let dayBefore: String
  /// Zones, each with the instant from which it holds.
  let zones: [(from: String, name: String)]
  let overAt: String

  init(_ sentence: String, _ date: String, _ dayBefore: String, _ zone: String, overAt: String) {
    self.init(sentence, date, dayBefore, [("2000-01-01T00:00:00Z", zone)], overAt: overAt)
  }

  init(_ sentence: String, _ date: String, _ dayBefore: String, _ zones: [(String, String)], overAt: String) {
    (testDescription, self.date, self.dayBefore, self.overAt) = (sentence, date, dayBefore, overAt)
    self.zones = zones.map { (from: $0.0, name: $0.1) }
  }

  static let all = [
    LocalDay("22 hours", "2026-03-29", "2026-03-28", "Antarctica/Troll", overAt: "2026-03-29T22:00:00Z"),
    LocalDay("23 hours", "2026-03-08", "2026-03-07", "America/New_York", overAt: "2026-03-09T04:00:00Z"),
    LocalDay("23.5 hours", "2026-10-04", "2026-10-03", "Australia/Lord_Howe", overAt: "2026-10-04T13:00:00Z"),
    LocalDay("24.5 hours", "2026-04-05", "2026-04-04", "Australia/Lord_Howe", overAt: "2026-04-05T13:30:00Z"),
    LocalDay("25 hours", "2026-11-01", "2026-10-31", "America/New_York", overAt: "2026-11-02T05:00:00Z"),
    LocalDay("a day that begins at 01:00", "2026-04-24", "2026-04-23", "Africa/Cairo", overAt: "2026-04-24T21:00:00Z"),
    LocalDay("two midnights", "2024-11-02", "2024-11-01", "America/Havana", overAt: "2024-11-03T04:00:00Z"),
    // Auckland 30 November 23:55 to Honolulu 30 November 09:45: the dates 30, 1, 30, 1.
    LocalDay(
      "a date that comes twice over the date line", "2026-11-30", "2026-11-29",
      [("2000-01-01T00:00:00Z", "Pacific/Auckland"), ("2026-11-30T19:45:00Z", "Pacific/Honolulu")],
      overAt: "2026-12-01T10:00:00Z"),
    LocalDay(
      "the second of the dates that come twice", "2026-12-01", "2026-11-30",
      [("2000-01-01T00:00:00Z", "Pacific/Auckland"), ("2026-11-30T19:45:00Z", "Pacific/Honolulu")],
      overAt: "2026-12-02T10:00:00Z"),
    // Los Angeles 29 November 22:30 to Auckland 1 December 08:45: of 30 November 11 hours and 45 minutes were lived.
    LocalDay(
      "a date that is left in mid-air", "2026-11-30", "2026-11-29",
      [("2000-01-01T00:00:00Z", "America/Los_Angeles"), ("2026-11-30T19:45:00Z", "Pacific/Auckland")],
      overAt: "2026-12-01T08:00:00Z"),
    LocalDay(
      "the day after it, which is over three hours later", "2026-12-01", "2026-11-30",
      [("2000-01-01T00:00:00Z", "America/Los_Angeles"), ("2026-11-30T19:45:00Z", "Pacific/Auckland")],
      overAt: "2026-12-01T11:00:00Z"),
    LocalDay(
      "to the west at noon", "2026-11-28", "2026-11-27",
      [("2000-01-01T00:00:00Z", "Europe/Berlin"), ("2026-11-28T12:00:00Z", "America/New_York")],
      overAt: "2026-11-29T05:00:00Z"),
    LocalDay(
      "to the east at noon", "2026-11-28", "2026-11-27",
      [("2000-01-01T00:00:00Z", "America/New_York"), ("2026-11-28T12:00:00Z", "Europe/Berlin")],
      overAt: "2026-11-29T05:00:00Z"),
  ]
}

/// When a day is over decides what is final, what licenses a zero, and what a re-check may call missing.
@Suite struct DayLengthTests {
  private let database: TestDatabase
  private let worker: MetricStoreTests.Worker
  private let connection: Connection

  init() async throws {
    database = try await freshDatabase(from: .migrated)
    worker = try await Worker(database)
    connection = try await database.connect()
  }

  /// Merges one payload of a person at the instant at which it was read.
  private func read(_ person: Int, _ day: LocalDay, at instant: Instant, _ blocks: [String]) async throws {
    let user = UUID(7, UInt64(person))
    let zones = day.zones.map { "{\"from\": \"\($0.from)\", \"iana\": \"\($0.name)\"}" }
    let head = [
      "\"schema\": \"dailymetricd.sync/1\"", "\"user_id\": \"\(user)\"", "\"payload_id\": \"\(user)\"",
      "\"origin\": {\"platform\": \"health_connect\"}", "\"read\": {\"read_at\": \"\(instant)\"}",
      "\"time_zones\": [\(zones.joined(separator: ", "))]",
    ]
    let text = "{\((head + blocks).joined(separator: ", "))}"
    try await worker.store.enqueue([EnqueuedLine(user: user, text: text)], receivedAt: instant)
    try await worker.drain(asOf: instant)
  }

  private static func entry(_ date: String, _ rest: String) -> String {
    "\"days\": [{\"metric\": \"steps\", \"local_date\": \"\(date)\", \(rest)}]"
  }

  /// A person's cell, such as `100 final` or `not_yet_synced open`.
  private func cell(_ person: Int, _ date: String) async throws -> String {
    let cells = try await connection.list(
      """
      SELECT COALESCE(trim_scale(value)::text, unknown_reason) || CASE WHEN is_final THEN ' final' ELSE ' open' END
      FROM daily_metric WHERE user_id = '\(UUID(7, UInt64(person)))' AND metric = 'steps' AND local_date = '\(date)'
      """)
    return (cells.first ?? nil) ?? "none"
  }

  @Test(arguments: LocalDay.all) func `a day is over at its end in the west, and not a second before`(
    _ day: LocalDay
  ) async throws {
    let over = try instant(day.overAt)
    let before = Instant(microseconds: over.microseconds - 1_000_000)
    let value = Self.entry(day.date, "\"outcome\": \"value\", \"value\": 100, \"sources\": [\"watch\"]")
    let whole = value.replacing("}]", with: ", \"complete\": true}]")
    let empty = [
      Self.entry(day.date, "\"outcome\": \"empty\""),
      "\"presence\": [{\"local_date\": \"\(day.date)\", \"source\": \"watch\", \"kind\": \"wear\", \"minutes\": 600}]",
    ]
    // Somebody who walked on the day before, and of whom nothing more is heard.
    try await read(
      1, day, at: before,
      [Self.entry(day.dayBefore, "\"outcome\": \"value\", \"value\": 100, \"sources\": [\"watch\"]")])
    try await worker.deriveDue(asOf: before, includeScheduled: true)
    #expect(try await cell(1, day.date) == "none", "nobody may call an open day missing")
    try await read(2, day, at: before, [value])
    try await read(3, day, at: before, [whole])
    try await read(4, day, at: before, empty)
    try await worker.deriveDue(asOf: over, includeScheduled: true)
    #expect(try await cell(1, day.date) == "not_yet_synced open", "a re-check calls it missing as soon as it is over")
    try await read(5, day, at: over, [value])
    try await read(6, day, at: over, empty)
    #expect(try await cell(2, day.date) == "100 open", "read too early")
    #expect(try await cell(3, day.date) == "100 open", "a client's word makes no open day final")
    #expect(try await cell(4, day.date) == "not_yet_synced open", "silence of an open day licenses no zero")
    #expect(try await cell(5, day.date) == "100 final")
    #expect(try await cell(6, day.date) == "0 final")
  }

  @Test func `a date that the zone skips is missing to nobody, and its neighbours are days like others`() async throws {
    let day = LocalDay("", "2011-12-30", "2011-12-29", "Pacific/Apia", overAt: "2011-12-30T10:00:00Z")
    try await read(
      1, day, at: instant("2011-12-28T20:00:00Z"),
      [Self.entry("2011-12-28", "\"outcome\": \"value\", \"value\": 100, \"sources\": [\"watch\"]")])
    try await worker.deriveDue(asOf: instant("2011-12-31T09:59:59Z"), includeScheduled: true)
    #expect(try await cell(1, "2011-12-29") == "not_yet_synced open")
    #expect(try await cell(1, "2011-12-30") == "none")
    #expect(try await cell(1, "2011-12-31") == "none", "it is not over")
    try await worker.deriveDue(asOf: instant("2011-12-31T10:00:00Z"), includeScheduled: true)
    #expect(try await cell(1, "2011-12-31") == "not_yet_synced open")
    #expect(try await cell(1, "2011-12-30") == "none")
  }

  @Test func `a skipped date that a client writes all the same is taken as written`() async throws {
    let day = LocalDay("", "2011-12-30", "2011-12-29", "Pacific/Apia", overAt: "2011-12-30T10:00:00Z")
    try await read(
      1, day, at: instant(day.overAt),
      [Self.entry(day.date, "\"outcome\": \"value\", \"value\": 100, \"sources\": [\"watch\"]")])
    #expect(try await cell(1, day.date) == "100 final")
  }

  @Test func `where no zone is known a day goes on until it is over everywhere`() async throws {
    let unknown = LocalDay("", "2026-11-28", "2026-11-27", [], overAt: "2026-11-29T12:00:00Z")
    let entry = Self.entry("2026-11-27", "\"outcome\": \"value\", \"value\": 100, \"sources\": [\"watch\"]")
    try await read(1, unknown, at: instant("2026-11-29T08:00:00Z"), [entry])
    try await worker.deriveDue(asOf: instant("2026-11-29T11:59:59Z"), includeScheduled: true)
    #expect(try await cell(1, "2026-11-28") == "none")
    try await worker.deriveDue(asOf: instant("2026-11-29T12:00:00Z"), includeScheduled: true)
    #expect(try await cell(1, "2026-11-28") == "not_yet_synced open")
  }
}
