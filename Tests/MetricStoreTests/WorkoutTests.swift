import Foundation
import HealthPayload
import MetricStore
import Postgres
import TestSupport
import Testing

/// A workout goes from an app's types to workout_summary, and means the same at both ends.
@Suite struct WorkoutTests {
  private static let user = UUID(uuid: (7, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 1))

  /// Half an hour by bicycle, of which a seeded part was not seen: places, altitudes, speeds, accuracies, heart rates.
  private static func ride(_ seed: UInt64) throws -> Workout {
    var numbers = SeededNumbers(seed: seed)
    let start = try instant("2026-11-28T09:00:00Z")
    var (fixes, beats): ([LocationSample], [HeartRateSample]) = ([], [])
    var (latitude, altitude) = (51.5, 40.0)
    var gap = 0
    for second in 0...1_800 {
      latitude += Double(Int.random(in: 0...12, using: &numbers)) / 111_195
      altitude += Double(Int.random(in: 0...4, using: &numbers) - 2) / 4
      if gap == 0, numbers.chance(3) { gap = Int.random(in: 1...40, using: &numbers) }
      gap = max(0, gap - 1)
      let time = Date(Instant(microseconds: start.microseconds + Int64(second) * 1_000_000))
      if second.isMultiple(of: 7), numbers.chance(80) {
        beats += [HeartRateSample(RawHeartRate(beatsPerMinute: Double(100 + second % 50), timestamp: time))].compactMap(
          \.self)
      }
      guard gap == 0 else { continue }
      let raw = RawLocation(
        latitude: latitude, longitude: 7, horizontalAccuracy: 5, altitude: altitude, ellipsoidalAltitude: .nan,
        verticalAccuracy: numbers.chance(20) ? -1 : 3, speed: numbers.chance(10) ? -1 : Double(second % 9),
        speedAccuracy: numbers.chance(30) ? -1 : 0.5, course: -1, courseAccuracy: -1, timestamp: time)
      fixes += [LocationSample(raw)].compactMap(\.self)
    }
    return Workout(
      recordID: "ride \(seed)", localDate: try #require(LocalDate("2026-11-28")), source: "bike computer", start: start,
      end: try instant("2026-11-28T09:30:00Z"), locations: fixes, heartRates: beats)
  }

  private static func text(_ number: UInt8, _ workouts: [Workout], deletions: [Deletion] = []) throws -> EnqueuedLine {
    let id = UUID(uuid: (7, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 1, number))
    var payload = SyncPayload(
      payloadID: id, userID: user, origin: Origin(platform: "health_connect"),
      read: ReadContext(
        readAt: Instant(microseconds: try instant("2026-11-29T07:00:00Z").microseconds + Int64(number) * 1_000_000)))
    payload.workouts = workouts
    payload.deletions = deletions
    return EnqueuedLine(user: user, text: String(decoding: try JSONEncoder().encode(payload), as: UTF8.self))
  }

  @Test func `the database makes of a ride what the library makes of it`() async throws {
    let rides = try (1...6).map { try Self.ride($0) }
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    try await worker.store.enqueue([Self.text(1, rides)], receivedAt: instant("2026-11-29T08:00:00Z"))
    try await worker.drain(asOf: instant("2026-11-29T08:00:00Z"))
    let connection = try await database.connect()
    for ride in rides {
      let summary = try #require(ride.summary)
      for field in WorkoutField.allCases {
        let name = field.rawValue
        let rows = try await connection.table(
          """
          SELECT \(name), \(name)_coverage, workout_label('\(name)', \(name), \(name)_coverage) FROM workout_summary
          WHERE id = evidence.record_key((SELECT platform_id FROM platform WHERE platform = 'health_connect'), '', '\(ride.recordID)')
          """)
        let row = try #require(rows.first, "\(ride.recordID)")
        guard case .value(let value, let coverage) = summary.value(field) else {
          Issue.record("\(ride.recordID) has no \(name): the test compares nothing")
          continue
        }
        let stored = try #require(row[0].flatMap(Double.init))
        let storedCoverage = try #require(row[1].flatMap(Double.init))
        #expect(abs(stored - value) < 0.001 * max(1, value), "\(ride.recordID): \(name) \(stored), library \(value)")
        #expect(abs(storedCoverage - coverage) < 0.000_002, "\(ride.recordID): coverage of \(name)")
        #expect(row[2] == summary.display(field), "\(ride.recordID)")
      }
    }
    let cells = try await connection.table(
      "SELECT metric, value FROM daily_metric WHERE metric LIKE 'workout%' ORDER BY metric")
    #expect(cells == [["workout_count", "6"], ["workout_minutes", "180"]])
  }

  @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1]])
  func `a deletion takes the workout, its count and its minutes, in whatever order they come`(_ order: [UInt8])
    async throws
  {
    let (gone, kept) = (try Self.ride(1), try Self.ride(2))
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    let lines = [
      try Self.text(1, [gone, kept]), try Self.text(2, [], deletions: [Deletion(.record(id: gone.recordID))]),
      try Self.text(3, [gone]),
    ]
    for number in order {
      try await worker.store.enqueue([lines[Int(number) - 1]], receivedAt: instant("2026-11-29T08:00:00Z"))
      try await worker.drain(asOf: instant("2026-11-29T08:00:00Z"))
    }
    let connection = try await database.connect()
    #expect(try await connection.list("SELECT count(*) FROM workout_summary") == ["1"])
    #expect(try await connection.list("SELECT count(*) FROM evidence.workout") == ["1"])
    let cells = try await connection.table(
      "SELECT metric, value FROM daily_metric WHERE metric LIKE 'workout%' ORDER BY metric")
    #expect(cells == [["workout_count", "1"], ["workout_minutes", "30"]])
    #expect(
      try await connection.table(
        "SELECT * FROM evidence.compare_shown('\(Self.user)', '{2026-11-28}', '2026-11-29 08:00Z')"
      ).isEmpty)
  }

  @Test func `no place is stored`() async throws {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    try await worker.store.enqueue([Self.text(1, [Self.ride(1)])], receivedAt: instant("2026-11-29T08:00:00Z"))
    try await worker.drain(asOf: instant("2026-11-29T08:00:00Z"))
    let connection = try await database.connect()
    let row = try #require(try await connection.list("SELECT w::text FROM evidence.workout w").first ?? nil)
    #expect(row.contains("bike computer") && !row.contains("51.5"))
  }
}
