-- workouts.sql — a workout's quantities come with their coverage, are made anew from what was kept, and go when it is deleted.
BEGIN;
SELECT plan(34);

-- A ride along a line: a fix each second, whose columns a test may take away.
CREATE FUNCTION pg_temp.told(id text, read_at timestamptz, fixes integer[], altitudes text[] DEFAULT NULL, speeds text[] DEFAULT NULL, exact text[] DEFAULT NULL,
  beat_at integer[] DEFAULT '{}', beats real[] DEFAULT '{}', day date DEFAULT '2026-11-24') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  anna constant uuid := md5('anna')::uuid;
  n constant integer := cardinality(fixes);
  minutes constant smallint := (SELECT m.metric_id FROM public.metric m WHERE m.metric = 'workout_minutes');
  count constant smallint := (SELECT m.metric_id FROM public.metric m WHERE m.metric = 'workout_count');
  payload constant uuid := md5(id || read_at)::uuid;
BEGIN
  PERFORM evidence.note_origins(ARRAY[anna], '{2}', '{""}', ARRAY[read_at], '{true}', '{NULL}', read_at);
  PERFORM evidence.merge_workouts(ARRAY[anna], '{2}', '{""}', ARRAY[payload], ARRAY[read_at], '{1}', ARRAY[id], ARRAY[day], '{0}', '{watch}',
    ARRAY[day + time '10:00'] :: timestamptz[], ARRAY[day + time '10:10']::timestamptz[], '{false}',
    ARRAY[ARRAY(SELECT f * 1000 FROM unnest(fixes) f)::text],
    ARRAY[ARRAY(SELECT CASE WHEN o > 1 THEN 5 * (f - fixes[o - 1]) END FROM unnest(fixes) WITH ORDINALITY AS u (f, o))::real[]::text],
    ARRAY[COALESCE(altitudes, array_fill('40'::text, ARRAY[n]))::text], ARRAY[COALESCE(speeds, array_fill('5'::text, ARRAY[n]))::text],
    ARRAY[COALESCE(exact, array_fill('t'::text, ARRAY[n]))::text], ARRAY[beat_at::text], ARRAY[beats::text]);
  PERFORM evidence.merge_records(ARRAY[anna], '{2}', '{""}', ARRAY[payload], ARRAY[read_at], '{1,1}', ARRAY[id, id || ' minutes'], ARRAY[count, minutes], ARRAY[day, day], '{0,1}',
    '{NULL,10}', '{watch,watch}', ARRAY[day + time '10:00', day + time '10:00']::timestamptz[], ARRAY[day + time '10:10', day + time '10:10']::timestamptz[], '{false,false}', '{true,true}', read_at);
  PERFORM evidence.derive_workouts(ARRAY[anna], '{2}', '{""}', ARRAY[id]);
  PERFORM evidence.derive(ARRAY[anna], ARRAY[day], read_at, false);
END $$;
CREATE FUNCTION pg_temp.deleted(id text, read_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_origins(ARRAY[md5('anna')::uuid], '{2}', '{""}', ARRAY[read_at], '{true}', '{NULL}', read_at);
  PERFORM evidence.merge_deletions(ARRAY[md5('anna')::uuid], '{2}', '{""}', ARRAY[md5('deleting ' || id)::uuid], ARRAY[read_at], '{1}', ARRAY[id], '{NULL}', '{NULL}', '{NULL}', read_at);
  PERFORM evidence.derive_workouts(ARRAY[md5('anna')::uuid], '{2}', '{""}', '{NULL}');
  PERFORM evidence.derive(ARRAY[md5('anna')::uuid], '{2026-11-24}', read_at, false);
END $$;
CREATE FUNCTION pg_temp.said(id text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(', ', public.workout_label('distance', s.distance, s.distance_coverage), public.workout_label('average_speed', s.average_speed, s.average_speed_coverage),
      public.workout_label('elevation_gain', s.elevation_gain, s.elevation_gain_coverage), public.workout_label('average_heart_rate', s.average_heart_rate, s.average_heart_rate_coverage))
    FROM public.workout_summary s WHERE s.user_id = md5('anna')::uuid AND s.id = evidence.record_key(2::smallint, '', said.id));
END $$;
CREATE FUNCTION pg_temp.cells() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s %s', d.metric, COALESCE(d.value::text, d.unknown_reason)), ', ' ORDER BY d.metric) FROM public.daily_metric d WHERE d.user_id = md5('anna')::uuid);
END $$;
CREATE FUNCTION pg_temp.seconds(first integer, last integer) RETURNS integer[] LANGUAGE plpgsql AS $$ BEGIN RETURN ARRAY(SELECT generate_series(first, last)); END $$;

-- The words.
SELECT is(public.workout_label('elevation_gain', NULL, 0), 'no elevation data', 'no altitude is no elevation data');
SELECT is(public.workout_label('elevation_gain', 0, 1), '0 m', 'a flat ride is 0 m');
SELECT is(public.workout_label('distance', 5213, 0.87), '5.2+ km (87 % of workout)', 'a gap makes a lower bound');
SELECT is(public.workout_label('average_speed', 5, 0.5), '18.0 km/h (50 % of workout)', 'an average is none');
SELECT is(public.workout_label('average_heart_rate', 141.6, 0.001), '142 bpm (under 1 % of workout)', 'a sliver is not nothing');
SELECT throws_ok($$SELECT public.workout_label('power', 1, 1)$$, '22023', NULL, 'a field that there is not is an error');

-- The rules.
SELECT pg_temp.told('whole', '2026-11-25 07:00Z', pg_temp.seconds(0, 600));
SELECT is(pg_temp.said('whole'), '3.0 km, 18.0 km/h, 0 m, no heart rate data', 'a ride that was seen as a whole');
SELECT pg_temp.told('tunnel', '2026-11-25 07:00Z', pg_temp.seconds(0, 200) || pg_temp.seconds(279, 600));
SELECT is(pg_temp.said('tunnel'), '2.6+ km (87 % of workout), 18.0 km/h (87 % of workout), 0+ m (87 % of workout), no heart rate data', 'a tunnel is not bridged');
SELECT pg_temp.told('ten', '2026-11-25 07:00Z', pg_temp.seconds(0, 100) || pg_temp.seconds(110, 600));
SELECT is(pg_temp.said('ten'), '3.0 km, 18.0 km/h, 0 m, no heart rate data', 'ten seconds are a hop');
SELECT pg_temp.told('flat', '2026-11-25 07:00Z', pg_temp.seconds(0, 600), array_fill(NULL::text, '{601}'));
SELECT is((SELECT concat_ws(' ', s.elevation_gain, s.elevation_gain_coverage, s.distance) FROM public.workout_summary s WHERE s.id = evidence.record_key(2::smallint, '', 'flat')), '0 3000.000', 'no altitude is no gain, and a distance');
SELECT pg_temp.told('hill', '2026-11-25 07:00Z', pg_temp.seconds(0, 600), ARRAY(SELECT (40 + LEAST(n, 600 - n) * 0.25)::text FROM generate_series(0, 600) n));
SELECT is((SELECT s.elevation_gain FROM public.workout_summary s WHERE s.id = evidence.record_key(2::smallint, '', 'hill')), 75.000, 'a slow climb adds up, and the way down takes nothing back');
SELECT pg_temp.told('waver', '2026-11-25 07:00Z', pg_temp.seconds(0, 600), ARRAY(SELECT (40 + (n % 2) * 0.9)::text FROM generate_series(0, 600) n));
SELECT is((SELECT s.elevation_gain FROM public.workout_summary s WHERE s.id = evidence.record_key(2::smallint, '', 'waver')), 0.000, 'what wavers by less than a metre climbs nothing');
SELECT pg_temp.told('bare', '2026-11-25 07:00Z', pg_temp.seconds(0, 600), NULL, ARRAY(SELECT CASE WHEN n < 300 THEN '0' ELSE '5' END FROM generate_series(0, 600) n), ARRAY(SELECT CASE WHEN n < 150 THEN 'f' ELSE 't' END FROM generate_series(0, 600) n));
SELECT is((SELECT concat_ws(' ', s.average_speed, s.speed_without_accuracy) FROM public.workout_summary s WHERE s.id = evidence.record_key(2::smallint, '', 'bare')), '2.500000 0.250000',
  'standing counts, a speed without an accuracy counts and is reported');
SELECT pg_temp.told('pulse', '2026-11-25 07:00Z', '{}', NULL, NULL, NULL, '{0,10000,100000}', '{120,150,90}');
SELECT is(pg_temp.said('pulse'), 'no distance data, no speed data, no elevation data, 120 bpm (7 % of workout)', 'a heart rate holds for 15 s; no fix is no data');
SELECT is((SELECT s.average_heart_rate_coverage FROM public.workout_summary s WHERE s.id = evidence.record_key(2::smallint, '', 'pulse')), 0.066667, 'of 600 s it is 40');

-- What cannot be stored.
SELECT throws_ok($$UPDATE public.workout_summary SET elevation_gain = 0 WHERE elevation_gain IS NULL$$, '23514', NULL, 'no value without coverage, not even 0');
SELECT throws_ok($$UPDATE public.workout_summary SET distance = NULL WHERE distance IS NOT NULL$$, '23514', NULL, 'no coverage without a value');
SELECT throws_ok($$UPDATE public.workout_summary SET distance_coverage = 1.01 WHERE distance IS NOT NULL$$, '23514', NULL, 'no coverage above 1');
SELECT throws_ok($$UPDATE public.workout_summary SET average_heart_rate = 0 WHERE average_heart_rate IS NOT NULL$$, '23514', NULL, 'no heart that does not beat');
SELECT throws_ok($$UPDATE public.workout_summary SET distance = 'NaN' WHERE distance IS NOT NULL$$, '23514', NULL, 'no NaN');

-- Made anew.
SELECT is_empty($$SELECT * FROM evidence.compare_shown(md5('anna')::uuid, '{2026-11-24}', '2026-11-25 07:00Z')$$, 'what is shown is what was kept');
UPDATE public.workout_summary SET distance = 1 WHERE id = evidence.record_key(2::smallint, '', 'whole');
UPDATE public.workout_summary SET local_date = '2026-11-23' WHERE id = evidence.record_key(2::smallint, '', 'hill');
DELETE FROM public.workout_summary WHERE id = evidence.record_key(2::smallint, '', 'ten');
SELECT set_eq($$SELECT c.metric, c.local_date, c.finding FROM evidence.compare_shown(md5('anna')::uuid, '{2026-11-24}', '2026-11-25 07:00Z') c$$,
  $$VALUES ('workout_summary', '2026-11-24'::date, '3 workouts')$$, 'what is not is found');
DO $$ BEGIN PERFORM evidence.repair_cells(md5('anna')::uuid, '{workout_summary}', '{2026-11-24}', '2026-11-25 07:00Z'); END $$;
SELECT is_empty($$SELECT * FROM evidence.compare_shown(md5('anna')::uuid, '{2026-11-23,2026-11-24}', '2026-11-25 07:00Z')$$, 'and repaired');

-- The latest read counts.
SELECT pg_temp.told('whole', '2026-11-25 06:00Z', pg_temp.seconds(0, 300));
SELECT is(pg_temp.said('whole'), '3.0 km, 18.0 km/h, 0 m, no heart rate data', 'an earlier read that comes later changes nothing');
SELECT pg_temp.told('whole', '2026-11-25 08:00Z', pg_temp.seconds(0, 300));
SELECT is(pg_temp.said('whole'), '1.5+ km (50 % of workout), 18.0 km/h (50 % of workout), 0+ m (50 % of workout), no heart rate data', 'a later one does');

-- Count and minutes, and deletions.
SELECT is(pg_temp.cells(), 'workout_count 8, workout_minutes 80', 'workouts of a device count, and their minutes');
SELECT pg_temp.deleted('tunnel', '2026-11-25 09:00Z');
SELECT is(pg_temp.said('tunnel'), NULL, 'a workout that was deleted is not shown');
SELECT is((SELECT count(*) FROM evidence.workout w WHERE w.id = evidence.record_key(2::smallint, '', 'tunnel')), 0::bigint, 'nor kept');
SELECT is((SELECT r.deleted_at FROM evidence.record r WHERE r.id = evidence.record_key(2::smallint, '', 'tunnel minutes')), '2026-11-25 09:00Z', 'its minutes go with it');
SELECT is(pg_temp.cells(), 'workout_count 7, workout_minutes 70', 'and it is counted no more');
SELECT pg_temp.told('tunnel', '2026-11-25 10:00Z', pg_temp.seconds(0, 600));
SELECT is(pg_temp.said('tunnel'), NULL, 'what was deleted by its id does not come back');
SELECT pg_temp.deleted('unknown', '2026-11-25 09:00Z');
SELECT pg_temp.told('unknown', '2026-11-25 08:00Z', pg_temp.seconds(0, 600), day => '2026-11-22');
SELECT is((SELECT count(*) FROM public.workout_summary s WHERE s.local_date = '2026-11-22') + (SELECT count(*) FROM evidence.workout w WHERE w.local_date = '2026-11-22')
  + (SELECT count(*) FROM public.daily_metric d WHERE d.local_date = '2026-11-22' AND d.status = 'measured'), 0::bigint, 'whichever came first');
DO $$ BEGIN
  PERFORM evidence.merge_deletions(ARRAY[md5('anna')::uuid], '{2}', '{""}', ARRAY[md5('x')::uuid], '{2026-11-25 11:00Z}', '{1}', '{NULL}',
    (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'workout_count'), '{2026-11-24 09:00Z}', '{2026-11-24 11:00Z}', '2026-11-25 11:00Z');
  PERFORM evidence.derive_workouts(ARRAY[md5('anna')::uuid], '{2}', '{""}', '{NULL}');
END $$;
SELECT is_empty($$SELECT FROM public.workout_summary$$, 'a stretch of time takes the workouts that lie in it');
SELECT is_empty($$SELECT FROM evidence.workout$$, 'and what was kept of them');

SELECT * FROM finish();
