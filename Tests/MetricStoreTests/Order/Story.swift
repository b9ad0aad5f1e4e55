import Foundation
import HealthPayload
import TestSupport

/// What a set of payloads is about: which metrics, stores, days and records.
struct Story: Sendable {
  struct Metric: Sendable {
    let name: String
    /// Values that it may have, some of them equal on purpose.
    let values: [String]
    /// A value that it cannot have.
    let absurd: String
  }

  struct Origin: Sendable {
    let platform: String
    let store: String
    /// What it states about access and its system, and from which day of reading on.
    var stages: [Stage] = []
  }

  struct Stage: Sendable {
    let day: Int
    let osMajor: String
    let blocks: [(String, String)]
  }

  /// An instant, in days and hours after midnight of the first day.
  struct Time: Sendable {
    let day: Int
    let hour: Int
    var text: String { Story.instant(hours: day * 24 + hour) }
  }

  private static let allMetrics = [
    ("steps", ["900", "5000", "7000"], "9999999"), ("flights_climbed", ["3", "8"], "-1"),
    ("active_energy", ["120.5", "300"], "30000"), ("workout_count", ["1", "2"], "99"),
    ("sleep_duration", ["400", "431.5"], "2000"), ("sleep_deep", ["60", "75"], "2000"),
    ("heart_rate_avg", ["61", "70.25"], "1000"), ("heart_rate_max", ["120", "160"], "1000"),
    ("resting_heart_rate", ["52", "55"], "1000"), ("weight", ["70", "70.4"], "1000"),
    ("hydration", ["250", "500"], "-1"),
    ("wrist_temp_deviation", ["0.5", "-0.25"], "50"), ("basal_energy", ["1500", "1600"], "9999"),
  ].map { Metric(name: $0.0, values: $0.1, absurd: $0.2) }
  private static let allOrigins = [
    ("healthkit", ""), ("health_connect", "p1"), ("health_connect", "p2"), ("oura", "o"), ("garmin", "g"),
    ("manual", ""),
  ].map { Origin(platform: $0.0, store: $0.1) }
  static let sources = ["watch", "phone", "android", "com.android.healthconnect.phone.j1"]
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Kathmandu",
  ]
  /// From when on zones are stated: always, and from two moments of the story on.
  static let zoneStarts = ["2000-01-01T00:00:00Z", instant(hours: 36), instant(hours: 86)]
  /// 2026-11-24, in days since 1970.
  private static let firstDay = 20_781

  let metrics: [Metric]
  let origins: [Origin]
  let statements: PayloadWriter.Statements
  /// For each of `zoneStarts` the zone as it is stated at first, and as it is corrected for good on some day.
  private let zoneLine: [(first: String, corrected: String, day: Int)]
  /// The last of the days that it is about.
  let days: Int
  /// Ids of records, in the spellings of platforms.
  let records = [
    "r0", "r1", "r2", "r3", "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b",
  ]
  private let hasCompany: Bool

  init(_ random: inout SeededNumbers) {
    let count = random.pick([1, 2, 3, 5])
    var metrics = Array(Self.allMetrics.shuffled(using: &random).prefix(count))
    // A metric that follows another is of interest beside it.
    if metrics.contains(where: { $0.name == "sleep_deep" }) {
      metrics += Self.allMetrics.filter { $0.name == "sleep_duration" }
    }
    self.metrics = metrics
    statements = random.pick(PayloadWriter.Statements.allCases)
    days = random.pick([1, 2, 4])
    let statements = StatementWriter(metrics: self.metrics.map(\.name), days: days)
    origins = Self.allOrigins.shuffled(using: &random).prefix(random.pick([1, 1, 2, 3])).map { origin in
      var origin = origin
      origin.stages = statements.stages(&random)
      return origin
    }
    let names = Self.zones.shuffled(using: &random)
    zoneLine = Self.zoneStarts.indices.map { (names[2 * $0], names[2 * $0 + 1], random.number(0...6)) }
    hasCompany = random.chance(20)
  }

  func person(_ random: inout SeededNumbers) -> Int { hasCompany && random.chance(40) ? 1 : 0 }

  /// The zones, from each of the first few of `zoneStarts` on, as they are stated on a day.
  func zones(statedOn day: Int, starts: Int) -> String {
    JSON.list(
      zip(Self.zoneStarts, zoneLine).prefix(starts).map { from, zone in
        JSON.object([("from", JSON.text(from)), ("iana", JSON.text(day < zone.day ? zone.first : zone.corrected))])
      })
  }

  /// The JSON of a day.
  static func date(_ day: Int) -> String {
    JSON.text(LocalDate(daysSince1970: Int32(firstDay + day)).description)
  }

  /// The text of an instant, in hours after midnight of the first day.
  static func instant(hours: Int) -> String {
    Instant(microseconds: Int64(firstDay * 24 + hours) * 3_600_000_000).description
  }
}
