import Foundation
import HealthPayload

/// What a sync sends: the entries, and what makes them worth something.
struct Sync {
  let userID: UUID
  let zone: TimeZone
  let now: Instant
  let store: Store

  /// What HealthKit answered to the question how far back the person lets the app read, by type.
  let sharedSince: [String: Instant]
  let permittedSince: Instant

  func payload(sent guarded: inout PublishGuard<Int>) throws -> SyncPayload {
    let shared = AuthorizedHistory(types: ["StepCount"], in: sharedSince)
    let permitted = EarliestPermitted(permittedSince)
    let weekAgo = Instant(microseconds: now.microseconds - 7 * 86_400_000_000)
    let window = QueryWindow(from: weekAgo, authorized: shared, permitted: permitted)

    guard let days = LocalDay.days(from: window.start, through: now, in: zone), let today = days.last else {
      throw CalendarFault()
    }
    let reader = Reader(store: store, window: window)
    let steps = days.map { reader.entry("steps", unit: "1", on: $0) }

    if steps.contains(where: \.outcome.isLook) { guarded.readSucceeded(at: now) }
    if case .value(let number, _) = steps.last?.outcome, let shown = Int(number.text) {
      guarded.readSucceeded(shown, describing: today.date, at: now)
    }

    let read = ReadContext(readAt: now, lastSuccess: guarded.lastSuccessStatement)
    var payload = SyncPayload(
      payloadID: UUID(), userID: userID, origin: Origin(platform: "healthkit", osMajor: 27), read: read)
    payload.days = steps
    payload.timeZones = [TimeZoneStatement(iana: zone.identifier)]
    payload.windows = [permitted.window] + [shared.window(metric: "steps")].compactMap { $0 }
    payload.readable = steps.contains { !$0.sources.isEmpty } ? ["steps"] : []
    return payload
  }
}

struct CalendarFault: Error {}
