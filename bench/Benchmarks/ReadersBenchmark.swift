import Foundation
import Postgres
import Synchronization

/// What readers cost beside a bare index scan of the same rows, warm, for one person over ten years; and the streaks of all in one pass.
///
/// `READERS_CELLS` is the size of the table, a million by default; ten million need 3 GB and a minute to fill.
enum ReadersBenchmark {
  private static let cellsPerPerson = 10 * 3_651
  private static let rounds = 15
  private static let repetitions = 20
  private static let person = Parameter.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0, 17)))
  private static let metric = Parameter.text("steps")
  /// The 30th of November 2016.
  private static let first = Parameter.date(17_135)
  /// The 28th of November 2026.
  private static let last = Parameter.date(20_785)

  static func run() async throws {
    let cells = ProcessInfo.processInfo.environment["READERS_CELLS"].flatMap { Int($0) } ?? 1_000_000
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    let log = PlanLog()
    let reader = try await Connection.connect(database.options("reader"), notices: { log.add($0) })
    let people = max(17, cells / cellsPerPerson)
    let filling = try await ContinuousClock().measure {
      try await reader.script("SET synchronous_commit = off; SET jit = off; SET timezone = 'UTC'")
      try await reader.script(fill.replacing("$people", with: "\(people)"))
      try await reader.script("VACUUM ANALYZE public.daily_metric")
    }
    let count = try await reader.execute("SELECT count(*) FROM public.daily_metric").one().int(0)
    print("\(count) cells of \(people) people, ten metrics, ten years, written day by day;", terminator: " ")
    print(String(format: "filled in %.0f s", filling / .seconds(1)))
    // Planned once and by the index, as the statements inside the readers are.
    let plainly = "SET plan_cache_mode = force_generic_plan; SET enable_bitmapscan = off; SET enable_seqscan = off"
    try await reader.script(plainly)
    try await compare(onePerson, repetitions, database, reader)
    // In one process, so that all of its processor time is seen.
    try await reader.script("RESET enable_seqscan; RESET enable_bitmapscan; SET max_parallel_workers_per_gather = 0")
    try await compare(everybody(Double(count) / 10), 1, database, reader)
    try await explain(reader, log)
    await reader.close()
    try await database.drop()
  }

  /// Takes turns, so that what else the machine does is shared; says medians, also of the rounds' ratios to the bare scan above.
  private static func compare(
    _ questions: [Question], _ repetitions: Int, _ database: ScratchDatabase, _ reader: Connection
  ) async throws {
    var costs: [[Cost]] = questions.map { _ in [] }
    for round in 0...(repetitions == 1 ? 5 : rounds) {
      for (index, question) in questions.enumerated() {
        let cost = try await database.measure(cells: repetitions, of: "reader") {
          for _ in 0..<repetitions { try await reader.execute(question.sql, question.parameters) }
        }
        if round > 0 { costs[index].append(cost) }  // The first warms up.
      }
    }
    print("\nms of the server's processor", "ratio", "ns per cell", "ms until it is here", "", separator: "\t")
    var bare: [Double] = []
    for (question, costs) in zip(questions, costs) {
      let server = costs.map { $0.server / Double(repetitions) * 1_000 }
      let whole = costs.map { $0.seconds / Double(repetitions) * 1_000 }
      if question.isBare { bare = server }
      let ratio = String(format: "%.2f", median(zip(server, bare).map { $0 / $1 }))
      let perCell = String(format: "%.0f", median(server) * 1e6 / question.rows)
      print(String(format: "%.2f\t%@\t%@\t%.2f\t%@", median(server), ratio, perCell, median(whole), question.name))
    }
  }

  private static func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
  }

  /// The plans of the statements inside the readers, each kind of line once.
  private static func explain(_ reader: Connection, _ log: PlanLog) async throws {
    try await reader.script(
      """
      LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
      SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off; SET auto_explain.log_buffers = on; SET client_min_messages = log
      """)
    for question in (onePerson + everybody(1)) where !question.isBare {
      _ = log.take()
      try await reader.execute(question.sql + " -- with its plan", question.parameters)
      print("\n\(question.name)")
      for plan in log.take() where plan.contains("daily_metric") && !plan.contains("Function Scan on") {
        print(shortened(plan))
      }
    }
  }

  /// Of the partitions one line each kind.
  private static func shortened(_ plan: String) -> String {
    var seen: Set<String> = []
    let lines = plan.split(separator: "\n").drop { !$0.contains("(cost=") }
    return lines.filter { line in
      let kind = line.replacing(#/daily_metric_\w+| [a-z]_\d+|\([^)]*\)|: \d+|=\d+/#, with: "")
      return seen.insert(String(kind)).inserted
    }.map { "  " + $0.replacing(#/cost=[^)]*\) \(actual /#, with: "") }.joined(separator: "\n")
  }

  private struct Question {
    let name: String
    let sql: String
    /// Cells that it is about.
    var rows = 3_651.0
    var isBare = false
    var parameters = [person, metric, first, last]
  }

  private static let cells =
    "FROM public.daily_metric WHERE user_id = $1 AND metric = $2 AND local_date BETWEEN $3 AND $4"

  private static let onePerson = [
    Question(name: "bare scan, one number", sql: "SELECT count(value) \(cells)", isBare: true),
    Question(name: "metric_average", sql: "SELECT * FROM metric_average($1, $2, $3, $4)"),
    Question(
      name: "metric_change, two windows of five years", sql: "SELECT * FROM metric_change($1, $2, $4, ($4 - $3) / 2)"),
    Question(
      name: "metric_streak, ten years long, 332 days in doubt", sql: "SELECT * FROM metric_streak($1, $2, 1, $3)",
      parameters: [person, metric, last]),
    Question(
      name: "metric_streak, missed in the last months", sql: "SELECT * FROM metric_streak($1, $2, 9000, $3)",
      parameters: [person, metric, last]),
    Question(name: "metric_series, counted there", sql: "SELECT count(mark) FROM metric_series($1, $2, $3, $4)"),
    Question(
      name: "bare scan, all rows sent", sql: "SELECT local_date, value, is_final, unknown_reason \(cells)", isBare: true
    ),
    Question(name: "metric_series", sql: "SELECT * FROM metric_series($1, $2, $3, $4)"),
    Question(
      name: "metric_snapshot, ten metrics", sql: "SELECT * FROM metric_snapshot($1, $2::date)", rows: 10,
      parameters: [person, last]),
    Question(
      name: "personal_best", sql: "SELECT * FROM personal_best WHERE user_id = $1 AND metric = $2",
      parameters: [person, metric]),
    Question(
      name: "covered_weekly", sql: "SELECT * FROM covered_weekly WHERE user_id = $1 AND metric = $2",
      parameters: [person, metric]),
    Question(name: "earliest_held", sql: "SELECT * FROM earliest_held($1, $2)", parameters: [person, metric]),
  ]

  private static func everybody(_ cells: Double) -> [Question] {
    [
      Question(
        name: "bare pass over the table", sql: "SELECT count(value) FROM public.daily_metric WHERE metric = 'steps'",
        rows: cells, isBare: true, parameters: []),
      Question(
        name: "metric_streaks of everybody", sql: "SELECT count(*) FROM metric_streaks('steps', 9000, '2026-11-28')",
        rows: cells, parameters: []),
    ]
  }

  /// As rows come to be: a day after the other, all people and metrics of it. One cell in eleven is unknown.
  private static let fill = """
    CREATE TEMPORARY TABLE who AS
      SELECT ('00000000-0000-8000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS user_id, n FROM generate_series(1, $people) n;
    CREATE TEMPORARY TABLE what AS SELECT metric, (row_number() OVER (ORDER BY metric))::integer AS n FROM public.metric
      WHERE metric IN ('steps', 'distance_walk_run', 'flights_climbed', 'active_energy', 'exercise_minutes', 'resting_heart_rate',
        'weight', 'sleep_duration', 'respiratory_rate', 'spo2_avg');
    CREATE TEMPORARY TABLE whenever AS SELECT d::date AS day, d::date - date '2016-11-30' AS n
      FROM generate_series(timestamp '2016-11-30', '2026-11-28', interval '1 day') d;
    INSERT INTO evidence.person SELECT user_id, '{-infinity}', '{UTC}', '2026-12-01', '2026-12-02 00:00Z' FROM who ORDER BY 1;
    INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, is_final,
        observed_at, platform, rule_version, shown_since)
      SELECT w.user_id, m.metric, d.day, CASE WHEN x.is_unknown THEN 'unknown' ELSE 'measured' END,
        CASE WHEN NOT x.is_unknown THEN 8000 + (w.n * 31 + d.n * 17 + m.n * 7) % 4000 END, CASE WHEN x.is_unknown THEN 'provider_error' END, 1,
        '2026-11-29 08:00Z', NOT x.is_unknown, CASE WHEN NOT x.is_unknown THEN (d.day + 1)::timestamptz + interval '7 hours' END,
        CASE WHEN NOT x.is_unknown THEN 'health_connect' END, 1, '2026-11-29 08:00Z'
      FROM whenever d CROSS JOIN who w CROSS JOIN what m
      CROSS JOIN LATERAL (SELECT (w.n * 7 + d.n * 13 + m.n) % 11 = 0 AS is_unknown) x ORDER BY d.day, w.user_id, m.metric
    """
}

/// What the server says of its plans.
private final class PlanLog: Sendable {
  private let plans = Mutex<[String]>([])

  func add(_ notice: Notice) {
    plans.withLock { $0.append(notice.message) }
  }

  func take() -> [String] {
    plans.withLock { plans in
      defer { plans = [] }
      return plans
    }
  }
}
