-- 31_plain_days.sql - the short way for the days that most syncs bring: one origin, a value in each cell, no records.
-- Laws: as in 30, of which nothing but D1, F2, C1, C2 and A8 has anything to decide on such a day. What is said here and in 30 must be the same;
-- a test derives both ways. Reads: evidence.reading, presence, record_day, deleted_interval, person, catalogues. Writes: nothing.

CREATE OR REPLACE FUNCTION evidence.plain_days(persons uuid[], days date[])
RETURNS TABLE (user_id uuid, local_date date, is_plain boolean, is_lone boolean)
LANGUAGE plpgsql STABLE ROWS 1000
SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
  manual constant smallint[] := ARRAY(SELECT f.platform_id FROM public.platform f WHERE f.is_manual);
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN QUERY
  -- What is rarely there is looked for once for each person, not for each day. Not by EXISTS, which may be answered by hashing all persons' rows.
  WITH person AS MATERIALIZED (
    SELECT p.user_id, p.dates, i.user_id IS NOT NULL AS has_intervals, r.user_id IS NOT NULL AS has_records
    FROM (SELECT u.user_id, array_agg(DISTINCT u.local_date) AS dates FROM unnest(persons, days) AS u (user_id, local_date) GROUP BY u.user_id) p
    LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.deleted_interval x WHERE x.user_id = p.user_id LIMIT 1) i ON true
    LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.record_day x
      WHERE x.user_id = p.user_id AND x.local_date BETWEEN first_day AND last_day LIMIT 1) r ON true),
  seen AS MATERIALIZED (
    SELECT x.user_id, x.local_date, min(x.platform_id) AS first_platform, max(x.platform_id) AS last_platform, min(x.store) AS first_store,
           max(x.store) AS last_store, min(x.source) AS first_source, max(x.source) AS last_source, bool_or(x.source = 'android') AS has_android
    FROM person p
    CROSS JOIN LATERAL (SELECT y.* FROM evidence.presence y WHERE y.user_id = p.user_id AND y.local_date = ANY (p.dates) OFFSET 0) x
    GROUP BY x.user_id, x.local_date)
  SELECT p.user_id, d.local_date,
    s.has_values AND s.others <@ s.valued IS NOT FALSE AND s.first_platform = s.last_platform AND s.first_store = s.last_store AND NOT s.has_android AND NOT s.first_platform = ANY (manual)
      AND (n.user_id IS NULL OR NOT n.has_android AND (n.first_platform, n.last_platform, n.first_store, n.last_store)
        = (s.first_platform, s.first_platform, s.first_store, s.first_store))
      AND NOT p.has_intervals AND r.user_id IS NULL,
    s.are_single AND s.first_source = s.last_source
      AND (n.user_id IS NULL OR (n.first_source, n.last_source) = (s.first_source, s.first_source))
  FROM person p
  CROSS JOIN LATERAL unnest(p.dates) AS d (local_date)
  CROSS JOIN LATERAL (
    SELECT bool_or(x.slot = 'value') AS has_values, array_agg(x.metric_id) FILTER (WHERE x.slot = 'value') AS valued,
           array_agg(x.metric_id) FILTER (WHERE x.slot <> 'value') AS others,
           min(x.platform_id) AS first_platform, max(x.platform_id) AS last_platform, min(x.store) AS first_store, max(x.store) AS last_store,
           bool_and(cardinality(x.sources) = 1) AS are_single, min(x.sources[1] COLLATE "C") AS first_source, max(x.sources[1] COLLATE "C") AS last_source,
           -- Which of two names of one phone counts (A8) is said in 30 alone.
           bool_or('android' = ANY (x.sources)) AS has_android
    FROM evidence.reading x
    WHERE x.user_id = p.user_id AND x.local_date = d.local_date AND x.local_date BETWEEN first_day AND last_day AND x.slot <> 'looked') s
  LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.record_day x
    WHERE p.has_records AND x.user_id = p.user_id AND x.local_date = d.local_date AND x.local_date BETWEEN first_day AND last_day LIMIT 1) r ON true
  LEFT JOIN seen n ON n.user_id = p.user_id AND n.local_date = d.local_date;
END $$;
COMMENT ON FUNCTION evidence.plain_days(uuid[], date[])
  IS 'Of each of these user-days (pairs of persons and days) whether it is plain: all that was said of it are values of one origin, nobody else was there, and it has no records and nothing deleted. is_lone: and everything is from one source. NULL counts as false.';

CREATE OR REPLACE FUNCTION evidence.plain_cells(persons uuid[], days date[], lone boolean[])
RETURNS TABLE (user_id uuid, metric text, local_date date, over_at timestamptz, status text, value numeric, unknown_reason text,
  covering_sources integer, unknown_detail text, is_final boolean, observed_at timestamptz, platform text, deleted_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 1000 SET timezone = 'UTC'
SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  IF persons IS NULL THEN                       -- Where no day is plain there is nothing to plan or to run.
    RETURN;
  END IF;
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN QUERY
  WITH dated AS MATERIALIZED (
    SELECT d.number, d.user_id, d.local_date, d.is_lone, COALESCE(p.zone_from, '{}') AS zone_from, COALESCE(p.zone_name, '{}') AS zone_name
    FROM unnest(persons, days, lone) WITH ORDINALITY AS d (user_id, local_date, is_lone, number)
    CROSS JOIN LATERAL (SELECT x.zone_from, x.zone_name FROM evidence.person x WHERE x.user_id = d.user_id OFFSET 0) p),
  -- People who live in one zone share its days: each is asked for once.
  day AS MATERIALIZED (
    SELECT d.number, d.user_id, d.local_date, d.is_lone, z.over_at
    FROM dated d
    JOIN (SELECT q.*, s.over_at FROM (SELECT DISTINCT x.local_date, x.zone_from, x.zone_name FROM dated x) q
          CROSS JOIN LATERAL evidence.day_span(q.local_date, q.zone_from, q.zone_name) s OFFSET 0) z
      ON (z.local_date, z.zone_from, z.zone_name) = (d.local_date, d.zone_from, d.zone_name)),
  cell AS MATERIALIZED (
    SELECT d.number, d.user_id, d.local_date, d.over_at, d.is_lone, x.*, m.metric, m.evidence, m.licence, f.platform
    FROM day d
    CROSS JOIN LATERAL (
      SELECT y.metric_id, y.platform_id, y.value, y.read_at, y.is_over AND y.place = 'inside' AS is_final,
             CASE WHEN y.sources = '{}' THEN ARRAY[''] ELSE y.sources END AS sources
      FROM evidence.reading y
      WHERE y.user_id = d.user_id AND y.local_date = d.local_date AND y.local_date BETWEEN first_day AND last_day AND y.slot = 'value' OFFSET 0) x
    JOIN public.metric m ON m.metric_id = x.metric_id
    JOIN public.platform f ON f.platform_id = x.platform_id),
  -- C1. As in 30, for the days with more than one source.
  witness AS MATERIALIZED (
    SELECT d.number, p.kind::text AS kind, p.source
    FROM day d CROSS JOIN LATERAL (
      SELECT x.kind, x.source FROM evidence.presence x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) p
    WHERE d.is_lone IS NOT TRUE
    UNION
    SELECT c.number, c.evidence, source FROM cell c CROSS JOIN LATERAL unnest(c.sources) source
    WHERE c.is_lone IS NOT TRUE AND c.value <> 0 AND c.evidence IS NOT NULL),
  -- C2, A8.
  counted AS MATERIALIZED (
    SELECT k.number, k.metric_id, count(*)::integer AS sources
    FROM (SELECT c.number, c.metric_id, source FROM cell c CROSS JOIN LATERAL unnest(c.sources) source WHERE c.is_lone IS NOT TRUE
          UNION
          SELECT c.number, c.metric_id, w.source FROM cell c JOIN witness w ON w.number = c.number AND w.kind = ANY (c.licence)) k
    GROUP BY k.number, k.metric_id)
  SELECT c.user_id, c.metric, c.local_date, c.over_at, 'measured', c.value, NULL::text, CASE WHEN c.is_lone THEN 1 ELSE n.sources END,
    NULL::text, c.is_final, c.read_at, c.platform, NULL::timestamptz
  FROM cell c
  LEFT JOIN counted n ON n.number = c.number AND n.metric_id = c.metric_id;
END $$;
COMMENT ON FUNCTION evidence.plain_cells(uuid[], date[], boolean[])
  IS 'The cells of user-days that are plain (evidence.plain_days; lone: as is_lone there): each a value. The same rows as those of evidence.weighed_cells, without weighing what does not occur.';
