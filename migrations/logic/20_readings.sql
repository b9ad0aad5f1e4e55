-- 20_readings.sql - day entries become readings: judged once, then merged slot by slot.
-- Laws: B1 (order), B2 (what is remembered), C4 (proof and permission), D3 (windows), F1 and F2 (was the day over).
-- Reads: evidence.time_zone, read_window, permission, public.metric. Writes: evidence.reading, tracking, due_day, person.

CREATE OR REPLACE FUNCTION evidence.standing(
  users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamptz[], payloads uuid[])
RETURNS TABLE (ordinal bigint, floor_at timestamptz, authorized_at timestamptz, history_at timestamptz, counting_at timestamptz,
  states evidence.permission_state[], sinces timestamptz[])
LANGUAGE plpgsql STABLE ROWS 1000 SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  SELECT a.ordinal, b.floor_at, b.authorized_at, b.history_at, b.counting_at, g.states, g.sinces
  FROM unnest(users, platforms, stores, metrics, reads, payloads) WITH ORDINALITY
    AS a (user_id, platform_id, store, metric_id, read_at, payload_id, ordinal)
  CROSS JOIN LATERAL (
    SELECT max(l.boundary) FILTER (WHERE l.kind = 'platform_floor') AS floor_at,
           max(l.boundary) FILTER (WHERE l.kind = 'authorized_from') AS authorized_at,
           max(l.boundary) FILTER (WHERE l.kind = 'history_window') AS history_at,
           max(l.boundary) FILTER (WHERE l.kind = 'counting_since') AS counting_at
    FROM (SELECT DISTINCT ON (w.kind) w.kind, w.boundary FROM evidence.read_window w
          WHERE w.user_id = a.user_id AND w.platform_id = a.platform_id AND w.store = a.store AND w.metric_id IN (0, a.metric_id)
            AND (a.read_at IS NULL OR (w.read_at, w.payload_id) <= (a.read_at, a.payload_id))
          ORDER BY w.kind, w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC) l) b
  CROSS JOIN LATERAL (
    SELECT array_agg(p.state ORDER BY p.read_at DESC, p.payload_id DESC, p.metric_id = 0, p."position" DESC) AS states,
           array_agg(p.since ORDER BY p.read_at DESC, p.payload_id DESC, p.metric_id = 0, p."position" DESC) AS sinces
    FROM evidence.permission p
    WHERE p.user_id = a.user_id AND p.platform_id = a.platform_id AND p.store = a.store AND p.metric_id IN (0, a.metric_id)
      AND (a.read_at IS NULL OR (p.read_at, p.payload_id) <= (a.read_at, a.payload_id))) g;
END $$;
COMMENT ON FUNCTION evidence.standing(uuid[], smallint[], text[], smallint[], timestamptz[], uuid[])
  IS 'The windows and permissions of an origin''s metric as a read (read time, payload) knew them; read time NULL: as known now. Of each window the latest statement counts, in one payload the one for the metric before the one for all; permissions come in that order.';

CREATE OR REPLACE FUNCTION evidence.permission_on(over_at timestamptz, states evidence.permission_state[], sinces timestamptz[])
RETURNS evidence.permission_state LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  FOR i IN 1 .. COALESCE(cardinality(states), 0) LOOP
    IF sinces[i] IS NULL OR over_at > sinces[i] THEN
      RETURN states[i];
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION evidence.permission_on(timestamptz, evidence.permission_state[], timestamptz[])
  IS 'The permission that holds for a day that ends at over_at: the first of the statements that does not begin later. NULL: nothing was stated.';

CREATE OR REPLACE FUNCTION evidence.edge_of(
  instant timestamptz, floor_at timestamptz, authorized_at timestamptz, history_at timestamptz, counting_at timestamptz)
RETURNS evidence.window_kind LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN instant <= floor_at THEN 'platform_floor'::evidence.window_kind WHEN instant <= authorized_at THEN 'authorized_from'
              WHEN instant <= history_at THEN 'history_window' WHEN instant <= counting_at THEN 'counting_since' END;
END $$;
COMMENT ON FUNCTION evidence.edge_of(timestamptz, timestamptz, timestamptz, timestamptz, timestamptz)
  IS 'The first window, in the order of their reasons, that begins at or after an instant; NULL: none. Of the end of a day: the day lies wholly before it.';

CREATE OR REPLACE FUNCTION evidence.note_tracking(
  users uuid[], metrics smallint[], platforms smallint[], stores text[], days date[], as_of timestamptz)
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  known date[];
BEGIN
  -- Nearly always there is nothing new in it, and a look is all that it costs.
  SELECT array_agg(n.user_id), array_agg(n.metric_id), array_agg(n.platform_id), array_agg(n.store), array_agg(n.since), array_agg(t.since)
  INTO users, metrics, platforms, stores, days, known
  FROM (SELECT u.user_id, u.metric_id, u.platform_id, u.store, min(u.local_date) AS since
        FROM unnest(users, metrics, platforms, stores, days) AS u (user_id, metric_id, platform_id, store, local_date)
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4) n
  LEFT JOIN LATERAL (SELECT t.since FROM evidence.tracking t
    WHERE t.user_id = n.user_id AND t.metric_id = n.metric_id AND t.platform_id = n.platform_id AND t.store = n.store OFFSET 0) t ON true
  WHERE t.since IS NULL OR n.since < t.since;
  IF users IS NULL THEN
    RETURN;
  END IF;
  -- Whoever asks about a metric for the first time, or from an earlier day on, may give its unknown days another reason. Where nobody has asked
  -- about it yet, as in a person's first payload, there are none.
  IF EXISTS (SELECT FROM unnest(users, metrics) AS n (user_id, metric_id)
    CROSS JOIN LATERAL (SELECT FROM evidence.tracking t WHERE t.user_id = n.user_id AND t.metric_id = n.metric_id LIMIT 1) t)
  THEN
    INSERT INTO evidence.due_day AS due (user_id, local_date, due_at, is_scheduled)
    SELECT DISTINCT n.user_id, d.local_date, as_of, false
    FROM unnest(users, metrics, days, known) AS n (user_id, metric_id, since, known_since)
    JOIN public.metric m ON m.metric_id = n.metric_id AND NOT m.intermittent
    CROSS JOIN LATERAL (SELECT c.local_date FROM public.daily_metric c
      WHERE c.user_id = n.user_id AND c.metric = m.metric AND c.local_date >= n.since AND (n.known_since IS NULL OR c.local_date < n.known_since)
        AND c.status = 'unknown' OFFSET 0) d
    ORDER BY 1, 2
    ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE SET due_at = LEAST(due.due_at, excluded.due_at), is_scheduled = false;
  END IF;

  WITH moved AS (
    INSERT INTO evidence.tracking AS t (user_id, metric_id, platform_id, store, since)
    SELECT u.user_id, u.metric_id, u.platform_id, u.store, u.local_date
    FROM unnest(users, metrics, platforms, stores, days) AS u (user_id, metric_id, platform_id, store, local_date)
    ON CONFLICT ON CONSTRAINT tracking_pkey DO UPDATE SET since = excluded.since WHERE excluded.since < t.since
    RETURNING t.user_id, t.metric_id, t.since)
  UPDATE evidence.person p SET silent_from = LEAST(p.silent_from, f.since),
    silent_due_at = LEAST(p.silent_due_at, (f.since + 1)::timestamp AT TIME ZONE 'UTC' - interval '14 hours')
  FROM (SELECT v.user_id, min(v.since) AS since FROM moved v JOIN public.metric m ON m.metric_id = v.metric_id
        WHERE NOT m.intermittent GROUP BY 1) f
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.person x WHERE x.user_id = f.user_id OFFSET 0) o
  WHERE p.ctid = o.ctid;
END $$;
COMMENT ON FUNCTION evidence.note_tracking(uuid[], smallint[], smallint[], text[], date[], timestamptz)
  IS 'Keeps the first day on which each origin mentioned each metric, and makes due what that changes.';

CREATE OR REPLACE FUNCTION evidence.judge(
  users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamptz[], entry_payload integer[], metrics smallint[], days date[])
RETURNS TABLE (ordinal bigint, place evidence.place, edge evidence.window_kind, permission evidence.permission_state, over_at timestamptz)
LANGUAGE plpgsql STABLE ROWS 1000 SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  WITH payload AS MATERIALIZED (
    SELECT p.*, z.zone_from, z.zone_name, COALESCE(w.is_own, g.is_own, false) AS has_own
    FROM unnest(users, platforms, stores, payloads, reads) WITH ORDINALITY AS p (user_id, platform_id, store, payload_id, read_at, number)
    CROSS JOIN LATERAL (
      -- The payload's own zones lie over those observed before it: its order is the latest of all that count.
      SELECT array_agg(l.valid_from ORDER BY l.valid_from) AS zone_from, array_agg(l.zone_name ORDER BY l.valid_from) AS zone_name
      FROM (SELECT DISTINCT ON (t.valid_from) t.valid_from, t.zone_name FROM evidence.time_zone t
            WHERE t.user_id = p.user_id AND (t.read_at, t.payload_id) <= (p.read_at, p.payload_id)
            ORDER BY t.valid_from, t.read_at DESC, t.payload_id DESC, t."position" DESC) l) z
    LEFT JOIN LATERAL (SELECT true AS is_own FROM evidence.read_window x
      WHERE x.user_id = p.user_id AND x.platform_id = p.platform_id AND x.store = p.store AND x.metric_id > 0 LIMIT 1) w ON true
    LEFT JOIN LATERAL (SELECT true AS is_own FROM evidence.permission x
      WHERE x.user_id = p.user_id AND x.platform_id = p.platform_id AND x.store = p.store AND x.metric_id > 0 LIMIT 1) g ON true),
  -- Where nothing was ever stated for single metrics, what holds for all of them (metric 0) is looked up once for all.
  entry AS MATERIALIZED (
    SELECT e.ordinal, e.number, e.local_date, CASE WHEN p.has_own THEN e.metric_id ELSE 0 END AS asked_id
    FROM unnest(entry_payload, metrics, days) WITH ORDINALITY AS e (number, metric_id, local_date, ordinal) JOIN payload p ON p.number = e.number),
  dated AS MATERIALIZED (
    SELECT d.number, d.local_date, COALESCE(p.zone_from, '{}') AS zone_from, COALESCE(p.zone_name, '{}') AS zone_name
    FROM (SELECT DISTINCT e.number, e.local_date FROM entry e) d JOIN payload p ON p.number = d.number),
  -- People who live in one zone share its days: each is asked for once.
  span AS MATERIALIZED (
    SELECT d.number, d.local_date, z.starts_at, z.over_at
    FROM dated d
    JOIN (SELECT q.*, s.* FROM (SELECT DISTINCT x.local_date, x.zone_from, x.zone_name FROM dated x) q
          CROSS JOIN LATERAL evidence.day_span(q.local_date, q.zone_from, q.zone_name) s OFFSET 0) z
      ON (z.local_date, z.zone_from, z.zone_name) = (d.local_date, d.zone_from, d.zone_name)),
  -- One look at windows and permissions for each payload and metric, however many days it has.
  question AS MATERIALIZED (
    SELECT q.number, q.asked_id, p.user_id, p.platform_id, p.store, p.read_at, p.payload_id, row_number() OVER () AS ordinal
    FROM (SELECT DISTINCT e.number, e.asked_id FROM entry e) q JOIN payload p ON p.number = q.number),
  stood AS MATERIALIZED (
    SELECT q.number, q.asked_id, t.*,
           COALESCE(t.floor_at, t.authorized_at, t.history_at, t.counting_at) IS NOT NULL AS has_window
    FROM (SELECT array_agg(x.user_id ORDER BY x.ordinal) AS u, array_agg(x.platform_id ORDER BY x.ordinal) AS f, array_agg(x.store ORDER BY x.ordinal) AS s,
                 array_agg(x.asked_id::smallint ORDER BY x.ordinal) AS m, array_agg(x.read_at ORDER BY x.ordinal) AS r, array_agg(x.payload_id ORDER BY x.ordinal) AS p
          FROM question x) a
    CROSS JOIN LATERAL evidence.standing(a.u, a.f, a.s, a.m, a.r, a.p) t
    JOIN question q ON q.ordinal = t.ordinal)
  SELECT e.ordinal, CASE WHEN j.before_edge IS NOT NULL THEN 'outside' WHEN j.edge IS NOT NULL THEN 'boundary' ELSE 'inside' END::evidence.place,
         j.edge, j.permission, s.over_at
  FROM entry e
  JOIN span s ON s.number = e.number AND s.local_date = e.local_date
  JOIN stood t ON t.number = e.number AND t.asked_id = e.asked_id
  CROSS JOIN LATERAL (
    SELECT k.before_edge,
           -- A day on a boundary begins before it: an instant less than the boundary is one that is at most a microsecond before it.
           COALESCE(k.before_edge, CASE WHEN t.has_window THEN evidence.edge_of(
             s.starts_at + interval '1 microsecond', t.floor_at, t.authorized_at, t.history_at, t.counting_at) END) AS edge,
           CASE WHEN t.sinces[1] IS NULL THEN t.states[1] ELSE evidence.permission_on(s.over_at, t.states, t.sinces) END AS permission
    FROM (SELECT CASE WHEN t.has_window THEN evidence.edge_of(s.over_at, t.floor_at, t.authorized_at, t.history_at, t.counting_at) END AS before_edge) k) j;
END $$;
COMMENT ON FUNCTION evidence.judge(uuid[], smallint[], text[], uuid[], timestamptz[], integer[], smallint[], date[])
  IS 'What days of metrics were to the payloads that speak of them (entry_payload: number of the payload, from 1): where they lay relative to the windows, what access there was, and when they are over; by the zones, windows and permissions that the payload states, else by those observed before it.';

CREATE OR REPLACE FUNCTION evidence.merge_readings(
  users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamptz[],
  entry_payload integer[], metrics smallint[], days date[], positions integer[], outcomes text[], "values" text[], sources text[],
  codes text[], complete boolean[], proven boolean[], as_of timestamptz)
RETURNS integer LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  written integer;
BEGIN
  -- By subscripts: what is unnested goes row by row through a store for each column, and what is joined through a hash table.
  WITH judged AS (
    SELECT users[n.p] AS user_id, platforms[n.p] AS platform_id, stores[n.p] AS store, payloads[n.p] AS payload_id, reads[n.p] AS read_at,
           days[n.e] AS local_date, metrics[n.e] AS metric_id, positions[n.e] AS place_in_payload, outcomes[n.e] AS outcome, codes[n.e] AS code,
           proven[n.e] AS is_proven, "values"[n.e]::numeric AS number_value, sources[n.e]::text[] AS source_names, m.zero_policy,
           j.place, j.edge, j.permission, reads[n.p] >= j.over_at AND complete[n.e] IS NOT FALSE AS is_over
    FROM evidence.judge(users, platforms, stores, payloads, reads, entry_payload, metrics, days) j
    CROSS JOIN LATERAL (SELECT j.ordinal::integer AS e, entry_payload[j.ordinal::integer] AS p) n
    JOIN public.metric m ON m.metric_id = metrics[j.ordinal::integer]),
  slotted AS (
    SELECT j.*, CASE
      WHEN j.outcome = 'looked' THEN 'looked'
      WHEN j.outcome = 'value' AND (j.number_value <> 0 OR (j.zero_policy = 'ordinary' AND j.place = 'inside')) THEN 'value'
      WHEN j.place = 'outside' THEN 'outside'
      WHEN j.outcome NOT IN ('value', 'empty') OR j.permission IN ('denied', 'not_asked', 'not_connected') THEN CASE j.place WHEN 'boundary' THEN 'boundary_non_look' ELSE 'non_look' END
      WHEN j.place = 'boundary' THEN CASE j.outcome WHEN 'value' THEN 'boundary_zero' ELSE 'boundary_empty' END
      WHEN j.is_over AND (j.is_proven OR j.zero_policy <> 'covered')
        AND (j.zero_policy <> 'explicit' OR j.outcome = 'empty' OR cardinality(j.source_names) > 0)
        THEN CASE j.outcome WHEN 'value' THEN 'licensing_zero' ELSE 'licensing_empty' END
      ELSE CASE j.outcome WHEN 'value' THEN 'other_zero' ELSE 'other_empty' END END::evidence.slot AS slot
    FROM judged j)
  INSERT INTO evidence.reading AS r (user_id, local_date, metric_id, platform_id, store, slot, read_at, payload_id, "position",
    outcome, value, sources, code, place, edge, permission, is_over, is_proven)
  SELECT DISTINCT ON (s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.slot)
    s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.slot, s.read_at, s.payload_id, s.place_in_payload,
    CASE s.outcome WHEN 'looked' THEN 'empty' ELSE s.outcome END::evidence.outcome, s.number_value, s.source_names, s.code, s.place, s.edge, s.permission, s.is_over, s.is_proven
  FROM slotted s
  ORDER BY s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.slot, s.read_at DESC, s.payload_id DESC, s.place_in_payload DESC
  ON CONFLICT (user_id, local_date, metric_id, platform_id, store, slot) DO UPDATE SET
    read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position", outcome = excluded.outcome,
    value = excluded.value, sources = excluded.sources, code = excluded.code, place = excluded.place, edge = excluded.edge,
    permission = excluded.permission, is_over = excluded.is_over, is_proven = excluded.is_proven
  WHERE (r.read_at, r.payload_id, r."position") < (excluded.read_at, excluded.payload_id, excluded."position");
  GET DIAGNOSTICS written = ROW_COUNT;

  PERFORM evidence.note_tracking(
    array_agg(users[e.number]), array_agg(e.metric_id), array_agg(platforms[e.number]), array_agg(stores[e.number]), array_agg(e.local_date), as_of)
  FROM (SELECT x.number, x.metric_id, min(x.local_date) AS local_date
        FROM unnest(entry_payload, metrics, days, outcomes) AS x (number, metric_id, local_date, outcome)
        WHERE x.outcome <> 'looked' GROUP BY 1, 2) e;  -- What a look found is told by other entries; a refused one is no word about its day.
  RETURN written;
END $$;
COMMENT ON FUNCTION evidence.merge_readings(uuid[], smallint[], text[], uuid[], timestamptz[], integer[], smallint[], date[], integer[], text[], text[], text[], text[], boolean[], boolean[], timestamptz)
  IS 'Merges the day entries of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; values: number tokens; sources: array literals). In each slot the latest read stays, so that neither order of arrival nor repetition matters, and a zero or a silence never removes a value. Returns how many readings changed.';
