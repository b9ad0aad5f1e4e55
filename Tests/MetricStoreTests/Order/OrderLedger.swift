import Foundation
import Postgres
import TestSupport

/// What a database knows of each person, in a form in which equal knowledge is equal text.
struct OrderLedger {
  let connection: Connection

  /// What is not compared of a table: when and how often something was written, and what names the person.
  private static let aside: [String: [String]] = [
    "intake.receipt": ["processed_at", "repetitions", "content_hash"],
    "intake.quarantined_entry": ["quarantined_at"],
    "intake.dead_letter": ["id", "died_at", "payload", "received_at", "byte_offset"],
    "intake.load": ["began_at", "ended_at"], "intake.load_page": ["payload", "received_at"],
    "intake.deferred_payload": ["payload", "received_at"],
    "public.daily_metric": ["computed_at", "next_check_at", "shown_since", "revision"],
    "evidence.person": ["silent_from", "silent_due_at"], "evidence.record_id": ["chunk"],
  ]

  /// The work list of the re-check, and what was shown on the way: they tell of the way and not of what is known.
  private static let left: Set = [
    "evidence.due_day", "public.daily_metric_history", "evidence.former_record", "evidence.cell_change",
  ]

  /// Tables whose rows may be cut in several ways. Of a run of equal statements only the ends are kept, so the latest
  /// statement of each kind is compared; in which chunk of its day a record lies says nothing.
  private static let canonical = [
    "evidence.time_zone": latest("evidence.time_zone", of: "valid_from"),
    "evidence.read_window": latest("evidence.read_window", of: "platform_id, store, metric_id, kind"),
    "evidence.permission": latest("evidence.permission", of: "platform_id, store, metric_id"),
    "evidence.record_day": """
    SELECT user_id, (to_jsonb(r) - 'user_id' - 'chunk')::text AS line FROM evidence.record r
    UNION SELECT user_id, jsonb_build_array(local_date, metric_id, platform_id, store)::text FROM evidence.record_day
    """,
  ]

  private static func latest(_ table: String, of key: String) -> String {
    """
    (SELECT DISTINCT ON (user_id, \(key)) user_id, (to_jsonb(x) - 'user_id')::text AS line FROM \(table) x
     ORDER BY user_id, \(key), read_at DESC, payload_id DESC, "position" DESC)
    """
  }

  /// Every table that holds something about persons, but for the work list.
  private func tables() async throws -> [String] {
    try await connection.list(
      """
      SELECT format('%s.%s', n.nspname, c.relname)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('evidence', 'intake', 'public') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id')
      ORDER BY 1
      """
    ).compactMap(\.self).filter { !Self.left.contains($0) }
  }

  /// A query for the lines of all tables, as user_id and line.
  private func lines() async throws -> String {
    try await tables().map { table in
      let without = (["user_id"] + Self.aside[table, default: []]).map { " - '\($0)'" }.joined()
      // A payload that died more than once died for one reason.
      let rows =
        Self.canonical[table]
        ?? "SELECT \(table == "intake.dead_letter" ? "DISTINCT" : "") user_id, (to_jsonb(x)\(without))::text AS line FROM \(table) x"
      return "SELECT user_id, '\(table) ' || line AS line FROM (\(rows)) q"
    }.joined(separator: "\nUNION ALL\n")
  }

  /// One sum per person.
  func sums() async throws -> [String: String] {
    let rows = try await connection.table(
      "SELECT user_id, md5(string_agg(line, chr(10) ORDER BY line COLLATE \"C\")) FROM (\(try await lines())) l GROUP BY 1"
    )
    return Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in row[0].flatMap { key in row[1].map { (key, $0) } } })
  }

  /// The lines of one person.
  func lines(of user: UUID) async throws -> [String] {
    try await connection.list(
      "SELECT line FROM (\(try await lines())) l WHERE user_id = '\(user)' ORDER BY line COLLATE \"C\""
    ).compactMap(\.self)
  }
}
