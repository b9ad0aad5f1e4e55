import Foundation
import HealthPayload

/// Stands where the app asks HealthKit: what a completion handler gets, as plain values.
struct Store {
  /// Sums by metric and day, with the devices that made them.
  var sums: [String: [LocalDate: (sum: Double, sources: [String])]] = [:]
  /// What every query fails with: on a locked phone all of them do.
  var failure: QueryError?

  /// The sum of a day, if there is one, and the error, if there is one: two places for "no".
  func sum(_ metric: String, on day: LocalDay) -> (sum: Double?, sources: [String], error: QueryError?) {
    if let failure { return (nil, [], failure) }
    guard let found = sums[metric]?[day.date] else { return (nil, [], nil) }
    return (found.sum, found.sources, nil)
  }
}
