-- 22_records.sql - the records of platforms, each where its latest read put it.
-- Laws: B1 (order), B2 (judged once), E2 and E3 (a record moves with its reads; deleted by id it never counts again).
-- Reads: what evidence.judge reads, deleted_record. Writes: evidence.record_day, record_id, former_record, and what note_tracking writes.

CREATE OR REPLACE FUNCTION evidence.record_key(platform smallint, store text, id text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
    RETURN id::uuid;
  END IF;
  RETURN encode(substr(sha256(convert_to(format('%s %s %s %s', platform, length(store), store, id), 'UTF8')), 1, 16), 'hex')::uuid;
END $$;
COMMENT ON FUNCTION evidence.record_key(smallint, text, text)
  IS 'A platform''s id of a record as a UUID: one that is a UUID, in any case, as it is; of any other text a hash with its platform and store.';

CREATE OR REPLACE FUNCTION evidence.find_records(users uuid[], platforms smallint[], stores text[], keys uuid[])
RETURNS SETOF evidence.record
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  WITH sought AS MATERIALIZED (
    SELECT s.user_id, s.platform_id, s.store, s.id, p.local_date, p.metric_id, p.chunk
    FROM unnest(users, platforms, stores, keys) AS s (user_id, platform_id, store, id)
    CROSS JOIN LATERAL (SELECT i.local_date, i.metric_id, i.chunk FROM evidence.record_id i
      WHERE i.user_id = s.user_id AND i.platform_id = s.platform_id AND i.store = s.store AND i.id = s.id OFFSET 0) p)
  SELECT r.*
  FROM (SELECT s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.chunk, array_agg(s.id) AS ids FROM sought s GROUP BY 1, 2, 3, 4, 5, 6) c
  CROSS JOIN LATERAL (SELECT x.* FROM evidence.record x
    WHERE x.user_id = c.user_id AND x.local_date = c.local_date AND x.metric_id = c.metric_id AND x.platform_id = c.platform_id
      AND x.store = c.store AND x.chunk = c.chunk OFFSET 0) r
  WHERE r.id = ANY (c.ids);
END $$;
COMMENT ON FUNCTION evidence.find_records(uuid[], smallint[], text[], uuid[]) IS 'The known ones of these records, each where it is now.';

CREATE OR REPLACE FUNCTION evidence.store_records(changed evidence.record[], known evidence.record[]) RETURNS void
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET enable_hashagg = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  emptied record;
BEGIN
  WITH moved AS MATERIALIZED (
    SELECT n.* FROM unnest(changed) n),
  touched AS (
    SELECT n.user_id, n.local_date, n.metric_id, n.platform_id, n.store, n.chunk FROM moved n
    UNION
    SELECT k.user_id, k.local_date, k.metric_id, k.platform_id, k.store, k.chunk FROM unnest(known) k
    JOIN moved n ON n.user_id = k.user_id AND n.platform_id = k.platform_id AND n.store = k.store AND n.id = k.id),
  element AS (
    SELECT n.* FROM moved n
    UNION ALL
    SELECT r.*
    FROM touched t
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.record x
      WHERE x.user_id = t.user_id AND x.local_date = t.local_date AND x.metric_id = t.metric_id AND x.platform_id = t.platform_id
        AND x.store = t.store AND x.chunk = t.chunk OFFSET 0) r
    LEFT JOIN moved n ON n.user_id = t.user_id AND n.platform_id = t.platform_id AND n.store = t.store AND n.id = r.id
    WHERE n.id IS NULL)
  INSERT INTO evidence.record_day AS d (user_id, local_date, metric_id, platform_id, store, chunk, ids, "values", sources, starts, ends, is_manual,
    reads, payloads, positions, places, edges, is_over, is_proven, deleted)
  SELECT e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, e.chunk, array_agg(e.id), array_agg(e.value), array_agg(e.source),
    array_agg(e.starts_at), array_agg(e.ends_at), array_agg(e.is_manual), array_agg(e.read_at), array_agg(e.payload_id), array_agg(e."position"),
    array_agg(e.place), array_agg(e.edge), array_agg(e.is_over), array_agg(e.is_proven), array_agg(e.deleted_at)
  FROM (SELECT x.* FROM element x ORDER BY x.user_id, x.local_date, x.metric_id, x.platform_id, x.store, x.chunk, x.id) e
  GROUP BY e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, e.chunk
  ORDER BY e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, e.chunk
  ON CONFLICT ON CONSTRAINT record_day_pkey DO UPDATE SET
    ids = excluded.ids, "values" = excluded."values", sources = excluded.sources, starts = excluded.starts, ends = excluded.ends,
    is_manual = excluded.is_manual, reads = excluded.reads, payloads = excluded.payloads, positions = excluded.positions, places = excluded.places,
    edges = excluded.edges, is_over = excluded.is_over, is_proven = excluded.is_proven, deleted = excluded.deleted;

  -- Rows that lost all of their records got no elements above.
  FOR emptied IN
    SELECT k.user_id, k.local_date, k.metric_id, k.platform_id, k.store, k.chunk, array_agg(k.id) AS ids
    FROM unnest(known) k
    JOIN unnest(changed) n ON n.user_id = k.user_id AND n.platform_id = k.platform_id AND n.store = k.store AND n.id = k.id
      AND (n.local_date, n.metric_id, n.chunk) <> (k.local_date, k.metric_id, k.chunk)
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  LOOP
    DELETE FROM evidence.record_day d
    WHERE d.user_id = emptied.user_id AND d.local_date = emptied.local_date AND d.metric_id = emptied.metric_id
      AND d.platform_id = emptied.platform_id AND d.store = emptied.store AND d.chunk = emptied.chunk AND d.ids <@ emptied.ids;
  END LOOP;

  INSERT INTO evidence.record_id AS i (user_id, platform_id, store, id, local_date, metric_id, chunk)
  SELECT n.user_id, n.platform_id, n.store, n.id, n.local_date, n.metric_id, n.chunk FROM unnest(changed) n ORDER BY 1, 2, 3, 4
  ON CONFLICT ON CONSTRAINT record_id_pkey DO UPDATE SET local_date = excluded.local_date, metric_id = excluded.metric_id, chunk = excluded.chunk
  WHERE (i.local_date, i.metric_id, i.chunk) <> (excluded.local_date, excluded.metric_id, excluded.chunk);
END $$;
COMMENT ON FUNCTION evidence.store_records(evidence.record[], evidence.record[])
  IS 'Writes records into the rows that they name, in place of what was known of them and where it was (find_records). Other records of these rows stay.';

CREATE OR REPLACE FUNCTION evidence.former_reads(records evidence.record[]) RETURNS SETOF evidence.record
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  SELECT f.user_id, f.local_date, f.metric_id, f.platform_id, f.store, NULL::integer, f.id, f.value, f.source, f.starts_at, f.ends_at, f.is_manual,
    f.read_at, f.payload_id, f."position", f.place, f.edge, f.is_over, f.is_proven, r.deleted_at
  FROM unnest(records) r
  CROSS JOIN LATERAL (SELECT x.* FROM evidence.former_record x
    WHERE x.user_id = r.user_id AND x.platform_id = r.platform_id AND x.store = r.store AND x.id = r.id OFFSET 0) f;
END $$;
COMMENT ON FUNCTION evidence.former_reads(evidence.record[]) IS 'What else was read of these records: each in the cells where it is not, with the deletion that is given for it.';

CREATE OR REPLACE FUNCTION evidence.settle_records(reads evidence.record[], known evidence.record[]) RETURNS evidence.record[]
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  changed evidence.record[];
BEGIN
  WITH said AS MATERIALIZED (
    SELECT DISTINCT ON (r.user_id, r.platform_id, r.store, r.id, r.local_date, r.metric_id) r.* FROM unnest(reads) r
    ORDER BY r.user_id, r.platform_id, r.store, r.id, r.local_date, r.metric_id, r.read_at DESC, r.payload_id DESC, r."position" DESC),
  winner AS MATERIALIZED (
    -- E2: a record is where its latest read put it. E3: once deleted it never counts again, so that what is read of it later moves it nowhere.
    SELECT DISTINCT ON (r.user_id, r.platform_id, r.store, r.id) r.* FROM said r
    ORDER BY r.user_id, r.platform_id, r.store, r.id, (r.read_at < r.deleted_at) IS TRUE DESC, r.read_at DESC, r.payload_id DESC, r."position" DESC),
  later AS MATERIALIZED (
    SELECT w.*, k.chunk AS known_chunk
    FROM winner w
    LEFT JOIN unnest(known) o ON o.user_id = w.user_id AND o.platform_id = w.platform_id AND o.store = w.store AND o.id = w.id
    -- In the cell where it was it keeps its row.
    LEFT JOIN LATERAL (SELECT o.chunk WHERE o.local_date = w.local_date AND o.metric_id = w.metric_id) k ON true
    WHERE o.id IS NULL OR (o.read_at, o.payload_id, o."position", o.local_date, o.metric_id, o.deleted_at)
      IS DISTINCT FROM (w.read_at, w.payload_id, w."position", w.local_date, w.metric_id, w.deleted_at)),
  room AS (
    SELECT c.user_id, c.local_date, c.metric_id, c.platform_id, c.store, COALESCE(r.taken, 0) AS taken
    FROM (SELECT DISTINCT n.user_id, n.local_date, n.metric_id, n.platform_id, n.store FROM later n WHERE n.known_chunk IS NULL) c
    LEFT JOIN LATERAL (SELECT d.chunk * 64 + cardinality(d.ids) AS taken FROM evidence.record_day d
      WHERE d.user_id = c.user_id AND d.local_date = c.local_date AND d.metric_id = c.metric_id AND d.platform_id = c.platform_id AND d.store = c.store
      ORDER BY d.chunk DESC LIMIT 1) r ON true),
  placed AS (
    SELECT n.*, COALESCE(n.known_chunk, (r.taken - 1 + row_number() OVER (
        PARTITION BY n.user_id, n.local_date, n.metric_id, n.platform_id, n.store, n.known_chunk IS NULL ORDER BY n.id)) / 64) AS new_chunk
    FROM later n LEFT JOIN room r ON r.user_id = n.user_id AND r.local_date = n.local_date AND r.metric_id = n.metric_id
      AND r.platform_id = n.platform_id AND r.store = n.store),
  -- The cells where they are not.
  left_behind AS (
    INSERT INTO evidence.former_record AS f (user_id, local_date, metric_id, platform_id, store, id, value, source, starts_at, ends_at, is_manual,
      read_at, payload_id, "position", place, edge, is_over, is_proven)
    SELECT r.user_id, r.local_date, r.metric_id, r.platform_id, r.store, r.id,
      r.value, r.source, r.starts_at, r.ends_at, r.is_manual, r.read_at, r.payload_id, r."position", r.place, r.edge, r.is_over, r.is_proven
    FROM said r
    JOIN winner w ON w.user_id = r.user_id AND w.platform_id = r.platform_id AND w.store = r.store AND w.id = r.id
      AND (w.local_date <> r.local_date OR w.metric_id <> r.metric_id)
    ORDER BY r.user_id, r.platform_id, r.store, r.id, r.local_date, r.metric_id
    ON CONFLICT ON CONSTRAINT former_record_pkey DO UPDATE SET value = excluded.value, source = excluded.source, starts_at = excluded.starts_at,
      ends_at = excluded.ends_at, is_manual = excluded.is_manual, read_at = excluded.read_at, payload_id = excluded.payload_id,
      "position" = excluded."position", place = excluded.place, edge = excluded.edge, is_over = excluded.is_over, is_proven = excluded.is_proven
    WHERE (excluded.read_at, excluded.payload_id, excluded."position") > (f.read_at, f.payload_id, f."position"))
  SELECT array_agg(ROW(n.user_id, n.local_date, n.metric_id, n.platform_id, n.store, n.new_chunk, n.id, n.value, n.source, n.starts_at, n.ends_at,
    n.is_manual, n.read_at, n.payload_id, n."position", n.place, n.edge, n.is_over, n.is_proven, n.deleted_at)::evidence.record)
  INTO changed
  FROM placed n;
  PERFORM evidence.store_records(changed, known);
  -- A cell of which something was read stays mentioned, also without records.
  INSERT INTO evidence.record_day (user_id, local_date, metric_id, platform_id, store, chunk)
  SELECT r.user_id, r.local_date, r.metric_id, r.platform_id, r.store, 0
  FROM (SELECT DISTINCT x.user_id, x.local_date, x.metric_id, x.platform_id, x.store FROM unnest(reads) x) r
  LEFT JOIN LATERAL (SELECT true AS is_there FROM evidence.record_day d
    WHERE d.user_id = r.user_id AND d.local_date = r.local_date AND d.metric_id = r.metric_id AND d.platform_id = r.platform_id AND d.store = r.store
    LIMIT 1) d ON true
  WHERE d.is_there IS NULL ORDER BY 1, 2, 3, 4, 5;
  RETURN changed;
END $$;
COMMENT ON FUNCTION evidence.settle_records(evidence.record[], evidence.record[])
  IS 'Puts records where they belong. reads: all that is known of each, one element per read and cell, with its deletion (deleted_at); their cells stay mentioned; known: where they are now (find_records), which must be among the reads. Returns those that have changed.';

CREATE OR REPLACE FUNCTION evidence.merge_records(
  users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamptz[],
  entry_payload integer[], ids text[], metrics smallint[], days date[], positions integer[], "values" text[], sources text[],
  starts timestamptz[], ends timestamptz[], manual boolean[], proven boolean[], as_of timestamptz)
RETURNS TABLE (user_id uuid, local_date date, metric text, platform text, deleted_at timestamptz, held boolean) LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_seqscan = off SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  latest evidence.record[];
  known evidence.record[];
  changed evidence.record[];
BEGIN
  -- Of several reads of a record in one cell the latest counts, in one batch as in many.
  WITH entry AS (
    SELECT DISTINCT ON (x.user_id, x.platform_id, x.store, x.id, x.local_date, x.metric_id) x.*
    FROM (SELECT p.*, e.*, evidence.record_key(p.platform_id, p.store, e.record_id) AS id
          FROM unnest(entry_payload, ids, metrics, days, positions, "values", sources, starts, ends, manual, proven)
            AS e (number, record_id, metric_id, local_date, place_in_payload, value, source, starts_at, ends_at, is_manual, is_proven)
          JOIN unnest(users, platforms, stores, payloads, reads) WITH ORDINALITY AS p (user_id, platform_id, store, payload_id, read_at, payload_number)
            ON p.payload_number = e.number) x
    ORDER BY x.user_id, x.platform_id, x.store, x.id, x.local_date, x.metric_id, x.read_at DESC, x.payload_id DESC, x.place_in_payload DESC),
  cell AS MATERIALIZED (
    SELECT c.number, c.metric_id, c.local_date, row_number() OVER () AS ordinal
    FROM (SELECT DISTINCT u.number, u.metric_id, u.local_date FROM unnest(entry_payload, metrics, days) AS u (number, metric_id, local_date)) c),
  judged AS (
    SELECT c.number, c.metric_id, c.local_date, j.place, j.edge, j.over_at
    FROM (SELECT array_agg(x.number ORDER BY x.ordinal) AS n, array_agg(x.metric_id ORDER BY x.ordinal) AS m, array_agg(x.local_date ORDER BY x.ordinal) AS d
          FROM cell x) a
    CROSS JOIN LATERAL evidence.judge(users, platforms, stores, payloads, reads, a.n, a.m, a.d) j
    JOIN cell c ON c.ordinal = j.ordinal)
  SELECT array_agg(ROW(e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, NULL, e.id, e.value::numeric, COALESCE(e.source, ''), e.starts_at, e.ends_at,
    e.is_manual, e.read_at, e.payload_id, e.place_in_payload, j.place, j.edge, e.read_at >= j.over_at, e.is_proven, NULL)::evidence.record)
  INTO latest
  FROM entry e JOIN judged j ON j.number = e.number AND j.metric_id = e.metric_id AND j.local_date = e.local_date;

  SELECT array_agg(f) INTO known
  FROM (SELECT array_agg(l.user_id) AS u, array_agg(l.platform_id) AS p, array_agg(l.store) AS s, array_agg(l.id) AS i
        FROM (SELECT DISTINCT x.user_id, x.platform_id, x.store, x.id FROM unnest(latest) x) l) a
  CROSS JOIN LATERAL evidence.find_records(a.u, a.p, a.s, a.i) f;

  -- A known record has its deletion with it.
  SELECT array_agg(ROW(l.user_id, l.local_date, l.metric_id, l.platform_id, l.store, NULL, l.id, l.value, l.source, l.starts_at, l.ends_at,
    l.is_manual, l.read_at, l.payload_id, l."position", l.place, l.edge, l.is_over, l.is_proven, CASE WHEN o.id IS NULL THEN t.read_at ELSE o.deleted_at END)::evidence.record)
  INTO latest
  FROM unnest(latest) l
  LEFT JOIN unnest(known) o ON o.user_id = l.user_id AND o.platform_id = l.platform_id AND o.store = l.store AND o.id = l.id
  LEFT JOIN LATERAL (SELECT d.read_at FROM evidence.deleted_record d
    WHERE o.id IS NULL AND d.user_id = l.user_id AND d.platform_id = l.platform_id AND d.store = l.store AND d.id = l.id OFFSET 0) t ON true;
  changed := evidence.settle_records(latest || known
    || (SELECT array_agg(f) FROM evidence.former_reads((SELECT array_agg(k) FROM unnest(known) k WHERE k.deleted_at IS NOT NULL)) f), known);

  PERFORM evidence.note_tracking(array_agg(users[e.number]), array_agg(e.metric_id), array_agg(platforms[e.number]), array_agg(stores[e.number]),
    array_agg(e.local_date), as_of)
  FROM (SELECT x.number, x.metric_id, min(x.local_date) AS local_date
        FROM unnest(entry_payload, metrics, days) AS x (number, metric_id, local_date) GROUP BY 1, 2) e;

  RETURN QUERY
  SELECT DISTINCT m.user_id, m.local_date, NULL::text, NULL::text, NULL::timestamptz, NULL::boolean
  FROM (SELECT l.user_id, l.local_date FROM unnest(latest) l
        UNION ALL
        SELECT k.user_id, k.local_date FROM unnest(known) k
        JOIN unnest(changed) n ON n.user_id = k.user_id AND n.platform_id = k.platform_id AND n.store = k.store AND n.id = k.id) m
  UNION ALL
  -- Totals that were read before the deletion of a record that is only known now.
  SELECT n.user_id, n.local_date, c.metric, f.platform, max(n.deleted_at), false
  FROM unnest(changed) n JOIN public.metric c ON c.metric_id = n.metric_id JOIN public.platform f ON f.platform_id = n.platform_id
  WHERE n.deleted_at IS NOT NULL GROUP BY 1, 2, 3, 4
  ORDER BY 1, 2;
END $$;
COMMENT ON FUNCTION evidence.merge_records(uuid[], smallint[], text[], uuid[], timestamptz[], integer[], text[], smallint[], date[], integer[], text[], text[], timestamptz[], timestamptz[], boolean[], boolean[], timestamptz)
  IS 'Merges the records of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; values: number tokens, NULL: none; sources NULL or empty: none). Of each record the latest read stays. Returns the days to derive (metric NULL): those of the records and those that records have left; and the cells of records whose deletion was known before they were: deleted_at, when it was read; held false.';
