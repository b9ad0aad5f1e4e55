-- catalogue.sql — G3: a row of a catalogue is changed in psql, and exactly the cells that it affects are derived again.
-- Three persons, read in the night of 2026-11-05; everything is settled before each change. A change is made by a plain UPDATE.
BEGIN;
SELECT plan(36);

CREATE FUNCTION pg_temp.say(name text, day date, metric text, outcome text, value text DEFAULT NULL, platform text DEFAULT 'health_connect', code text DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  person constant uuid := md5(name)::uuid;
  reads constant timestamptz[] := '{2026-11-05 07:00Z}';
  platforms smallint[];
  metrics smallint[];
BEGIN
  SELECT ARRAY[p.platform_id], ARRAY[m.metric_id] INTO platforms, metrics FROM public.platform p, public.metric m WHERE p.platform = say.platform AND m.metric = say.metric;
  PERFORM evidence.note_origins(ARRAY[person], platforms, '{""}', reads, '{true}', '{NULL}', reads[1]);
  PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2020-01-01 00:00Z}', ARRAY[md5('zone')::uuid], '{0}', '{UTC}', '2020-01-01 00:00Z');
  PERFORM evidence.merge_readings(ARRAY[person], platforms, '{""}', ARRAY[gen_random_uuid()], reads, '{1}', metrics, ARRAY[day], '{0}', ARRAY[outcome],
    ARRAY[value], ARRAY[CASE WHEN outcome = 'value' THEN '{watch}' ELSE '{}' END], ARRAY[code], '{NULL}', '{true}', reads[1]);
  PERFORM evidence.derive(ARRAY[person], ARRAY[day], reads[1], false);
END $$;

-- What the command recheck does: until nothing is due. Returns how many rounds did something.
CREATE FUNCTION pg_temp.recheck(as_of timestamptz, size integer DEFAULT 1000) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  rounds integer := 0;
BEGIN
  WHILE evidence.recheck_due(as_of, size, true) + evidence.spread_changes(as_of, size) + evidence.recheck_cells(as_of, size) + evidence.recheck_silent(as_of, size) > 0 LOOP
    rounds := rounds + 1;
    IF rounds > 200 THEN RAISE 'the re-check finds no end'; END IF;
  END LOOP;
  RETURN rounds;
END $$;

DO $$ BEGIN
  PERFORM pg_temp.say('anna', '2026-11-01', 'steps', 'value', '7000');
  PERFORM pg_temp.say('anna', '2026-11-01', 'sleep_duration', 'value', '400', 'oura');
  PERFORM pg_temp.say('anna', '2026-11-01', 'sleep_deep', 'value', '0', 'oura');
  PERFORM pg_temp.say('anna', '2026-11-01', 'active_energy', 'empty');
  PERFORM pg_temp.say('anna', '2026-11-02', 'steps', 'empty');
  PERFORM pg_temp.say('anna', '2026-11-02', 'sleep_duration', 'failed', NULL, 'oura', 'http.429');
  PERFORM pg_temp.say('anna', '2026-11-02', 'resting_heart_rate', 'failed', NULL, 'oura', 'HKError.6');
  PERFORM pg_temp.say('ben', '2026-11-01', 'resting_heart_rate', 'value', '60');
  PERFORM pg_temp.say('ben', '2026-11-01', 'resting_heart_rate', 'value', '70', 'garmin');
  PERFORM pg_temp.say('ben', '2026-11-02', 'resting_heart_rate', 'failed', NULL, 'garmin', 'http.500');
  PERFORM pg_temp.say('ben', '2026-11-02', 'resting_heart_rate', 'empty');
  PERFORM pg_temp.say('ben', '2026-11-02', 'flights_climbed', 'empty');
  PERFORM pg_temp.say('cleo', '2026-11-01', 'weight', 'value', '80', 'manual');
  PERFORM pg_temp.say('cleo', '2026-11-01', 'steps', 'value', '900', 'manual');
  PERFORM pg_temp.say('cleo', '2026-11-01', 'flights_climbed', 'empty');
  PERFORM pg_temp.recheck('2026-11-05 08:00Z');
END $$;

-- The cells that differ from how they were when this was last called, by person, day, metric; the clock of later re-checks does not go on.
CREATE TEMPORARY TABLE were AS SELECT * FROM public.daily_metric;
CREATE TABLE pg_temp.names AS SELECT n AS name, md5(n)::uuid AS user_id FROM unnest('{anna,ben,cleo}'::text[]) n;
CREATE FUNCTION pg_temp.rewritten(as_of timestamptz, size integer DEFAULT 1000) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answer text;
BEGIN
  PERFORM pg_temp.recheck(as_of, size);
  SELECT string_agg(format('%s %s %s', n.name, extract(day FROM COALESCE(d.local_date, w.local_date)), COALESCE(d.metric, w.metric)), ', ' ORDER BY n.name, COALESCE(d.metric, w.metric), COALESCE(d.local_date, w.local_date)) INTO answer
  FROM public.daily_metric d FULL JOIN pg_temp.were w ON w.user_id = d.user_id AND w.metric = d.metric AND w.local_date = d.local_date
  JOIN pg_temp.names n ON n.user_id = COALESCE(d.user_id, w.user_id) WHERE d IS DISTINCT FROM w;
  DELETE FROM pg_temp.were;
  INSERT INTO pg_temp.were SELECT * FROM public.daily_metric;
  RETURN answer;
END $$;
CREATE FUNCTION pg_temp.cell(name text, day integer, metric text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(' ', COALESCE(trim_scale(d.value)::text, d.unknown_reason || COALESCE('/' || d.unknown_detail, '')), d.covering_sources)
          FROM public.daily_metric d WHERE d.user_id = md5(name)::uuid AND d.local_date = make_date(2026, 11, day) AND d.metric = cell.metric);
END $$;
-- All that is unknown was derived at eight; nothing is due a minute later, so that what moves is moved by the change alone.
CREATE FUNCTION pg_temp.soon(minutes integer) RETURNS timestamptz LANGUAGE plpgsql AS $$ BEGIN RETURN timestamptz '2026-11-05 08:00Z' + minutes * interval '1 second'; END $$;

SELECT is((SELECT count(*) FROM evidence.catalogue_change), 0::bigint, 'a new database has nothing to notice');
SELECT is(pg_temp.recheck(pg_temp.soon(1)), 0, 'where nothing was changed nothing is due');
SELECT is(pg_temp.rewritten(pg_temp.soon(1)), NULL, 'and nothing is written');

-- Words.
UPDATE public.metric SET absence_message = 'Where were you?', name = 'paces' WHERE metric = 'steps';
UPDATE public.unknown_reason SET message = 'Not here.' WHERE code = 'not_yet_synced';
SELECT is(pg_temp.recheck(pg_temp.soon(2)), 0, 'names and messages change no cell');

-- Metrics.
UPDATE public.metric SET high = 100000 WHERE metric = 'sleep_duration';
SELECT is(pg_temp.rewritten(pg_temp.soon(3)), 'anna 2 sleep_deep, anna 3 sleep_deep, anna 4 sleep_deep, anna 2 sleep_duration, anna 3 sleep_duration, anna 4 sleep_duration',
  'a range: the unknown cells of the metric and of its child are derived again, and no other of their days');
UPDATE public.metric SET evidence = NULL WHERE metric = 'steps';
SELECT is(pg_temp.rewritten(pg_temp.soon(4)), 'anna 2 steps, anna 3 steps, anna 4 steps, cleo 1 flights_climbed, cleo 2 steps, cleo 3 steps, cleo 4 steps',
  'a kind of evidence: the metric''s own, and what its numbers may license on their days');
UPDATE public.metric SET evidence = 'carry' WHERE metric = 'steps';
UPDATE public.metric SET licence = '{wear,carry}' WHERE metric = 'active_energy';
SELECT is(pg_temp.cell('anna', 1, 'active_energy'), '0 1', 'a night''s sleep licenses that no energy was spent');
SELECT isnt(pg_temp.rewritten(pg_temp.soon(5)), NULL, 'a kind of evidence and a licence at once');
SELECT is(pg_temp.cell('anna', 1, 'active_energy'), '0 2', 'a wider licence: one witness more');
UPDATE public.metric SET licence = '{carry}' WHERE metric = 'active_energy';
UPDATE public.metric SET evidence = NULL WHERE metric = 'steps';
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(6)); END $$;
SELECT is(pg_temp.cell('anna', 1, 'active_energy'), 'no_source_coverage 0', 'without a witness the zero is not known any more');
UPDATE public.metric SET evidence = 'carry' WHERE metric = 'steps';
UPDATE public.metric SET licence = '{wear}' WHERE metric = 'active_energy';
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(7)); END $$;
SELECT is(pg_temp.cell('anna', 1, 'active_energy'), '0 1', 'and back');
UPDATE public.metric SET intermittent = true WHERE metric = 'flights_climbed';
SELECT is(pg_temp.rewritten(pg_temp.soon(8)) LIKE '%ben 3 flights_climbed%', true, 'a metric that comes now and then has no silent days');
SELECT is(pg_temp.cell('ben', 3, 'flights_climbed'), NULL, 'so they are gone');
SELECT is(pg_temp.cell('ben', 2, 'flights_climbed') IS NOT NULL, true, 'but not what was said');
UPDATE public.metric SET intermittent = false WHERE metric = 'flights_climbed';
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(9)); END $$;
SELECT is(pg_temp.cell('ben', 3, 'flights_climbed'), 'not_yet_synced 0', 'and back');
UPDATE public.metric SET high = 1499 WHERE metric = 'sleep_duration';
UPDATE public.metric SET low = 1 WHERE metric = 'sleep_duration';
SELECT is(evidence.spread_changes(pg_temp.soon(10), 1) > 0, true, 'the cells are looked for in steps');
SELECT is((SELECT count(*) FROM evidence.catalogue_change), 1::bigint, 'two edits of one row are one change, kept until its last step');
SELECT is(pg_temp.rewritten(pg_temp.soon(10), 1), 'anna 2 sleep_deep, anna 3 sleep_deep, anna 4 sleep_deep, anna 2 sleep_duration, anna 3 sleep_duration, anna 4 sleep_duration', 'as small as one likes');
SELECT results_eq($$SELECT (SELECT count(*) FROM evidence.catalogue_change), (SELECT count(*) FROM evidence.due_cell)$$, $$VALUES (0::bigint, 0::bigint)$$, 'until nothing is left');

-- Reasons.
UPDATE public.unknown_reason SET first_check = '100 days', check_until = '400 days' WHERE code = 'provider_error';
SELECT is(pg_temp.rewritten(pg_temp.soon(11)), 'anna 2 sleep_duration, ben 2 resting_heart_rate', 'a schedule: the cells with that reason');
SELECT is((SELECT d.next_check_at FROM public.daily_metric d WHERE d.user_id = md5('anna')::uuid AND d.metric = 'sleep_duration' AND d.local_date = '2026-11-02'),
  pg_temp.soon(11) + interval '100 days', 'have their next check by it');
UPDATE public.unknown_reason SET first_check = NULL, check_growth = NULL, check_until = NULL WHERE code IN ('provider_error', 'not_yet_synced', 'no_source_coverage');
SELECT isnt(pg_temp.rewritten(pg_temp.soon(12)), NULL, 'no schedule at all');
SELECT is((SELECT count(*) FROM public.daily_metric d WHERE d.next_check_at IS NOT NULL), 0::bigint, 'leaves everything to events');
SELECT is((SELECT count(*) FROM evidence.due_day), 0::bigint, 'and no day on the work list');
UPDATE public.unknown_reason SET first_check = '15 minutes', check_growth = 2, check_until = '30 days' WHERE code IN ('provider_error', 'not_yet_synced', 'no_source_coverage');
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(13)); END $$;
SELECT results_eq(
  $$SELECT q.user_id, q.local_date, q.due_at FROM evidence.due_day q ORDER BY 1, 2$$,
  $$SELECT d.user_id, d.local_date, min(d.next_check_at) FROM public.daily_metric d WHERE d.next_check_at IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2$$,
  'and back: the work list says what the cells say');
UPDATE public.unknown_reason SET rank = 99 WHERE code = 'provider_error';
SELECT is(pg_temp.rewritten(pg_temp.soon(14)), 'ben 2 resting_heart_rate, ben 3 resting_heart_rate, ben 4 resting_heart_rate',
  'a rank: the unknown cells of which several origins are asked');
SELECT is(pg_temp.cell('ben', 2, 'resting_heart_rate'), 'no_source_coverage 0', 'show what is now the stronger reason');

-- Platforms and their errors.
UPDATE public.platform SET preference = 5 WHERE platform = 'garmin';
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(15) - interval '0.5 seconds'); END $$;
UPDATE public.platform SET preference = 9 WHERE platform = 'health_connect';
SELECT is(pg_temp.rewritten(pg_temp.soon(15)), 'ben 1 resting_heart_rate, ben 2 resting_heart_rate', 'a preference: cells of metrics that choose by it, which the platform spoke of');
SELECT is(pg_temp.cell('ben', 1, 'resting_heart_rate'), '60 2', 'show the preferred one');
UPDATE public.platform SET is_manual = false WHERE platform = 'manual';
SELECT is(pg_temp.rewritten(pg_temp.soon(16)), 'cleo 1 flights_climbed', 'what was entered by hand becomes a witness');
UPDATE public.platform_error SET reason = 'not_yet_synced', detail = 'slow_down' WHERE code = 'http.429';
SELECT is(pg_temp.rewritten(pg_temp.soon(17)), 'anna 2 sleep_duration', 'a code: the cells with a failed read of it');
INSERT INTO public.platform_error (code, reason, as_shipped) VALUES ('http.500', 'metric_unavailable', '');
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(18)); END $$;
SELECT is((SELECT count(*) FROM evidence.derived_under u WHERE u.key = 'http.500'), 1::bigint, 'a new code is noticed as well');

-- Settings and rules.
UPDATE evidence.setting SET asked_days = 0;
SELECT is(pg_temp.rewritten(pg_temp.soon(19)) LIKE '%anna 2 steps%', false, 'fewer days that are asked about: what was said stays');
SELECT is((SELECT count(*) FROM public.daily_metric d WHERE d.local_date > '2026-11-04'), 0::bigint, 'what nobody said is gone');
UPDATE evidence.setting SET asked_days = 1;
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(20)); END $$;
SELECT is((SELECT max(d.local_date) FROM public.daily_metric d), '2026-11-04', 'and comes again when it is asked about');
CREATE OR REPLACE FUNCTION evidence.rule_version() RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN 2; END $$;
DO $$ BEGIN PERFORM pg_temp.rewritten(pg_temp.soon(20)); END $$;
SELECT is((SELECT count(*) FROM public.daily_metric d WHERE d.rule_version <> 2), 0::bigint, 'other rules: every row is derived by them');

SELECT * FROM finish();
ROLLBACK;
