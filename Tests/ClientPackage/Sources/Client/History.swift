import Foundation
import HealthPayload

extension Sync {
  /// The last thirty days, as a whole or not at all.
  func history() throws -> [SyncPayload] {
    let start = Instant(microseconds: now.microseconds - 30 * 86_400_000_000)
    guard let days = LocalDay.days(from: start, through: now, in: zone) else { throw CalendarFault() }
    let window = QueryWindow(from: start, authorized: .notOffered, permitted: EarliestPermitted(permittedSince))
    let reader = Reader(store: store, window: window)

    var load = HistoryLoad(userID: userID, origin: Origin(platform: "healthkit"), readAt: now)
    load.timeZones = [TimeZoneStatement(iana: zone.identifier)]
    for day in days {
      load.add(reader.entry("steps", unit: "1", on: day))
    }
    return try load.pages(ofAtMost: 20)
  }
}
