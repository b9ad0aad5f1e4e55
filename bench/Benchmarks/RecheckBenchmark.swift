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
      try await connection.script(fill.replacing("$people", with: "\(people)").replacing("$days", with: "\(days)"))
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

  /// Ten metrics of each person and day; one cell in ten is unknown and has a next check, so that most days are planned.
  private static let fill = """
    CREATE TEMPORARY TABLE who AS
      SELECT ('00000000-0000-8000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS user_id, n FROM generate_series(1, $people) n;
    CREATE TEMPORARY TABLE what AS SELECT metric, metric_id, (row_number() OVER (ORDER BY metric))::integer AS n FROM public.metric
      WHERE metric IN ('steps', 'distance_walk_run', 'flights_climbed', 'active_energy', 'exercise_minutes', 'resting_heart_rate',
        'hrv_sdnn', 'sleep_duration', 'respiratory_rate', 'spo2_avg');
    CREATE TEMPORARY TABLE whenever AS SELECT d::date AS day, (d::date - date '2026-11-29') AS n
      FROM generate_series(date '2026-11-29' - $days, date '2026-11-28', interval '1 day') d;
    INSERT INTO evidence.person SELECT user_id, '{-infinity}', '{UTC}', '2026-12-01', '2026-12-02 00:00Z' FROM who ORDER BY 1;
    INSERT INTO evidence.origin SELECT user_id, 2, '', '2026-11-29 07:00Z', '2026-11-29 07:00Z' FROM who ORDER BY 1;
    INSERT INTO evidence.tracking SELECT user_id, metric_id, 2, '', date '2026-11-29' - $days FROM who, what ORDER BY 1, 2;
    INSERT INTO evidence.reading SELECT w.user_id, d.day, m.metric_id, 2, '',
        CASE WHEN x.is_unknown THEN 'non_look' ELSE 'value' END::evidence.slot, (d.day + 1)::timestamptz + interval '7 hours', w.user_id, m.n,
        CASE WHEN x.is_unknown THEN 'failed' ELSE 'value' END::evidence.outcome, CASE WHEN NOT x.is_unknown THEN 60 + m.n END,
        CASE WHEN x.is_unknown THEN '{}' ELSE '{watch}' END::text[], CASE WHEN x.is_unknown THEN 'http.429' END, 'inside', NULL, NULL, true, true
      FROM who w CROSS JOIN whenever d CROSS JOIN what m
      CROSS JOIN LATERAL (SELECT (w.n * 7 + d.n * 13 + m.n) % 11 = 0 AS is_unknown) x ORDER BY 1, 2, 3;
    INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, unknown_detail,
        is_final, observed_at, platform, next_check_at, rule_version)
      SELECT w.user_id, m.metric, d.day, CASE WHEN x.is_unknown THEN 'unknown' ELSE 'measured' END, CASE WHEN NOT x.is_unknown THEN 60 + m.n END,
        CASE WHEN x.is_unknown THEN 'provider_error' END, 1, '2026-11-29 08:00Z', CASE WHEN x.is_unknown THEN 'rate_limited' END,
        NOT x.is_unknown, CASE WHEN NOT x.is_unknown THEN (d.day + 1)::timestamptz + interval '7 hours' END,
        CASE WHEN NOT x.is_unknown THEN 'health_connect' END, CASE WHEN x.is_unknown THEN timestamptz '2026-12-20 08:00Z' END, 1
      FROM who w CROSS JOIN what m CROSS JOIN whenever d
      CROSS JOIN LATERAL (SELECT (w.n * 7 + d.n * 13 + m.n) % 11 = 0 AS is_unknown) x ORDER BY 1, 2, 3;
    INSERT INTO evidence.due_day SELECT DISTINCT user_id, local_date, timestamptz '2026-12-20 08:00Z', true
      FROM public.daily_metric WHERE status = 'unknown' ORDER BY 1, 2
    """
}
