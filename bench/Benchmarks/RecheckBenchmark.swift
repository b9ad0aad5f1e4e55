import Foundation
import HealthPayload
import MetricStore
import Postgres

/// What a re-check of 1,000 user-days costs in a small and in a big table: it must depend on what is due, not on what there is.
///
/// Needs a server in DAILYMETRICD_TEST_CLUSTER where databases may be made, and 6 GB for ten million cells.
enum RecheckBenchmark {
  private static let due = 1_000
  private static let days = 100

  static func run() async throws {
    guard let cluster = ProcessInfo.processInfo.environment["DAILYMETRICD_TEST_CLUSTER"] else {
      throw BenchmarkFailure("DAILYMETRICD_TEST_CLUSTER names no server; run this through make bench")
    }
    let sizes = ProcessInfo.processInfo.environment["RECHECK_CELLS"]?.split(separator: " ").compactMap { Int($0) }
    for cells in sizes ?? [1_000_000, 10_000_000] { try await run(cluster, people: cells / (days * 10)) }
  }

  private static func run(_ cluster: String, people: Int) async throws {
    let database = try await ScratchDatabase(cluster)
    let connection = try await Connection.connect(database.options("filler"))
    let filling = try await ContinuousClock().measure {
      try await connection.script("SET synchronous_commit = off; SET jit = off; SET timezone = 'UTC'")
      try await connection.script(FilledTables.sql(people: people, days: days))
      try await connection.script("VACUUM ANALYZE")
    }
    let cells = try await connection.execute("SELECT count(*) FROM public.daily_metric").one().int(0)
    let planned = try await connection.execute("SELECT count(*) FROM evidence.due_day").one().int(0)
    print("\n\(cells) cells, \(planned) days planned, \(due) due; filled in \(seconds(filling)) s")
    try await connection.script(makeDue.replacing("$due", with: "\(due)"))
    try await explain(connection, "the claim", claim)
    try await connection.script("BEGIN")
    try await explain(connection, "a step of 500 days", "SELECT evidence.recheck_due('\(asOf)', 500, true)")
    try await connection.script("ROLLBACK")
    let session = try await StoreSession.open(database.options("worker"))
    let now = try instant()
    for round in ["first", "again"] {
      if round == "again" { try await connection.script(makeDue.replacing("$due", with: "\(due)")) }
      var derived = 0
      let cost = try await database.measure(cells: due, of: "worker") {
        while true {
          let count = try await session.deriveDue(limit: 500, asOf: now, includeScheduled: true)
          guard count > 0 else { return }
          derived += count
        }
      }
      let moved = try await connection.execute(
        "SELECT count(*) FROM public.daily_metric WHERE computed_at = '\(asOf)'"
      ).one().int(0)
      print("\(round): \(derived) days, \(moved) cells written by now, \(String(format: "%.2f", cost.seconds)) s")
      print("days/s, us CPU per day: client, server", cost, separator: "\t")
    }
    await session.close()
    await connection.close()
    try await database.drop()
  }

  private static func explain(_ connection: Connection, _ title: String, _ sql: String) async throws {
    print("\n\(title):")
    for row in try await connection.execute("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) \(sql)") {
      print("  " + (try row.text(0)))
    }
  }

  private static func seconds(_ duration: Duration) -> String { String(format: "%.0f", duration / .seconds(1)) }

  private static func instant() throws -> Instant {
    guard let instant = Instant(asOf) else { throw BenchmarkFailure("\(asOf) is no instant") }
    return instant
  }

  private static let asOf = "2026-11-30T08:00:00Z"

  private static let claim = """
    SELECT o.user_id, o.local_date
    FROM (SELECT q.user_id, q.local_date FROM evidence.due_day q
          WHERE q.due_at <= '\(asOf)' AND (true OR NOT q.is_scheduled) ORDER BY q.due_at, q.user_id, q.local_date OFFSET 0) o
    WHERE evidence.try_lock_person(o.user_id) LIMIT 500
    """

  /// One planned day of each so many persons is due an hour before.
  private static let makeDue = """
    UPDATE evidence.due_day q SET due_at = '2026-11-30T07:00:00Z', is_scheduled = true
    FROM (SELECT DISTINCT ON (d.user_id) d.user_id, d.local_date FROM evidence.due_day d ORDER BY d.user_id, d.local_date DESC LIMIT $due) x
    WHERE q.user_id = x.user_id AND q.local_date = x.local_date
    """
}
