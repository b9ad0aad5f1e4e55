-- 31_plain_days.sql - the short way for the days that most syncs bring: one origin, a value in each cell, no records.
-- Laws: as in 30, of which nothing but D1, F2, C1, C2 and A8 has anything to decide on such a day. What is said here and in 30 must be the same;
-- a test derives both ways. Reads: evidence.reading, presence, record_day, deleted_interval, person, catalogues. Writes: nothing.

CREATE OR REPLACE FUNCTION evidence.plain_days(persons uuid[], days date[])
RETURNS TABLE (user_id uuid, local_date date, is_plain boolean, is_lone boolean)
LANGUAGE plpgsql STABLE ROWS 1000 SET jit = off
SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN QUERY
  SELECT d.user_id, d.local_date,
    s.cells = s.values AND s.first_platform = s.last_platform AND s.first_store = s.last_store AND NOT s.has_android AND NOT f.is_manual
      AND (p.first_platform IS NULL OR NOT p.has_android AND (p.first_platform, p.last_platform, p.first_store, p.last_store)
        = (s.first_platform, s.first_platform, s.first_store, s.first_store))
      AND i.user_id IS NULL AND r.user_id IS NULL,
    s.first_sources = s.last_sources AND cardinality(s.first_sources) = 1
      AND (p.first_source IS NULL OR (p.first_source, p.last_source) = (s.first_sources[1], s.first_sources[1]))
  FROM (SELECT DISTINCT u.user_id, u.local_date FROM unnest(persons, days) AS u (user_id, local_date)) d
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT x.metric_id) AS cells, count(*) FILTER (WHERE x.slot = 'value') AS values,
           min(x.platform_id) AS first_platform, max(x.platform_id) AS last_platform, min(x.store) AS first_store, max(x.store) AS last_store,
           min(x.sources) AS first_sources, max(x.sources) AS last_sources,
           -- Which of two names of one phone counts (A8) is said in 30 alone.
           bool_or('android' = ANY (x.sources)) AS has_android
    FROM evidence.reading x
    WHERE x.user_id = d.user_id AND x.local_date = d.local_date AND x.local_date BETWEEN first_day AND last_day AND x.slot <> 'looked') s
  CROSS JOIN LATERAL (
    SELECT min(x.platform_id) AS first_platform, max(x.platform_id) AS last_platform, min(x.store) AS first_store, max(x.store) AS last_store,
           min(x.source) AS first_source, max(x.source) AS last_source, bool_or(x.source = 'android') AS has_android
    FROM evidence.presence x WHERE x.user_id = d.user_id AND x.local_date = d.local_date) p
  LEFT JOIN public.platform f ON f.platform_id = s.first_platform
  -- Not EXISTS, which may be answered by hashing all persons' rows.
  LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.deleted_interval x WHERE x.user_id = d.user_id LIMIT 1) i ON true
  LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.record_day x
    WHERE x.user_id = d.user_id AND x.local_date = d.local_date AND x.local_date BETWEEN first_day AND last_day LIMIT 1) r ON true;
END $$;
COMMENT ON FUNCTION evidence.plain_days(uuid[], date[])
  IS 'Of each of these user-days (pairs of persons and days) whether it is plain: all that was said of it are values of one origin, nobody else was there, and it has no records and nothing deleted. is_lone: and everything is from one source. NULL counts as false.';

CREATE OR REPLACE FUNCTION evidence.plain_cells(persons uuid[], days date[], lone boolean[])
RETURNS TABLE (user_id uuid, metric text, local_date date, over_at timestamptz, status text, value numeric, unknown_reason text,
  covering_sources integer, unknown_detail text, is_final boolean, observed_at timestamptz, platform text, deleted_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 1000 SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN QUERY
  WITH day AS MATERIALIZED (
    SELECT d.number, d.user_id, d.local_date, d.is_lone, s.over_at
    FROM unnest(persons, days, lone) WITH ORDINALITY AS d (user_id, local_date, is_lone, number)
    CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = d.user_id OFFSET 0) p
    CROSS JOIN LATERAL evidence.day_span(d.local_date, p.zone_from, p.zone_name) s),
  cell AS MATERIALIZED (
    SELECT d.number, d.is_lone, x.*, m.metric, m.evidence, m.licence
    FROM day d
    CROSS JOIN LATERAL (
      SELECT y.metric_id, y.platform_id, y.value, y.read_at, y.is_over AND y.place = 'inside' AS is_final,
             CASE WHEN y.sources = '{}' THEN ARRAY[''] ELSE y.sources END AS sources
      FROM evidence.reading y
      WHERE y.user_id = d.user_id AND y.local_date = d.local_date AND y.local_date BETWEEN first_day AND last_day AND y.slot = 'value' OFFSET 0) x
    JOIN public.metric m ON m.metric_id = x.metric_id),
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
  SELECT d.user_id, c.metric, d.local_date, d.over_at, 'measured', c.value, NULL::text, CASE WHEN c.is_lone THEN 1 ELSE n.sources END,
    NULL::text, c.is_final, c.read_at, f.platform, NULL::timestamptz
  FROM cell c
  JOIN day d ON d.number = c.number
  JOIN public.platform f ON f.platform_id = c.platform_id
  LEFT JOIN counted n ON n.number = c.number AND n.metric_id = c.metric_id;
END $$;
COMMENT ON FUNCTION evidence.plain_cells(uuid[], date[], boolean[])
  IS 'The cells of user-days that are plain (evidence.plain_days; lone: as is_lone there): each a value. The same rows as those of evidence.weighed_cells, without weighing what does not occur.';

CREATE OR REPLACE FUNCTION evidence.derived_cells(persons uuid[], days date[], as_of timestamptz, with_silent boolean)
RETURNS TABLE (user_id uuid, metric text, local_date date, over_at timestamptz, status text, value numeric, unknown_reason text,
  covering_sources integer, unknown_detail text, is_final boolean, observed_at timestamptz, platform text, deleted_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 1000 AS $$
DECLARE
  plain_persons uuid[];
  plain_days date[];
  lone boolean[];
  other_persons uuid[] := persons;
  other_days date[] := days;
BEGIN
  IF NOT with_silent THEN
    SELECT array_agg(p.user_id) FILTER (WHERE p.is_plain), array_agg(p.local_date) FILTER (WHERE p.is_plain), array_agg(p.is_lone) FILTER (WHERE p.is_plain),
           array_agg(p.user_id) FILTER (WHERE p.is_plain IS NOT TRUE), array_agg(p.local_date) FILTER (WHERE p.is_plain IS NOT TRUE)
    INTO plain_persons, plain_days, lone, other_persons, other_days
    FROM evidence.plain_days(persons, days) p;
    IF plain_persons IS NOT NULL THEN
      RETURN QUERY SELECT * FROM evidence.plain_cells(plain_persons, plain_days, lone);
    END IF;
  END IF;
  IF other_persons IS NOT NULL THEN
    RETURN QUERY SELECT * FROM evidence.weighed_cells(other_persons, other_days, as_of, with_silent);
  END IF;
END $$;
COMMENT ON FUNCTION evidence.derived_cells(uuid[], date[], timestamptz, boolean)
  IS 'What the evidence of these user-days (pairs of persons and days) amounts to as of an instant: one row per cell that anything is known about, and with_silent one for each closed day that a tracked metric is silent on. deleted_at: read time of the latest deletion that took something from the cell. Changes nothing.';
