-- 23_deletions.sql - what platforms say that they have deleted.
-- Laws: E1 (only explicit signals), E3 (for ever, in either order of arrival), F1 (which days a stretch of time touches).
-- Reads: evidence.person, reading, record_day, former_record. Writes: evidence.deleted_record, deleted_interval, record_day.

CREATE OR REPLACE FUNCTION evidence.is_cleared(
  cleared evidence.deleted_interval, read_at timestamptz, starts_at timestamptz, ends_at timestamptz, day_starts_at timestamptz, day_over_at timestamptz)
RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  -- A record without times lasts all day; one without an end is a moment.
  begins constant timestamptz := COALESCE(starts_at, day_starts_at);
  finishes constant timestamptz := CASE WHEN starts_at IS NULL THEN day_over_at ELSE COALESCE(ends_at, starts_at) END;
BEGIN
  RETURN read_at < cleared.read_at AND cleared.starts_at <= begins AND finishes <= cleared.ends_at AND begins < cleared.ends_at;
END $$;
COMMENT ON FUNCTION evidence.is_cleared(evidence.deleted_interval, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz)
  IS 'Whether a deletion by interval takes a record of its origin and metric: what lies wholly inside it and was read before (E1).';

CREATE OR REPLACE FUNCTION evidence.merge_deletions(
  users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamptz[],
  entry_payload integer[], ids text[], metrics smallint[], starts timestamptz[], ends timestamptz[], as_of timestamptz)
RETURNS TABLE (user_id uuid, local_date date, metric text, platform text, deleted_at timestamptz, held boolean) LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  buried evidence.deleted_record[];
  cleared evidence.deleted_interval[];
  known evidence.record[];
  changed evidence.record[];
BEGIN
  -- The record of a workout's minutes goes with the workout.
  SELECT entry_payload || COALESCE(array_agg(m.number), '{}'), ids || COALESCE(array_agg(m.record_id), '{}') INTO entry_payload, ids
  FROM evidence.with_minutes(platforms, stores, users, entry_payload, ids) m;
  WITH told AS (
    INSERT INTO evidence.deleted_record AS t (user_id, platform_id, store, id, read_at)
    SELECT x.user_id, x.platform_id, x.store, x.id, min(x.read_at)
    FROM (SELECT p.*, evidence.record_key(p.platform_id, p.store, e.record_id) AS id
          FROM unnest(entry_payload, ids) AS e (number, record_id)
          JOIN unnest(users, platforms, stores, reads) WITH ORDINALITY AS p (user_id, platform_id, store, read_at, number) ON p.number = e.number
          WHERE e.record_id IS NOT NULL) x
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ON CONSTRAINT deleted_record_pkey DO UPDATE SET read_at = excluded.read_at WHERE excluded.read_at < t.read_at
    RETURNING t.*)
  SELECT array_agg(t::evidence.deleted_record) INTO buried FROM told t;
  WITH told AS (
    INSERT INTO evidence.deleted_interval AS t (user_id, platform_id, store, metric_id, starts_at, ends_at, read_at)
    SELECT p.user_id, p.platform_id, p.store, e.metric_id, e.starts_at, e.ends_at, p.read_at
    FROM unnest(entry_payload, ids, metrics, starts, ends) AS e (number, record_id, metric_id, starts_at, ends_at)  -- ids of minutes have no interval
    JOIN unnest(users, platforms, stores, reads) WITH ORDINALITY AS p (user_id, platform_id, store, read_at, number) ON p.number = e.number
    WHERE e.record_id IS NULL
    ORDER BY 1, 2, 3, 4, 5, 6, 7 ON CONFLICT DO NOTHING
    RETURNING t.*)
  SELECT array_agg(t::evidence.deleted_interval) INTO cleared FROM told t;

  SELECT array_agg(f) INTO known
  FROM (SELECT array_agg(b.user_id) AS u, array_agg(b.platform_id) AS p, array_agg(b.store) AS s, array_agg(b.id) AS i FROM unnest(buried) b) a
  CROSS JOIN LATERAL evidence.find_records(a.u, a.p, a.s, a.i) f;
  SELECT array_agg(ROW(k.user_id, k.local_date, k.metric_id, k.platform_id, k.store, k.chunk, k.id, k.value, k.source, k.starts_at, k.ends_at,
    k.is_manual, k.read_at, k.payload_id, k."position", k.place, k.edge, k.is_over, k.is_proven, b.read_at)::evidence.record)
  INTO changed
  FROM unnest(known) k
  JOIN unnest(buried) b ON b.user_id = k.user_id AND b.platform_id = k.platform_id AND b.store = k.store AND b.id = k.id;
  -- Where it was when it was deleted, whatever was read of it since.
  changed := evidence.settle_records(changed || (SELECT array_agg(f) FROM evidence.former_reads(changed) f), known);

  RETURN QUERY
  WITH span AS MATERIALIZED (
    -- The rows that a stretch may have to do with: of the days that it touches, and records that happened at another time than their day says.
    SELECT c.*, d.local_date, s.starts_at AS day_starts_at, s.over_at,
           ROW(c.user_id, c.platform_id, c.store, c.metric_id, c.starts_at, c.ends_at, c.read_at)::evidence.deleted_interval AS told
    FROM unnest(cleared) c
    CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = c.user_id OFFSET 0) z
    CROSS JOIN LATERAL (
      SELECT r.local_date, false AS has_inside FROM evidence.reading r
      WHERE r.user_id = c.user_id AND r.local_date BETWEEN c.starts_at::date - 2 AND c.ends_at::date + 2
        AND r.metric_id = c.metric_id AND r.platform_id = c.platform_id AND r.store = c.store
      UNION
      SELECT r.local_date, EXISTS (SELECT FROM unnest(r.starts, r.ends) AS e (starts_at, ends_at)
        WHERE e.starts_at >= c.starts_at AND COALESCE(e.ends_at, e.starts_at) <= c.ends_at) FROM evidence.record_day r
      WHERE r.user_id = c.user_id AND r.metric_id = c.metric_id AND r.platform_id = c.platform_id AND r.store = c.store OFFSET 0) d
    CROSS JOIN LATERAL evidence.day_span(d.local_date, z.zone_from, z.zone_name) s
    WHERE d.has_inside OR (d.local_date BETWEEN c.starts_at::date - 2 AND c.ends_at::date + 2 AND c.starts_at < s.over_at AND c.ends_at > s.starts_at)),
  taken AS MATERIALIZED (
    SELECT s.user_id, s.platform_id, s.store, s.metric_id, s.local_date, s.read_at, r.id
    FROM span s
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.record x WHERE x.user_id = s.user_id AND x.local_date = s.local_date AND x.metric_id = s.metric_id
        AND x.platform_id = s.platform_id AND x.store = s.store OFFSET 0) r
    WHERE evidence.is_cleared(s.told, r.read_at, r.starts_at, r.ends_at, s.day_starts_at, s.over_at)),
  gone AS MATERIALIZED (
    SELECT b.user_id, b.platform_id, b.store, b.id, b.read_at FROM unnest(buried) b
    UNION ALL
    SELECT t.user_id, t.platform_id, t.store, t.id, t.read_at FROM taken t),
  -- held: the cell has, or had, a record that is deleted. Else it is only told that something of its day is.
  cell AS (
    SELECT k.user_id, k.local_date, k.metric_id, k.platform_id, b.read_at, true AS held
    FROM unnest(known || changed) k JOIN unnest(buried) b ON b.user_id = k.user_id AND b.platform_id = k.platform_id AND b.store = k.store AND b.id = k.id
    UNION ALL
    SELECT f.user_id, f.local_date, f.metric_id, f.platform_id, g.read_at, true
    FROM gone g CROSS JOIN LATERAL (SELECT x.user_id, x.local_date, x.metric_id, x.platform_id FROM evidence.former_record x
      WHERE x.user_id = g.user_id AND x.platform_id = g.platform_id AND x.store = g.store AND x.id = g.id OFFSET 0) f
    UNION ALL
    SELECT t.user_id, t.local_date, t.metric_id, t.platform_id, t.read_at, true FROM taken t
    UNION ALL
    SELECT s.user_id, s.local_date, s.metric_id, s.platform_id, s.read_at, false FROM span s)
  SELECT d.*, NULL::text, NULL::text, NULL::timestamptz, NULL::boolean
  FROM (SELECT k.user_id, k.local_date FROM unnest(known || changed) k UNION SELECT s.user_id, s.local_date FROM span s) d
  UNION ALL
  SELECT c.user_id, c.local_date, m.metric, f.platform, max(c.read_at), c.held
  FROM cell c JOIN public.metric m ON m.metric_id = c.metric_id JOIN public.platform f ON f.platform_id = c.platform_id
  GROUP BY 1, 2, 3, 4, 6
  ORDER BY 1, 2;
END $$;
COMMENT ON FUNCTION evidence.merge_deletions(uuid[], smallint[], text[], uuid[], timestamptz[], integer[], text[], smallint[], timestamptz[], timestamptz[], timestamptz)
  IS 'Merges the deletions of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; ids NULL: by metric and interval). Deletions that were known change nothing. Returns the days to derive (metric NULL), by the zones of the person as known now, and the cells whose history it takes back; deleted_at: when the deletion was read; held: a record of the cell, or one that was in it before, is deleted.';
