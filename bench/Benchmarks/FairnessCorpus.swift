import Foundation
import HealthPayload
import MetricStore

/// One person with a history of ten years and a long queue, and many people with one sync each.
enum FairnessCorpus {
  private static let historyDays: Int32 = 3_652
  static let queued = 30_000

  static let busy = id(0x8000_0000, 0)
  static let lastDay: Int32 = 20_252

  /// Each sixth of the queue comes with the history once more: as a load of ten pages, or in one piece.
  static var backlog: [EnqueuedLine] {
    (0..<6).flatMap { part in
      (part % 2 == 0 ? load(part) : [whole(part)]) + (0..<queued / 6).map { queuedSync(part * queued / 6 + $0) }
    }
  }

  private static func load(_ number: Int) -> [EnqueuedLine] {
    (0..<10).map { page in
      let first = lastDay - historyDays + Int32(page) * 366
      let load = #","load_id":"ten-years-\#(number)","page":\#(page + 1),"final_page":\#(page == 9)"#
      return line(
        busy, payload: 100 * (number + 1) + page, days: first...min(first + 365, lastDay), load, minute: number)
    }
  }

  private static func whole(_ number: Int) -> EnqueuedLine {
    line(
      busy, payload: 100 * (number + 1), days: (lastDay - historyDays)...lastDay, #","mode":"history_load""#,
      minute: number)
  }

  private static func queuedSync(_ number: Int) -> EnqueuedLine {
    line(busy, payload: 1_000 + number, days: (lastDay - 2)...lastDay, "", minute: 10 + number)
  }

  /// The only sync of one of the others.
  static func sync(_ number: Int) -> EnqueuedLine {
    line(person(number), payload: number, days: (lastDay - 2)...lastDay, "")
  }

  static func person(_ number: Int) -> UUID {
    // Spread over the key space, so that some come before the busy person in the order of ids, and some behind.
    id(UInt32(truncatingIfNeeded: (number &+ 1) &* 2_654_435_769), number)
  }

  private static func id(_ high: UInt32, _ low: Int) -> UUID {
    func byte(_ number: Int, _ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * place)) }
    let high = Int(high)
    return UUID(
      uuid: (
        byte(high, 3), byte(high, 2), byte(high, 1), byte(high, 0), 0, 0, 0x40, 0, 0x80, 0, 0, 0, byte(low, 3),
        byte(low, 2), byte(low, 1), byte(low, 0)
      ))
  }

  private static func line(
    _ user: UUID, payload: Int, days: ClosedRange<Int32>, _ load: String, minute: Int = 0
  ) -> EnqueuedLine {
    // Later ones were read later and measured something else, so that each of them changes what is known.
    let readAt = Instant(microseconds: 1_749_970_800_000_000 + Int64(minute) * 1_000_000)
    let entries = days.flatMap { day in
      DrainCorpus.metrics.enumerated().map { index, metric in
        #"{"metric":"\#(metric)","local_date":"\#(LocalDate(daysSince1970: day))","outcome":"value","#
          + #""value":\#(60 + index * 3 + (Int(day) + minute) % 7),"sources":["watch-a"]}"#
      }
    }
    return EnqueuedLine(
      user: user,
      text: #"{"schema":"dailymetricd.sync/1","payload_id":"\#(id(0, payload))","user_id":"\#(user)","#
        + #""origin":{"platform":"health_connect","os_major":15},"read":{"read_at":"\#(readAt)"\#(load)},"#
        + #""time_zones":[{"from":"2000-01-01T00:00:00Z","iana":"Europe/Berlin"}],"#
        + #""permissions":[{"metric":null,"state":"granted"}],"days":[\#(entries.joined(separator: ","))]}"#)
  }
}
