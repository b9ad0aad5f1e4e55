import Foundation
import HealthPayload
import MetricStore

/// What kind of payloads come.
enum GridShape: String, CaseIterable, Codable {
  case sync = "syncs of 24 cells"
  case backfill = "backfills of 2,920 cells"
  case records = "24 cells of 20 records each"
  case hot = "one hot person among many"
  case trickle = "syncs that come one by one"

  /// So many that a measurement takes some seconds of one core.
  var people: Int {
    switch self {
    case .sync, .hot, .trickle: 1_000
    case .backfill: 20
    case .records: 200
    }
  }

  var days: Int { self == .backfill ? 365 : 3 }

  /// How much one transaction finds: all it may have, or the one payload that has just come.
  var limits: BatchLimits { self == .trickle ? BatchLimits(payloads: 1) : BatchLimits() }

  /// The reads of the same people, in this order.
  var reads: [BoundBenchmark.Read] {
    switch self {
    case .sync, .backfill, .records: [.new, .changed, .later, .identical]
    case .hot, .trickle: [.new]
    }
  }
}

/// One read of all people of a shape.
struct GridCorpus: Corpus {
  let shape: GridShape
  /// Their numbers.
  let people: Range<Int>
  let read: BoundBenchmark.Read

  private static let lastDay: Int32 = 20_785
  private static let recordsPerCell = 20

  /// In the order of `Read`; the last is the very payload of the one before.
  private var number: Int {
    switch read {
    case .new: 0
    case .changed, .again: 1
    case .later, .identical: 2
    }
  }
  private var change: Int { min(number, 1) }

  var readAt: Instant { Instant(microseconds: 1_796_022_000_000_000 + Int64(number) * 86_400_000_000) }

  /// Half of the payloads of a hot person are that person's, each read later than the one before.
  private var ofHotPerson: Int { shape == .hot ? people.count / 2 : 0 }

  /// All that the payloads are about, as often as they are about it.
  var cells: Int { people.count * shape.days * DrainCorpus.metrics.count }

  /// Rows that must be there afterwards, of these people.
  var rows: Int { (people.count - max(0, ofHotPerson - 1)) * shape.days * DrainCorpus.metrics.count }

  var users: [UUID] { Array(Set(people.map(user))) }

  private func user(_ person: Int) -> UUID {
    // Those of the other shapes are other people.
    DrainCorpus.id(person < people.lowerBound + ofHotPerson ? people.lowerBound : person, kind: 3, read: 0)
  }

  var lines: [EnqueuedLine] { people.map { EnqueuedLine(user: user($0), text: text($0)) } }

  private func text(_ person: Int) -> String {
    let delay = person < people.lowerBound + ofHotPerson ? Int64(person - people.lowerBound) : 0
    let readAt = Instant(microseconds: readAt.microseconds - 36_000_000_000 + delay * 1_000_000)
    let days = (0..<Int32(shape.days)).map { LocalDate(daysSince1970: Self.lastDay - $0) }
    let block = shape == .records ? records(person, days) : values(days, delay: Int(delay))
    return
      #"{"schema":"dailymetricd.sync/1","payload_id":"\#(DrainCorpus.id(person, kind: 4, read: number))","user_id":"\#(user(person))","#
      + #""origin":{"platform":"health_connect","os_major":15},"read":{"read_at":"\#(readAt)"},"#
      + #""time_zones":[{"from":"2000-01-01T00:00:00Z","iana":"Europe/Berlin"}],"permissions":[{"metric":null,"state":"granted"}],"#
      + block + "}"
  }

  private func values(_ days: [LocalDate], delay: Int) -> String {
    let entries = days.enumerated().flatMap { place, day in
      DrainCorpus.metrics.enumerated().map { index, metric in
        #"{"metric":"\#(metric)","local_date":"\#(day)","outcome":"value","#
          + #""value":\#(60 + index * 3 + (place + delay) % 5 + change),"sources":["watch-a"]}"#
      }
    }
    return #""days":[\#(entries.joined(separator: ","))]"#
  }

  private func records(_ person: Int, _ days: [LocalDate]) -> String {
    var entries: [String] = []
    for day in days {
      for metric in DrainCorpus.metrics {
        for _ in 0..<Self.recordsPerCell {
          let id = DrainCorpus.id(person &* 1_000 &+ entries.count, kind: 5, read: 0)
          // Averages and sums of them alike are within each metric's range.
          let value = metric.contains("heart_rate") ? 60 + change : 3 + change
          entries.append(
            #"{"record_id":"\#(id)","metric":"\#(metric)","local_date":"\#(day)","source":"watch-a","value":\#(value)}"#
          )
        }
      }
    }
    return #""records":[\#(entries.joined(separator: ","))]"#
  }
}
