/// The SQL texts for workouts.
extension Statements {
  /// $1 users, $2 platforms, $3 stores, $4 payload ids, $5 read; $6 numbers of payloads, $7 record ids, $8 days, $9 positions,
  /// $10 sources, $11 starts, $12 ends, $13 manual, $14 to $18 fixes, $19 and $20 heart rates, as array literals.
  static let mergeWorkouts = """
    SELECT evidence.merge_workouts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
    """
  /// $1 users, $2 platforms, $3 stores, $4 record ids that were read or deleted; NULL: a stretch of the user's time was deleted.
  static let deriveWorkouts = "SELECT evidence.derive_workouts($1, $2, $3, $4)"

  /// Its part of the list of all statements.
  static var workouts: [(name: String, text: String)] {
    [("mergeWorkouts", mergeWorkouts), ("deriveWorkouts", deriveWorkouts)]
  }
}
