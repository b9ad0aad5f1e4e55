import Foundation
import HealthPayload

/// Reads day totals and says of each what it was.
struct Reader {
  let store: Store
  let window: QueryWindow

  func entry(_ metric: String, unit: String, on day: LocalDay) -> DayEntry {
    let found = store.sum(metric, on: day)
    let answer = StatisticsAnswer(sum: found.sum, error: found.error)
    var entry = DayEntry(metric: metric, localDate: day.date, answer, unit: unit, sources: found.sources)
    entry.outcome = window.outcome(entry.outcome, on: day)
    return entry
  }
}
