import Postgres

/// A database that has been at work for a while.
enum FilledTables {
  /// Fills it with so many cells of people who measure ten metrics a day. 0: leaves it empty.
  static func fill(_ database: ScratchDatabase, cells: Int) async throws {
    guard cells > 0 else { return }
    let filler = try await Connection.connect(database.options("filler"))
    try await filler.script("SET synchronous_commit = off; SET jit = off; SET timezone = 'UTC'")
    try await filler.script(sql(people: cells / 1_000, days: 100))
    try await filler.script("VACUUM ANALYZE")
    await filler.close()
  }

  /// Fills a migrated database with ten metrics of so many people on each of the days before the 29th of November 2026. Their ids are
  /// spread over the key space, so that newcomers fall between them.
  static func sql(people: Int, days: Int) -> String {
    text.replacing("$people", with: "\(people)").replacing("$days", with: "\(days)")
  }

  /// Ten metrics of each person and day; one cell in ten is unknown and has a next check, so that most days are planned.
  private static let text = """
    CREATE TEMPORARY TABLE who AS
      SELECT md5('person ' || n)::uuid AS user_id, n FROM generate_series(1, $people) n;
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
