-- history.sql — H1: what was shown before is kept, once, with when; what was deleted at its source is not.
-- One person in UTC with a watch on Health Connect. Payloads are merged and derived when they are read.
BEGIN;
SELECT plan(27);

CREATE FUNCTION pg_temp.me() RETURNS uuid LANGUAGE plpgsql AS $$ BEGIN RETURN md5('anna')::uuid; END $$;
CREATE FUNCTION pg_temp.say(read timestamptz, outcome text, value text DEFAULT NULL, day date DEFAULT '2026-11-01', sources text DEFAULT '{watch}', metric text DEFAULT 'steps', as_of timestamptz DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  metrics smallint[];
BEGIN
  SELECT ARRAY[m.metric_id] INTO metrics FROM public.metric m WHERE m.metric = say.metric;
  PERFORM evidence.note_origins(ARRAY[pg_temp.me()], '{2}', '{""}', ARRAY[read], '{true}', '{NULL}', read);
  PERFORM evidence.note_time_zones(ARRAY[pg_temp.me()], '{NULL}', '{2020-01-01 00:00Z}', ARRAY[md5('zone')::uuid], '{0}', '{UTC}', read);
  PERFORM evidence.merge_readings(ARRAY[pg_temp.me()], '{2}', '{""}', ARRAY[gen_random_uuid()], ARRAY[read], '{1}', metrics, ARRAY[day], '{0}', ARRAY[outcome],
    ARRAY[value], ARRAY[CASE WHEN outcome = 'value' THEN sources ELSE '{}' END], '{NULL}', '{NULL}', '{true}', read);
  PERFORM evidence.derive(ARRAY[pg_temp.me()], ARRAY[day], COALESCE(as_of, read), false);
END $$;
-- The history of a day, oldest first: number of the state, what it was, since and until when.
CREATE FUNCTION pg_temp.history(day date DEFAULT '2026-11-01', metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT string_agg(format('%s: %s%s, %s to %s', h.revision, COALESCE(h.value::text, h.unknown_reason, 'a number'), CASE WHEN h.is_final THEN '' ELSE ' open' END,
      to_char(h.shown_since, 'DD HH24'), to_char(h.superseded_at, 'DD HH24')), '; ' ORDER BY h.superseded_at, h.revision)
    FROM public.daily_metric_history h WHERE h.user_id = pg_temp.me() AND h.local_date = day AND h.metric = history.metric);
END $$;
CREATE FUNCTION pg_temp.since(day date DEFAULT '2026-11-01') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT format('%s: %s', d.revision, to_char(d.shown_since, 'DD HH24')) FROM public.daily_metric d
    WHERE d.user_id = pg_temp.me() AND d.metric = 'steps' AND d.local_date = day);
END $$;

-- What makes a row, and what does not.
SELECT lives_ok($$SELECT pg_temp.say('2026-11-01 12:00Z', 'empty')$$, 'a day is read while it is open');
SELECT is(pg_temp.history(), NULL, 'a new cell has no history');
SELECT is(pg_temp.since(), '1: 01 12', 'it is shown since it was derived, as its first state');
SELECT lives_ok($$SELECT evidence.recheck_due('2026-11-01 18:00Z', 100, true)$$, 'a re-check finds nothing new');
SELECT is((SELECT d.computed_at FROM public.daily_metric d WHERE d.user_id = pg_temp.me()), '2026-11-01 18:00Z', 'which is a fact: computed_at moves');
SELECT is(COALESCE(pg_temp.history(), 'none') || ', ' || pg_temp.since(), 'none, 1: 01 12', 'but no new state: shown_since stays');
SELECT lives_ok($$SELECT pg_temp.say('2026-11-01 20:00Z', 'value', '8000')$$, 'a number comes');
SELECT is(pg_temp.history(), '1: not_yet_synced open, 01 12 to 01 20', 'the absence that was shown goes to the history');
SELECT is(pg_temp.since(), '2: 01 20', 'and the number is shown since then');
SELECT lives_ok($$SELECT pg_temp.say('2026-11-01 21:00Z', 'value', '8000')$$, 'the same number is read again');
SELECT is((SELECT d.observed_at FROM public.daily_metric d WHERE d.user_id = pg_temp.me()), '2026-11-01 21:00Z', 'which the row says');
SELECT is(pg_temp.since(), '2: 01 20', 'another time of reading is no other state');
SELECT lives_ok($$SELECT pg_temp.say('2026-11-02 07:00Z', 'value', '8000.0')$$, 'the day is over, and the number is the same in another spelling');
SELECT is(pg_temp.history(), '1: not_yet_synced open, 01 12 to 01 20; 2: 8000 open, 01 20 to 02 07', 'that it is final now is another state');
DO $$ BEGIN
  PERFORM pg_temp.say('2026-11-02 08:00Z', 'value', '8000', sources => '{watch,phone}', as_of => '2026-11-02 09:00Z');
  PERFORM pg_temp.say('2026-11-02 08:01Z', 'value', '9000', as_of => '2026-11-02 09:00Z');
  PERFORM pg_temp.say('2026-11-02 08:02Z', 'value', '9500', as_of => '2026-11-02 09:00Z');
END $$;
SELECT is((SELECT string_agg(format('%s: %s of %s', h.revision, trim_scale(h.value), h.covering_sources), '; ' ORDER BY h.superseded_at, h.revision)
           FROM public.daily_metric_history h WHERE h.user_id = pg_temp.me() AND h.superseded_at = '2026-11-02 09:00Z'),
  '3: 8000 of 1; 4: 8000 of 2; 5: 9000 of 1', 'so is another number of sources; several changes at one instant have a row each');

-- Rows that come and go.
DO $$ BEGIN
  PERFORM pg_temp.say('2026-11-04 07:00Z', 'value', '7000', '2026-11-03');
  PERFORM evidence.recheck_silent('2026-11-05 12:00Z', 100);
  PERFORM evidence.note_permissions(ARRAY[pg_temp.me()], '{2}', '{""}', '{0}', '{2026-11-05 13:00Z}', ARRAY[gen_random_uuid()], '{0}', '{not_connected}', '{2026-09-01 00:00Z}', '2026-11-05 13:00Z');
  PERFORM evidence.derive(ARRAY[pg_temp.me()], '{2026-11-02}', '2026-11-05 14:00Z', true);
END $$;
SELECT is(pg_temp.history('2026-11-02'), '1: not_yet_synced open, 05 12 to 05 14', 'a silent day that is not asked about any more leaves what it showed');
SELECT is(pg_temp.since('2026-11-02'), NULL, 'and nothing else');

-- Deletions. What 30_derive says of them comes as an argument here.
CREATE FUNCTION pg_temp.supersede(day date, values_shown numeric[], deleted_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  row public.daily_metric;
BEGIN
  FOR i IN 1 .. cardinality(values_shown) LOOP
    SELECT pg_temp.me(), 'steps', day, 'measured', values_shown[i], NULL, 1, '2026-11-20 07:00Z', NULL, true,
      '2026-11-20 00:00Z'::timestamptz + interval '1 hour' * i, 'healthkit', NULL, 1, i, '2026-11-20 00:00Z'::timestamptz + interval '1 hour' * i INTO row;
    PERFORM evidence.keep_history(ARRAY[row], ARRAY[CASE WHEN i = cardinality(values_shown) THEN deleted_at END], row.shown_since + interval '1 hour');
  END LOOP;
END $$;
SELECT lives_ok($$SELECT pg_temp.supersede('2026-11-19', '{8000,8200}', '2026-11-20 03:00Z')$$, 'a number changes, and then the person deletes it');
SELECT is(pg_temp.history('2026-11-19'), '1: a number, 20 01 to 20 02; 2: a number, 20 02 to 20 03', 'that there were numbers is kept, the numbers are not');
SELECT is((SELECT array_agg(DISTINCT h.value_deleted_at) FROM public.daily_metric_history h WHERE h.local_date = '2026-11-19'), '{2026-11-20 03:00Z}', 'with the deletion''s time');
DO $$ BEGIN
  PERFORM pg_temp.supersede('2026-11-19', '{1,2,3,5000}', '2026-11-20 03:00Z');
END $$;
SELECT is((SELECT h.value FROM public.daily_metric_history h WHERE h.local_date = '2026-11-19' AND h.revision = 4), 5000::numeric,
  'what is shown after a deletion was never deleted, and stays');
DO $$ BEGIN
  PERFORM pg_temp.supersede('2026-11-18', '{8000,8200}', '2026-11-20 01:30Z');
END $$;
SELECT is(pg_temp.history('2026-11-18'), '1: 8000, 20 01 to 20 02; 2: 8200, 20 02 to 20 03', 'a number that was read after the deletion is none of it');
DO $$ BEGIN
  UPDATE evidence.setting SET keep_deleted_values = true;
  PERFORM pg_temp.supersede('2026-11-17', '{8000,8200}', '2026-11-20 03:00Z');
END $$;
SELECT is(pg_temp.history('2026-11-17'), '1: 8000, 20 01 to 20 02; 2: 8200, 20 02 to 20 03', 'an operator may want to keep all');
SELECT throws_ok($$INSERT INTO evidence.setting VALUES (false)$$, '23514', NULL, 'there is one setting');

-- From payloads: two records, of which one is deleted, then another comes.
CREATE FUNCTION pg_temp.record(read timestamptz, id text, value text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.merge_records(ARRAY[pg_temp.me()], '{2}', '{""}', ARRAY[gen_random_uuid()], ARRAY[read], '{1}', ARRAY[id],
    (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{2026-11-10}', '{0}', ARRAY[value], '{watch}', '{NULL}', '{NULL}', '{false}', '{true}', read);
  PERFORM evidence.derive(ARRAY[pg_temp.me()], '{2026-11-10}', read, false);
END $$;
CREATE FUNCTION pg_temp.delete(read timestamptz, id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.merge_deletions(ARRAY[pg_temp.me()], '{2}', '{""}', ARRAY[gen_random_uuid()], ARRAY[read], '{1}', ARRAY[id], '{NULL}', '{NULL}', '{NULL}', read);
  PERFORM evidence.derive(ARRAY[pg_temp.me()], '{2026-11-10}', read, false);
END $$;
DO $$ BEGIN
  UPDATE evidence.setting SET keep_deleted_values = false;
  PERFORM evidence.note_permissions(ARRAY[pg_temp.me()], '{2}', '{""}', '{0}', '{2026-11-06 00:00Z}', ARRAY[gen_random_uuid()], '{0}', '{granted}', '{NULL}', '2026-11-06 00:00Z');
  PERFORM pg_temp.record('2026-11-11 07:00Z', 'a', '3000');
  PERFORM pg_temp.record('2026-11-11 08:00Z', 'b', '5000');
  PERFORM pg_temp.delete('2026-11-11 09:00Z', 'a');
  PERFORM pg_temp.record('2026-11-11 10:00Z', 'c', '200');
END $$;
SELECT is(pg_temp.history('2026-11-10'), '1: a number, 11 07 to 11 08; 2: a number, 11 08 to 11 09; 3: a number, 11 09 to 11 10',
  'a total that held a deleted record is not kept, nor what was shown before, nor in doubt what was left');
DO $$ BEGIN
  PERFORM pg_temp.delete('2026-11-11 11:00Z', 'b');
  PERFORM pg_temp.delete('2026-11-11 12:00Z', 'c');
END $$;
SELECT is((SELECT string_agg(COALESCE(h.value::text, 'a number'), ', ' ORDER BY h.superseded_at) FROM public.daily_metric_history h WHERE h.local_date = '2026-11-10'),
  'a number, a number, a number, a number, a number', 'once all is deleted no number is left');
SELECT is((SELECT d.unknown_reason FROM public.daily_metric d WHERE d.local_date = '2026-11-10'), 'deleted_at_source', 'and the cell says so');

SELECT * FROM finish();
ROLLBACK;
