import Foundation
import HealthPayload
import MetricStore
import Postgres

/// One sync of each of many people: eight metrics on three days.
struct DrainCorpus: Corpus {
  static let metrics = [
    "steps", "distance_walk_run", "flights_climbed", "active_energy", "exercise_minutes", "heart_rate_avg",
    "sleep_duration",
    "resting_heart_rate",
  ]
  static let dates = ["2026-11-26", "2026-11-27", "2026-11-28"]
  static var cellsPerPayload: Int { metrics.count * dates.count }

  var cells: Int { people * Self.cellsPerPayload }

  let people: Int
  /// The number of the first of them; other numbers are other people.
  var first = 0
  /// Whether every read failed for now, so that nothing but a next check comes of it.
  var hasFailed = false
  /// How often the values have changed before.
  let change: Int
  /// Which read it is, from 0; each has payload ids of its own and is an hour after the one before.
  let read: Int

  /// The same of a batch of people of whom nobody else speaks.
  static func others(like corpus: DrainCorpus, part: Int = 0) -> DrainCorpus {
    DrainCorpus(people: 64, first: 5_000_000 + 64 * part, change: corpus.change, read: corpus.read)
  }

  var readAt: Instant { Instant(microseconds: 1_796_022_000_000_000 + Int64(read) * 3_600_000_000) }

  func value(metric: Int, date: Int) -> Int { 60 + metric * 3 + date + change }

  func user(_ person: Int) -> UUID { Self.id(first + person, kind: 1, read: 0) }

  func payloadID(_ person: Int) -> UUID { Self.id(first + person, kind: 2, read: read) }

  static func id(_ number: Int, kind: UInt8, read: Int) -> UUID {
    // Spread over the key space, as random ids are.
    let mixed = UInt64(truncatingIfNeeded: number &+ 1) &* 0x9E37_79B9_7F4A_7C15
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: mixed >> (8 * UInt64($0))) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], 0x40, bytes[6], 0x80, bytes[7], 0, 0, 0, 0,
        UInt8(read), kind
      ))
  }

  private func text(_ person: Int) -> String {
    var days: [String] = []
    for (dateIndex, date) in Self.dates.enumerated() {
      for (index, metric) in Self.metrics.enumerated() {
        let outcome =
          hasFailed
          ? #""outcome":"failed","code":"http.429""#
          : #""outcome":"value","value":\#(value(metric: index, date: dateIndex)),"sources":["watch-a"]"#
        days.append(#"{"metric":"\#(metric)","local_date":"\#(date)",\#(outcome)}"#)
      }
    }
    return
      #"{"schema":"dailymetricd.sync/1","payload_id":"\#(payloadID(person))","user_id":"\#(user(person))","#
      + #""origin":{"platform":"health_connect","os_major":15},"read":{"read_at":"\#(readAt)"},"#
      + #""time_zones":[{"from":"2000-01-01T00:00:00Z","iana":"Europe/Berlin"}],"permissions":[{"metric":null,"state":"granted"}],"#
      + #""days":[\#(days.joined(separator: ","))]}"#
  }

  var lines: [EnqueuedLine] {
    (0..<people).map { EnqueuedLine(user: user($0), text: text($0)) }
  }

  /// The parameters of the bare upsert.
  func upsertBatches(of size: Int) -> [[Parameter]] {
    let days = Self.dates.compactMap { LocalDate($0)?.daysSince1970 }
    return stride(from: 0, to: people, by: size).map { start in
      var users: [UUID?] = []
      var metrics: [String?] = []
      var dates: [Int32?] = []
      var values: [String?] = []
      for person in start..<min(start + size, people) {
        let user = user(person)
        for (dateIndex, day) in days.enumerated() {
          for (index, metric) in Self.metrics.enumerated() {
            users.append(user)
            metrics.append(metric)
            dates.append(day)
            values.append(String(value(metric: index, date: dateIndex)))
          }
        }
      }
      return [
        .uuidArray(users), .textArray(metrics), .dateArray(dates), .textArray(values), .timestamp(readAt.microseconds),
      ]
    }
  }
}
