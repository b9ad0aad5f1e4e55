-- 35_write.sql - the only place that writes daily_metric.
-- Laws: D6 (written only if something changed or a re-check was due), G1 (work list), G2 (silent rows come and go by re-check only).
-- Called by ingest and by the re-check, under the person's lock.

CREATE OR REPLACE FUNCTION evidence.derive(persons uuid[], days date[], as_of timestamptz, is_recheck boolean) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  written integer;
BEGIN
  -- Rows without evidence that would not be written now.
  IF is_recheck THEN
    DELETE FROM public.daily_metric d
    USING (SELECT u.user_id, u.local_date, m.metric
           FROM unnest(persons, days) AS u (user_id, local_date)
           JOIN evidence.tracking t ON t.user_id = u.user_id
           JOIN public.metric m ON m.metric_id = t.metric_id
           EXCEPT
           SELECT c.user_id, c.local_date, c.metric FROM evidence.derived_cells(persons, days, as_of, true) c) gone
    WHERE d.user_id = gone.user_id AND d.metric = gone.metric AND d.local_date = gone.local_date;
  END IF;

  WITH found AS MATERIALIZED (
    SELECT c.*, evidence.next_check(COALESCE(c.unknown_reason, CASE WHEN NOT c.is_final THEN 'not_yet_synced' END), c.over_at, as_of) AS next_check_at
    FROM evidence.derived_cells(persons, days, as_of, is_recheck) c)
  INSERT INTO public.daily_metric AS d (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at,
    unknown_detail, is_final, observed_at, platform, next_check_at, rule_version)
  SELECT f.user_id, f.metric, f.local_date, f.status, f.value, f.unknown_reason, f.covering_sources, as_of,
    f.unknown_detail, f.is_final, f.observed_at, f.platform, f.next_check_at, evidence.rule_version()
  FROM found f
  ORDER BY f.user_id, f.metric, f.local_date
  ON CONFLICT (user_id, metric, local_date) DO UPDATE SET
    status = excluded.status, value = excluded.value, unknown_reason = excluded.unknown_reason, covering_sources = excluded.covering_sources,
    computed_at = excluded.computed_at, unknown_detail = excluded.unknown_detail, is_final = excluded.is_final,
    observed_at = excluded.observed_at, platform = excluded.platform, next_check_at = excluded.next_check_at, rule_version = excluded.rule_version
  WHERE is_recheck OR d.next_check_at <= as_of
     OR (d.status, d.value, d.unknown_reason, d.covering_sources, d.unknown_detail, d.is_final, d.observed_at, d.platform, d.rule_version)
        IS DISTINCT FROM (excluded.status, excluded.value, excluded.unknown_reason, excluded.covering_sources, excluded.unknown_detail,
                          excluded.is_final, excluded.observed_at, excluded.platform, excluded.rule_version);
  GET DIAGNOSTICS written = ROW_COUNT;
  PERFORM evidence.plan_checks(persons, days, is_recheck);
  RETURN written;
END $$;
COMMENT ON FUNCTION evidence.derive(uuid[], date[], timestamptz, boolean)
  IS 'Derives these user-days (pairs of persons and days) again and writes what changed; a re-check also moves computed_at, adds silent days and removes rows that nothing speaks for any more. Returns the number of rows written. The persons must be locked.';

CREATE OR REPLACE FUNCTION evidence.plan_checks(persons uuid[], days date[], is_recheck boolean) RETURNS void
LANGUAGE plpgsql SET jit = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF is_recheck THEN
    DELETE FROM evidence.due_day due USING unnest(persons, days) AS u (user_id, local_date)
    WHERE due.user_id = u.user_id AND due.local_date = u.local_date;
  END IF;
  INSERT INTO evidence.due_day AS due (user_id, local_date, due_at, is_scheduled)
  SELECT u.user_id, u.local_date, min(d.next_check_at), true
  FROM (SELECT DISTINCT x.user_id, x.local_date FROM unnest(persons, days) AS x (user_id, local_date)) u
  CROSS JOIN LATERAL (
    SELECT c.next_check_at FROM evidence.tracking t JOIN public.metric m ON m.metric_id = t.metric_id
    CROSS JOIN LATERAL (SELECT k.next_check_at FROM public.daily_metric k
      WHERE k.user_id = t.user_id AND k.metric = m.metric AND k.local_date = u.local_date OFFSET 0) c
    WHERE t.user_id = u.user_id AND t.since <= u.local_date OFFSET 0) d
  WHERE d.next_check_at IS NOT NULL
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE SET due_at = excluded.due_at
  WHERE due.is_scheduled AND due.due_at <> excluded.due_at;
END $$;
COMMENT ON FUNCTION evidence.plan_checks(uuid[], date[], boolean)
  IS 'Puts user-days on the work list for the earliest next_check_at of their cells. A day that a payload made due stays due until a re-check has derived it.';
