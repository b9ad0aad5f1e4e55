-- records.sql — B1, E1, E3: where records are and which of them are deleted, whatever came first and however often.
-- evidence.merge_records and merge_deletions are called by hand, as the daemon calls them. Time zone UTC; reads are on the days after 2026-11-28.
-- Longer than other files: the same few records go through all of it.
BEGIN;

CREATE TEMPORARY TABLE statement (
  name text PRIMARY KEY, id text, metric text, day date, value text, source text, starts_at timestamptz, ends_at timestamptz,
  store text, read_at timestamptz, payload_id uuid, "position" integer);
-- A record, or with a day of NULL a deletion: by id, or by metric and interval.
CREATE FUNCTION pg_temp.state(
  name text, id text, day date DEFAULT '2026-11-28', value text DEFAULT '100', at text DEFAULT '2026-11-29 07:00Z', metric text DEFAULT 'steps',
  source text DEFAULT 'watch', starts_at timestamptz DEFAULT NULL, ends_at timestamptz DEFAULT NULL, store text DEFAULT '', payload text DEFAULT NULL,
  "position" integer DEFAULT 0)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO statement VALUES (name, id, metric, day, value, source, starts_at, ends_at, store, at::timestamptz, md5(COALESCE(payload, name))::uuid, "position");
END $$;

-- Merges these statements in one call, each as a payload of its own. Returns the days that it touched.
CREATE FUNCTION pg_temp.merge(VARIADIC names text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    WITH n AS MATERIALIZED (
      SELECT s.*, m.metric_id, row_number() OVER (PARTITION BY s.day IS NULL ORDER BY u.number)::integer AS number
      FROM unnest(names) WITH ORDINALITY u (name, number) JOIN statement s ON s.name = u.name LEFT JOIN public.metric m ON m.metric = s.metric)
    SELECT string_agg(DISTINCT d.local_date::text, ' ' ORDER BY d.local_date::text) FILTER (WHERE d.metric IS NULL) FROM (
      SELECT t.local_date, t.metric
      FROM (SELECT array_agg('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa'::uuid) AS u, array_agg(1::smallint) AS p, array_agg(n.store ORDER BY n.number) AS s,
              array_agg(n.payload_id ORDER BY n.number) AS y, array_agg(n.read_at ORDER BY n.number) AS r, array_agg(n.number ORDER BY n.number) AS e,
              array_agg(n.id ORDER BY n.number) AS i, array_agg(n.metric_id ORDER BY n.number) AS m, array_agg(n.day ORDER BY n.number) AS d,
              array_agg(n."position" ORDER BY n.number) AS o, array_agg(n.value ORDER BY n.number) AS v, array_agg(n.source ORDER BY n.number) AS c,
              array_agg(n.starts_at ORDER BY n.number) AS b, array_agg(n.ends_at ORDER BY n.number) AS f, array_agg(false) AS h, array_agg(true) AS z
            FROM n WHERE n.day IS NOT NULL) a
      CROSS JOIN LATERAL evidence.merge_records(a.u, a.p, a.s, a.y, a.r, a.e, a.i, a.m, a.d, a.o, a.v, a.c, a.b, a.f, a.h, a.z, '2026-12-01 12:00Z') t
      UNION ALL
      SELECT t.local_date, t.metric
      FROM (SELECT array_agg('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa'::uuid) AS u, array_agg(1::smallint) AS p, array_agg(n.store ORDER BY n.number) AS s,
              array_agg(n.payload_id ORDER BY n.number) AS y, array_agg(n.read_at ORDER BY n.number) AS r, array_agg(n.number ORDER BY n.number) AS e,
              array_agg(n.id ORDER BY n.number) AS i, array_agg(n.metric_id ORDER BY n.number) AS m,
              array_agg(n.starts_at ORDER BY n.number) AS b, array_agg(n.ends_at ORDER BY n.number) AS f
            FROM n WHERE n.day IS NULL) a
      CROSS JOIN LATERAL evidence.merge_deletions(a.u, a.p, a.s, a.y, a.r, a.e, a.i, a.m, a.b, a.f, '2026-12-01 12:00Z') t) d);
END $$;

-- All that is kept, without the numbers of rows, which say nothing.
CREATE FUNCTION pg_temp.memory() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(x.line, E'\n' ORDER BY x.line COLLATE "C") FROM (
    SELECT (to_jsonb(r) - 'chunk')::text AS line FROM evidence.record r
    UNION ALL SELECT DISTINCT concat_ws(' ', 'cell', d.user_id, d.local_date, d.metric_id, d.platform_id, d.store) FROM evidence.record_day d
    UNION ALL SELECT t::text FROM evidence.deleted_record t UNION ALL SELECT t::text FROM evidence.deleted_interval t
    UNION ALL SELECT t::text FROM evidence.tracking t) x);
END $$;
CREATE FUNCTION pg_temp.forget() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM evidence.record_day;
  DELETE FROM evidence.record_id;
  DELETE FROM evidence.former_record;
  DELETE FROM evidence.deleted_record;
  DELETE FROM evidence.deleted_interval;
  DELETE FROM evidence.tracking;
END $$;
-- What is kept after these statements, one call for each.
CREATE FUNCTION pg_temp.after(VARIADIC names text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_temp.forget();
  FOR i IN 1 .. cardinality(names) LOOP
    PERFORM pg_temp.merge(names[i]);
  END LOOP;
  RETURN pg_temp.memory();
END $$;
-- The cells, each with its records: day, then value and read time of a deletion.
CREATE FUNCTION pg_temp.cells() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(concat_ws(' ', to_char(c.local_date, 'DD'), c.metric, c.held), ', ' ORDER BY c.local_date, c.metric) FROM (
    SELECT d.local_date, m.metric, string_agg(r.value || COALESCE(to_char(r.deleted_at, '"x"HH24'), ''), ' ' ORDER BY r.value) AS held
    FROM evidence.record_day d JOIN public.metric m USING (metric_id)
    LEFT JOIN LATERAL unnest(d."values", d.deleted) r (value, deleted_at) ON true GROUP BY 1, 2) c);
END $$;
-- True if record_id says of exactly the records that there are in which row each is.
CREATE FUNCTION pg_temp.is_indexed() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN NOT EXISTS (
    SELECT FROM (SELECT r.user_id, r.platform_id, r.store, r.id, r.local_date, r.metric_id, r.chunk FROM evidence.record r) r
    FULL JOIN evidence.record_id i USING (user_id, platform_id, store, id, local_date, metric_id, chunk) WHERE r.id IS NULL OR i.id IS NULL);
END $$;

SET LOCAL timezone = 'UTC';
DO $$ BEGIN
  PERFORM evidence.note_origins(ARRAY['7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa']::uuid[], '{1}', '{""}', '{2026-11-01T00:00:00Z}', '{true}', '{NULL}', '2026-11-29T12:00:00Z');
  PERFORM evidence.note_time_zones(ARRAY['7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa']::uuid[], '{NULL}', '{2026-11-01T00:00:00Z}',
    ARRAY['00000000-0000-0000-0000-000000000001']::uuid[], '{0}', '{UTC}', '2026-11-29T12:00:00Z');
  -- Store "new" shares its history from noon of the day before on.
  PERFORM evidence.note_windows(array_fill('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa'::uuid, '{1}'), '{1}', '{new}', '{0}', '{authorized_from}', '{2026-11-01T00:00:00Z}',
    ARRAY['00000000-0000-0000-0000-000000000001']::uuid[], '{0}', '{2026-11-27T12:00:00Z}', '2026-11-29T12:00:00Z');

  PERFORM pg_temp.state('first', 'a', value => '100');
  PERFORM pg_temp.state('lower', 'a', value => '90', at => '2026-11-29 08:00Z');
  PERFORM pg_temp.state('moved', 'a', '2026-11-27', '80', '2026-11-29 09:00Z');
  PERFORM pg_temp.state('renamed', 'a', '2026-11-27', '70', '2026-11-29 10:00Z', 'distance_cycling');
  PERFORM pg_temp.state('back', 'a', value => '60', at => '2026-11-29 11:00Z');
  PERFORM pg_temp.state('other', 'b', value => '5');
  PERFORM pg_temp.state('grave', 'a', NULL, at => '2026-11-29 12:00Z');
  PERFORM pg_temp.state('early grave', 'a', NULL, at => '2026-11-29 06:00Z');
  PERFORM pg_temp.state('stretch', NULL, NULL, at => '2026-11-29 12:00Z', starts_at => '2026-11-28 06:00Z', ends_at => '2026-11-28 07:00Z');
  PERFORM pg_temp.state('same payload 1', 'c', value => '1', payload => 'one', "position" => 1);
  PERFORM pg_temp.state('same payload 2', 'c', value => '2', payload => 'one', "position" => 2);
END $$;

SELECT plan(56);

-- One record.
SELECT is(pg_temp.merge('first'), '2026-11-28', 'a record touches its day');
SELECT is(pg_temp.cells(), '28 steps 100', 'and is in its cell');
SELECT is((SELECT to_jsonb(r) - 'chunk' - 'payload_id' - 'id' - 'user_id' FROM evidence.record r),
  '{"edge": null, "place": "inside", "store": "", "value": 100, "source": "watch", "ends_at": null, "is_over": true, "read_at": "2026-11-29T07:00:00+00:00",
    "position": 0, "is_manual": false, "is_proven": true, "metric_id": 1, "starts_at": null, "deleted_at": null, "local_date": "2026-11-28", "platform_id": 1}'::jsonb,
  'with what was read, and judged');
SELECT is((SELECT t.since FROM evidence.tracking t), '2026-11-28', 'its origin mentions the metric from that day on');
SELECT is(pg_temp.merge('lower') || ': ' || pg_temp.cells(), '2026-11-28: 28 steps 90', 'a later read counts, also a lower one');
SELECT is(pg_temp.merge('first') || ': ' || pg_temp.cells(), '2026-11-28: 28 steps 90', 'an earlier one that comes late does not');
SELECT is(pg_temp.merge('moved') || ': ' || pg_temp.cells(), '2026-11-27 2026-11-28: 27 steps 80, 28 steps', 'read again with another day it moves there; both days are touched, and the one it left stays mentioned');
SELECT is((SELECT t.since FROM evidence.tracking t), '2026-11-27', 'the origin mentions the metric from the earlier day on');
SELECT is(pg_temp.merge('renamed') || ': ' || pg_temp.cells(), '2026-11-27: 27 distance_cycling 70, 27 steps, 28 steps', 'read again as another metric it moves too');
SELECT is(pg_temp.merge('back') || ': ' || pg_temp.cells(), '2026-11-27 2026-11-28: 27 distance_cycling, 27 steps, 28 steps 60', 'and back again');
SELECT is(pg_temp.merge('other') || ': ' || pg_temp.cells(), '2026-11-28: 27 distance_cycling, 27 steps, 28 steps 5 60', 'another record of the cell stands beside it');
SELECT ok(pg_temp.is_indexed(), 'each is found where it is');

-- Deletion by id.
SELECT is(pg_temp.merge('grave') || ': ' || pg_temp.cells(), '2026-11-28: 27 distance_cycling, 27 steps, 28 steps 5 60x12', 'a deletion by id touches the day of its record');
SELECT is(pg_temp.merge('grave'), NULL, 'once');
SELECT is(pg_temp.merge('early grave') || ': ' || pg_temp.cells(), '2026-11-28: 27 distance_cycling, 27 steps, 28 steps 5 60x06', 'of several the earliest counts');
SELECT is(pg_temp.merge('grave'), NULL, 'and a later one changes nothing');
SELECT pg_temp.forget();
SELECT is(pg_temp.merge('grave'), NULL, 'a deletion of an unknown record touches no day');
SELECT is(pg_temp.merge('first') || ': ' || pg_temp.cells(), '2026-11-28: 28 steps 100x12', 'a record that comes after its deletion is deleted');
SELECT is(pg_temp.merge('moved') || ': ' || pg_temp.cells(), '2026-11-27 2026-11-28: 27 steps 80x12, 28 steps', 'wherever it moves to');

-- Any order, any repetition, any split into batches.
CREATE TEMPORARY TABLE ordering AS
  SELECT n.seed, array_agg(s.name ORDER BY md5(n.seed || s.name)) AS names FROM generate_series(1, 12) n (seed), statement s GROUP BY 1;
SELECT is(pg_temp.after(VARIADIC o.names), pg_temp.after(VARIADIC f.names), format('order of arrival %s leaves what order 1 leaves', o.seed))
FROM ordering o, ordering f WHERE f.seed = 1 AND o.seed > 1 ORDER BY o.seed;
SELECT is(pg_temp.after(VARIADIC o.names || o.names), pg_temp.after(VARIADIC o.names), 'repetition changes nothing') FROM ordering o WHERE o.seed = 1;
CREATE FUNCTION pg_temp.at_once(VARIADIC names text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_temp.forget();
  PERFORM pg_temp.merge(VARIADIC names);
  RETURN pg_temp.memory();
END $$;
SELECT is(pg_temp.at_once(VARIADIC o.names), pg_temp.after(VARIADIC o.names), format('one batch leaves what many leave, order %s', o.seed)) FROM ordering o WHERE o.seed IN (1, 2, 3) ORDER BY o.seed;
SELECT is(pg_temp.cells(), '27 distance_cycling, 27 steps, 28 steps 2 5 60x06', 'and that is right');
SELECT ok(pg_temp.is_indexed(), 'each record is found where it is');
CREATE TEMPORARY VIEW written AS
  SELECT d.tableoid AS holder, d.ctid AS tuple FROM evidence.record_day d UNION ALL SELECT i.tableoid, i.ctid FROM evidence.record_id i
  UNION ALL SELECT t.tableoid, t.ctid FROM evidence.deleted_record t UNION ALL SELECT t.tableoid, t.ctid FROM evidence.deleted_interval t;
CREATE TEMPORARY TABLE before AS SELECT w.* FROM written w;
SELECT pg_temp.merge('first', 'moved', 'grave', 'stretch', 'same payload 1') || pg_temp.merge('back');
SELECT set_eq('SELECT w.* FROM written w', 'SELECT b.* FROM before b', 'what changes nothing writes nothing');

-- Chance instead of chosen cases: 400 statements about 25 ids, in batches of any size, against what the laws say of all of them together.
CREATE FUNCTION pg_temp.chance(seed integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  told text[];
  done integer := 0;
  size integer;
BEGIN
  PERFORM pg_temp.forget(), setseed(seed / 100.0);
  DELETE FROM statement;
  FOR i IN 1 .. 400 LOOP
    PERFORM pg_temp.state('chance ' || i, 'id ' || (random() * 24)::integer, CASE WHEN random() < 0.9 THEN date '2026-11-20' + (random() * 3)::integer END,
      (random() * 100)::integer::text, (timestamptz '2026-11-29 00:00Z' + (random() * 20)::integer * interval '1 hour')::text,
      CASE WHEN random() < 0.5 THEN 'steps' ELSE 'distance_cycling' END, store => CASE WHEN random() < 0.2 THEN 'two' ELSE '' END);
  END LOOP;
  SELECT array_agg(s.name ORDER BY random()) INTO told FROM statement s;
  WHILE done < 400 LOOP
    size := 1 + (random() * random() * 60)::integer;
    PERFORM pg_temp.merge(VARIADIC told[done + 1 : done + size]);
    done := done + size;
  END LOOP;
END $$;
-- Of each cell the latest read; of these the latest before the deletion, and where there is none the latest.
CREATE TEMPORARY VIEW lawful AS
  SELECT DISTINCT ON (c.store, c.id) c.store, c.id, c.day, c.metric_id, c.value, c.read_at, c.payload_id, c.deleted_at
  FROM (SELECT DISTINCT ON (s.store, s.id, s.day, m.metric_id) s.store, evidence.record_key(1::smallint, s.store, s.id) AS id, s.day, m.metric_id, s.value::numeric, s.read_at, s.payload_id,
      (SELECT min(d.read_at) FROM statement d WHERE d.day IS NULL AND d.id = s.id AND d.store = s.store) AS deleted_at
    FROM statement s JOIN public.metric m ON m.metric = s.metric WHERE s.day IS NOT NULL ORDER BY s.store, s.id, s.day, m.metric_id, s.read_at DESC, s.payload_id DESC) c
  ORDER BY c.store, c.id, (c.read_at < c.deleted_at) IS TRUE DESC, c.read_at DESC, c.payload_id DESC;
CREATE FUNCTION pg_temp.is_lawful(seed integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_temp.chance(seed);
  RETURN pg_temp.is_indexed() AND NOT EXISTS (
      (SELECT r.store, r.id, r.local_date, r.metric_id, r.value, r.read_at, r.payload_id, r.deleted_at FROM evidence.record r EXCEPT ALL TABLE lawful)
      UNION ALL (TABLE lawful EXCEPT ALL SELECT r.store, r.id, r.local_date, r.metric_id, r.value, r.read_at, r.payload_id, r.deleted_at FROM evidence.record r))
    AND NOT EXISTS (
      SELECT FROM (SELECT DISTINCT s.store, s.day, m.metric_id FROM statement s JOIN public.metric m ON m.metric = s.metric WHERE s.day IS NOT NULL) s
      FULL JOIN (SELECT DISTINCT d.store, d.local_date AS day, d.metric_id FROM evidence.record_day d) d USING (store, day, metric_id) WHERE s.store IS NULL OR d.store IS NULL);
END $$;
SELECT ok(pg_temp.is_lawful(g), format('400 statements by chance leave what the laws say, seed %s', g)) FROM generate_series(1, 3) g;
SELECT cmp_ok((SELECT count(*) FROM evidence.record r WHERE r.deleted_at IS NOT NULL), '>', 5::bigint, 'deleted records among them');

-- Ids.
SELECT is(evidence.record_key(1::smallint, '', 'F47AC10B-58CC-4372-A567-0E02B2C3D479'), 'f47ac10b-58cc-4372-a567-0e02b2c3d479', 'a UUID stays one');
SELECT is(evidence.record_key(1::smallint, '', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'), evidence.record_key(2::smallint, 'x', 'F47ac10b-58CC-4372-a567-0e02b2c3d479'), 'in any case');
SELECT is((SELECT count(DISTINCT evidence.record_key(t.platform::smallint, t.store, t.id)) FROM (VALUES
  (1, '', 'a'), (1, '', 'A'), (1, 'a', ''), (1, ' ', 'a'), (1, '', ' a'), (2, '', 'a'), (12, '', 'a'), (1, '2 0', 'a'), (1, '', repeat('x', 512)),
  (1, '', repeat('x', 511)), (1, '', '👟'), (1, '', repeat('👟', 128)), (1, '', E'\\x41'), (1, '', E'\n'), (1, '', '{f47ac10b-58cc-4372-a567-0e02b2c3d479}'),
  (1, '', 'f47ac10b58cc4372a5670e02b2c3d479'), (1, '', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'), (1, '', U&'\00e9'), (1, '', U&'e\0301')) AS t (platform, store, id)), 19::bigint,
  'other ids differ wherever their text, platform or store differs');
SELECT pg_temp.forget(), pg_temp.state('upper', 'F47AC10B-58CC-4372-A567-0E02B2C3D479'), pg_temp.state('shoe', repeat('👟', 128), value => '7'),
  pg_temp.state('delete lower', 'f47ac10b-58cc-4372-a567-0e02b2c3d479', NULL, at => '2026-11-29 08:00Z'),
  pg_temp.state('delete shoe', repeat('👟', 128), NULL, at => '2026-11-29 09:00Z'), pg_temp.state('delete shoe elsewhere', repeat('👟', 128), NULL, at => '2026-11-29 06:00Z', store => 'two');
SELECT is(pg_temp.merge('upper', 'shoe', 'delete shoe elsewhere'), '2026-11-28', 'ids of any shape are taken');
SELECT is(pg_temp.merge('delete lower', 'delete shoe') || ': ' || pg_temp.cells(), '2026-11-28: 28 steps 7x09 100x08', 'and deleted, each in its own store only');

-- Judged like day entries: by what the read knew.
SELECT pg_temp.forget(), pg_temp.state('outside', 'o', '2026-11-26', store => 'new'), pg_temp.state('boundary', 'p', '2026-11-27', store => 'new'),
  pg_temp.state('inside', 'q', '2026-11-28', NULL, store => 'new', source => NULL), pg_temp.state('open', 'r', '2026-11-29', store => 'new');
SELECT pg_temp.merge('outside', 'boundary', 'inside', 'open');
SELECT results_eq($$SELECT r.place::text, r.edge::text, r.is_over, r.value, r.source FROM evidence.record r ORDER BY r.local_date$$,
  $$VALUES ('outside', 'authorized_from', true, 100::numeric, 'watch'), ('boundary', 'authorized_from', true, 100, 'watch'), ('inside', NULL, true, NULL, ''), ('inside', NULL, false, 100, 'watch')$$,
  'a record is judged by its day, and needs neither value nor source');

-- Deletion by interval.
SELECT pg_temp.forget(), pg_temp.state('stretch', NULL, NULL, at => '2026-11-29 12:00Z', starts_at => '2026-11-28 06:00Z', ends_at => '2026-11-28 07:00Z'), pg_temp.state('morning', 'm', starts_at => '2026-11-28 06:10Z', ends_at => '2026-11-28 06:20Z'), pg_temp.state('misdated', 'n', '2026-11-20', starts_at => '2026-11-28 06:30Z'),
  pg_temp.state('astride', 's', '2026-11-21', starts_at => '2026-11-28 06:30Z', ends_at => '2026-11-28 07:30Z'), pg_temp.state('next', 't', '2026-11-29'), pg_temp.state('ridden', 'u', '2026-11-22', metric => 'distance_cycling', starts_at => '2026-11-28 06:30Z'),
  pg_temp.state('elsewhere', 'v', '2026-11-23', store => 'new', starts_at => '2026-11-28 06:30Z');
SELECT pg_temp.merge('morning', 'misdated', 'astride', 'next', 'ridden', 'elsewhere');
SELECT is(pg_temp.merge('stretch'), '2026-11-20 2026-11-28', 'an interval touches the days that it overlaps and those of records inside it, of its metric and origin');
SELECT is(pg_temp.merge('stretch'), NULL, 'once');
SELECT is((SELECT count(*) FROM evidence.record r WHERE r.deleted_at IS NOT NULL), 0::bigint, 'and marks no record: that is decided when deriving');

-- Many.
CREATE FUNCTION pg_temp.bulk(first integer, last integer, day date, at timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT count(*) FROM (SELECT array_agg(1) AS e, array_agg('r' || g) AS i, array_agg(1::smallint) AS m, array_agg(day) AS d, array_agg(g) AS o,
      array_agg(g::text) AS v, array_agg('watch'::text) AS c, array_agg(NULL::timestamptz) AS b, array_agg(false) AS h, array_agg(true) AS z FROM generate_series(first, last) g) a
    CROSS JOIN LATERAL evidence.merge_records(ARRAY['7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa']::uuid[], '{1}', '{""}', ARRAY[md5(at::text)]::uuid[], ARRAY[at], a.e, a.i, a.m, a.d, a.o, a.v, a.c, a.b, a.b, a.h, a.z, at));
END $$;
SELECT pg_temp.forget(), pg_temp.bulk(1, 1000, '2026-11-28', '2026-11-29 07:00Z'), pg_temp.bulk(1001, 1010, '2026-11-28', '2026-11-29 07:01Z'), pg_temp.bulk(501, 700, '2026-11-28', '2026-11-29 08:00Z');
SELECT is((SELECT format('%s rows of %s to %s, %s', count(*), min(cardinality(d.ids)), max(cardinality(d.ids)), sum((SELECT sum(v) FROM unnest(d."values") v))) FROM evidence.record_day d),
  '16 rows of 50 to 64, 510555', 'a day with many records has rows of 64, and the last one is filled up');
SELECT pg_temp.bulk(1, 1010, '2026-11-27', '2026-11-29 09:00Z'), pg_temp.bulk(1, 1010, '2026-11-28', '2026-11-29 10:00Z'), pg_temp.bulk(1, 1000, '2026-11-27', '2026-11-29 11:00Z');
SELECT is((SELECT string_agg(format('%s: %s rows, %s records', c.local_date, c.row_count, c.records), ', ' ORDER BY c.local_date)
  FROM (SELECT d.local_date, count(*) AS row_count, sum(cardinality(d.ids)) AS records FROM evidence.record_day d GROUP BY 1) c WHERE c.local_date = '2026-11-27'), '2026-11-27: 16 rows, 1000 records', 'rows that records leave do not pile up');
SELECT is((SELECT sum(cardinality(d.ids)) FROM evidence.record_day d WHERE d.local_date = '2026-11-28'), 10::bigint, 'what did not move stays');
SELECT ok(pg_temp.is_indexed(), 'each of many records is found where it is');
SELECT is((SELECT count(*) FROM (SELECT array_agg(1) AS e, array_agg('unknown ' || g) AS i, array_agg(NULL::smallint) AS m, array_agg(NULL::timestamptz) AS b FROM generate_series(1, 40000) g) a
  CROSS JOIN LATERAL evidence.merge_deletions(ARRAY['7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa']::uuid[], '{1}', '{""}', ARRAY[md5('x')]::uuid[], '{2026-11-29 12:00Z}', a.e, a.i, a.m, a.b, a.b, '2026-11-29 12:00Z')),
  0::bigint, '40,000 deletions of unknown records touch no day');
SELECT is((SELECT count(*) FROM evidence.deleted_record), 40000::bigint, 'and are remembered');

SELECT * FROM finish();
ROLLBACK;
