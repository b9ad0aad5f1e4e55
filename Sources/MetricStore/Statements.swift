/// Every SQL text that the daemon sends, one constant each. Rules live in migrations/logic; these only call them.
/// A test prepares all of them against the migrated database.
enum Statements {
  // MARK: Session

  /// What each connection sets for itself, whatever server, database, role or environment prefer. Deadlines of the server; the
  /// client has its own, which is longer than $1, the one for a statement. A re-check is one statement: it must see what was committed before it got a person's lock.
  static let prepareSession = """
    SELECT set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO', false), set_config('search_path', 'public', false),
           set_config('jit', 'off', false), set_config('statement_timeout', $1, false), set_config('lock_timeout', '10s', false),
           set_config('idle_in_transaction_session_timeout', '120s', false),
           set_config('default_transaction_isolation', 'read committed', false),
           set_config('default_transaction_read_only', 'off', false)
    """
  static let begin = "BEGIN ISOLATION LEVEL READ COMMITTED"
  static let commit = "COMMIT"
  static let rollback = "ROLLBACK"
  static let savepoint = "SAVEPOINT part"
  static let releaseSavepoint = "RELEASE SAVEPOINT part"
  static let rollbackToSavepoint = "ROLLBACK TO SAVEPOINT part"
  /// Another name than that of a part: whoever undoes the part undoes what was tried within it, however far it came.
  static let trial = "SAVEPOINT trial"
  static let releaseTrial = "RELEASE SAVEPOINT trial"
  static let rollbackToTrial = "ROLLBACK TO SAVEPOINT trial"
  static let listen = "LISTEN dailymetricd"
  /// Whether this session now holds the gate that makes producers notify. If not, whether that is because producers who have
  /// passed it are not done yet: they share it, and with another session nobody does.
  static let closeGate = """
    SELECT is_closed, NOT is_closed AND CASE WHEN pg_try_advisory_lock_shared(intake.wake_key())
        THEN pg_advisory_unlock_shared(intake.wake_key()) ELSE false END AS is_in_use
    FROM (SELECT pg_try_advisory_lock(intake.wake_key()) AS is_closed OFFSET 0) gate
    """
  static let openGate = "SELECT pg_advisory_unlock(intake.wake_key())"

  // MARK: Queue

  /// $1 user after which to begin, $2 payloads, $3 per user, $4 users, $5 bytes.
  static let claim = """
    SELECT user_id, id, received_at, is_retry, is_consented, payload, is_forgotten
    FROM intake.claim($1, $2::integer, $3::integer, $4::integer, $5::bigint) ORDER BY id
    """
  static let queueState = """
    SELECT intake.has_work() AS has_work, c.paused_at, c.paused_because, c.accepted_up_to FROM intake.control c
    """
  static let enqueueCopy = "COPY intake.sync_payload (user_id, payload, received_at) FROM STDIN"
  static let wake = "SELECT pg_notify('dailymetricd', '')"
  /// $1 users, $2 payload ids, $3 hashes, $4 received, $5 read, $6 outcomes, $7 cells, $8 quarantined, $9 retries, $10 as of.
  static let takeReceipts = "SELECT ordinal, verdict FROM intake.take_receipts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
  /// $1 users, $2 payload ids, $3 codes, $4 pointers, $5 byte offsets, $6 details, $7 payloads, $8 received, $9 as of.
  static let bury = "SELECT intake.bury($1, $2, $3, $4, $5, $6, $7, $8, $9)"
  static let quarantine = """
    INSERT INTO intake.quarantined_entry (user_id, payload_id, pointer, code, entry, platform_id, store, read_at, quarantined_at)
    SELECT n.*, $9 FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::timestamptz[]) n
    ON CONFLICT DO NOTHING
    """

  /// $1 users, $2 platforms, $3 stores, $4 loads, $5 pages, $6 final ones, $7 payload ids, $8 payloads, $9 received,
  /// $10 consents.
  static let holdPages = "SELECT ordinal, is_held FROM intake.hold_pages($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
  static let completePages = "SELECT * FROM intake.complete_pages($1)"
  static let hasExpiredLoad = "SELECT intake.has_expired_load($1)"
  static let expiredPages = "SELECT * FROM intake.expired_pages($1)"
  static let endLoads = "SELECT intake.end_loads($1, $2, $3, $4, $5, $6)"
  /// $1 person, $2 platform, $3 store, $4 load, $5 why, $6 as of.
  static let parkLoad = "SELECT intake.park_load($1, $2::smallint, $3, $4, $5, $6)"

  // MARK: Evidence

  static let noteOrigins = "SELECT evidence.note_origins($1, $2, $3, $4, $5, $6, $7)"
  static let noteTimeZones = "SELECT evidence.note_time_zones($1, $2, $3, $4, $5, $6, $7)"
  static let noteWindows = "SELECT evidence.note_windows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
  static let notePermissions = "SELECT evidence.note_permissions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
  static let notePresence = "SELECT evidence.note_presence($1, $2, $3, $4, $5, $6, $7)"
  static let noteBackfills = "SELECT evidence.note_backfills($1, $2, $3, $4, $5, $6, $7, $8, $9)"
  static let mergeReadings =
    "SELECT evidence.merge_readings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
  static let derive = "SELECT evidence.derive($1, $2, $3, $4)"

  // MARK: Re-check

  /// $1 as of, $2 days, $3 scheduled ones too.
  static let recheckDue = "SELECT evidence.recheck_due($1, $2::integer, $3)"
  /// $1 as of, $2 cells.
  static let spreadChanges = "SELECT evidence.spread_changes($1, $2::integer)"
  static let recheckCells = "SELECT evidence.recheck_cells($1, $2::integer)"
  static let noticeChanges = "SELECT evidence.notice_changes($1)"
  /// $1 as of, $2 days.
  static let recheckSilent = "SELECT evidence.recheck_silent($1, $2::integer)"
  static let ensurePartitions = "SELECT evidence.ensure_partitions($1)"
  static let keepUp = "SELECT evidence.keep_up($1)"

  // MARK: Catalogue

  static let metrics =
    "SELECT metric_id, metric, unit, aggregation, zero_policy, low, high, needs_source FROM public.metric ORDER BY metric_id"
  static let units = "SELECT unit, from_unit, factor, addend FROM public.unit ORDER BY unit, from_unit"
  static let platforms =
    "SELECT platform_id, platform, hides_denial, is_manual FROM public.platform ORDER BY platform_id"

  // MARK: Status

  static let queueStatus = """
    SELECT (SELECT count(*) FROM intake.sync_payload) AS depth,
           (SELECT min(received_at) FROM intake.sync_payload) AS oldest,
           (SELECT max(processed_at) FROM intake.receipt WHERE outcome = 'merged') AS last_success,
           (SELECT count(*) FROM intake.receipt WHERE outcome = 'merged' AND processed_at > $1::timestamptz - interval '1 day') AS merged_today,
           (SELECT count(*) FROM intake.dead_letter WHERE died_at > $1::timestamptz - interval '1 day') AS dead_today,
           (SELECT count(*) FROM intake.quarantined_entry) AS quarantined,
           (SELECT count(*) FROM evidence.due_day WHERE due_at <= $1::timestamptz)
             + (SELECT count(*) FROM (SELECT DISTINCT user_id, local_date FROM evidence.due_cell) c) AS due_days
    """
  static let deadLettersByCode = "SELECT code, count(*) AS letters FROM intake.dead_letter GROUP BY code ORDER BY code"
  static let queuedPayloads = """
    SELECT received_at FROM intake.sync_payload WHERE user_id = $1 AND position($2::text IN lower(payload)) > 0 ORDER BY id
    """
  static let receipt = """
    SELECT first_seen, read_at, outcome, cells, quarantined, repetitions, processed_at FROM intake.receipt
    WHERE user_id = $1 AND payload_id = $2::uuid
    """
  static let quarantinedEntries = """
    SELECT pointer, code FROM intake.quarantined_entry WHERE user_id = $1 AND payload_id = $2::uuid ORDER BY pointer
    """
  static let deadLetters = """
    SELECT id, code, pointer, byte_offset, detail, died_at FROM intake.dead_letter
    WHERE user_id = $1 AND (payload_id = $2::uuid OR (payload_id IS NULL AND position($2::text IN lower(payload)) > 0)) ORDER BY id
    """

  /// For the test that prepares them all: name and text.
  static let all: [(name: String, text: String)] =
    [
      ("prepareSession", prepareSession), ("closeGate", closeGate), ("openGate", openGate), ("claim", claim),
      ("queueState", queueState), ("holdPages", holdPages), ("completePages", completePages),
      ("hasExpiredLoad", hasExpiredLoad), ("expiredPages", expiredPages), ("endLoads", endLoads),
      ("parkLoad", parkLoad),
      ("wake", wake), ("takeReceipts", takeReceipts), ("bury", bury), ("quarantine", quarantine),
      ("noteOrigins", noteOrigins),
      ("noteTimeZones", noteTimeZones), ("noteWindows", noteWindows), ("notePermissions", notePermissions),
      ("notePresence", notePresence),
      ("noteBackfills", noteBackfills), ("mergeReadings", mergeReadings), ("derive", derive),
      ("recheckDue", recheckDue), ("spreadChanges", spreadChanges), ("recheckCells", recheckCells),
      ("noticeChanges", noticeChanges),
      ("recheckSilent", recheckSilent), ("ensurePartitions", ensurePartitions), ("keepUp", keepUp),
      ("metrics", metrics), ("units", units),
      ("platforms", platforms),
      ("queueStatus", queueStatus), ("deadLettersByCode", deadLettersByCode), ("queuedPayloads", queuedPayloads),
      ("receipt", receipt),
      ("quarantinedEntries", quarantinedEntries), ("deadLetters", deadLetters),
    ] + records + hours + workouts + control + refusals + forget + export + rebuild + pictures
}
