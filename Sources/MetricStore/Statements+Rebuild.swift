/// The SQL texts by which daily_metric is compared with its evidence.
extension Statements {
  /// $1 the person before; NULL: from the first on.
  static let nextPerson = "SELECT evidence.next_person($1) AS user_id"
  /// $1 person. Waits for whoever works on them.
  static let lockPerson = "SELECT evidence.lock_person($1)"
  /// $1 person, $2 the day before or NULL, $3 at most so many, $4 as of.
  static let daysToCompare = "SELECT day FROM evidence.days_to_compare($1, $2, $3::integer, $4) AS day"
  /// $1 person, $2 days, $3 as of.
  static let compareCells = "SELECT metric, local_date, finding FROM evidence.compare_shown($1, $2, $3)"
  /// $1 person, $2 metrics, $3 days, $4 as of.
  static let repairCells = "SELECT evidence.repair_cells($1, $2, $3, $4)"

  /// Its part of the list of all statements.
  static var rebuild: [(name: String, text: String)] {
    [
      ("nextPerson", nextPerson), ("lockPerson", lockPerson), ("daysToCompare", daysToCompare),
      ("compareCells", compareCells), ("repairCells", repairCells),
    ]
  }
}
