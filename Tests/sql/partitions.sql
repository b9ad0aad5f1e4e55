-- partitions.sql — the tables of days are partitioned ahead of time, and no row is lost on the way into its partition.
BEGIN;
SELECT plan(20);

-- As on the day of installation, 2026-11-29.
DO $$ DECLARE
  child regclass;
BEGIN
  FOR child IN SELECT i.inhrelid FROM pg_inherits i JOIN pg_partitioned_table p ON p.partrelid = i.inhparent LOOP
    EXECUTE format('DROP TABLE %s', child);
  END LOOP;
END $$;
CREATE TEMPORARY VIEW partition AS
  SELECT i.inhparent::regclass::text AS parent, replace(i.inhrelid::regclass::text, i.inhparent::regclass::text, '') AS name,
         pg_get_expr(c.relpartbound, c.oid) AS bounds, c.reloptions
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_partitioned_table p ON p.partrelid = i.inhparent;
CREATE FUNCTION pg_temp.tables() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RETURN (SELECT count(*) FROM pg_partitioned_table); END $$;

SELECT is(evidence.ensure_partitions('2026-11-29 08:00Z'), pg_temp.tables() * (1 + 12 + 14), 'of each table one for everything else, 12 years and 14 months are made');
SELECT is(evidence.ensure_partitions('2026-11-29 08:00Z'), 0, 'a second call makes none');
SELECT is(evidence.ensure_partitions('2023-05-16 08:00Z'), 0, 'nor does a call for a time before the installation');
SELECT results_eq(
  $$SELECT p.name FROM partition p WHERE p.parent = 'daily_metric' ORDER BY p.name COLLATE "C"$$,
  $$SELECT '_' || y FROM generate_series(2014, 2025) y
    UNION ALL SELECT to_char(m, '_YYYY_MM') FROM generate_series(timestamp '2026-01-01', '2027-02-01', '1 month') m
    UNION ALL SELECT '_default'$$,
  'years up to the one of the installation, months up to three months ahead');
SELECT is_empty(
  $$SELECT c.parent, p.name, p.bounds FROM (VALUES ('evidence.reading'), ('evidence.record_day')) c (parent)
    CROSS JOIN (SELECT d.name, d.bounds FROM partition d WHERE d.parent = 'daily_metric') p
    EXCEPT SELECT o.parent, o.name, o.bounds FROM partition o$$,
  'all tables are cut alike');
SELECT is((SELECT p.bounds FROM partition p WHERE p.parent = 'daily_metric' AND p.name = '_2026_11'),
  'FOR VALUES FROM (''2026-11-01'') TO (''2026-12-01'')', 'a month begins with its first day');
SELECT is((SELECT p.bounds FROM partition p WHERE p.parent = 'daily_metric' AND p.name = '_2025'),
  'FOR VALUES FROM (''2025-01-01'') TO (''2026-01-01'')', 'a year is one partition');
SELECT is_empty(
  $$SELECT p.parent, p.name FROM partition p
    WHERE NOT p.reloptions @> ARRAY['fillfactor=' || CASE WHEN p.parent IN ('daily_metric', 'evidence.reading') AND p.name >= '_2026_10' AND p.name ~ '^_2' AND length(p.name) = 8
      THEN 50 ELSE 85 END]$$,
  'all of them leave room for updates in place, those of running months for all their rows');

-- Days that come before their partition is there.
CREATE FUNCTION pg_temp.cells(VARIADIC days date[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, unknown_reason, computed_at, is_final, rule_version)
  SELECT gen_random_uuid(), 'steps', d, 'unknown', 'not_yet_synced', '2026-11-29 08:00Z', false, 1 FROM unnest(days) d;
  INSERT INTO evidence.record_day (user_id, local_date, metric_id, platform_id, store, chunk) SELECT gen_random_uuid(), d, 1, 1, '', 0 FROM unnest(days) d;
  INSERT INTO evidence.reading
  SELECT gen_random_uuid(), d, 1, 1, '', 'non_look', '2026-11-29 07:00Z', gen_random_uuid(), 0, 'failed', NULL, '{}', NULL, 'inside', NULL, NULL, true, true FROM unnest(days) d;
END $$;
CREATE FUNCTION pg_temp.places(parent regclass) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  places text;
BEGIN
  EXECUTE format('SELECT string_agg(replace(replace(t.tableoid::regclass::text, %L, %L), %L, %L) || %L || t.local_date, %L ORDER BY t.local_date) FROM %s t',
    'evidence.', '', replace(parent::text, 'evidence.', ''), '', ' ', ', ', parent) INTO places;
  RETURN places;
END $$;

SELECT lives_ok($$SELECT pg_temp.cells('1950-03-01', '2013-12-31', '2014-01-01', '2025-12-31', '2026-01-01', '2027-02-28', '2027-03-01', '2027-05-31', '2099-01-01')$$,
  'days of any time are taken');
SELECT is(pg_temp.places('public.daily_metric'),
  '_default 1950-03-01, _default 2013-12-31, _2014 2014-01-01, _2025 2025-12-31, _2026_01 2026-01-01, _2027_02 2027-02-28, '
  '_default 2027-03-01, _default 2027-05-31, _default 2099-01-01', 'the ends of the partitions are where they should be');
CREATE TEMPORARY TABLE before AS SELECT d.* FROM public.daily_metric d;
SELECT is(evidence.ensure_partitions('2027-02-28 23:59Z'), pg_temp.tables() * 3, 'with the months three more partitions of each are made');
SELECT is(pg_temp.places('public.daily_metric'),
  '_default 1950-03-01, _default 2013-12-31, _2014 2014-01-01, _2025 2025-12-31, _2026_01 2026-01-01, _2027_02 2027-02-28, '
  '_2027_03 2027-03-01, _2027_05 2027-05-31, _default 2099-01-01', 'and days that came too early are moved into them');
SELECT is(pg_temp.places('evidence.reading'), pg_temp.places('public.daily_metric'), 'readings too');
SELECT is(pg_temp.places('evidence.record_day'), pg_temp.places('public.daily_metric'), 'records too');
SELECT results_eq($$SELECT d.* FROM public.daily_metric d ORDER BY 3$$, $$SELECT b.* FROM before b ORDER BY 3$$, 'no row is lost, doubled or changed');
SELECT is(evidence.ensure_partitions('2027-02-28 23:59Z'), 0, 'a second call makes none');
SELECT is(
  (SELECT count(*) FROM pg_inherits i JOIN pg_index x ON x.indrelid = i.inhrelid AND x.indisprimary
   JOIN pg_partitioned_table p ON p.partrelid = i.inhparent),
  (SELECT count(*) FROM partition), 'each partition has its key');

-- Somebody's session may live anywhere and read dates as it likes.
SET LOCAL timezone = 'Pacific/Kiritimati';
SET LOCAL datestyle = 'SQL, DMY';
SELECT is(evidence.ensure_partitions('2027-04-30 23:00Z'), pg_temp.tables() * 2, 'the session''s own zone and date style decide nothing');
SELECT is((SELECT count(*) FROM partition p WHERE p.name = '_2027_07'), pg_temp.tables()::bigint, 'months are those of UTC');
SET LOCAL timezone = 'UTC';
SET LOCAL datestyle = 'ISO';

-- After years without a daemon.
SELECT is(evidence.ensure_partitions('2029-01-01 00:00Z'), pg_temp.tables() * 21, 'after a long rest all months in between are made');

SELECT * FROM finish();
ROLLBACK;
