-- merge.sql — B1, B2: what an origin's reading remembers, slot by slot, whatever came first and however often.
-- evidence.merge_readings is called by hand, as the daemon calls it. The day is 2026-11-28 in UTC; reads are on the day after.
BEGIN;

CREATE TEMPORARY TABLE statement (
  name text PRIMARY KEY, metric text, outcome text, value text, sources text, code text, complete boolean, proven boolean,
  store text, day date, read_at timestamptz, payload_id uuid, "position" integer);

-- A statement with what most of them have in common; payload ids follow the names.
CREATE FUNCTION pg_temp.state(
  name text, outcome text, value text DEFAULT NULL, sources text DEFAULT '{watch}', metric text DEFAULT 'steps', at text DEFAULT '07:00',
  code text DEFAULT NULL, complete boolean DEFAULT NULL, proven boolean DEFAULT true, store text DEFAULT '', day date DEFAULT '2026-11-28',
  payload uuid DEFAULT NULL, "position" integer DEFAULT 0)
RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO statement VALUES (name, metric, outcome, value, CASE outcome WHEN 'value' THEN sources ELSE '{}' END, code, complete, proven, store, day,
    CASE WHEN at ~ '^[0-9:]+$' THEN ('2026-11-29T' || at || 'Z')::timestamptz ELSE at::timestamptz END,
    COALESCE(payload, md5(name)::uuid), "position")
  ON CONFLICT DO NOTHING;
  RETURN name;
END $$;

-- Merges these statements, each as a payload of its own, in one call.
CREATE FUNCTION pg_temp.merge(VARIADIC names text[]) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT evidence.merge_readings(
      array_agg('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa'::uuid ORDER BY n.number), array_agg(1::smallint ORDER BY n.number), array_agg(s.store ORDER BY n.number),
      array_agg(s.payload_id ORDER BY n.number), array_agg(s.read_at ORDER BY n.number), array_agg(n.number::integer ORDER BY n.number),
      array_agg(m.metric_id ORDER BY n.number), array_agg(s.day ORDER BY n.number), array_agg(s."position" ORDER BY n.number),
      array_agg(s.outcome ORDER BY n.number), array_agg(s.value ORDER BY n.number), array_agg(s.sources ORDER BY n.number),
      array_agg(s.code ORDER BY n.number), array_agg(s.complete ORDER BY n.number), array_agg(s.proven ORDER BY n.number), '2026-11-29T12:00:00Z')
    FROM unnest(names) WITH ORDINALITY n (name, number) JOIN statement s ON s.name = n.name JOIN public.metric m ON m.metric = s.metric);
END $$;

-- What is remembered, with nothing left out.
CREATE FUNCTION pg_temp.memory() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(r::text, E'\n' ORDER BY r.*) FROM evidence.reading r);
END $$;
-- What is remembered, briefly: slot and value, or slot and outcome.
CREATE FUNCTION pg_temp.remembered() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s %s', r.slot, COALESCE(r.value::text, r.outcome::text)), ', ' ORDER BY r.slot) FROM evidence.reading r);
END $$;
-- What is remembered after these statements, one call for each.
CREATE FUNCTION pg_temp.after(VARIADIC names text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM evidence.reading;
  FOR i IN 1 .. cardinality(names) LOOP
    PERFORM pg_temp.merge(names[i]);
  END LOOP;
  RETURN pg_temp.remembered();
END $$;

DO $$ BEGIN
  PERFORM evidence.note_origins(ARRAY['7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa']::uuid[], '{1}', '{""}', '{2026-11-01T00:00:00Z}', '{true}', '{NULL}', '2026-11-29T12:00:00Z');
  PERFORM evidence.note_time_zones(ARRAY['7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa']::uuid[], '{NULL}', '{2026-11-01T00:00:00Z}',
    ARRAY['00000000-0000-0000-0000-000000000001']::uuid[], '{0}', '{UTC}', '2026-11-29T12:00:00Z');
  -- Store "new" shares its history from noon of the day before on, store "denied" nothing.
  PERFORM evidence.note_windows(array_fill('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa'::uuid, '{1}'), '{1}', '{new}', '{0}', '{authorized_from}', '{2026-11-01T00:00:00Z}',
    ARRAY['00000000-0000-0000-0000-000000000001']::uuid[], '{0}', '{2026-11-27T12:00:00Z}', '2026-11-29T12:00:00Z');
  PERFORM evidence.note_permissions(array_fill('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa'::uuid, '{1}'), '{1}', '{denied}', '{0}', '{2026-11-01T00:00:00Z}',
    ARRAY['00000000-0000-0000-0000-000000000001']::uuid[], '{0}', '{denied}', '{NULL}', '2026-11-29T12:00:00Z');
END $$;

SELECT plan(37 + 31);

-- Which slot a statement goes to.
CREATE TEMPORARY TABLE slot AS SELECT row_number() OVER () AS number, s.* FROM (VALUES
  (pg_temp.state('value', 'value', '8123'), 'value 8123', 'a number is a value'),
  (pg_temp.state('value without a source', 'value', '8123', '{}'), 'value 8123', 'a number without a device too'),
  (pg_temp.state('value on the open day', 'value', '900', at => '2026-11-28T12:00:00Z'), 'value 900', 'a number of an open day too'),
  (pg_temp.state('value outside', 'value', '8123', store => 'new', day => '2026-11-26'), 'value 8123', 'a number from before the window too: what is known is known'),
  (pg_temp.state('value on the boundary', 'value', '8123', store => 'new', day => '2026-11-27'), 'value 8123', 'a number of a boundary day too'),
  (pg_temp.state('value under denial', 'value', '8123', store => 'denied'), 'value 8123', 'a number that came under denial too'),
  (pg_temp.state('zero', 'value', '0'), 'licensing_zero 0', 'a zero read after the day could license a zero'),
  (pg_temp.state('zero with decimals', 'value', '0.000000'), 'licensing_zero 0.000000', 'a zero is a zero with decimals too'),
  (pg_temp.state('zero on the open day', 'value', '0', at => '2026-11-28T12:00:00Z'), 'other_zero 0', 'a zero of an open day could not'),
  (pg_temp.state('zero cut short', 'value', '0', complete => false), 'other_zero 0', 'a zero of a read that was cut short could not'),
  (pg_temp.state('zero complete on the open day', 'value', '0', at => '2026-11-28T12:00:00Z', complete => true), 'other_zero 0', 'nor does complete: true close a day'),
  (pg_temp.state('zero at the end of the day', 'value', '0', at => '2026-11-29T00:00:00Z'), 'licensing_zero 0', 'at the end of the day it is over'),
  (pg_temp.state('zero just before the end', 'value', '0', at => '2026-11-28T23:59:59.999999Z'), 'other_zero 0', 'a microsecond before it is not'),
  (pg_temp.state('unproven zero', 'value', '0', proven => false), 'other_zero 0', 'a zero of a covered metric without proof could not'),
  (pg_temp.state('explicit zero', 'value', '0', metric => 'hydration'), 'licensing_zero 0', 'an explicit zero that names its source could'),
  (pg_temp.state('explicit zero without a source', 'value', '0', '{}', metric => 'hydration'), 'other_zero 0', 'an explicit zero without a source could not'),
  (pg_temp.state('unproven explicit zero', 'value', '0', metric => 'hydration', proven => false), 'licensing_zero 0', 'an explicit zero proves itself'),
  (pg_temp.state('ordinary zero', 'value', '0', metric => 'wrist_temp_deviation'), 'value 0', 'an ordinary zero is a value like any other'),
  (pg_temp.state('ordinary zero on the open day', 'value', '0', metric => 'wrist_temp_deviation', at => '2026-11-28T12:00:00Z'), 'value 0', 'on an open day too'),
  (pg_temp.state('ordinary zero on the boundary', 'value', '0', metric => 'wrist_temp_deviation', store => 'new', day => '2026-11-27'), 'boundary_zero 0',
   'of a boundary day no zero is believed, an ordinary one neither'),
  (pg_temp.state('empty', 'empty'), 'licensing_empty empty', 'an empty read after the day could license a zero'),
  (pg_temp.state('empty on the open day', 'empty', at => '2026-11-28T12:00:00Z'), 'other_empty empty', 'an empty of an open day could not'),
  (pg_temp.state('unproven empty', 'empty', proven => false), 'other_empty empty', 'an empty without proof could not'),
  (pg_temp.state('zero outside', 'value', '0', store => 'new', day => '2026-11-26'), 'outside 0', 'a zero from before the window is no evidence'),
  (pg_temp.state('empty outside', 'empty', store => 'new', day => '2026-11-26'), 'outside empty', 'nor is silence'),
  (pg_temp.state('failure outside', 'failed', code => 'HKError.6', store => 'new', day => '2026-11-26'), 'outside failed', 'nor a failure'),
  (pg_temp.state('zero on the boundary', 'value', '0', store => 'new', day => '2026-11-27'), 'boundary_zero 0', 'a zero of a boundary day is kept apart'),
  (pg_temp.state('empty on the boundary', 'empty', store => 'new', day => '2026-11-27'), 'boundary_empty empty', 'silence of a boundary day is kept apart'),
  (pg_temp.state('failure on the boundary', 'failed', code => 'HKError.6', store => 'new', day => '2026-11-27'), 'boundary_non_look failed',
   'a failure of a boundary day is kept apart'),
  (pg_temp.state('failure', 'failed', code => 'HKError.6'), 'non_look failed', 'a failure is no look'),
  (pg_temp.state('denial', 'denied'), 'non_look denied', 'a denial is no look'),
  (pg_temp.state('no sensor', 'unavailable'), 'non_look unavailable', 'a missing sensor is no look'),
  (pg_temp.state('out of range', 'invalid', code => 'out_of_range'), 'non_look invalid', 'a value that the boundary refused is no look'),
  (pg_temp.state('zero under denial', 'value', '0', store => 'denied'), 'non_look 0', 'a zero under denial is no look'),
  (pg_temp.state('empty under denial', 'empty', store => 'denied'), 'non_look empty', 'silence under denial is no look'),
  (pg_temp.state('derived default', 'empty', metric => 'basal_energy', code => 'derived_default'), 'licensing_empty empty', 'a number made up by the platform is an empty look'),
  (pg_temp.state('zero of a part', 'value', '0', '{}', metric => 'sleep_deep', proven => false), 'licensing_zero 0', 'a zero inside a measured parent needs neither proof nor source')
) s (name, slot, sentence);
SELECT is(pg_temp.after(name), slot, sentence) FROM slot ORDER BY number;

-- Two statements about one cell, in both orders.
DO $$ BEGIN
  PERFORM pg_temp.state('earlier lower', 'value', '8000', at => '05:00');
  PERFORM pg_temp.state('later lower', 'value', '7900', at => '09:00');
  PERFORM pg_temp.state('later zero', 'value', '0', at => '09:00');
  PERFORM pg_temp.state('later open zero', 'value', '0', at => '09:00', complete => false);
  PERFORM pg_temp.state('later empty', 'empty', at => '09:00');
  PERFORM pg_temp.state('later failure', 'failed', at => '09:00', code => 'http.500');
  PERFORM pg_temp.state('later denial', 'denied', at => '09:00');
  PERFORM pg_temp.state('later invalid', 'invalid', at => '09:00', code => 'out_of_range');
END $$;
CREATE TEMPORARY TABLE pair (number integer GENERATED ALWAYS AS IDENTITY, one text, other text, remembered text, sentence text);
INSERT INTO pair (one, other, remembered, sentence) VALUES
  ('value', 'later lower', 'value 7900', 'a later value wins, also when it is lower'),
  ('value', 'earlier lower', 'value 8123', 'an earlier value does not come back'),
  ('value', 'later zero', 'value 8123, licensing_zero 0', 'a later zero never removes a value'),
  ('value', 'later empty', 'value 8123, licensing_empty empty', 'silence never removes a value'),
  ('value', 'later failure', 'value 8123, non_look failed', 'a failure never removes a value'),
  ('value', 'later denial', 'value 8123, non_look denied', 'a denial never removes a value'),
  ('value', 'later invalid', 'value 8123, non_look invalid', 'an unusable value never removes a value'),
  ('zero', 'later lower', 'value 7900, licensing_zero 0', 'a zero does not stand in the way of a later value'),
  ('zero', 'earlier lower', 'value 8000, licensing_zero 0', 'nor of an earlier one'),
  ('zero', 'later empty', 'licensing_zero 0, licensing_empty empty', 'silence never removes a zero'),
  ('zero', 'later failure', 'licensing_zero 0, non_look failed', 'a failure never removes a zero'),
  ('zero', 'later open zero', 'licensing_zero 0, other_zero 0', 'a zero that cannot license does not displace one that can'),
  ('empty', 'later failure', 'licensing_empty empty, non_look failed', 'a failure never removes a look'),
  ('empty', 'unproven empty', 'licensing_empty empty, other_empty empty', 'a look without proof does not displace one with it'),
  ('failure', 'later denial', 'non_look denied', 'of two that are no look the later speaks');
SELECT is(pg_temp.after(one, other), remembered, sentence) FROM pair ORDER BY number;
SELECT is_empty(
  $$SELECT p.sentence FROM pair p WHERE pg_temp.after(p.other, p.one) <> p.remembered$$,
  'and all of this is so whichever arrives first');

-- B1: equal read times are ordered by payload, then by position.
DO $$ BEGIN
  PERFORM pg_temp.state('payload a', 'value', '100', payload => 'aaaaaaaa-0000-8000-0000-000000000000');
  PERFORM pg_temp.state('payload b', 'value', '90', payload => 'bbbbbbbb-0000-8000-0000-000000000000');
  PERFORM pg_temp.state('payload b, second entry', 'value', '80', payload => 'bbbbbbbb-0000-8000-0000-000000000000', "position" => 1);
END $$;
SELECT is(pg_temp.after('payload a', 'payload b'), 'value 90', 'of two payloads read at one time the higher id counts');
SELECT is(pg_temp.after('payload b', 'payload a'), 'value 90', 'whichever arrives first');
SELECT is(pg_temp.after('payload b', 'payload b, second entry'), 'value 80', 'of two entries of a payload the later position counts');
SELECT is(pg_temp.after('payload b, second entry', 'payload b'), 'value 80', 'whichever is merged first');

-- Repetition.
DELETE FROM evidence.reading;
SELECT is(pg_temp.merge('value', 'zero', 'empty', 'failure', 'unproven zero'), 5, 'a merge counts the readings that it wrote');
CREATE TEMPORARY TABLE before AS SELECT r.ctid AS spot, r.* FROM evidence.reading r;
SELECT is(pg_temp.merge('value', 'zero', 'empty', 'failure', 'unproven zero'), 0, 'the same statements again change nothing');
SELECT is(pg_temp.merge('value', 'value', 'value'), 0, 'nor does one of them three times in a batch');
SELECT is_empty(
  $$(SELECT r.ctid AS spot, r.* FROM evidence.reading r EXCEPT SELECT * FROM before)
    UNION ALL (SELECT * FROM before EXCEPT SELECT r.ctid AS spot, r.* FROM evidence.reading r)$$,
  'and no row is even touched');

-- Cells, origins and persons do not meet.
DO $$ BEGIN
  PERFORM pg_temp.state('other store', 'value', '1', store => 'second');
  PERFORM pg_temp.state('other day', 'value', '2', day => '2026-11-27');
  PERFORM pg_temp.state('other metric', 'value', '3', metric => 'flights_climbed');
  PERFORM pg_temp.after('value', 'other store', 'other day', 'other metric');
END $$;
SELECT results_eq(
  $$SELECT r.value FROM evidence.reading r ORDER BY 1$$, $$VALUES (1::numeric), (2), (3), (8123)$$,
  'stores, days and metrics are remembered apart');

-- Any order, any batching: the same table. Six statements, all their orders; then in batches.
CREATE TEMPORARY TABLE permutation AS
  WITH RECURSIVE names AS (
    SELECT ARRAY['value', 'later lower', 'later zero', 'unproven zero', 'later empty', 'later failure'] AS all_names),
  grown AS (
    SELECT '{}'::text[] AS names
    UNION ALL
    SELECT g.names || n FROM grown g, names a, unnest(a.all_names) n WHERE n <> ALL (g.names))
  SELECT row_number() OVER () AS number, g.names FROM grown g, names a WHERE cardinality(g.names) = cardinality(a.all_names);

CREATE FUNCTION pg_temp.memory_after(names text[], batch integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM evidence.reading;
  FOR i IN 1 .. cardinality(names) BY batch LOOP
    PERFORM pg_temp.merge(VARIADIC names[i : i + batch - 1]);
  END LOOP;
  RETURN pg_temp.memory();
END $$;

SELECT is((SELECT count(*) FROM permutation), 720::bigint, 'six statements have 720 orders');
SELECT is(pg_temp.after(VARIADIC names), 'value 7900, licensing_zero 0, other_zero 0, licensing_empty empty, non_look failed',
  'merged in one order they are this')
FROM permutation WHERE number = 1;
SELECT is((SELECT count(DISTINCT pg_temp.memory_after(p.names, 1)) FROM permutation p), 1::bigint, 'merged one by one in any order they are the same table');
SELECT is((SELECT count(DISTINCT pg_temp.memory_after(p.names, 2)) FROM permutation p WHERE p.number % 4 = 0), 1::bigint, 'in twos too');
SELECT is((SELECT count(DISTINCT pg_temp.memory_after(p.names, 6)) FROM permutation p WHERE p.number % 4 = 1), 1::bigint, 'all in one batch too');
SELECT is(
  (SELECT count(DISTINCT m) FROM (
    SELECT pg_temp.memory_after(p.names, 1) AS m FROM permutation p WHERE p.number = 7
    UNION ALL SELECT pg_temp.memory_after(p.names, 6) FROM permutation p WHERE p.number = 77
    UNION ALL SELECT pg_temp.memory_after(p.names || p.names, 5) FROM permutation p WHERE p.number = 707) x),
  1::bigint, 'one by one, at once and twice over are the same');

SELECT * FROM finish();
ROLLBACK;
