-- 25_record_days.sql - what the records of a day amount to, and what their deletion takes away.
-- Laws: E1 (deleted), E2 and E4 (totals that are no longer true), E6 (one value out of many records), F2 (read when), B3 (range).
-- Reads: evidence.record_day, deleted_interval, reading, presence, catalogues. Writes: nothing. Called by evidence.derived_cells.

CREATE OR REPLACE FUNCTION evidence.union_of_sources(
  person uuid, day date, platform smallint, amounts numeric[], names text[], starts timestamptz[], ends timestamptz[]) RETURNS numeric
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
DECLARE
  source record;
  covered tstzmultirange := '{}';
  total numeric := 0;
BEGIN
  FOR source IN
    SELECT r.name, sum(r.amount) AS amount
    FROM unnest(amounts, names) AS r (amount, name)
    LEFT JOIN (SELECT p.source, min(CASE p.kind WHEN 'wear' THEN 0 WHEN 'carry' THEN 1 ELSE 2 END) AS rank FROM evidence.presence p
               WHERE p.user_id = person AND p.local_date = day AND p.platform_id = platform GROUP BY 1) k ON k.source = r.name
    GROUP BY r.name, k.rank ORDER BY COALESCE(k.rank, 2), sum(r.amount) DESC, r.name COLLATE "C"
  LOOP
    -- Thirty decimals: a third and two thirds are a whole again when they are rounded.
    SELECT total + sum(CASE WHEN r.ends_at > r.starts_at THEN r.amount * 1.000000000000000000000000000000 * (l.length - h.hidden) / l.length
                            WHEN covered @> r.starts_at THEN 0 ELSE r.amount END),
           covered + COALESCE(range_agg(tstzrange(r.starts_at, r.ends_at)) FILTER (WHERE r.ends_at > r.starts_at), '{}')
    INTO total, covered
    FROM unnest(amounts, names, starts, ends) AS r (amount, name, starts_at, ends_at)
    CROSS JOIN LATERAL (SELECT extract(epoch FROM r.ends_at) - extract(epoch FROM r.starts_at) AS length) l
    CROSS JOIN LATERAL (
      SELECT COALESCE(sum(extract(epoch FROM upper(o)) - extract(epoch FROM lower(o))), 0) AS hidden
      FROM unnest(covered * CASE WHEN r.ends_at > r.starts_at THEN tstzmultirange(tstzrange(r.starts_at, r.ends_at)) END) o) h
    WHERE r.name = source.name;
  END LOOP;
  RETURN round(total, 24);
END $$;
COMMENT ON FUNCTION evidence.union_of_sources(uuid, date, smallint, numeric[], text[], timestamptz[], timestamptz[])
  IS 'Total of records with intervals from several sources (one array element per record): sources in order of their rank that day, worn before carried before others, equal ranks by the larger total; each adds of its records, in proportion, the time that earlier ones do not cover. Never the sum over devices.';

CREATE OR REPLACE FUNCTION evidence.has_records(persons uuid[], days date[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM unnest(persons) AS p (user_id) CROSS JOIN LATERAL (
                   SELECT FROM evidence.deleted_interval i WHERE i.user_id = p.user_id LIMIT 1) i)
      OR EXISTS (SELECT FROM unnest(persons, days) AS d (user_id, local_date) CROSS JOIN LATERAL (
                   SELECT FROM evidence.record_day r WHERE r.user_id = d.user_id AND r.local_date = d.local_date LIMIT 1) r);
END $$;
COMMENT ON FUNCTION evidence.has_records(uuid[], date[])
  IS 'Whether any of these user-days has records, or any of these persons a deletion by interval: where nobody has, readings are all there is.';

CREATE OR REPLACE FUNCTION evidence.record_says(numbers bigint[], persons uuid[], days date[], starts timestamptz[], overs timestamptz[])
RETURNS TABLE (number bigint, metric_id smallint, platform_id smallint, store text, slot evidence.slot, read_at timestamptz, payload_id uuid,
  "position" integer, outcome evidence.outcome, value numeric, sources text[], code text, place evidence.place, edge evidence.window_kind,
  permission evidence.permission_state, is_over boolean, is_proven boolean, is_manual boolean)
LANGUAGE plpgsql STABLE ROWS 100 SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  IF NOT evidence.has_records(persons, days) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH day AS MATERIALIZED (
    SELECT * FROM unnest(numbers, persons, days, starts, overs) AS d (number, user_id, local_date, starts_at, over_at)),
  record AS MATERIALIZED (
    SELECT d.number, d.user_id, c.metric_id, c.platform_id, c.store, r.*, m.aggregation, r.amount IS NOT NULL OR m.aggregation = 'count' AS is_valued,
           CASE WHEN r.starts_at IS NULL THEN d.starts_at ELSE r.starts_at END AS lo,
           CASE WHEN r.starts_at IS NULL THEN d.over_at ELSE COALESCE(r.ends_at, r.starts_at) END AS hi
    FROM day d
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.record_day x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) c
    JOIN public.metric m ON m.metric_id = c.metric_id
    -- A row without records says only that there once was one: it stays, with nothing beside it.
    LEFT JOIN LATERAL unnest(c.ids, c."values", c.sources, c.starts, c.ends, c.is_manual, c.reads, c.payloads, c.positions,
      c.places, c.edges, c.is_over, c.is_proven, c.deleted)
      AS r (id, amount, source, starts_at, ends_at, is_manual, read_at, payload_id, place_in_payload, place, edge, is_over, is_proven, deleted_at) ON true),
  told AS MATERIALIZED (
    SELECT i.* FROM (SELECT DISTINCT d.user_id FROM day d) p
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.deleted_interval x WHERE x.user_id = p.user_id OFFSET 0) i),
  -- E1. By interval: what lies wholly inside it and was read before.
  inside AS MATERIALIZED (
    SELECT r.number, r.metric_id, r.platform_id, r.store, r.id, min(i.read_at) AS deleted_at
    FROM record r JOIN told i ON i.user_id = r.user_id AND i.platform_id = r.platform_id AND i.store = r.store AND i.metric_id = r.metric_id
    WHERE r.read_at < i.read_at AND i.starts_at <= r.lo AND r.hi <= i.ends_at AND r.lo < i.ends_at
    GROUP BY 1, 2, 3, 4, 5),
  known AS MATERIALIZED (
    SELECT r.*, r.deleted_at IS NOT NULL AS by_id, LEAST(r.deleted_at, i.deleted_at) AS gone_at
    FROM record r LEFT JOIN inside i
      ON i.number = r.number AND i.metric_id = r.metric_id AND i.platform_id = r.platform_id AND i.store = r.store AND i.id = r.id),
  touched AS (
    SELECT d.number, i.metric_id, i.platform_id, i.store, max(i.read_at) AS cut_at,
           bool_or(i.starts_at <= d.starts_at AND d.over_at <= i.ends_at) AS whole_day
    FROM day d JOIN told i ON i.user_id = d.user_id
    WHERE i.starts_at < d.over_at AND i.ends_at > d.starts_at
    GROUP BY 1, 2, 3, 4),
  -- What one origin says about one cell is worked on from here. has_gone: some of its records are no more.
  origin AS MATERIALIZED (
    SELECT x.number, x.metric_id, x.platform_id, x.store, bool_or(x.is_mentioned) AS is_mentioned, bool_or(x.has_gone) AS has_gone,
           bool_or(x.by_id) AS by_id, bool_or(x.whole_day) AS whole_day, max(x.cut_at) AS cut_at
    FROM (SELECT k.number, k.metric_id, k.platform_id, k.store, true AS is_mentioned, k.gone_at IS NOT NULL AS has_gone, COALESCE(k.by_id, false) AS by_id,
                 false AS whole_day, k.gone_at AS cut_at FROM known k
          UNION ALL
          SELECT t.number, t.metric_id, t.platform_id, t.store, false, false, false, t.whole_day, t.cut_at FROM touched t) x
    GROUP BY 1, 2, 3, 4),
  said AS MATERIALIZED (
    SELECT o.number, o.metric_id, o.platform_id, o.store, o.cut_at, o.has_gone, s.slot, s.read_at, s.payload_id, s."position", s.value, s.place, s.edge, s.is_over
    FROM origin o JOIN day d ON d.number = o.number
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.reading x WHERE x.user_id = d.user_id AND x.local_date = d.local_date AND x.metric_id = o.metric_id
      AND x.platform_id = o.platform_id AND x.store = o.store AND x.slot <> 'outside' OFFSET 0) s),
  -- E4, last sentence. A deletion that removes no record and no value changes nothing.
  cut AS MATERIALIZED (
    SELECT o.*, CASE WHEN o.has_gone OR COALESCE(s.lost_value, false) THEN o.cut_at END AS effective_at
    FROM origin o LEFT JOIN (
      SELECT s.number, s.metric_id, s.platform_id, s.store, bool_or(s.slot = 'value' AND s.value <> 0 AND s.read_at < s.cut_at) AS lost_value
      FROM said s GROUP BY 1, 2, 3, 4) s ON s.number = o.number AND s.metric_id = o.metric_id AND s.platform_id = o.platform_id AND s.store = o.store),
  heard AS MATERIALIZED (
    SELECT c.number, c.metric_id, c.platform_id, c.store,
           COALESCE(bool_or(s.read_at < c.effective_at), false) AS has_dead,
           max(s.value) FILTER (WHERE s.slot = 'value' AND s.read_at < c.effective_at AND s.value <> 0) AS broken_total,
           bool_or(s.slot = 'value') FILTER (WHERE (s.read_at < c.effective_at) IS NOT TRUE) AS has_value,
           bool_or(s.slot BETWEEN 'licensing_zero' AND 'boundary_empty') FILTER (WHERE (s.read_at < c.effective_at) IS NOT TRUE) AS has_silence,
           bool_or(true) FILTER (WHERE (s.read_at < c.effective_at) IS NOT TRUE) AS has_any
    FROM cut c JOIN said s ON s.number = c.number AND s.metric_id = c.metric_id AND s.platform_id = c.platform_id AND s.store = c.store
    WHERE s.slot <> 'looked' GROUP BY 1, 2, 3, 4),
  looked AS (SELECT s.* FROM said s WHERE s.slot = 'looked'),
  -- E6. Records make a value: those that are left, and for a broken total (is_all) all that there ever were.
  counted AS MATERIALIZED (
    SELECT k.*, false AS is_all, CASE WHEN k.aggregation = 'count' THEN COALESCE(k.amount, 1) ELSE k.amount END AS size
    FROM known k WHERE k.is_valued AND k.id IS NOT NULL AND k.gone_at IS NULL
    UNION ALL
    SELECT k.*, true, CASE WHEN k.aggregation = 'count' THEN COALESCE(k.amount, 1) ELSE k.amount END
    FROM known k JOIN heard h ON h.number = k.number AND h.metric_id = k.metric_id AND h.platform_id = k.platform_id AND h.store = k.store
    WHERE k.is_valued AND k.id IS NOT NULL AND h.broken_total IS NOT NULL),
  source_total AS (
    SELECT c.is_all, c.number, c.metric_id, c.platform_id, c.store, c.is_manual, c.source, sum(c.size) AS total,
           bool_and(c.starts_at IS NOT NULL AND c.ends_at IS NOT NULL) AS is_timed
    FROM counted c WHERE c.aggregation IN ('sum', 'count') GROUP BY 1, 2, 3, 4, 5, 6, 7),
  total AS (
    SELECT t.is_all, t.number, t.metric_id, t.platform_id, t.store,
           COALESCE(max(t.total) FILTER (WHERE NOT t.is_manual), 0) AS largest, COALESCE(sum(t.total) FILTER (WHERE t.is_manual), 0) AS manual,
           count(*) FILTER (WHERE NOT t.is_manual) > 1 AND bool_and(t.is_timed) FILTER (WHERE NOT t.is_manual) AS is_union
    FROM source_total t GROUP BY 1, 2, 3, 4, 5),
  weighed AS (
    SELECT c.*, CASE WHEN bool_and(c.starts_at IS NOT NULL AND c.ends_at IS NOT NULL) OVER w
                     THEN extract(epoch FROM c.ends_at) - extract(epoch FROM c.starts_at) ELSE 1 END AS weight
    FROM counted c WHERE c.aggregation NOT IN ('sum', 'count') WINDOW w AS (PARTITION BY c.is_all, c.number, c.metric_id, c.platform_id, c.store)),
  made AS MATERIALIZED (
    SELECT t.is_all, t.number, t.metric_id, t.platform_id, t.store, trim_scale(round(t.manual + CASE WHEN NOT t.is_union OR m.aggregation = 'count' THEN t.largest ELSE (
             SELECT evidence.union_of_sources(d.user_id, d.local_date, t.platform_id, array_agg(c.amount), array_agg(c.source), array_agg(c.starts_at), array_agg(c.ends_at))
             FROM counted c WHERE c.is_all = t.is_all AND c.number = t.number AND c.metric_id = t.metric_id AND c.platform_id = t.platform_id AND c.store = t.store
               AND NOT c.is_manual) END, 6)) AS value
    FROM total t JOIN day d ON d.number = t.number JOIN public.metric m ON m.metric_id = t.metric_id
    UNION ALL
    SELECT w.is_all, w.number, w.metric_id, w.platform_id, w.store, trim_scale(round(CASE min(w.aggregation)
             WHEN 'avg' THEN CASE WHEN sum(w.weight) = 0 THEN avg(w.amount * 1.000000000000000000000000000000)
                             ELSE sum(w.amount * w.weight * 1.000000000000000000000000000000) / sum(w.weight) END
             WHEN 'min' THEN min(w.amount) WHEN 'max' THEN max(w.amount)
             ELSE (array_agg(w.amount ORDER BY COALESCE(w.ends_at, w.starts_at, '-infinity') DESC, w.read_at DESC, w.payload_id DESC, w.place_in_payload DESC))[1] END, 6))
    FROM weighed w GROUP BY 1, 2, 3, 4, 5),
  -- E2, E4. What the deletion leaves: a value of records, or an absence that waits for the origin's next look.
  verdict AS MATERIALIZED (
    SELECT c.number, c.metric_id, c.platform_id, c.store, c.is_mentioned, c.effective_at, v.value, x.is_stale,
           COALESCE(h.has_value, false) AS has_value, COALESCE(h.has_any, false) AS has_any,
           CASE WHEN x.is_stale THEN 'outdated'
                WHEN v.number IS NULL AND (c.has_gone OR COALESCE(h.has_dead, false)) THEN CASE WHEN c.by_id OR c.whole_day THEN 'deleted' ELSE 'outdated' END
           END::evidence.outcome AS mark
    FROM cut c
    LEFT JOIN heard h ON h.number = c.number AND h.metric_id = c.metric_id AND h.platform_id = c.platform_id AND h.store = c.store
    LEFT JOIN looked l ON l.number = c.number AND l.metric_id = c.metric_id AND l.platform_id = c.platform_id AND l.store = c.store
    LEFT JOIN made v ON NOT v.is_all AND v.number = c.number AND v.metric_id = c.metric_id AND v.platform_id = c.platform_id AND v.store = c.store
    LEFT JOIN made a ON a.is_all AND a.number = c.number AND a.metric_id = c.metric_id AND a.platform_id = c.platform_id AND a.store = c.store
    CROSS JOIN LATERAL (SELECT v.number IS NOT NULL AND h.broken_total IS NOT NULL AND h.broken_total <> a.value
      AND NOT COALESCE(h.has_silence, false) AND NOT COALESCE(l.read_at >= c.effective_at, false) AS is_stale) x),
  -- F2. A value of records was read with the later of the latest look at the day and the latest record.
  latest AS (
    SELECT DISTINCT ON (x.number, x.metric_id, x.platform_id, x.store) x.*
    FROM (SELECT k.number, k.metric_id, k.platform_id, k.store, k.read_at, k.payload_id, k.place_in_payload, k.place, k.edge, k.is_over
          FROM counted k WHERE NOT k.is_all
          UNION ALL
          SELECT l.number, l.metric_id, l.platform_id, l.store, l.read_at, l.payload_id, l."position", l.place, l.edge, l.is_over FROM looked l) x
    ORDER BY 1, 2, 3, 4, x.read_at DESC, x.payload_id DESC, x.place_in_payload DESC),
  people AS (
    SELECT c.number, c.metric_id, c.platform_id, c.store, bool_and(c.is_manual) AS is_manual,
           (array_agg(c.is_proven ORDER BY c.read_at DESC, c.payload_id DESC, c.place_in_payload DESC))[1] AS is_proven,
           array_agg(DISTINCT c.source) FILTER (WHERE NOT c.is_manual AND c.size <> 0) AS active_sensors,
           array_agg(DISTINCT c.source) FILTER (WHERE NOT c.is_manual) AS sensors,
           array_agg(DISTINCT c.source) FILTER (WHERE c.size <> 0) AS active, array_agg(DISTINCT c.source) AS everyone
    FROM counted c WHERE NOT c.is_all GROUP BY 1, 2, 3, 4),
  worth AS (
    SELECT v.number, v.metric_id, v.platform_id, v.store, v.value, l.read_at, l.payload_id, l.place_in_payload, l.place, l.edge, l.is_over, p.is_proven,
           COALESCE(p.active_sensors, p.sensors, p.active, p.everyone) AS sources, p.is_manual, m.zero_policy,
           CASE WHEN v.value = 0 AND m.zero_policy = 'never' THEN 'impossible_zero' WHEN NOT v.value BETWEEN m.low AND m.high THEN 'out_of_range' END AS refused
    FROM verdict v
    JOIN latest l ON l.number = v.number AND l.metric_id = v.metric_id AND l.platform_id = v.platform_id AND l.store = v.store
    JOIN people p ON p.number = v.number AND p.metric_id = v.metric_id AND p.platform_id = v.platform_id AND p.store = v.store
    JOIN public.metric m ON m.metric_id = v.metric_id
    WHERE v.value IS NOT NULL AND NOT v.has_value AND NOT v.is_stale)
  SELECT w.number, w.metric_id, w.platform_id, w.store, CASE
           WHEN w.refused IS NOT NULL THEN CASE w.place WHEN 'inside' THEN 'non_look' WHEN 'boundary' THEN 'boundary_non_look' ELSE 'outside' END
           WHEN w.value <> 0 OR (w.zero_policy = 'ordinary' AND w.place = 'inside') THEN 'value'
           WHEN w.place = 'outside' THEN 'outside' WHEN w.place = 'boundary' THEN 'boundary_zero'
           WHEN w.is_over AND (w.is_proven OR w.zero_policy <> 'covered') AND (w.zero_policy <> 'explicit' OR w.sources <> '{""}') THEN 'licensing_zero'
           ELSE 'other_zero' END::evidence.slot,
         w.read_at, w.payload_id, w.place_in_payload, CASE WHEN w.refused IS NULL THEN 'value' ELSE 'invalid' END::evidence.outcome,
         CASE WHEN w.refused IS NULL THEN w.value END, w.sources, w.refused, w.place, w.edge, NULL::evidence.permission_state, w.is_over, w.is_proven, w.is_manual
  FROM worth w
  UNION ALL
  -- The records themselves: that the cell was spoken of, and by which devices that were there (C1).
  SELECT k.number, k.metric_id, k.platform_id, k.store, 'records', NULL, NULL, NULL, NULL, NULL,
         COALESCE(array_agg(DISTINCT k.source) FILTER (WHERE k.amount <> 0 AND NOT k.is_manual AND k.gone_at IS NULL), '{}'),
         NULL, 'inside', NULL, NULL, false, false, false
  FROM known k GROUP BY k.number, k.metric_id, k.platform_id, k.store
  UNION ALL
  -- The deletion: which readings it makes inadmissible, and what it leaves where the origin has said nothing since.
  SELECT v.number, v.metric_id, v.platform_id, v.store, 'deletion', v.effective_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', -1,
         CASE WHEN NOT v.has_any THEN v.mark END, NULL, '{}', NULL, j.place, j.edge, j.permission, false, false, false
  FROM verdict v JOIN day d ON d.number = v.number
  CROSS JOIN LATERAL evidence.standing(ARRAY[d.user_id], ARRAY[v.platform_id], ARRAY[v.store], ARRAY[v.metric_id], ARRAY[v.effective_at],
    ARRAY['ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid]) t
  CROSS JOIN LATERAL (
    SELECT CASE WHEN b.outer_edge IS NOT NULL THEN 'outside' WHEN b.inner_edge IS NOT NULL THEN 'boundary' ELSE 'inside' END::evidence.place AS place,
           COALESCE(b.outer_edge, b.inner_edge) AS edge, evidence.permission_on(d.over_at, t.states, t.sinces) AS permission
    FROM (SELECT evidence.edge_of(d.over_at, t.floor_at, t.authorized_at, t.history_at, t.counting_at) AS outer_edge,
                 evidence.edge_of(d.starts_at + interval '1 microsecond', t.floor_at, t.authorized_at, t.history_at, t.counting_at) AS inner_edge) b) j
  WHERE v.effective_at IS NOT NULL;
END $$;
COMMENT ON FUNCTION evidence.record_says(bigint[], uuid[], date[], timestamptz[], timestamptz[])
  IS 'What records and deletions say about numbered user-days (with their beginnings and ends): per origin and metric the statement that its records amount to, a row of slot records (sources: who was there), and of slot deletion (readings before its read_at are inadmissible; outcome: what is left, NULL: the origin has spoken since). Changes nothing.';
