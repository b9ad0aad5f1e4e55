-- 30_derive.sql - from evidence to what is known: the one derivation, used by ingest, re-check and rebuild.
-- Laws: C (coverage and the licence of a zero), D (value and reason), F2 (final), A8 (sources), G1 (next check), G2 (silent days).
-- Reads: evidence.*, catalogues. Writes: nothing; evidence.derive (35) writes what comes out of here.
-- Longer than one screen because it is one statement: each step is a named table expression with its law beside it.

CREATE OR REPLACE FUNCTION evidence.next_check(reason text, over_at timestamptz, as_of timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE
  age interval := GREATEST(as_of - over_at, interval '0');
  plan public.unknown_reason;
BEGIN
  SELECT * INTO plan FROM public.unknown_reason r WHERE r.code = reason;
  IF plan.first_check IS NULL OR age > plan.check_until THEN
    RETURN NULL;
  END IF;
  RETURN as_of + GREATEST(plan.first_check, age * (plan.check_growth - 1)::double precision);
END $$;
COMMENT ON FUNCTION evidence.next_check(text, timestamptz, timestamptz)
  IS 'When a cell with this reason is looked at again by itself: after first_check, then whenever the day is check_growth times as old, until check_until. NULL: never.';

CREATE OR REPLACE FUNCTION evidence.derived_cells(persons uuid[], days date[], as_of timestamptz, with_silent boolean)
RETURNS TABLE (user_id uuid, metric text, local_date date, over_at timestamptz, status text, value numeric, unknown_reason text,
  covering_sources integer, unknown_detail text, is_final boolean, observed_at timestamptz, platform text)
LANGUAGE plpgsql STABLE ROWS 1000 SET timezone = 'UTC' SET jit = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  -- Tables are reached by LATERAL ... OFFSET 0, which is always an index scan per row; what was found is joined by hashing, never row by row:
  -- the planner cannot know how many rows the arrays bring, and a wrong guess would make the work quadratic.
  RETURN QUERY
  WITH day AS MATERIALIZED (
    SELECT d.user_id, d.local_date, s.starts_at, s.over_at
    FROM (SELECT DISTINCT u.user_id, u.local_date FROM unnest(persons, days) AS u (user_id, local_date)) d
    CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = d.user_id OFFSET 0) p
    CROSS JOIN LATERAL evidence.day_span(d.local_date, p.zone_from, p.zone_name) s),

  -- Everything that was last said about these days. B2 has chosen what is remembered; what counts is chosen below.
  say AS MATERIALIZED (
    SELECT r.*, d.starts_at, d.over_at, m.metric, m.combine, m.zero_policy, m.parent, m.licence, m.evidence, m.metric IN (SELECT k.parent FROM public.metric k) AS is_parent,
           f.platform, f.is_manual, f.preference, r.slot::text ~ '_(zero|empty)$' AS is_silent
    FROM day d
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.reading x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) r
    JOIN public.metric m ON m.metric_id = r.metric_id
    JOIN public.platform f ON f.platform_id = r.platform_id),

  -- C1. Who was there: presence, and every device behind a non-zero value. Manual entries and zeros are no evidence.
  witness AS MATERIALIZED (
    SELECT d.user_id, d.local_date, p.kind::text AS kind, p.platform_id, p.store, p.source
    FROM day d CROSS JOIN LATERAL (
      SELECT x.* FROM evidence.presence x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) p
    UNION
    SELECT s.user_id, s.local_date, s.evidence, s.platform_id, s.store, source
    FROM say s CROSS JOIN LATERAL unnest(CASE WHEN s.sources = '{}' THEN ARRAY[''] ELSE s.sources END) source
    WHERE s.slot = 'value' AND s.value <> 0 AND s.evidence IS NOT NULL AND NOT s.is_manual),
  day_kinds AS MATERIALIZED (
    SELECT w.user_id, w.local_date, array_agg(DISTINCT w.kind) AS kinds FROM witness w GROUP BY 1, 2),

  -- D1, D2. The value, by the metric's rule for several origins; a metric with a parent follows its parent's origin.
  leader AS MATERIALIZED (
    SELECT DISTINCT ON (s.user_id, s.local_date, s.metric) s.user_id, s.local_date, s.metric, s.platform_id, s.store
    FROM say s WHERE s.slot = 'value' AND s.is_parent
    ORDER BY s.user_id, s.local_date, s.metric, CASE s.combine WHEN 'max' THEN s.value ELSE s.preference END DESC,
             s.read_at DESC, s.payload_id DESC, s."position" DESC),
  chosen AS MATERIALIZED (
    SELECT DISTINCT ON (s.user_id, s.local_date, s.metric_id) s.*
    FROM say s LEFT JOIN leader l ON l.user_id = s.user_id AND l.local_date = s.local_date AND l.metric = s.parent
    WHERE s.slot = 'value'
    ORDER BY s.user_id, s.local_date, s.metric_id, (l.platform_id = s.platform_id AND l.store = s.store) IS TRUE DESC,
             CASE s.combine WHEN 'max' THEN s.value ELSE s.preference END DESC, s.read_at DESC, s.payload_id DESC, s."position" DESC),

  -- C3. Without a value: who licenses a zero. Only what was read after the day, inside the windows and proven is in these slots.
  licence AS MATERIALIZED (
    SELECT s.*, CASE WHEN s.zero_policy = 'parent' AND s.sources = '{}' THEN p.sources ELSE s.sources END AS licensing_sources
    FROM say s
    LEFT JOIN chosen c ON c.user_id = s.user_id AND c.local_date = s.local_date AND c.metric_id = s.metric_id
    LEFT JOIN day_kinds k ON k.user_id = s.user_id AND k.local_date = s.local_date
    LEFT JOIN say p ON p.user_id = s.user_id AND p.local_date = s.local_date AND p.metric = s.parent
      AND p.platform_id = s.platform_id AND p.store = s.store AND p.slot = 'value' AND p.value > 0
    WHERE s.slot IN ('licensing_zero', 'licensing_empty') AND c.user_id IS NULL
      AND CASE s.zero_policy
        WHEN 'covered' THEN COALESCE(k.kinds && s.licence, false)
        WHEN 'explicit' THEN s.slot = 'licensing_zero'
        WHEN 'parent' THEN p.user_id IS NOT NULL
        ELSE false END),
  zero AS MATERIALIZED (
    SELECT DISTINCT ON (l.user_id, l.local_date, l.metric_id) l.user_id, l.local_date, l.metric_id, l.read_at, l.platform
    FROM licence l ORDER BY l.user_id, l.local_date, l.metric_id, l.read_at DESC, l.payload_id DESC, l."position" DESC),

  cell AS MATERIALIZED (
    SELECT s.user_id, s.local_date, s.metric_id, bool_or(s.slot = 'value') AS has_value,
           bool_or(s.slot = 'value' AND NOT s.is_manual) AS has_sensor, bool_or(s.is_silent AND s.is_over) AS was_looked_at
    FROM say s GROUP BY 1, 2, 3),
  -- G2. Who is asked about a metric although it said nothing: from the first day it mentioned until 30 days after its last read or its disconnection.
  tracked AS MATERIALIZED (
    SELECT d.user_id, d.local_date, d.starts_at, d.over_at, t.metric_id, t.platform_id, t.store
    FROM day d
    JOIN (SELECT c.user_id, c.local_date FROM cell c WHERE NOT c.has_value
          UNION
          SELECT n.user_id, n.local_date FROM day n WHERE with_silent) o ON o.user_id = d.user_id AND o.local_date = d.local_date
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
    WHERE d.over_at <= LEAST(r.last_read_at, CASE WHEN g.state = 'not_connected' THEN g.gone_at END) + interval '30 days'),
  -- Cells without a value or a zero, with every origin that is asked about them.
  asked AS MATERIALIZED (
    SELECT DISTINCT x.user_id, x.local_date, x.starts_at, x.over_at, x.metric_id, x.platform_id, x.store
    FROM (SELECT s.user_id, s.local_date, s.starts_at, s.over_at, s.metric_id, s.platform_id, s.store FROM say s
          UNION ALL
          SELECT t.user_id, t.local_date, t.starts_at, t.over_at, t.metric_id, t.platform_id, t.store FROM tracked t) x
    LEFT JOIN cell c ON c.user_id = x.user_id AND c.local_date = x.local_date AND c.metric_id = x.metric_id
    LEFT JOIN zero z ON z.user_id = x.user_id AND z.local_date = x.local_date AND z.metric_id = x.metric_id
    WHERE z.user_id IS NULL AND NOT COALESCE(c.has_value, false)
      AND (c.user_id IS NOT NULL OR (with_silent AND x.over_at <= as_of))),
  -- D5, last sentence. An origin's reason comes from its look if one was taken after the day was over, else from the later of look and non-look.
  -- What was said on a boundary day does not displace what was said inside.
  spoken AS MATERIALIZED (
    SELECT DISTINCT ON (v.user_id, v.local_date, v.metric_id, v.platform_id, v.store) v.*
    FROM (SELECT s.*, bool_or(s.place = 'inside') OVER (
            PARTITION BY s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.is_silent) AS inside_exists
          FROM say s WHERE s.slot NOT IN ('value', 'outside')) v
    WHERE v.place = 'inside' OR NOT v.inside_exists
    ORDER BY v.user_id, v.local_date, v.metric_id, v.platform_id, v.store, (v.is_silent AND v.is_over) DESC,
             v.read_at DESC, v.payload_id DESC, v."position" DESC),
  numbered AS MATERIALIZED (
    SELECT a.*, row_number() OVER () AS ordinal FROM asked a),
  -- D3. How a day stands now: for origins that said nothing that counts, and for boundaries that may have moved.
  now_standing AS MATERIALIZED (
    SELECT t.* FROM (
      SELECT array_agg(n.user_id ORDER BY n.ordinal) AS u, array_agg(n.platform_id ORDER BY n.ordinal) AS f, array_agg(n.store ORDER BY n.ordinal) AS s,
             array_agg(n.metric_id ORDER BY n.ordinal) AS m, array_agg(n.starts_at ORDER BY n.ordinal) AS b, array_agg(n.over_at ORDER BY n.ordinal) AS e
      FROM numbered n) a
    CROSS JOIN LATERAL evidence.standing(a.u, a.f, a.s, a.m, array_fill(NULL::timestamptz, ARRAY[cardinality(a.u)]),
      array_fill(NULL::uuid, ARRAY[cardinality(a.u)]), a.b, a.e) t
    WHERE a.u IS NOT NULL),
  judged AS (
    SELECT n.user_id, n.local_date, n.metric_id, n.platform_id, n.store, s.read_at, s.payload_id, s."position", s.outcome, s.code, s.is_over, s.is_proven,
      s.user_id IS NOT NULL AS has_spoken, e.reason AS error_reason, e.detail AS error_detail,
      CASE WHEN s.user_id IS NULL THEN t.permission ELSE s.permission END AS permission,
      CASE WHEN s.user_id IS NULL THEN t.edge
           WHEN s.place = 'boundary' AND s.outcome IN ('value', 'empty') AND t.place <> 'inside' THEN s.edge END AS edge,
      COALESCE(s.place = 'boundary' AND s.outcome IN ('value', 'empty') AND t.place = 'inside', false) AS has_widened
    FROM numbered n JOIN now_standing t ON t.ordinal = n.ordinal
    LEFT JOIN spoken s ON s.user_id = n.user_id AND s.local_date = n.local_date AND s.metric_id = n.metric_id
      AND s.platform_id = n.platform_id AND s.store = n.store
    LEFT JOIN public.platform_error e ON s.outcome = 'failed' AND e.code = s.code),
  -- D4, D5. One reason per origin: window, permission, latest outcome, not_yet_synced.
  reasoned AS (
    SELECT j.*, CASE
      WHEN j.has_widened THEN 'not_yet_synced'
      WHEN j.edge = 'authorized_from' THEN 'before_authorized_history'
      WHEN j.edge = 'counting_since' THEN 'metric_unavailable'
      WHEN j.edge IS NOT NULL THEN 'outside_history_window'
      WHEN j.permission IN ('denied', 'not_asked') THEN 'not_authorized'
      WHEN j.permission = 'not_connected' THEN 'not_connected'
      WHEN NOT j.has_spoken THEN 'not_yet_synced'
      WHEN j.outcome = 'failed' THEN COALESCE(j.error_reason, 'provider_error')
      WHEN j.outcome = 'denied' THEN 'not_authorized'
      WHEN j.outcome = 'unavailable' THEN 'metric_unavailable'
      WHEN j.outcome = 'invalid' THEN 'invalid_reading'
      WHEN NOT j.is_over THEN 'not_yet_synced'
      WHEN NOT j.is_proven AND j.code IS DISTINCT FROM 'derived_default' THEN 'not_authorized_or_no_data'
      ELSE 'no_source_coverage' END AS reason
    FROM judged j),
  reason AS MATERIALIZED (
    SELECT DISTINCT ON (r.user_id, r.local_date, r.metric_id) r.user_id, r.local_date, r.metric_id, r.reason, CASE
      WHEN r.edge = 'counting_since' THEN 'not_counting_yet'
      WHEN r.edge IN ('platform_floor', 'history_window') THEN r.edge::text
      WHEN r.has_widened OR r.edge IS NOT NULL THEN NULL
      WHEN r.permission = 'not_asked' THEN 'not_asked'
      WHEN r.permission IN ('denied', 'not_connected') OR NOT r.has_spoken THEN NULL
      WHEN r.outcome = 'failed' THEN CASE WHEN r.error_reason IS NULL THEN r.code ELSE r.error_detail END
      WHEN r.outcome = 'invalid' THEN r.code
      WHEN r.reason = 'no_source_coverage' AND r.code = 'derived_default' THEN r.code END AS detail
    FROM reasoned r JOIN public.unknown_reason u ON u.code = r.reason
    ORDER BY r.user_id, r.local_date, r.metric_id, u.rank, r.read_at DESC NULLS LAST, r.payload_id DESC, r."position" DESC, r.platform_id, r.store),
  every AS MATERIALIZED (
    SELECT c.user_id, c.local_date, c.metric_id, c.has_value, c.has_sensor, c.was_looked_at FROM cell c
    UNION ALL
    SELECT DISTINCT r.user_id, r.local_date, r.metric_id, false, false, false
    FROM reason r LEFT JOIN cell c ON c.user_id = r.user_id AND c.local_date = r.local_date AND c.metric_id = r.metric_id
    WHERE c.user_id IS NULL),

  -- C2, A8. Distinct sources: of the cell's own values (manual ones only where there is no other), of its licence, and the witnesses that license it.
  covering AS MATERIALIZED (
    SELECT s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, source
    FROM say s JOIN cell c ON c.user_id = s.user_id AND c.local_date = s.local_date AND c.metric_id = s.metric_id
    CROSS JOIN LATERAL unnest(CASE WHEN s.sources = '{}' THEN ARRAY[''] ELSE s.sources END) source
    WHERE s.slot = 'value' AND NOT (s.is_manual AND c.has_sensor)
    UNION
    SELECT l.user_id, l.local_date, l.metric_id, l.platform_id, l.store, source
    FROM licence l CROSS JOIN LATERAL unnest(CASE WHEN l.licensing_sources = '{}' THEN ARRAY[''] ELSE l.licensing_sources END) source
    WHERE l.zero_policy IN ('explicit', 'parent')
    UNION
    SELECT v.user_id, v.local_date, v.metric_id, w.platform_id, w.store, w.source
    FROM every v JOIN public.metric m ON m.metric_id = v.metric_id
    JOIN witness w ON w.user_id = v.user_id AND w.local_date = v.local_date AND w.kind = ANY (m.licence)),
  counted AS MATERIALIZED (
    SELECT x.user_id, x.local_date, x.metric_id,
           count(DISTINCT (x.platform_id::text || CASE x.source WHEN '' THEN E'\x01' || x.store ELSE E'\x02' || x.source END))
             FILTER (WHERE NOT (x.source = 'android' AND x.has_synthetic))::integer AS sources
    FROM (SELECT v.*, bool_or(f.platform = 'health_connect' AND starts_with(v.source, 'com.android.healthconnect.phone.'))
                        OVER (PARTITION BY v.user_id, v.local_date, v.metric_id, v.platform_id, v.store) AS has_synthetic
          FROM covering v JOIN public.platform f ON f.platform_id = v.platform_id) x
    GROUP BY 1, 2, 3)

  SELECT v.user_id, m.metric, v.local_date, d.over_at,
    CASE WHEN c.user_id IS NOT NULL OR z.user_id IS NOT NULL THEN 'measured' ELSE 'unknown' END,
    CASE WHEN c.user_id IS NOT NULL THEN c.value WHEN z.user_id IS NOT NULL THEN 0 END,
    r.reason, COALESCE(n.sources, 0)::integer, r.detail,
    CASE WHEN c.user_id IS NOT NULL THEN c.is_over AND c.place = 'inside' WHEN z.user_id IS NOT NULL THEN true ELSE v.was_looked_at END,
    CASE WHEN c.user_id IS NOT NULL THEN c.read_at ELSE z.read_at END,
    CASE WHEN c.user_id IS NOT NULL THEN c.platform ELSE z.platform END
  FROM every v
  JOIN day d ON d.user_id = v.user_id AND d.local_date = v.local_date
  JOIN public.metric m ON m.metric_id = v.metric_id
  LEFT JOIN chosen c ON c.user_id = v.user_id AND c.local_date = v.local_date AND c.metric_id = v.metric_id
  LEFT JOIN zero z ON z.user_id = v.user_id AND z.local_date = v.local_date AND z.metric_id = v.metric_id
  LEFT JOIN reason r ON r.user_id = v.user_id AND r.local_date = v.local_date AND r.metric_id = v.metric_id
  LEFT JOIN counted n ON n.user_id = v.user_id AND n.local_date = v.local_date AND n.metric_id = v.metric_id;
END $$;
COMMENT ON FUNCTION evidence.derived_cells(uuid[], date[], timestamptz, boolean)
  IS 'What the evidence of these user-days (pairs of persons and days) amounts to as of an instant: one row per cell that anything is known about, and with_silent one for each closed day that a tracked metric is silent on. Changes nothing.';
