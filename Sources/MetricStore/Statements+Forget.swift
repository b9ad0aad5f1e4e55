/// The SQL texts by which a person is forgotten.
extension Statements {
  /// $1 person, $2 as of. Waits for whoever works on them.
  static let forgetBegin = "SELECT intake.forget_begin($1, $2)"
  /// $1 person, $2 rows, $3 as of.
  static let forgetStep = "SELECT erased, is_over FROM intake.forget_step($1, $2::integer, $3)"
  /// $1 person, $2 as of.
  static let allowAgain = "SELECT intake.allow_again($1, $2)"
  /// $1 persons, one element for each payload, $2 as of.
  static let noteRefused = "SELECT intake.note_refused($1, $2)"
  /// $1 person.
  static let proof = """
    SELECT forgotten_at, erased_at, allowed_again_at, rows_erased, payloads_refused FROM intake.forgotten_person WHERE user_id = $1
    """

  /// Its part of the list of all statements.
  static var forget: [(name: String, text: String)] {
    [
      ("forgetBegin", forgetBegin), ("forgetStep", forgetStep), ("allowAgain", allowAgain),
      ("noteRefused", noteRefused), ("proof", proof),
    ]
  }
}
