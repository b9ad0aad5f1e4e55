/// The SQL texts for records and what was deleted.
extension Statements {
  /// $1 users, $2 platforms, $3 stores, $4 payload ids, $5 read; $6 numbers of payloads, $7 record ids, $8 metrics, $9 days,
  /// $10 positions, $11 values, $12 sources, $13 starts, $14 ends, $15 manual, $16 proven, $17 as of.
  static let mergeRecords = """
    SELECT user_id, local_date, metric, platform, deleted_at, held
    FROM evidence.merge_records($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    """
  /// $1 users, $2 platforms, $3 stores, $4 payload ids, $5 read; $6 numbers of payloads, $7 record ids, $8 metrics, $9 starts,
  /// $10 ends, $11 as of.
  static let mergeDeletions = """
    SELECT user_id, local_date, metric, platform, deleted_at, held
    FROM evidence.merge_deletions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    """
  /// $1 persons, $2 metrics, $3 days, $4 platforms, $5 deletions, $6 held.
  static let forgetDeleted = "SELECT evidence.forget_deleted($1, $2, $3, $4, $5, $6)"
  /// $1 person, $2 days.
  static let holdings = "SELECT cells, records, hours, workouts FROM evidence.holdings($1, $2)"
  /// $1 person.
  static let allHoldings = "SELECT cells, hours, workouts FROM evidence.all_holdings($1)"
  /// $1 person, $2 payload id.
  static let noteMassDeletion =
    "UPDATE intake.receipt SET outcome = 'mass_deletion', cells = 0 WHERE user_id = $1 AND payload_id = $2"

  /// Its part of the list of all statements.
  static var records: [(name: String, text: String)] {
    [
      ("mergeRecords", mergeRecords), ("mergeDeletions", mergeDeletions), ("forgetDeleted", forgetDeleted),
      ("holdings", holdings), ("allHoldings", allHoldings), ("noteMassDeletion", noteMassDeletion),
    ]
  }
}
