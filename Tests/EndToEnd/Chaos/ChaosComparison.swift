import Foundation

/// Compares what two databases know, person by person.
struct ChaosComparison {
  let expected: ChaosDatabase
  let actual: ChaosDatabase

  /// What never matters: when something was written, what was shown before it, how often it came, and when it is looked at next.
  private static let aside: [String: [String]] = [
    "intake.receipt": ["processed_at", "repetitions"], "intake.quarantined_entry": ["quarantined_at"],
    "intake.load": ["began_at", "ended_at"], "intake.dead_letter": ["id", "died_at"],
    "public.daily_metric": ["computed_at", "next_check_at", "revision", "shown_since"],
    "evidence.person": ["silent_from", "silent_due_at"],
  ]
  /// The work list of the re-check, derived like what it leads to; and what tells of the way and not of what is known.
  private static let left = ["evidence.due_day", "evidence.former_record", "evidence.cell_change"]

  /// Everything that was said, and what follows from it for the cells that somebody spoke of.
  func differencesOfEvidence() async throws -> [String] {
    let tables = try await actual.ask(
      """
      SELECT format('%s.%s', n.nspname, c.relname)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('evidence', 'intake') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id')
      ORDER BY 1
      """
    ).compactMap { $0[0] }.filter { !Self.left.contains($0) }
    guard tables.contains("evidence.reading"), tables.contains("intake.receipt") else {
      throw ChaosFailure("there is nothing to compare among \(tables)")
    }
    var found: [String] = []
    for table in tables { found += try await differences(table, Self.rows(of: table)) }
    return try await found + differences("cells", Self.spokenCells)
  }

  /// All cells, silent days included.
  func differencesOfCells() async throws -> [String] {
    try await differences("daily_metric", Self.rows(of: "public.daily_metric"))
  }

  /// The text of each row with its person. A payload that died more than once died for one reason.
  private static func rows(of table: String) -> String {
    let without = aside[table, default: []].map { " - '\($0)'" }.joined()
    return "SELECT DISTINCT x.user_id, (to_jsonb(x)\(without))::text AS line FROM \(table) x"
  }

  private static let spokenCells = """
    SELECT d.user_id, (to_jsonb(d) - 'computed_at' - 'next_check_at' - 'revision' - 'shown_since')::text AS line FROM daily_metric d
    WHERE EXISTS (SELECT FROM evidence.reading r JOIN metric m USING (metric_id)
                  WHERE r.user_id = d.user_id AND r.local_date = d.local_date AND m.metric = d.metric)
    """

  /// The first differing rows of the first person that has some.
  private func differences(_ name: String, _ rows: String) async throws -> [String] {
    let sums =
      "SELECT user_id, md5(string_agg(line, chr(10) ORDER BY line COLLATE \"C\")) FROM (\(rows)) r GROUP BY 1 ORDER BY 1"
    let (left, right) = (try await expected.ask(sums), try await actual.ask(sums))
    guard left != right else { return [] }
    let persons = Set(left).symmetricDifference(right).compactMap { $0[0] }.sorted()
    guard let first = persons.first else { return ["\(name): differs"] }
    let lines = "SELECT line FROM (\(rows)) r WHERE user_id = '\(first)' ORDER BY line COLLATE \"C\""
    let (wanted, got) = (try await expected.ask(lines), try await actual.ask(lines))
    let missing = Set(wanted).subtracting(got).compactMap { $0[0] }.sorted()
    let surplus = Set(got).subtracting(wanted).compactMap { $0[0] }.sorted()
    return [
      "\(name): \(Set(persons).count) persons differ; of \(first) \(missing.count) rows are missing and \(surplus.count) too many:"
    ] + missing.prefix(3).map { "  expected \($0)" } + surplus.prefix(3).map { "  got      \($0)" }
  }
}
