-- 47_rebuild.sql - is daily_metric what the evidence amounts to? Compared by the same derivation, some days of one person at a time.
-- Called by the command rebuild, under the person's lock. compare_cells changes nothing; repair_cells writes through evidence.derive (35).

CREATE OR REPLACE FUNCTION evidence.next_person(after uuid) RETURNS uuid
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off AS $$
BEGIN
  -- A row that somebody put into daily_metric by hand may be of a person whom no payload has named.
  RETURN (SELECT p.user_id FROM (
    (SELECT p.user_id FROM evidence.person p WHERE after IS NULL OR p.user_id > after ORDER BY p.user_id LIMIT 1)
    UNION ALL
    (SELECT d.user_id FROM public.daily_metric d WHERE after IS NULL OR d.user_id > after ORDER BY d.user_id LIMIT 1)) p
    ORDER BY p.user_id LIMIT 1);
END $$;
COMMENT ON FUNCTION evidence.next_person(uuid) IS 'The next person after this one in the order of keys who has evidence or cells; after NULL: the first. NULL: there is none.';

CREATE OR REPLACE FUNCTION evidence.days_to_compare(person uuid, after date, max_days integer, as_of timestamptz) RETURNS SETOF date
LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT x.day FROM (
    SELECT r.local_date AS day FROM evidence.reading r WHERE r.user_id = person
    UNION
    SELECT r.local_date FROM evidence.record_day r WHERE r.user_id = person
    UNION
    SELECT d.local_date FROM public.daily_metric d WHERE d.user_id = person
    UNION
    SELECT h.local_date FROM evidence.hour h WHERE h.user_id = person
    UNION
    SELECT h.local_date FROM public.hourly_metric h WHERE h.user_id = person
    UNION
    SELECT w.local_date FROM evidence.workout w WHERE w.user_id = person
    UNION
    SELECT w.local_date FROM public.workout_summary w WHERE w.user_id = person
    UNION
    SELECT s.day::date FROM evidence.person p, evidence.setting b
    CROSS JOIN LATERAL generate_series(
      GREATEST((SELECT min(t.since) FROM evidence.tracking t WHERE t.user_id = person), as_of::date - b.filled_days)::timestamp,
      LEAST(p.silent_from, as_of::date)::timestamp - interval '1 day', interval '1 day') AS s (day)
    WHERE p.user_id = person) x
  WHERE after IS NULL OR x.day > after
  ORDER BY x.day LIMIT max_days;
END $$;
COMMENT ON FUNCTION evidence.days_to_compare(uuid, date, integer, timestamptz)
  IS 'The next days of a person, after a day, that have evidence or cells, or that a re-check has filled.';

CREATE OR REPLACE FUNCTION evidence.compare_cells(person uuid, days date[], as_of timestamptz)
RETURNS TABLE (metric text, local_date date, finding text) LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH day AS MATERIALIZED (
    -- What waits for a re-check that a payload made due is not wrong yet; a silent day's cell not before any re-check of it.
    SELECT u.day, q.user_id IS NOT NULL AS is_due, q.user_id IS NOT NULL AND NOT q.is_scheduled AS is_waiting
    FROM unnest(days) AS u (day)
    LEFT JOIN LATERAL (SELECT x.user_id, x.is_scheduled FROM evidence.due_day x WHERE x.user_id = person AND x.local_date = u.day AND x.due_at <= as_of OFFSET 0) q ON true),
  wanted AS MATERIALIZED (
    SELECT c.*, evidence.rule_version() AS rule_version
    FROM evidence.weighed_cells(array_fill(person, ARRAY[cardinality(days)]), days, as_of, true) c),
  shown AS MATERIALIZED (
    SELECT d.* FROM public.daily_metric d WHERE d.user_id = person AND d.local_date = ANY (days)),
  compared AS (
    SELECT COALESCE(w.metric, s.metric) AS metric, COALESCE(w.local_date, s.local_date) AS local_date, w.metric IS NOT NULL AS is_wanted, s.metric IS NOT NULL AS is_shown,
           concat_ws(', ',
             CASE WHEN w.status IS DISTINCT FROM s.status THEN 'status' END, CASE WHEN w.value IS DISTINCT FROM s.value THEN 'value' END,
             CASE WHEN w.unknown_reason IS DISTINCT FROM s.unknown_reason THEN 'unknown_reason' END,
             CASE WHEN w.covering_sources IS DISTINCT FROM s.covering_sources THEN 'covering_sources' END,
             CASE WHEN w.unknown_detail IS DISTINCT FROM s.unknown_detail THEN 'unknown_detail' END,
             CASE WHEN w.is_final IS DISTINCT FROM s.is_final THEN 'is_final' END,
             CASE WHEN w.observed_at IS DISTINCT FROM s.observed_at THEN 'observed_at' END,
             CASE WHEN w.platform IS DISTINCT FROM s.platform THEN 'platform' END,
             CASE WHEN w.rule_version IS DISTINCT FROM s.rule_version THEN 'rule_version' END) AS columns
    FROM wanted w FULL JOIN shown s ON s.metric = w.metric AND s.local_date = w.local_date),
  differing AS (
    SELECT c.*, d.is_due, k.metric_id IS NOT NULL AND (
             EXISTS (SELECT FROM evidence.reading r WHERE r.user_id = person AND r.local_date = c.local_date AND r.metric_id = k.metric_id)
             OR EXISTS (SELECT FROM evidence.record_day r WHERE r.user_id = person AND r.local_date = c.local_date AND r.metric_id = k.metric_id)) AS is_spoken_of
    FROM compared c JOIN day d ON d.day = c.local_date LEFT JOIN public.metric k ON k.metric = c.metric
    WHERE NOT d.is_waiting AND c.columns <> ''
      AND NOT EXISTS (SELECT FROM evidence.due_cell q WHERE q.user_id = person AND q.local_date = c.local_date AND q.metric = c.metric))
  SELECT f.metric, f.local_date, CASE WHEN NOT f.is_shown THEN 'is missing' WHEN NOT f.is_wanted THEN 'should not be there' ELSE f.columns END
  FROM differing f
  CROSS JOIN evidence.setting b
  LEFT JOIN evidence.person p ON p.user_id = person
  -- G2. Only a re-check fills a silent day, and only so far back.
  WHERE f.is_spoken_of OR (NOT f.is_due AND (f.is_shown OR (f.local_date < p.silent_from AND f.local_date > as_of::date - b.filled_days)))
  ORDER BY f.local_date, f.metric;
END $$;
COMMENT ON FUNCTION evidence.compare_cells(uuid, date[], timestamptz)
  IS 'The cells of these days that are not what their evidence amounts to, and how: the names of the columns that differ, that the row is missing, or that it should not be there. Never a value. When a row was computed and when it is checked next is no difference, nor is what still waits for a re-check. Changes nothing.';

CREATE OR REPLACE FUNCTION evidence.compare_shown(person uuid, days date[], as_of timestamptz)
RETURNS TABLE (metric text, local_date date, finding text) LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT c.* FROM evidence.compare_cells(person, days, as_of) c
  UNION ALL
  SELECT h.* FROM evidence.compare_hours(person, days) h
  UNION ALL
  SELECT w.* FROM evidence.compare_workouts(person, days) w;
END $$;
COMMENT ON FUNCTION evidence.compare_shown(uuid, date[], timestamptz)
  IS 'All that is shown of these days and is not what its evidence amounts to: cells, hours and workouts. Never a value. Changes nothing.';

CREATE OR REPLACE FUNCTION evidence.repair_cells(person uuid, metrics text[], days date[], as_of timestamptz) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  stray public.daily_metric[];
  left_metrics text[];
  left_days date[];
BEGIN
  PERFORM evidence.derive_hours(array_fill(person, ARRAY[cardinality(days)]), days);
  PERFORM evidence.repair_workouts(person, days);
  PERFORM evidence.derive(array_fill(person, ARRAY[cardinality(days)]), days, as_of, true, metrics);
  -- What nobody tracks no re-check removes: rows that were put there by hand.
  SELECT array_agg(c.metric), array_agg(c.local_date) INTO left_metrics, left_days
  FROM evidence.compare_cells(person, ARRAY(SELECT DISTINCT d FROM unnest(days) d), as_of) c WHERE c.finding = 'should not be there';
  IF left_days IS NOT NULL THEN
    stray := evidence.remove_cells(array_fill(person, ARRAY[cardinality(left_days)]), left_metrics, left_days);
    PERFORM evidence.keep_history(stray, NULL, as_of);
    PERFORM evidence.note_changes(NULL, NULL, NULL, stray, as_of);
  END IF;
  RETURN cardinality(days);
END $$;
COMMENT ON FUNCTION evidence.repair_cells(uuid, text[], date[], timestamptz)
  IS 'Makes these cells (pairs of metrics and days) of a person, and all hours and workouts of these days, what their evidence amounts to; what was shown of cells goes to the history. Returns how many.';
