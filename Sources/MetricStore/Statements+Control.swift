/// The SQL texts by which operators stop and mend the intake.
extension Statements {
  /// $1 why, $2 as of, $3 newest payload that speaks for it.
  static let pause = "SELECT intake.pause($1, $2, $3)"
  static let resume = "SELECT intake.resume()"

  /// $1 code, $2 user, $3 at most so many; NULL stands for all.
  static let listDeadLetters = """
    SELECT id, user_id, payload_id, code, pointer, byte_offset, detail, received_at, died_at, octet_length(payload) AS bytes
    FROM intake.dead_letter WHERE ($1::text IS NULL OR code = $1) AND ($2::uuid IS NULL OR user_id = $2) ORDER BY id DESC LIMIT $3
    """
  static let countDeadLetters = """
    SELECT count(*) FROM intake.dead_letter WHERE ($1::text IS NULL OR code = $1) AND ($2::uuid IS NULL OR user_id = $2)
    """
  static let deadLetter = """
    SELECT id, user_id, payload_id, code, pointer, byte_offset, detail, received_at, died_at, octet_length(payload) AS bytes, payload
    FROM intake.dead_letter WHERE id = $1
    """
  /// $1 numbers, $2 code, $3 consent to deletions, $4 as of.
  static let retryDeadLetters = "SELECT id FROM intake.retry_dead_letters($1, $2, $3, $4) AS id ORDER BY id"
  static let dropDeadLetters = "DELETE FROM intake.dead_letter WHERE id = ANY ($1::bigint[]) RETURNING id"

  /// Its part of the list of all statements.
  static var control: [(name: String, text: String)] {
    [
      ("pause", pause), ("resume", resume), ("listDeadLetters", listDeadLetters),
      ("countDeadLetters", countDeadLetters), ("deadLetter", deadLetter), ("retryDeadLetters", retryDeadLetters),
      ("dropDeadLetters", dropDeadLetters),
    ]
  }
}
