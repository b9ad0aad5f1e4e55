-- 30_derive.sql - from evidence to what is known: the one derivation, used by ingest, re-check and rebuild.
-- Laws: C (coverage and the licence of a zero), D (value and reason), F2 (final), A8 (sources), G1 (next check), G2 (silent days).
-- Reads: evidence.*, catalogues. Writes: nothing; evidence.derive (35) writes what comes out of here.
-- Longer than one screen because it is one statement: each step is a named table expression with its law beside it.

CREATE OR REPLACE FUNCTION evidence.next_check(
  first_check interval, check_growth numeric, check_until interval, over_at timestamptz, as_of timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
DECLARE
  age interval := GREATEST(as_of - over_at, interval '0');
BEGIN
  IF first_check IS NULL OR age > check_until THEN
    RETURN NULL;
  END IF;
  RETURN as_of + GREATEST(first_check, age * (check_growth - 1)::double precision);
END $$;
COMMENT ON FUNCTION evidence.next_check(interval, numeric, interval, timestamptz, timestamptz)
  IS 'When a cell whose reason has this schedule is looked at again by itself: after first_check, then whenever the day is check_growth times as old, until check_until. NULL: never. Asked for each cell, so it looks nothing up; days are those of the caller''s time zone, which is UTC.';

CREATE OR REPLACE FUNCTION evidence.weighed_cells(persons uuid[], days date[], as_of timestamptz, with_silent boolean)
RETURNS TABLE (user_id uuid, metric text, local_date date, over_at timestamptz, status text, value numeric, unknown_reason text,
  covering_sources integer, unknown_detail text, is_final boolean, observed_at timestamptz, platform text, deleted_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 1000 SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  IF persons IS NULL THEN                       -- Where all days are plain there is nothing to plan or to run.
    RETURN;
  END IF;
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  -- Tables are reached by LATERAL ... OFFSET 0, which is always an index scan per row; what was found is joined by hashing, never row by row:
  -- the planner cannot know how many rows the arrays bring, and a wrong guess would make the work quadratic.
  RETURN QUERY
  WITH day AS MATERIALIZED (
    SELECT row_number() OVER () AS number, d.user_id, d.local_date, s.starts_at, s.over_at
    FROM (SELECT DISTINCT u.user_id, u.local_date FROM unnest(persons, days) AS u (user_id, local_date)) d
    CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = d.user_id OFFSET 0) p
    CROSS JOIN LATERAL evidence.day_span(d.local_date, p.zone_from, p.zone_name) s),

  -- E, F2. What the records of these days amount to, and what was deleted.
  record AS MATERIALIZED (
    SELECT s.* FROM (SELECT array_agg(d.number) AS n, array_agg(d.user_id) AS u, array_agg(d.local_date) AS l, array_agg(d.starts_at) AS s, array_agg(d.over_at) AS o FROM day d) a
    CROSS JOIN LATERAL evidence.record_says(a.n, a.u, a.l, a.s, a.o) s),

  -- Everything that was last said about these days. B2 has chosen what is remembered; what counts is chosen below.
  -- A cell is one number here, day and metric in one, because most of the work is to group and join by it.
  say AS MATERIALIZED (
    SELECT r.number, r.number * 65536 + r.metric_id AS cell, r.metric_id, r.platform_id, r.store, r.slot, r.read_at, r.payload_id, r."position",
           r.outcome, r.value, r.sources, r.code, r.place, r.edge, r.permission, r.is_over, r.is_proven,
           m.zero_policy, m.evidence, m.parents_id IS NOT NULL AS has_parent, r.number * 65536 + m.parents_id AS parent_cell, m.is_parent, f.platform,
           f.is_manual OR r.is_manual AS is_manual, CASE m.combine WHEN 'max' THEN r.value ELSE f.preference END AS precedence,
           r.slot BETWEEN 'licensing_zero' AND 'boundary_empty' AS is_silent
    FROM (
      SELECT d.number, x.metric_id, x.platform_id, x.store, x.slot, x.read_at, x.payload_id, x."position", x.outcome, x.value,
             CASE WHEN x.sources = '{}' THEN ARRAY[''] ELSE x.sources END AS sources, x.code, x.place, x.edge, x.permission, x.is_over, x.is_proven, false AS is_manual
      FROM day d
      CROSS JOIN LATERAL (SELECT y.* FROM evidence.reading y
        WHERE y.user_id = d.user_id AND y.local_date = d.local_date AND y.local_date BETWEEN first_day AND last_day OFFSET 0) x
      -- E4. What was read before a deletion that touches the cell does not count.
      LEFT JOIN record e ON e.slot = 'deletion' AND e.number = d.number AND e.metric_id = x.metric_id AND e.platform_id = x.platform_id AND e.store = x.store
      WHERE x.slot <> 'looked' AND (e.number IS NULL OR x.slot = 'outside' OR x.read_at >= e.read_at)
      UNION ALL
      SELECT r.* FROM record r) r
    JOIN (SELECT k.metric_id, k.combine, k.zero_policy, k.evidence, u.metric_id AS parents_id, k.metric IN (SELECT c.parent FROM public.metric c) AS is_parent
          FROM public.metric k LEFT JOIN public.metric u ON u.metric = k.parent) m ON m.metric_id = r.metric_id
    JOIN public.platform f ON f.platform_id = r.platform_id),

  -- C1. Who was there: presence, and every device behind a non-zero value. Manual entries and zeros are no evidence.
  witness AS MATERIALIZED (
    SELECT d.number, p.kind::text AS kind, p.platform_id, p.store, p.source
    FROM day d CROSS JOIN LATERAL (
      SELECT x.* FROM evidence.presence x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) p
    UNION
    SELECT s.number, s.evidence, s.platform_id, s.store, source
    FROM say s CROSS JOIN LATERAL unnest(s.sources) source
    WHERE (s.slot = 'records' OR (s.slot = 'value' AND s.value <> 0)) AND s.evidence IS NOT NULL AND NOT s.is_manual),
  day_kinds AS MATERIALIZED (
    SELECT w.number, array_agg(DISTINCT w.kind) AS kinds FROM witness w GROUP BY w.number),

  -- D1, D2. The value, by the metric's rule for several origins; a metric with a parent follows its parent's origin.
  leader AS MATERIALIZED (
    SELECT DISTINCT ON (s.cell) s.cell, s.platform_id, s.store
    FROM say s WHERE s.slot = 'value' AND s.is_parent
    ORDER BY s.cell, s.precedence DESC, s.read_at DESC, s.payload_id DESC, s."position" DESC),
  chosen AS MATERIALIZED (
    SELECT DISTINCT ON (s.cell) s.cell, s.value, s.read_at, s.platform, s.is_over AND s.place = 'inside' AS is_final
    FROM say s LEFT JOIN leader l ON l.cell = s.parent_cell
    WHERE s.slot = 'value'
    ORDER BY s.cell, (l.platform_id = s.platform_id AND l.store = s.store) IS TRUE DESC,
             s.precedence DESC, s.read_at DESC, s.payload_id DESC, s."position" DESC),

  -- C3. Without a value: who licenses a zero. Only what was read after the day, inside the windows and proven is in these slots.
  licence AS MATERIALIZED (
    SELECT s.cell, s.platform_id, s.store, s.platform, s.read_at, s.payload_id, s."position", s.zero_policy,
           CASE WHEN s.has_parent AND s.sources = '{""}' THEN p.sources ELSE array_remove(s.sources, '') END AS sources
    FROM say s
    JOIN public.metric m ON m.metric_id = s.metric_id
    LEFT JOIN chosen c ON c.cell = s.cell
    LEFT JOIN day_kinds k ON k.number = s.number
    LEFT JOIN say p ON p.cell = s.parent_cell AND p.platform_id = s.platform_id AND p.store = s.store AND p.slot = 'value' AND p.value > 0
    WHERE s.slot IN ('licensing_zero', 'licensing_empty') AND c.cell IS NULL
      AND CASE s.zero_policy
        WHEN 'covered' THEN COALESCE(k.kinds && m.licence, false)
        WHEN 'explicit' THEN s.slot = 'licensing_zero'
        WHEN 'parent' THEN p.cell IS NOT NULL
        ELSE false END),
  zero AS MATERIALIZED (
    SELECT DISTINCT ON (l.cell) l.cell, l.read_at, l.platform
    FROM licence l ORDER BY l.cell, l.read_at DESC, l.payload_id DESC, l."position" DESC),

  spoken_of AS MATERIALIZED (
    SELECT s.cell, s.number, s.metric_id, bool_or(s.slot = 'value') AS has_value,
           bool_or(s.slot = 'value' AND NOT s.is_manual) AS has_sensor, bool_or(s.is_silent AND s.is_over) AS was_looked_at,
           max(s.read_at) FILTER (WHERE s.slot = 'deletion') AS deleted_at
    FROM say s GROUP BY s.cell, s.number, s.metric_id),
  -- G2. Who is asked about a metric although it said nothing: from the first day it mentioned until some days (evidence.setting) after its last read or its disconnection.
  tracked AS MATERIALIZED (
    SELECT d.number, d.number * 65536 + t.metric_id AS cell, t.metric_id, t.platform_id, t.store
    FROM day d
    JOIN (SELECT c.number FROM spoken_of c WHERE NOT c.has_value
          UNION
          SELECT n.number FROM day n WHERE with_silent) o ON o.number = d.number
    CROSS JOIN LATERAL (
      SELECT k.metric_id, k.platform_id, k.store, k.user_id FROM evidence.tracking k
      WHERE k.user_id = d.user_id AND k.since <= d.local_date OFFSET 0) t
    JOIN public.metric m ON m.metric_id = t.metric_id AND NOT m.intermittent
    CROSS JOIN LATERAL (SELECT x.last_read_at FROM evidence.origin x
      WHERE x.user_id = t.user_id AND x.platform_id = t.platform_id AND x.store = t.store OFFSET 0) r
    LEFT JOIN LATERAL (
      SELECT g.state, COALESCE(g.since, g.read_at) AS gone_at FROM evidence.permission g
      WHERE g.user_id = t.user_id AND g.platform_id = t.platform_id AND g.store = t.store AND g.metric_id IN (0, t.metric_id)
      ORDER BY g.read_at DESC, g.payload_id DESC, g.metric_id = 0, g."position" DESC LIMIT 1) g ON true
    WHERE d.over_at <= LEAST(r.last_read_at, CASE WHEN g.state = 'not_connected' THEN g.gone_at END)
      + (SELECT make_interval(days => b.asked_days) FROM evidence.setting b)),
  -- Cells without a value or a zero, with every origin that is asked about them.
  asked AS MATERIALIZED (
    SELECT DISTINCT x.cell, x.number, d.user_id, x.metric_id, x.platform_id, x.store
    FROM (SELECT s.cell, s.number, s.metric_id, s.platform_id, s.store FROM say s
          UNION ALL
          SELECT t.cell, t.number, t.metric_id, t.platform_id, t.store FROM tracked t) x
    JOIN day d ON d.number = x.number
    LEFT JOIN spoken_of c ON c.cell = x.cell
    LEFT JOIN zero z ON z.cell = x.cell
    WHERE z.cell IS NULL AND NOT COALESCE(c.has_value, false) AND (c.cell IS NOT NULL OR (with_silent AND d.over_at <= as_of AND d.over_at > d.starts_at))),
  -- D5, last sentence. An origin's reason comes from its look if one was taken after the day was over, else from the later of look and non-look.
  -- What was said on a boundary day does not displace what was said inside.
  spoken AS MATERIALIZED (
    SELECT DISTINCT ON (v.cell, v.platform_id, v.store) v.*
    FROM (SELECT s.*, bool_or(s.place = 'inside') OVER (PARTITION BY s.cell, s.platform_id, s.store, s.is_silent) AS inside_exists
          FROM say s JOIN (SELECT DISTINCT a.cell FROM asked a) a ON a.cell = s.cell WHERE s.slot <> 'outside' AND s.outcome IS NOT NULL) v
    WHERE v.place = 'inside' OR NOT v.inside_exists
    ORDER BY v.cell, v.platform_id, v.store, (v.is_silent AND v.is_over) DESC, v.read_at DESC, v.payload_id DESC, v."position" DESC),
  -- D3. How things stand now: for origins that said nothing that counts, and for boundaries that may have moved.
  question AS MATERIALIZED (
    SELECT q.*, row_number() OVER () AS ordinal
    FROM (SELECT DISTINCT a.user_id, a.platform_id, a.store, a.metric_id FROM asked a) q),
  now_standing AS MATERIALIZED (
    SELECT q.user_id, q.platform_id, q.store, q.metric_id, t.*
    FROM (SELECT array_agg(x.user_id ORDER BY x.ordinal) AS u, array_agg(x.platform_id ORDER BY x.ordinal) AS f, array_agg(x.store ORDER BY x.ordinal) AS s,
                 array_agg(x.metric_id ORDER BY x.ordinal) AS m FROM question x) a
    CROSS JOIN LATERAL evidence.standing(a.u, a.f, a.s, a.m, array_fill(NULL::timestamptz, ARRAY[cardinality(a.u)]),
      array_fill(NULL::uuid, ARRAY[cardinality(a.u)])) t
    JOIN question q ON q.ordinal = t.ordinal
    WHERE a.u IS NOT NULL),
  judged AS (
    SELECT a.cell, a.number, a.metric_id, a.platform_id, a.store, s.read_at, s.payload_id, s."position", s.outcome, s.code, s.is_over, s.is_proven,
      s.cell IS NOT NULL AS has_spoken, e.reason AS error_reason, e.detail AS error_detail,
      CASE WHEN s.cell IS NULL THEN evidence.permission_on(d.over_at, t.states, t.sinces) ELSE s.permission END AS permission,
      CASE WHEN s.cell IS NULL THEN n.edge WHEN q.is_quiet_edge AND n.edge IS NOT NULL THEN s.edge END AS edge,
      q.is_quiet_edge AND n.edge IS NULL AS has_widened
    FROM asked a JOIN day d ON d.number = a.number
    JOIN now_standing t ON t.user_id = a.user_id AND t.platform_id = a.platform_id AND t.store = a.store AND t.metric_id = a.metric_id
    LEFT JOIN spoken s ON s.cell = a.cell AND s.platform_id = a.platform_id AND s.store = a.store
    LEFT JOIN public.platform_error e ON s.outcome = 'failed' AND e.code = s.code
    CROSS JOIN LATERAL (SELECT COALESCE(s.place = 'outside' OR (s.place = 'boundary' AND s.outcome IN ('value', 'empty')), false) AS is_quiet_edge) q
    CROSS JOIN LATERAL (SELECT COALESCE(
      evidence.edge_of(d.over_at, t.floor_at, t.authorized_at, t.history_at, t.counting_at),
      evidence.edge_of(d.starts_at + interval '1 microsecond', t.floor_at, t.authorized_at, t.history_at, t.counting_at)) AS edge) n),
  -- D4, D5. One reason per origin: window, permission, latest outcome, not_yet_synced.
  reasoned AS (
    SELECT j.*, CASE
      WHEN j.has_widened THEN 'not_yet_synced'
      WHEN j.edge = 'authorized_from' THEN 'before_authorized_history'
      WHEN j.edge = 'counting_since' THEN 'metric_unavailable'
      WHEN j.edge IS NOT NULL THEN 'outside_history_window'
      WHEN j.permission IN ('denied', 'not_asked') THEN 'not_authorized'
      WHEN j.permission = 'not_connected' THEN 'not_connected'
      WHEN NOT j.has_spoken OR j.outcome = 'outdated' THEN 'not_yet_synced'
      WHEN j.outcome = 'deleted' THEN 'deleted_at_source'
      WHEN j.outcome = 'failed' THEN COALESCE(j.error_reason, 'provider_error')
      WHEN j.outcome = 'denied' THEN 'not_authorized'
      WHEN j.outcome = 'unavailable' THEN 'metric_unavailable'
      WHEN j.outcome = 'invalid' THEN 'invalid_reading'
      WHEN NOT j.is_over THEN 'not_yet_synced'
      WHEN NOT j.is_proven AND j.code IS DISTINCT FROM 'derived_default' THEN 'not_authorized_or_no_data'
      ELSE 'no_source_coverage' END AS reason
    FROM judged j),
  reason AS MATERIALIZED (
    SELECT DISTINCT ON (r.cell) r.cell, r.number, r.metric_id, r.reason, CASE
      WHEN r.edge = 'counting_since' THEN 'not_counting_yet'
      WHEN r.edge IN ('platform_floor', 'history_window') THEN r.edge::text
      WHEN r.has_widened OR r.edge IS NOT NULL THEN NULL
      WHEN r.permission = 'not_asked' THEN 'not_asked'
      WHEN r.permission IN ('denied', 'not_connected') OR NOT r.has_spoken THEN NULL
      WHEN r.outcome = 'failed' THEN CASE WHEN r.error_reason IS NULL THEN r.code ELSE r.error_detail END
      WHEN r.outcome = 'invalid' THEN r.code
      WHEN r.reason = 'no_source_coverage' AND r.code = 'derived_default' THEN r.code END AS detail
    FROM reasoned r JOIN public.unknown_reason u ON u.code = r.reason
    ORDER BY r.cell, u.rank, r.read_at DESC NULLS LAST, r.payload_id DESC, r."position" DESC, r.platform_id, r.store),
  every AS MATERIALIZED (
    SELECT c.cell, c.number, c.metric_id, c.has_sensor, c.was_looked_at, c.deleted_at FROM spoken_of c
    UNION ALL
    SELECT r.cell, r.number, r.metric_id, false, false, NULL
    FROM reason r LEFT JOIN spoken_of c ON c.cell = r.cell WHERE c.cell IS NULL),

  -- C2, A8. Distinct sources: of the cell's own values (manual ones only where there is no other), of its licence, and the witnesses that license it.
  covering AS MATERIALIZED (
    SELECT s.cell, s.platform_id, s.store, source
    FROM say s JOIN spoken_of c ON c.cell = s.cell CROSS JOIN LATERAL unnest(s.sources) source
    WHERE s.slot = 'value' AND NOT (s.is_manual AND c.has_sensor)
    UNION
    SELECT l.cell, l.platform_id, l.store, source
    FROM licence l CROSS JOIN LATERAL unnest(l.sources) source WHERE l.zero_policy IN ('explicit', 'parent')
    UNION
    SELECT v.cell, w.platform_id, w.store, w.source
    FROM every v JOIN public.metric m ON m.metric_id = v.metric_id JOIN witness w ON w.number = v.number AND w.kind = ANY (m.licence)),
  counted AS MATERIALIZED (
    SELECT k.cell, count(*)::integer AS sources
    FROM (SELECT DISTINCT v.cell, v.platform_id, v.source, CASE v.source WHEN '' THEN v.store END AS anonymous_store
          FROM covering v JOIN public.platform f ON f.platform_id = v.platform_id
          LEFT JOIN (SELECT DISTINCT y.cell, y.platform_id, y.store FROM covering y WHERE starts_with(y.source, 'com.android.healthconnect.phone.')) y
            ON v.source = 'android' AND f.platform = 'health_connect' AND y.cell = v.cell AND y.platform_id = v.platform_id AND y.store = v.store
          WHERE y.cell IS NULL) k
    GROUP BY k.cell)

  SELECT d.user_id, m.metric, d.local_date, d.over_at,
    CASE WHEN c.cell IS NOT NULL OR z.cell IS NOT NULL THEN 'measured' ELSE 'unknown' END,
    CASE WHEN c.cell IS NOT NULL THEN c.value WHEN z.cell IS NOT NULL THEN 0 END,
    r.reason, COALESCE(n.sources, 0)::integer, r.detail,
    CASE WHEN c.cell IS NOT NULL THEN c.is_final WHEN z.cell IS NOT NULL THEN true ELSE v.was_looked_at END,
    COALESCE(c.read_at, z.read_at), COALESCE(c.platform, z.platform), v.deleted_at
  FROM every v
  JOIN day d ON d.number = v.number
  JOIN public.metric m ON m.metric_id = v.metric_id
  LEFT JOIN chosen c ON c.cell = v.cell
  LEFT JOIN zero z ON z.cell = v.cell
  LEFT JOIN reason r ON r.cell = v.cell
  LEFT JOIN counted n ON n.cell = v.cell;
END $$;
COMMENT ON FUNCTION evidence.weighed_cells(uuid[], date[], timestamptz, boolean)
  IS 'What the evidence of these user-days (pairs of persons and days) amounts to as of an instant: one row per cell that anything is known about, and with_silent one for each closed day that a tracked metric is silent on. deleted_at: read time of the latest deletion that took something from the cell. Changes nothing.';
