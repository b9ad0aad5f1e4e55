/// What may be claimed about a cell when everything has been delivered.
enum Expectation: String {
  /// Measured, with exactly the true value.
  case measured
  /// Measured 0.
  case zero
  /// Unknown, or no row.
  case unknown
  /// At most the true value and not final, or unknown.
  case lowerBound = "lower_bound"
  /// No row.
  case absent
}

/// One (metric, local date) of a person.
struct Cell: Hashable, Comparable {
  let metric: Metric
  let day: Day

  static func < (left: Cell, right: Cell) -> Bool {
    (left.metric.rawValue, left.day) < (right.metric.rawValue, right.day)
  }
}

/// The truth about a cell, what may be said of it, and what happened on the way.
struct Claim {
  /// nil: the day has not been lived yet.
  let truth: Amount?
  var expectation: Expectation
  var trap: Trap
}

/// Writes `truth.csv`.
enum Truth {
  static let header = "user_id,metric,local_date,truth_value,expectation,why"

  /// The lines of one person in the order of metric and date.
  static func lines(of personID: String, claims: [Cell: Claim]) -> [String] {
    claims.sorted { $0.key < $1.key }.map { cell, claim in
      let truth = claim.truth.map { "\($0)" } ?? ""
      return
        "\(personID),\(cell.metric.rawValue),\(cell.day),\(truth),\(claim.expectation.rawValue),\(claim.trap.rawValue)"
    }
  }
}
