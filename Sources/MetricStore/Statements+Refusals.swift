/// The SQL texts that look for dead letters and quarantined entries.
extension Statements {
  /// $1 code, $2 user, $3 platform, $4 from when on, $5 until when; NULL stands for all. Parts of statements, and none themselves.
  private static var letterFilter: String {
    """
    ($1::text IS NULL OR code = $1) AND ($2::uuid IS NULL OR user_id = $2) AND ($3::text IS NULL OR platform = $3)
      AND ($4::timestamptz IS NULL OR died_at >= $4) AND ($5::timestamptz IS NULL OR died_at < $5)
    """
  }
  private static var letterColumns: String {
    """
    id, user_id, payload_id, format, platform, code, pointer, byte_offset, detail, received_at, died_at, load_id, octet_length(payload) AS bytes
    """
  }
  /// A payload is looked for by one of its entries, and named with all of them.
  private static var entryFilter: String {
    """
    ($1::text IS NULL OR q.code = $1) AND ($2::uuid IS NULL OR q.user_id = $2) AND ($3::text IS NULL OR p.platform = $3)
      AND ($4::timestamptz IS NULL OR q.quarantined_at >= $4) AND ($5::timestamptz IS NULL OR q.quarantined_at < $5)
    """
  }
  private static var entryColumns: String {
    "q.user_id, q.payload_id, q.pointer, q.code, p.platform, q.store, q.read_at, q.quarantined_at"
  }

  /// $6 at most so many, the newest.
  static let listDeadLetters = """
    SELECT \(letterColumns) FROM intake.letter WHERE \(letterFilter) ORDER BY id DESC LIMIT $6
    """
  static let countDeadLetters = "SELECT count(*) FROM intake.letter WHERE \(letterFilter)"
  static let deadLetterNumbers = "SELECT id FROM intake.letter WHERE \(letterFilter) ORDER BY id"
  static let deadLetter = "SELECT \(letterColumns), payload FROM intake.letter WHERE id = $1"

  /// $6 at most so many, the newest.
  static let listEntries = """
    SELECT \(entryColumns) FROM intake.quarantined_entry q JOIN public.platform p ON p.platform_id = q.platform_id
    WHERE \(entryFilter) ORDER BY q.quarantined_at DESC, q.user_id, q.payload_id, q.pointer LIMIT $6
    """
  static let countEntries = """
    SELECT count(*) FROM intake.quarantined_entry q JOIN public.platform p ON p.platform_id = q.platform_id WHERE \(entryFilter)
    """
  /// $6 payload ids; NULL: of all payloads.
  static let refusedPayloads = """
    SELECT q.user_id, q.payload_id FROM intake.quarantined_entry q JOIN public.platform p ON p.platform_id = q.platform_id
    WHERE \(entryFilter) AND ($6::uuid[] IS NULL OR q.payload_id = ANY ($6)) GROUP BY 1, 2 ORDER BY min(q.quarantined_at), 1, 2
    """
  /// $1 user, $2 payload id.
  static let entriesOfPayload = """
    SELECT \(entryColumns), q.entry FROM intake.quarantined_entry q JOIN public.platform p ON p.platform_id = q.platform_id
    WHERE q.user_id = $1 AND q.payload_id = $2 ORDER BY q.pointer
    """
  /// $1 users, $2 payload ids, $3 as of.
  static let retryEntries = "SELECT user_id, payload_id, entries FROM intake.retry_entries($1, $2, $3)"
  static let dropEntries = "SELECT user_id, payload_id, entries FROM intake.drop_entries($1, $2)"

  /// Its part of the list of all statements.
  static var refusals: [(name: String, text: String)] {
    [
      ("listDeadLetters", listDeadLetters), ("countDeadLetters", countDeadLetters),
      ("deadLetterNumbers", deadLetterNumbers), ("deadLetter", deadLetter), ("listEntries", listEntries),
      ("countEntries", countEntries), ("refusedPayloads", refusedPayloads), ("entriesOfPayload", entriesOfPayload),
      ("retryEntries", retryEntries), ("dropEntries", dropEntries),
    ]
  }
}
