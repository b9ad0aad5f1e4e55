import Foundation
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// What is known depends on what was said, and not on the order, the repetition or the company in which it arrived.
///
/// `PROPERTY_SEED` is the seed of the first set and `PROPERTY_SETS` how many follow; `make properties` plays many.
@Suite struct OrderTests {
  /// How many sets share a database.
  private static let groupSize = 250
  private static let few = 10
  private static let usualCount: UInt64 = 1_000

  private static func number(_ variable: String, _ usual: UInt64) throws -> UInt64 {
    guard let text = ProcessInfo.processInfo.environment[variable] else { return usual }
    return try #require(UInt64(text), "\(variable) cannot be \(text)")
  }

  @Test(.timeLimit(.minutes(60)))
  func `any order, repetition and split of any payloads, by any number of sessions, ends in the same tables`()
    async throws
  {
    let first = try Self.number("PROPERTY_SEED", 1)
    let count = try Self.number("PROPERTY_SETS", Self.usualCount)
    let groups = stride(from: first, to: first + count, by: Self.groupSize).map { start in
      (start..<min(start + UInt64(Self.groupSize), first + count)).map { PayloadSet(seed: $0) }
    }
    var seen: Set<String> = []
    try await withThrowingTaskGroup(of: Set<String>.self) { tasks in
      // One for each processor of a small machine.
      for half in 0...1 {
        tasks.addTask {
          var seen: Set<String> = []
          for (number, group) in groups.enumerated() where number % 2 == half {
            // Filling silent days is most of the work, so every other group goes without.
            seen.formUnion(try await Self.play(group, fillingSilentDays: number / 2 % 2 == 0))
          }
          return seen
        }
      }
      for try await part in tasks { seen.formUnion(part) }
    }
    if count >= 500 { Self.expectVariety(seen) }
  }

  /// Plays some sets in all ways and compares. Returns what kinds of things came out.
  private static func play(_ sets: [PayloadSet], fillingSilentDays: Bool) async throws -> Set<String> {
    let database = try await freshDatabase(from: .migrated)
    for (number, arrival) in Arrival.all.enumerated() {
      if arrival.hasRecheck && !fillingSilentDays { continue }
      try await arrival.play(arrival.isForFew ? Array(sets.prefix(few)) : sets, number: number, in: database)
    }
    let end = try instant("2026-12-02T12:00:00Z")
    try await Worker(database).deriveDue(asOf: end, includeScheduled: fillingSilentDays)
    let ledger = OrderLedger(connection: try await database.connect())
    #expect(try await ledger.connection.list("SELECT count(*) FROM intake.sync_payload") == ["0"])
    let sums = try await ledger.sums()
    for (index, set) in sets.enumerated() {
      for (number, arrival) in Arrival.all.enumerated().dropFirst() {
        if arrival.isForFew && index >= few || arrival.hasRecheck && !fillingSilentDays { continue }
        for person in set.persons.sorted() {
          let (expected, got) = (Arrival.user(0, set, person), Arrival.user(number, set, person))
          let sum = sums[expected.uuidString.lowercased()]
          if sum == nil || sum != sums[got.uuidString.lowercased()] {
            try await report(set, number, ledger.lines(of: expected), ledger.lines(of: got))
          }
        }
      }
    }
    return try await variety(ledger.connection).union(plainDays(ledger.connection))
  }

  /// Derives the days that have a short way (31_plain_days.sql) in both ways and compares. Returns what kinds there were.
  private static func plainDays(_ connection: Connection) async throws -> Set<String> {
    let days = """
      day AS (
        SELECT array_agg(p.user_id) AS persons, array_agg(p.local_date) AS days, array_agg(p.is_lone) AS lone
        FROM (SELECT array_agg(r.user_id) AS persons, array_agg(r.local_date) AS days
              FROM (SELECT DISTINCT user_id, local_date FROM evidence.reading) r) a
        CROSS JOIN LATERAL evidence.plain_days(a.persons, a.days) p WHERE p.is_plain)
      """
    let differing = try await connection.list(
      """
      WITH \(days),
      short AS (SELECT c.* FROM day d CROSS JOIN LATERAL evidence.plain_cells(d.persons, d.days, d.lone) c),
      long AS (SELECT c.* FROM day d CROSS JOIN LATERAL evidence.weighed_cells(d.persons, d.days, '2026-12-02Z', false) c)
      SELECT 'short way: ' || x FROM (SELECT * FROM short EXCEPT SELECT * FROM long) x
      UNION ALL SELECT 'long way: ' || x FROM (SELECT * FROM long EXCEPT SELECT * FROM short) x
      """)
    #expect(differing == [], "the two ways to derive a plain day differ")
    return Set(
      try await connection.list(
        """
        WITH \(days)
        SELECT DISTINCT 'plain day of ' || CASE WHEN l IS TRUE THEN 'one source' ELSE 'several sources' END
        FROM day d CROSS JOIN LATERAL unnest(d.lone) l
        """
      ).compactMap(\.self))
  }

  private static func report(
    _ set: PayloadSet, _ number: Int, _ expected: [String], _ got: [String]
  ) async throws {
    let arrival = Arrival.all[number]
    let missing = Set(expected).subtracting(got).sorted().map { "  - \($0)" }
    let surplus = Set(got).subtracting(expected).sorted().map { "  + \($0)" }
    var lines = missing.prefix(4) + surplus.prefix(4)
    // One set alone is played by somebody who wants to know all about it.
    if try self.number("PROPERTY_SETS", usualCount) == 1 {
      lines += ["  delivered:"] + arrival.deliveries(of: set, number: number).map { "  \($0.minute): \($0.rest)" }
    }
    Issue.record(
      """
      \(arrival.name), not as \(Arrival.all[0].name):
      \(lines.joined(separator: "\n"))
        PROPERTY_SEED=\(set.seed) PROPERTY_SETS=1 make properties
      """)
  }

  // MARK: Sets that say little would agree about little

  private static func variety(_ connection: Connection) async throws -> Set<String> {
    Set(
      try await connection.list(
        """
        SELECT DISTINCT 'slot ' || slot FROM evidence.reading
        UNION SELECT DISTINCT 'cell ' || COALESCE(unknown_reason, CASE WHEN value = 0 THEN 'zero' ELSE 'value' END)
          || CASE WHEN is_final THEN ' final' ELSE '' END FROM daily_metric
        UNION SELECT DISTINCT 'letter ' || code FROM intake.dead_letter
        UNION SELECT DISTINCT 'refusal ' || code FROM intake.quarantined_entry
        UNION SELECT DISTINCT 'load ' || state FROM intake.load
        UNION SELECT DISTINCT 'record ' || CASE WHEN deleted_at IS NULL THEN 'kept' WHEN deleted_at < read_at THEN 'deleted before'
          ELSE 'deleted after' END || CASE WHEN ends_at IS NULL THEN '' ELSE ', with interval' END FROM evidence.record
        UNION SELECT DISTINCT 'interval deleted' FROM evidence.deleted_interval
        UNION SELECT DISTINCT 'hour ' || kind FROM evidence.hour
        UNION SELECT 'hour deleted' WHERE EXISTS (SELECT FROM evidence.hour h WHERE NOT EXISTS (
          SELECT FROM hourly_metric s JOIN metric m ON m.metric = s.metric
          WHERE s.user_id = h.user_id AND m.metric_id = h.metric_id AND s.local_date = h.local_date AND s.local_hour = h.local_hour))
        UNION SELECT DISTINCT 'workout ' || CASE WHEN r.deleted_at IS NULL THEN 'kept' ELSE 'deleted' END
          FROM evidence.record r JOIN metric m ON m.metric_id = r.metric_id AND m.metric = 'workout_minutes'
        UNION SELECT DISTINCT 'silent' FROM daily_metric d WHERE NOT EXISTS (
          SELECT FROM evidence.reading r WHERE r.user_id = d.user_id AND r.local_date = d.local_date)
        """
      ).compactMap(\.self))
  }

  private static func expectVariety(_ seen: Set<String>) {
    let slots = [
      "value", "licensing_zero", "other_zero", "boundary_zero", "licensing_empty", "other_empty", "boundary_empty",
      "non_look", "boundary_non_look", "outside", "looked",
    ]
    let cells = [
      "value", "value final", "zero final", "not_yet_synced", "provider_error", "not_authorized",
      "before_authorized_history", "outside_history_window", "no_source_coverage final", "not_connected",
      "not_authorized_or_no_data final", "metric_unavailable", "invalid_reading", "deleted_at_source",
    ]
    let letters = ["not_json", "unsupported_schema", "load_abandoned"]
    let refusals = [
      "missing_value", "not_a_number", "unexpected_value", "unknown_outcome", "unknown_unit", "out_of_range",
      "impossible_zero", "never_read",
    ]
    let records = ["kept", "deleted before", "deleted after"].flatMap {
      ["record \($0)", "record \($0), with interval"]
    }
    let wanted =
      slots.map { "slot \($0)" } + cells.map { "cell \($0)" } + letters.map { "letter \($0)" }
      + refusals.map { "refusal \($0)" } + ["open", "applied", "abandoned"].map { "load \($0)" } + records
      + ["hour 0", "hour 1", "hour 2", "hour deleted", "workout kept", "workout deleted"]
      + ["interval deleted", "silent", "plain day of one source", "plain day of several sources"]
    #expect(Set(wanted).subtracting(seen) == [], "the sets do not lead there")
  }

  @Test func `other payloads end in other tables`() async throws {
    let database = try await freshDatabase(from: .migrated)
    var set = PayloadSet(seed: 7)
    try await Arrival.all[0].play([set], number: 0, in: database)
    set.payloads.removeLast()
    try await Arrival.all[0].play([set], number: 1, in: database)
    let sums = try await OrderLedger(connection: database.connect()).sums()
    #expect(Set(sums.values).count == sums.count)
  }
}
