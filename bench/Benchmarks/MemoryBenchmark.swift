import Foundation
import HealthPayload
import MetricStore
import Postgres

/// The most memory that a service has had: after a payload of nearly 32 MiB, and after many small ones.
enum MemoryBenchmark {
  private static let small = 5_000

  static func run() async throws -> [Goal] {
    let days = try await peak { feeder, now in try await feeder.enqueue([LargePayload.days], receivedAt: now) }
    let records = try await peak { feeder, now in try await feeder.enqueue([LargePayload.records], receivedAt: now) }
    let many = try await peak { feeder, _ in
      let corpus = DrainCorpus(people: small, change: 0, read: 0)
      try await feeder.enqueue(corpus.lines, receivedAt: corpus.readAt)
    }
    return [
      Goal("peak memory on a payload of 32 MiB, days, MB", atMost: 200, [days]),
      Goal("peak memory on a payload of 32 MiB, records, MB", atMost: 200, [records]),
      Goal("peak memory on \(small) small payloads, MB", atMost: 60, [many]),
    ]
  }

  private static func peak(_ feed: (StoreSession, Instant) async throws -> Void) async throws -> Double {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    let feeder = try await StoreSession.open(database.options("feeder"))
    try await feed(feeder, Instant(microseconds: Int64(Date.now.timeIntervalSince1970 * 1e6)))
    await feeder.close()
    let service = try ServiceProcess(database, workers: 2)
    let watcher = try await Connection.connect(database.options("watcher"))
    let end = ContinuousClock.now + .seconds(600)
    while try await watcher.execute("SELECT EXISTS (SELECT FROM intake.sync_payload)").one().bool(0) {
      guard ContinuousClock.now < end else { throw BenchmarkFailure("the queue was not empty after 10 minutes") }
      try await Task.sleep(for: .milliseconds(100))
    }
    let peak = try service.peakMemory()
    let refused = try await watcher.execute(
      """
      SELECT string_agg(DISTINCT x.code, ', ') FROM
        (SELECT l.code FROM intake.dead_letter l UNION ALL SELECT q.code FROM intake.quarantined_entry q) x
      """
    ).one().optionalText(0)
    if let refused { throw BenchmarkFailure("something was refused: \(refused)") }
    try service.end()
    await watcher.close()
    try await database.drop()
    return peak
  }
}

/// Payloads as long as they may be: just under 32 MiB of day entries, or of records.
enum LargePayload {
  private static let count = 190_000
  private static let bytes = (32 << 20) - 4_096
  private static let metrics = [
    "steps", "distance_walk_run", "flights_climbed", "active_energy", "exercise_minutes", "heart_rate_avg",
    "sleep_duration", "resting_heart_rate", "distance_cycling", "basal_energy", "stand_hours", "hydration",
    "workout_minutes", "sleep_deep", "sleep_rem", "sleep_light", "sleep_awake", "heart_rate_max", "hrv_sdnn",
    "spo2_avg", "weight", "vo2max", "blood_glucose_avg", "bp_systolic", "caffeine", "dietary_energy",
  ]
  private static let firstDay: Int32 = 12_944

  static var days: EnqueuedLine {
    line(1, "days") { number in
      #"{"metric":"\#(metrics[number % metrics.count])","local_date":"\#(day(number / metrics.count))","#
        + #""outcome":"value","value":\#(value(number)),"sources":["\#(source)"]}"#
    }
  }

  static var records: EnqueuedLine {
    line(2, "records") { number in
      // Ten of each day and metric.
      let cell = number / 10
      return
        #"{"record_id":"\#(id(3, number))","metric":"\#(metrics[cell % 8])","local_date":"\#(day(cell / 8))","#
        + #""value":7,"source":"\#(source)"}"#
    }
  }

  /// Long enough to make it as long as it may be.
  private static let source = "com.example.health.tracker"

  private static func value(_ number: Int) -> Int { number % metrics.count == 10 ? 12 : 60 + number % 7 }

  private static func day(_ number: Int) -> LocalDate { LocalDate(daysSince1970: firstDay + Int32(number)) }

  private static func id(_ kind: Int, _ number: Int) -> String {
    "00000000-0000-4000-800\(kind)-" + String(format: "%012d", number)
  }

  private static func line(_ person: Int, _ block: String, entry: (Int) -> String) -> EnqueuedLine {
    let user = id(0, person)
    let entries = (0..<count).map(entry).joined(separator: ",")
    let text =
      #"{"schema":"dailymetricd.sync/1","payload_id":"\#(id(1, person))","user_id":"\#(user)","#
      + #""origin":{"platform":"health_connect","os_major":15},"read":{"read_at":"2026-11-29T07:05:00Z"},"#
      + #""time_zones":[{"from":"2000-01-01T00:00:00Z","iana":"Europe/Berlin"}],"#
      + #""permissions":[{"metric":null,"state":"granted"}],"\#(block)":[\#(entries)]}"#
    // White space counts as length too.
    return EnqueuedLine(
      user: UUID(uuidString: user), text: text + String(repeating: " ", count: max(0, bytes - text.utf8.count)))
  }
}
