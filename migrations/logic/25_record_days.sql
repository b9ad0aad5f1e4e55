-- 25_record_days.sql - what the records of a day amount to, and what their deletion takes away.
-- Laws: E1 (deleted), E2 and E4 (totals that are no longer true), E6 (one value out of many records), F2 (read when), B3 (range).
-- Reads: evidence.record_day, deleted_interval, reading, presence, catalogues. Writes: nothing. Called by evidence.weighed_cells.

CREATE OR REPLACE FUNCTION evidence.hidden_time(covered tstzmultirange, starts timestamptz[], ends timestamptz[])
RETURNS TABLE (number bigint, hidden numeric)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF isempty(covered) OR cardinality(starts) <= 4 THEN
    RETURN QUERY
    SELECT r.number, COALESCE((SELECT sum(extract(epoch FROM upper(o)) - extract(epoch FROM lower(o)))
      FROM unnest(covered * CASE WHEN r.e > r.s THEN tstzmultirange(tstzrange(r.s, r.e)) END) o), 0)
    FROM unnest(starts, ends) WITH ORDINALITY AS r (s, e, number);
    RETURN;
  END IF;
  -- Once through all stretches and all ends of records in the order of time: the covered time before each.
  RETURN QUERY
  WITH stretch AS (
    SELECT x.s, x.e, sum(x.e - x.s) OVER (ORDER BY x.s) - (x.e - x.s) AS before
    FROM (SELECT extract(epoch FROM lower(c)) AS s, extract(epoch FROM upper(c)) AS e FROM unnest(covered) c) x),
  point AS (
    SELECT r.number, p.sign, extract(epoch FROM p.at) AS at FROM unnest(starts, ends) WITH ORDINALITY AS r (s, e, number)
    CROSS JOIN LATERAL (VALUES (r.s, -1), (GREATEST(r.s, r.e), 1)) p (at, sign)),
  line AS (
    SELECT x.number, x.sign, x.at, max(x.s) OVER w AS s, max(x.e) OVER w AS e, max(x.before) OVER w AS before
    FROM (SELECT NULL::bigint AS number, NULL::integer AS sign, t.s AS at, t.s, t.e, t.before FROM stretch t
          UNION ALL SELECT p.number, p.sign, p.at, NULL, NULL, NULL FROM point p) x
    WINDOW w AS (ORDER BY x.at, x.number NULLS FIRST ROWS UNBOUNDED PRECEDING))
  SELECT l.number, sum(l.sign * COALESCE(l.before + LEAST(l.at, l.e) - l.s, 0)) FROM line l WHERE l.number IS NOT NULL GROUP BY l.number;
END $$;
COMMENT ON FUNCTION evidence.hidden_time(tstzmultirange, timestamptz[], timestamptz[])
  IS 'Of each interval (number: from 1) how many seconds are covered.';

CREATE OR REPLACE FUNCTION evidence.union_of_sources(
  person uuid, day date, platform smallint, amounts numeric[], names text[], starts timestamptz[], ends timestamptz[]) RETURNS numeric
LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_nestloop = off AS $$
DECLARE
  source record;
  covered tstzmultirange := '{}';
  total numeric := 0;
  part numeric;
BEGIN
  FOR source IN
    SELECT array_agg(r.amount) AS amounts, array_agg(r.starts_at) AS starts, array_agg(r.ends_at) AS ends,
           range_agg(tstzrange(r.starts_at, r.ends_at)) FILTER (WHERE r.ends_at > r.starts_at) AS own
    FROM unnest(amounts, names, starts, ends) AS r (amount, name, starts_at, ends_at)
    LEFT JOIN (SELECT p.source, min(CASE p.kind WHEN 'wear' THEN 0 WHEN 'carry' THEN 1 ELSE 2 END) AS rank FROM evidence.presence p
               WHERE p.user_id = person AND p.local_date = day AND p.platform_id = platform GROUP BY 1) k ON k.source = r.name
    GROUP BY r.name, k.rank ORDER BY COALESCE(k.rank, 2), sum(r.amount) DESC, r.name COLLATE "C"
  LOOP
    -- Thirty decimals: a third and two thirds are a whole again when they are rounded.
    SELECT sum(CASE WHEN r.ends_at > r.starts_at THEN r.amount * 1.000000000000000000000000000000 * (l.length - h.hidden) / l.length
                    WHEN covered @> r.starts_at THEN 0 ELSE r.amount END)
    INTO part
    FROM unnest(source.amounts, source.starts, source.ends) WITH ORDINALITY AS r (amount, starts_at, ends_at, number)
    CROSS JOIN LATERAL (SELECT extract(epoch FROM r.ends_at) - extract(epoch FROM r.starts_at) AS length) l
    JOIN evidence.hidden_time(covered, source.starts, source.ends) h ON h.number = r.number;
    total := total + part;
    covered := covered + COALESCE(source.own, '{}');
  END LOOP;
  RETURN round(total, 24);
END $$;
COMMENT ON FUNCTION evidence.union_of_sources(uuid, date, smallint, numeric[], text[], timestamptz[], timestamptz[])
  IS 'Total of records with intervals from several sources (one array element per record): sources in order of their rank that day, worn before carried before others, equal ranks by the larger total; each adds of its records, in proportion, the time that earlier ones do not cover. Never the sum over devices.';

CREATE OR REPLACE FUNCTION evidence.has_records(persons uuid[], days date[]) RETURNS boolean
LANGUAGE plpgsql STABLE SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN EXISTS (SELECT FROM (SELECT DISTINCT u FROM unnest(persons) u) AS p (user_id) CROSS JOIN LATERAL (
                   SELECT FROM evidence.deleted_interval i WHERE i.user_id = p.user_id LIMIT 1) i)
      OR EXISTS (SELECT FROM unnest(persons, days) AS d (user_id, local_date) CROSS JOIN LATERAL (
                   SELECT FROM evidence.record_day r
                   WHERE r.user_id = d.user_id AND r.local_date = d.local_date AND r.local_date BETWEEN first_day AND last_day LIMIT 1) r);
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
  chunk AS MATERIALIZED (
    SELECT d.number, c.* FROM day d
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.record_day x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) c),
  told AS MATERIALIZED (
    SELECT i.* FROM (SELECT DISTINCT d.user_id FROM day d) p
    CROSS JOIN LATERAL (SELECT x.*, x AS cleared FROM evidence.deleted_interval x WHERE x.user_id = p.user_id OFFSET 0) i),
  touched AS MATERIALIZED (
    SELECT d.number, i.metric_id, i.platform_id, i.store, array_agg(i.read_at) AS told_at,
           bool_or(i.starts_at <= d.starts_at AND d.over_at <= i.ends_at) AS whole_day
    FROM day d JOIN told i ON i.user_id = d.user_id
    WHERE i.starts_at < d.over_at AND i.ends_at > d.starts_at
    GROUP BY 1, 2, 3, 4),
  -- A part is what one origin says about one cell. It has a number, because most of the work is to group and join by it.
  part AS MATERIALIZED (
    SELECT row_number() OVER () AS part, x.*, m.aggregation, m.zero_policy, m.low, m.high
    FROM (SELECT c.number, c.metric_id, c.platform_id, c.store, true AS has_rows FROM chunk c
          UNION SELECT t.number, t.metric_id, t.platform_id, t.store, false FROM touched t
            LEFT JOIN chunk c ON c.number = t.number AND c.metric_id = t.metric_id AND c.platform_id = t.platform_id AND c.store = t.store WHERE c.number IS NULL) x
    JOIN public.metric m ON m.metric_id = x.metric_id),
  -- A row without records says only that there once was one: nothing comes out of it here.
  record AS MATERIALIZED (
    SELECT p.part, p.number, p.aggregation, r.*, CASE WHEN p.aggregation = 'count' THEN COALESCE(r.amount, 1) ELSE r.amount END AS size
    FROM chunk c JOIN part p ON p.number = c.number AND p.metric_id = c.metric_id AND p.platform_id = c.platform_id AND p.store = c.store
    CROSS JOIN LATERAL unnest(c.ids, c."values", c.sources, c.starts, c.ends, c.is_manual, c.reads, c.payloads, c.positions,
      c.places, c.edges, c.is_over, c.is_proven, c.deleted)
      AS r (id, amount, source, starts_at, ends_at, is_manual, read_at, payload_id, place_in_payload, place, edge, is_over, is_proven, deleted_at)),
  -- E1. Those that a deletion by interval takes.
  inside AS MATERIALIZED (
    SELECT r.part, r.id, min(i.read_at) AS deleted_at
    FROM told i JOIN day d ON d.user_id = i.user_id
    JOIN part p ON p.number = d.number AND p.metric_id = i.metric_id AND p.platform_id = i.platform_id AND p.store = i.store
    JOIN record r ON r.part = p.part
    WHERE evidence.is_cleared(i.cleared, r.read_at, r.starts_at, r.ends_at, d.starts_at, d.over_at)
    GROUP BY 1, 2),
  known AS MATERIALIZED (
    SELECT r.*, LEAST(r.deleted_at, i.deleted_at) AS gone_at FROM record r LEFT JOIN inside i ON i.part = r.part AND i.id = r.id),
  gone AS (
    SELECT k.part, bool_or(k.deleted_at IS NOT NULL) AS by_id, max(k.gone_at) AS cut_at FROM known k WHERE k.gone_at IS NOT NULL GROUP BY 1),
  said AS MATERIALIZED (
    SELECT p.part, s.* FROM part p JOIN day d ON d.number = p.number
    CROSS JOIN LATERAL (SELECT x.slot, x.read_at, x.payload_id, x."position", x.value, x.place, x.edge, x.is_over FROM evidence.reading x
      WHERE x.user_id = d.user_id AND x.local_date = d.local_date AND x.metric_id = p.metric_id
        AND x.platform_id = p.platform_id AND x.store = p.store AND x.slot <> 'outside' OFFSET 0) s),
  -- E4. Day entries read before a deletion do not count. Only one that takes something cuts: a record, or a value that no earlier one took.
  cut AS MATERIALIZED (
    SELECT p.part, g.part IS NOT NULL AS has_gone, COALESCE(g.by_id, false) AS by_id, COALESCE(t.whole_day, false) AS whole_day,
           GREATEST(g.cut_at, CASE WHEN (s.read_at < g.cut_at) IS NOT TRUE THEN (SELECT min(u) FROM unnest(t.told_at) u WHERE u > s.read_at) END) AS cut_at
    FROM part p LEFT JOIN gone g ON g.part = p.part
    LEFT JOIN touched t ON t.number = p.number AND t.metric_id = p.metric_id AND t.platform_id = p.platform_id AND t.store = p.store
    LEFT JOIN said s ON s.part = p.part AND s.slot = 'value' AND s.value <> 0),
  heard AS MATERIALIZED (
    SELECT c.part,
           COALESCE(bool_or(s.read_at < c.cut_at), false) AS has_dead,
           max(s.value) FILTER (WHERE s.slot = 'value' AND s.read_at < c.cut_at AND s.value <> 0) AS broken_total,
           bool_or(s.slot = 'value') FILTER (WHERE (s.read_at < c.cut_at) IS NOT TRUE) AS has_value,
           bool_or(s.slot BETWEEN 'licensing_zero' AND 'boundary_empty') FILTER (WHERE (s.read_at < c.cut_at) IS NOT TRUE) AS has_silence,
           bool_or(true) FILTER (WHERE (s.read_at < c.cut_at) IS NOT TRUE) AS has_any
    FROM cut c JOIN said s ON s.part = c.part WHERE s.slot <> 'looked' GROUP BY 1),
  -- E6. Records make a value: those that are left, and for a broken total (is_all) all that there ever were.
  counted AS MATERIALIZED (
    SELECT k.*, false AS is_all FROM known k WHERE k.size IS NOT NULL AND k.gone_at IS NULL
    UNION ALL
    SELECT k.*, true FROM known k JOIN heard h ON h.part = k.part WHERE k.size IS NOT NULL AND h.broken_total IS NOT NULL),
  source_total AS (
    SELECT c.is_all, c.part, c.is_manual, c.source, sum(c.size) AS total, bool_and(c.starts_at IS NOT NULL AND c.ends_at IS NOT NULL) AS is_timed
    FROM counted c WHERE c.aggregation IN ('sum', 'count') GROUP BY 1, 2, 3, 4),
  total AS (
    SELECT t.is_all, t.part,
           COALESCE(max(t.total) FILTER (WHERE NOT t.is_manual), 0) AS largest, COALESCE(sum(t.total) FILTER (WHERE t.is_manual), 0) AS manual,
           count(*) FILTER (WHERE NOT t.is_manual) > 1 AND bool_and(t.is_timed) FILTER (WHERE NOT t.is_manual) AS is_union
    FROM source_total t GROUP BY 1, 2),
  joint AS (
    SELECT t.is_all, t.part, evidence.union_of_sources(d.user_id, d.local_date, p.platform_id, r.amounts, r.names, r.starts, r.ends) AS total
    FROM total t JOIN part p ON p.part = t.part AND p.aggregation = 'sum' JOIN day d ON d.number = p.number
    JOIN (SELECT c.is_all, c.part, array_agg(c.amount) AS amounts, array_agg(c.source) AS names, array_agg(c.starts_at) AS starts, array_agg(c.ends_at) AS ends
          FROM counted c WHERE NOT c.is_manual GROUP BY 1, 2) r ON r.is_all = t.is_all AND r.part = t.part
    WHERE t.is_union),
  weighed AS (
    SELECT c.*, CASE WHEN bool_and(c.starts_at IS NOT NULL AND c.ends_at IS NOT NULL) OVER (PARTITION BY c.is_all, c.part)
                     THEN extract(epoch FROM c.ends_at) - extract(epoch FROM c.starts_at) ELSE 1 END AS weight
    FROM counted c WHERE c.aggregation NOT IN ('sum', 'count')),
  made AS MATERIALIZED (
    SELECT t.is_all, t.part, trim_scale(round(t.manual + COALESCE(j.total, t.largest), 6)) AS value
    FROM total t LEFT JOIN joint j ON j.is_all = t.is_all AND j.part = t.part
    UNION ALL
    SELECT w.is_all, w.part, trim_scale(round(CASE min(w.aggregation)
             WHEN 'avg' THEN CASE WHEN sum(w.weight) = 0 THEN avg(w.amount * 1.000000000000000000000000000000)
                             ELSE sum(w.amount * w.weight * 1.000000000000000000000000000000) / sum(w.weight) END
             WHEN 'min' THEN min(w.amount) WHEN 'max' THEN max(w.amount)
             ELSE (array_agg(w.amount ORDER BY COALESCE(w.ends_at, w.starts_at, '-infinity') DESC, w.read_at DESC, w.payload_id DESC, w.place_in_payload DESC))[1] END, 6))
    FROM weighed w GROUP BY 1, 2),
  -- E2, E4. What the deletion leaves: a value of records, or an absence that waits for the origin's next look.
  verdict AS MATERIALIZED (
    SELECT c.part, c.cut_at, v.value, x.is_stale, COALESCE(h.has_value, false) AS has_value,
           CASE WHEN h.has_any THEN NULL
                WHEN x.is_stale THEN 'outdated'
                WHEN v.part IS NULL AND (c.has_gone OR h.has_dead) THEN CASE WHEN c.by_id OR c.whole_day THEN 'deleted' ELSE 'outdated' END
           END::evidence.outcome AS mark
    FROM cut c
    LEFT JOIN heard h ON h.part = c.part
    LEFT JOIN said l ON l.part = c.part AND l.slot = 'looked'
    LEFT JOIN made v ON NOT v.is_all AND v.part = c.part
    LEFT JOIN made a ON a.is_all AND a.part = c.part
    CROSS JOIN LATERAL (SELECT COALESCE(v.part IS NOT NULL AND h.broken_total <> a.value AND NOT COALESCE(h.has_silence, false)
      AND NOT COALESCE(l.read_at >= c.cut_at, false), false) AS is_stale) x),
  -- F2. A value of records was read with the later of the latest look at the day and the latest record.
  latest AS (
    SELECT DISTINCT ON (c.part) c.part, c.read_at, c.payload_id, c.place_in_payload, c.place, c.edge, c.is_over, c.is_proven
    FROM counted c WHERE NOT c.is_all ORDER BY c.part, c.read_at DESC, c.payload_id DESC, c.place_in_payload DESC),
  people AS (
    SELECT x.part, bool_and(x.is_manual) AS is_manual, array_agg(x.source) FILTER (WHERE NOT x.is_manual AND x.is_active) AS active_sensors,
           array_agg(x.source) FILTER (WHERE NOT x.is_manual) AS sensors, array_agg(x.source) FILTER (WHERE x.is_active) AS active, array_agg(x.source) AS everyone
    FROM (SELECT c.part, c.source, c.is_manual, bool_or(c.size <> 0) AS is_active FROM counted c WHERE NOT c.is_all GROUP BY 1, 2, 3) x GROUP BY 1),
  worth AS (
    SELECT p.*, v.value, t.*, r.is_proven, COALESCE(n.active_sensors, n.sensors, n.active, n.everyone) AS sources, n.is_manual,
           CASE WHEN v.value = 0 AND p.zero_policy = 'never' THEN 'impossible_zero' WHEN NOT v.value BETWEEN p.low AND p.high THEN 'out_of_range' END AS refused
    FROM verdict v JOIN part p ON p.part = v.part JOIN latest r ON r.part = v.part JOIN people n ON n.part = v.part
    LEFT JOIN said l ON l.part = v.part AND l.slot = 'looked' AND (l.read_at, l.payload_id, l."position") > (r.read_at, r.payload_id, r.place_in_payload)
    CROSS JOIN LATERAL (SELECT COALESCE(l.read_at, r.read_at) AS read_at, COALESCE(l.payload_id, r.payload_id) AS payload_id,
      COALESCE(l."position", r.place_in_payload) AS place_in_payload, COALESCE(l.place, r.place) AS place,
      CASE WHEN l.part IS NULL THEN r.edge ELSE l.edge END AS edge, COALESCE(l.is_over, r.is_over) AS is_over) t
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
  SELECT p.number, p.metric_id, p.platform_id, p.store, 'records', NULL, NULL, NULL, NULL, NULL, COALESCE(n.sources, '{}'), NULL, 'inside', NULL, NULL, false, false, false
  FROM part p LEFT JOIN (
    SELECT x.part, array_agg(x.source) AS sources
    FROM (SELECT DISTINCT k.part, k.source FROM known k WHERE k.amount <> 0 AND NOT k.is_manual AND k.gone_at IS NULL) x GROUP BY 1) n ON n.part = p.part
  WHERE p.has_rows
  UNION ALL
  -- The deletion: which readings it makes inadmissible, and what it leaves where the origin has said nothing since.
  SELECT p.number, p.metric_id, p.platform_id, p.store, 'deletion', v.cut_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', -1,
         v.mark, NULL, '{}', NULL, j.place, j.edge, j.permission, false, false, false
  FROM verdict v JOIN part p ON p.part = v.part JOIN day d ON d.number = p.number
  CROSS JOIN LATERAL evidence.standing(ARRAY[d.user_id], ARRAY[p.platform_id], ARRAY[p.store], ARRAY[p.metric_id], ARRAY[v.cut_at],
    ARRAY['ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid]) t
  CROSS JOIN LATERAL (
    SELECT CASE WHEN b.outer_edge IS NOT NULL THEN 'outside' WHEN b.inner_edge IS NOT NULL THEN 'boundary' ELSE 'inside' END::evidence.place AS place,
           COALESCE(b.outer_edge, b.inner_edge) AS edge, evidence.permission_on(d.over_at, t.states, t.sinces) AS permission
    FROM (SELECT evidence.edge_of(d.over_at, t.floor_at, t.authorized_at, t.history_at, t.counting_at) AS outer_edge,
                 evidence.edge_of(d.starts_at + interval '1 microsecond', t.floor_at, t.authorized_at, t.history_at, t.counting_at) AS inner_edge) b) j
  WHERE v.cut_at IS NOT NULL;
END $$;
COMMENT ON FUNCTION evidence.record_says(bigint[], uuid[], date[], timestamptz[], timestamptz[])
  IS 'What records and deletions say about numbered user-days (with their beginnings and ends): per origin and metric the statement that its records amount to, a row of slot records (sources: who was there), and of slot deletion (readings before its read_at are inadmissible; outcome: what is left, NULL: the origin has spoken since). Changes nothing.';
