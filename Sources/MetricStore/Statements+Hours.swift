/// The SQL texts for single hours.
extension Statements {
  /// $1 users, $2 platforms, $3 stores, $4 payload ids, $5 read; $6 numbers of payloads, $7 metrics, $8 days, $9 hours,
  /// $10 positions, $11 values, $12 covered minutes, $13 minutes.
  static let mergeHours = "SELECT evidence.merge_hours($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
  /// $1 users, $2 platforms, $3 stores, $4 metrics, $5 starts, $6 ends.
  static let hoursBetween =
    "SELECT user_id, local_date FROM evidence.days_of_hours_between($1, $2, $3, $4, $5, $6)"
  /// $1 persons, $2 days.
  static let deriveHours = "SELECT evidence.derive_hours($1, $2)"

  /// Its part of the list of all statements.
  static var hours: [(name: String, text: String)] {
    [("mergeHours", mergeHours), ("hoursBetween", hoursBetween), ("deriveHours", deriveHours)]
  }
}
