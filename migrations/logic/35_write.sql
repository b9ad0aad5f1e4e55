-- 35_write.sql - the only place that writes daily_metric.
-- Laws: D6 (written only if something changed or a re-check was due), G1 (work list), G2 (silent rows come and go by re-check only),
-- H1 (a state that is no longer shown goes to the history).
-- Called by ingest and by the re-check, under the person's lock.

CREATE OR REPLACE FUNCTION evidence.remove_cells(persons uuid[], metrics text[], days date[]) RETURNS public.daily_metric[]
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  cell record;
  row_there public.daily_metric;
  removed public.daily_metric[];
  first_day constant date := (SELECT min(u) FROM unnest(days) u);
  last_day constant date := (SELECT max(u) FROM unnest(days) u);
BEGIN
  -- Of a silent year nearly none is there. So the rows that are there are looked for first, metric by metric, and not each by itself.
  FOR cell IN
    SELECT d.* FROM (SELECT u.user_id, u.metric, array_agg(u.local_date) AS days FROM unnest(persons, metrics, days) AS u (user_id, metric, local_date)
                     GROUP BY 1, 2) m
    CROSS JOIN LATERAL (SELECT x.user_id, x.metric, x.local_date FROM public.daily_metric x
      WHERE x.user_id = m.user_id AND x.metric = m.metric AND x.local_date BETWEEN first_day AND last_day AND m.days @> ARRAY[x.local_date] OFFSET 0) d
  LOOP
    -- One by one: a join to the table that is deleted from may begin with any of the two, and rows of several partitions have no common address.
    DELETE FROM public.daily_metric d WHERE d.user_id = cell.user_id AND d.metric = cell.metric AND d.local_date = cell.local_date
    RETURNING d.* INTO row_there;
    removed := removed || row_there;
  END LOOP;
  RETURN removed;
END $$;
COMMENT ON FUNCTION evidence.remove_cells(uuid[], text[], date[]) IS 'Removes these rows of daily_metric, by index, and returns those that there were; NULL: none. Only evidence.derive calls it, for silent days that are not asked about any more.';

CREATE OR REPLACE FUNCTION evidence.forget_due(persons uuid[], days date[]) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  DELETE FROM evidence.due_day due
  USING unnest(persons, days) AS u (user_id, local_date)
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.due_day x WHERE x.user_id = u.user_id AND x.local_date = u.local_date OFFSET 0) f
  WHERE due.ctid = f.ctid;
END $$;
COMMENT ON FUNCTION evidence.forget_due(uuid[], date[]) IS 'Takes user-days off the work list, by index. Only evidence.derive calls it, which puts them back with their next check.';

CREATE OR REPLACE FUNCTION evidence.derive(
  persons uuid[], days date[], as_of timestamptz, is_recheck boolean, only_metrics text[] DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  written integer;
  gone_persons uuid[];
  gone_metrics text[];
  gone_days date[];
  superseded public.daily_metric[];
  deletions timestamptz[];
  new_persons uuid[];
  new_metrics text[];
  new_days date[];
  plain_persons uuid[];
  plain_days date[];
  lone boolean[];
  other_persons uuid[] := persons;
  other_days date[] := days;
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  IF is_recheck AND only_metrics IS NULL THEN
    PERFORM evidence.forget_due(persons, days);
  END IF;
  IF NOT is_recheck THEN
    SELECT array_agg(p.user_id) FILTER (WHERE p.is_plain), array_agg(p.local_date) FILTER (WHERE p.is_plain), array_agg(p.is_lone) FILTER (WHERE p.is_plain),
           array_agg(p.user_id) FILTER (WHERE p.is_plain IS NOT TRUE), array_agg(p.local_date) FILTER (WHERE p.is_plain IS NOT TRUE)
    INTO plain_persons, plain_days, lone, other_persons, other_days
    FROM evidence.plain_days(persons, days) p;
  END IF;

  -- G3. Where single cells are meant, the others of their days are neither written nor removed.
  WITH meant AS MATERIALIZED (
    SELECT DISTINCT u.* FROM unnest(persons, days, only_metrics) AS u (user_id, local_date, metric) WHERE u.metric IS NOT NULL),
  found AS MATERIALIZED (
    -- What is measured and final has no next check, and need not ask.
    SELECT c.*, CASE WHEN r.first_check IS NOT NULL
      THEN evidence.next_check(r.first_check, r.check_growth, r.check_until, c.over_at, as_of) END AS next_check_at
    FROM (SELECT * FROM evidence.plain_cells(plain_persons, plain_days, lone)
          UNION ALL
          SELECT * FROM evidence.weighed_cells(other_persons, other_days, as_of, is_recheck)) c
    LEFT JOIN public.unknown_reason r ON r.code = COALESCE(c.unknown_reason, CASE WHEN NOT c.is_final THEN 'not_yet_synced' END)
    LEFT JOIN meant o ON o.user_id = c.user_id AND o.local_date = c.local_date AND o.metric = c.metric
    WHERE only_metrics IS NULL OR o.metric IS NOT NULL),
  stored AS (
    INSERT INTO public.daily_metric AS d (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at,
      unknown_detail, is_final, observed_at, platform, next_check_at, rule_version, revision, shown_since)
    SELECT f.user_id, f.metric, f.local_date, f.status, f.value, f.unknown_reason, f.covering_sources, as_of,
      f.unknown_detail, f.is_final, f.observed_at, f.platform, f.next_check_at, evidence.rule_version(), 1, as_of
    FROM found f
    ON CONFLICT (user_id, metric, local_date) DO UPDATE SET
      status = excluded.status, value = excluded.value, unknown_reason = excluded.unknown_reason, covering_sources = excluded.covering_sources,
      computed_at = excluded.computed_at, unknown_detail = excluded.unknown_detail, is_final = excluded.is_final,
      observed_at = excluded.observed_at, platform = excluded.platform, next_check_at = excluded.next_check_at, rule_version = excluded.rule_version,
      (revision, shown_since) = ROW(
        CASE WHEN (d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final)
          IS DISTINCT FROM (excluded.status, excluded.value, excluded.unknown_reason, excluded.covering_sources, excluded.is_final)
          THEN d.revision + 1 ELSE d.revision END,
        CASE WHEN (d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final)
          IS DISTINCT FROM (excluded.status, excluded.value, excluded.unknown_reason, excluded.covering_sources, excluded.is_final)
          THEN as_of ELSE d.shown_since END)
    -- A re-check of an unsettled cell is itself a fact; one of a final measurement is none.
    WHERE (is_recheck AND NOT (excluded.status = 'measured' AND excluded.is_final)) OR d.next_check_at <= as_of
       OR (d.status, d.value, d.unknown_reason, d.covering_sources, d.unknown_detail, d.is_final, d.observed_at, d.platform, d.rule_version)
          IS DISTINCT FROM (excluded.status, excluded.value, excluded.unknown_reason, excluded.covering_sources, excluded.unknown_detail,
                            excluded.is_final, excluded.observed_at, excluded.platform, excluded.rule_version)
    -- H1. The statement's snapshot still has the row as it was. Only rows that may have changed pay for a look; new ones do not.
    RETURNING d.user_id, d.metric, d.local_date, d.revision, d.shown_since, CASE WHEN d.revision > 1 AND d.shown_since = as_of THEN (
        SELECT o FROM public.daily_metric o WHERE o.user_id = d.user_id AND o.metric = d.metric AND o.local_date = d.local_date
          AND o.local_date BETWEEN first_day AND last_day) END AS before),
  -- Ingest does not see a day's silent cells. Those that an earlier re-check has written are due at once: what was merged may cover them.
  unseen AS (
    SELECT u.user_id, u.local_date
    FROM (SELECT DISTINCT x.user_id, x.local_date FROM unnest(persons, days) AS x (user_id, local_date) WHERE NOT is_recheck) u
    CROSS JOIN LATERAL (SELECT FROM evidence.person p WHERE p.user_id = u.user_id AND p.silent_from > u.local_date OFFSET 0) p
    CROSS JOIN LATERAL (SELECT k.metric_id FROM evidence.tracking k WHERE k.user_id = u.user_id OFFSET 0) k
    JOIN public.metric t ON t.metric_id = k.metric_id
    CROSS JOIN LATERAL (SELECT FROM public.daily_metric d
      WHERE d.user_id = u.user_id AND d.metric = t.metric AND d.local_date = u.local_date AND d.local_date BETWEEN first_day AND last_day
        AND d.status = 'unknown' OFFSET 0) d
    LEFT JOIN found f ON f.user_id = u.user_id AND f.metric = t.metric AND f.local_date = u.local_date
    WHERE f.user_id IS NULL),
  -- The work list: the earliest next check of a day's cells. Ingest only brings it forward.
  planned AS (
    INSERT INTO evidence.due_day AS due (user_id, local_date, due_at, is_scheduled)
    SELECT x.user_id, x.local_date, min(x.due_at), true
    FROM (SELECT f.user_id, f.local_date, f.next_check_at AS due_at FROM found f WHERE f.next_check_at IS NOT NULL
          UNION ALL
          SELECT u.user_id, u.local_date, as_of FROM unseen u) x
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE SET due_at = excluded.due_at WHERE excluded.due_at < due.due_at),
  -- Rows without evidence that would not be written now.
  unspoken AS (
    SELECT u.user_id, t.metric, u.local_date
    FROM (SELECT DISTINCT x.user_id, x.local_date FROM unnest(persons, days) AS x (user_id, local_date) WHERE is_recheck) u
    CROSS JOIN LATERAL (SELECT k.metric_id FROM evidence.tracking k WHERE k.user_id = u.user_id OFFSET 0) k
    JOIN public.metric t ON t.metric_id = k.metric_id
    LEFT JOIN meant o ON o.user_id = u.user_id AND o.local_date = u.local_date AND o.metric = t.metric
    WHERE only_metrics IS NULL OR o.metric IS NOT NULL
    EXCEPT
    SELECT f.user_id, f.metric, f.local_date FROM found f WHERE is_recheck)
  SELECT (SELECT count(*) FROM stored), w.before, w.deletions, g.persons, g.metrics, g.days, n.persons, n.metrics, n.days
  INTO written, superseded, deletions, gone_persons, gone_metrics, gone_days, new_persons, new_metrics, new_days
  FROM (SELECT array_agg(s.before) AS before, array_agg(f.deleted_at) AS deletions
        FROM (SELECT x.* FROM stored x WHERE (x.before).revision < x.revision) s
        JOIN found f ON f.user_id = (s.before).user_id AND f.metric = (s.before).metric AND f.local_date = (s.before).local_date) w
  CROSS JOIN (SELECT array_agg(u.user_id) AS persons, array_agg(u.metric) AS metrics, array_agg(u.local_date) AS days FROM unspoken u) g
  CROSS JOIN (SELECT array_agg(s.user_id) AS persons, array_agg(s.metric) AS metrics, array_agg(s.local_date) AS days
              FROM stored s WHERE s.revision = 1 AND s.shown_since = as_of) n;
  IF gone_persons IS NOT NULL THEN
    superseded := superseded || evidence.remove_cells(gone_persons, gone_metrics, gone_days);
  END IF;
  IF superseded IS NOT NULL THEN
    PERFORM evidence.keep_history(superseded, deletions, as_of);
  END IF;
  IF new_persons IS NOT NULL OR superseded IS NOT NULL THEN
    PERFORM evidence.note_changes(new_persons, new_metrics, new_days, superseded, as_of);
  END IF;
  RETURN written;
END $$;
COMMENT ON FUNCTION evidence.derive(uuid[], date[], timestamptz, boolean, text[])
  IS 'Derives these user-days (pairs of persons and days) again and writes what changed; a re-check also moves computed_at of what is not settled, adds silent days and removes rows that nothing speaks for any more. Returns the number of rows written. With only_metrics (one element per pair) a re-check of these cells alone. The persons must be locked.';
