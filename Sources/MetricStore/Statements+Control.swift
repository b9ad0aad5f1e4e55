/// The SQL texts by which operators stop and mend the intake.
extension Statements {
  /// $1 why, $2 as of, $3 newest payload that speaks for it.
  static let pause = "SELECT intake.pause($1, $2, $3)"
  static let resume = "SELECT intake.resume()"

  /// $1 numbers, $2 code, $3 consent to deletions, $4 as of.
  static let retryDeadLetters = "SELECT id FROM intake.retry_dead_letters($1, $2, $3) AS id ORDER BY id"
  static let dropDeadLetters = "SELECT id FROM intake.drop_dead_letters($1) AS id ORDER BY id"

  /// The server process behind a session. Not what libpq says: a pooler answers that with a number of its own.
  static let identify = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
  /// A crash of the server may take the latest notes with it: then nobody had anything in hand.
  static let commitWithoutWaiting = "SELECT set_config('synchronous_commit', 'off', false)"
  /// $1 process, $2 worker, $3 its backend, $4 since when, $5 as of, $6 users, $7 ids.
  static let noteBatch = """
    INSERT INTO intake.batch_in_hand (process, worker, backend_pid, backend_start, started_at, user_ids, ids)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT ON CONSTRAINT batch_in_hand_pkey DO UPDATE SET backend_pid = excluded.backend_pid, backend_start = excluded.backend_start,
      started_at = excluded.started_at, user_ids = excluded.user_ids, ids = excluded.ids
    """
  static let forgetBatch = "DELETE FROM intake.batch_in_hand WHERE process = $1 AND worker = $2"
  /// $1 process, $2 worker, $3 its backend's start, $4 the batch's, $5 users, $6 ids, $7 without a word.
  static let noteLoss = "SELECT intake.note_loss($1, $2, $3, $4, $5, $6, $7)"
  static let noteDeaths = "SELECT suspects, crashed FROM intake.note_deaths($1)"
  /// $1 user, $2 id, $3 as of.
  static let noteTimeout = """
    SELECT attempts, is_counted, is_parked, intake.attempts_until_parked() AS attempts_until_parked FROM intake.note_timeout($1, $2, $3)
    """

  /// Its part of the list of all statements.
  static var control: [(name: String, text: String)] {
    [
      ("pause", pause), ("resume", resume), ("retryDeadLetters", retryDeadLetters),
      ("dropDeadLetters", dropDeadLetters), ("identify", identify), ("commitWithoutWaiting", commitWithoutWaiting),
      ("noteBatch", noteBatch), ("forgetBatch", forgetBatch), ("noteLoss", noteLoss), ("noteDeaths", noteDeaths),
      ("noteTimeout", noteTimeout),
    ]
  }
}
