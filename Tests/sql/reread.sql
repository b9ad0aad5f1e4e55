-- reread.sql — R8: what a client is asked to read again: what may become known by it, and nothing else.
-- Persons live in UTC and have a watch on Health Connect, unless it says otherwise. A night's read is at 07:00 the morning after.
BEGIN;
SELECT plan(24);

CREATE FUNCTION pg_temp.say(name text, day date, outcome text DEFAULT 'value', metric text DEFAULT 'steps', platform text DEFAULT 'health_connect',
  read timestamptz DEFAULT NULL, code text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  person constant uuid := md5(name)::uuid;
  reads constant timestamptz[] := ARRAY[COALESCE(read, (day + 1)::timestamp AT TIME ZONE 'UTC' + interval '7 hours')];
  platforms smallint[];
  metrics smallint[];
BEGIN
  SELECT ARRAY[p.platform_id], ARRAY[m.metric_id] INTO platforms, metrics FROM public.platform p, public.metric m
  WHERE p.platform = say.platform AND m.metric = say.metric;
  PERFORM evidence.note_origins(ARRAY[person], platforms, '{""}', reads, '{true}', '{NULL}', reads[1]);
  PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2020-01-01 00:00Z}', ARRAY[md5('zone')::uuid], '{0}', '{UTC}', reads[1]);
  PERFORM evidence.merge_readings(ARRAY[person], platforms, '{""}', ARRAY[gen_random_uuid()], reads, '{1}', metrics, ARRAY[day], '{0}', ARRAY[outcome],
    ARRAY[CASE WHEN outcome = 'value' THEN '5' END], ARRAY[CASE WHEN outcome = 'value' THEN '{watch}' ELSE '{}' END], ARRAY[code], '{NULL}', '{true}', reads[1]);
  PERFORM evidence.derive(ARRAY[person], ARRAY[day], reads[1], false);
END $$;
CREATE FUNCTION pg_temp.recheck(as_of timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    EXIT WHEN evidence.recheck_due(as_of, 1000, true) + evidence.recheck_silent(as_of, 1000) = 0;
  END LOOP;
END $$;
CREATE FUNCTION pg_temp.window(name text, boundary timestamptz, read timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_windows(ARRAY[md5(name)::uuid], '{2}', '{""}', '{0}', '{authorized_from}', ARRAY[read], ARRAY[gen_random_uuid()], '{0}', ARRAY[boundary], read);
END $$;
CREATE FUNCTION pg_temp.allow(name text, state text, read timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_permissions(ARRAY[md5(name)::uuid], '{2}', '{""}', '{0}', ARRAY[read], ARRAY[gen_random_uuid()], '{0}', ARRAY[state], '{NULL}', read);
END $$;
-- The requests of a person in brief.
CREATE FUNCTION pg_temp.asked(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s %s %s-%s %s', r.metric, r.platform, to_char(r.from_date, 'YYMMDD'), to_char(r.to_date, 'YYMMDD'), array_to_string(r.reasons, '+')), ', '
    ORDER BY r.metric, r.platform, r.from_date) FROM public.reread_request r WHERE r.user_id = md5(name)::uuid);
END $$;

-- Days that nobody has read.
DO $$ BEGIN
  PERFORM pg_temp.say('anna', '2026-11-24');
  PERFORM pg_temp.recheck('2026-11-28 08:00Z');
END $$;
SELECT is(pg_temp.asked('anna'), 'steps health_connect 261125-261127 not_yet_synced', 'days that nobody has read are one stretch');
DO $$ BEGIN PERFORM pg_temp.say('anna', '2026-11-26', read => '2026-11-28 09:00Z'); END $$;
SELECT is(pg_temp.asked('anna'), 'steps health_connect 261125-261125 not_yet_synced, steps health_connect 261127-261127 not_yet_synced', 'a day that became known parts it');
DO $$ BEGIN PERFORM pg_temp.say('anna', '2026-11-27', 'failed', read => '2026-11-28 09:00Z', code => 'HealthConnectException.7'); END $$;
SELECT is(pg_temp.asked('anna'), 'steps health_connect 261125-261125 not_yet_synced, steps health_connect 261127-261127 provider_error', 'what failed is read again');
DO $$ BEGIN PERFORM pg_temp.recheck('2027-06-01 00:00Z'); END $$;
SELECT matches(pg_temp.asked('anna'), 'steps health_connect 261125-261125 not_yet_synced', 'also when its re-checks have ended: nobody has read it yet');

-- Reasons that reading cannot change, and those that it may.
DO $$ BEGIN PERFORM pg_temp.say('ben', '2026-11-01', 'unavailable'); PERFORM pg_temp.say('ben', '2026-11-01', 'denied', 'sleep_duration'); END $$;
SELECT is(pg_temp.asked('ben'), NULL, 'what cannot be measured or is not allowed is not asked for');
UPDATE public.unknown_reason SET action = 'retry' WHERE code = 'metric_unavailable';
SELECT is(pg_temp.asked('ben'), 'steps health_connect 261101-261101 metric_unavailable', 'the catalogue decides, and an operator may edit it');
UPDATE public.unknown_reason SET action = 'say_once' WHERE code = 'metric_unavailable';
DO $$ BEGIN PERFORM pg_temp.say('cleo', '2026-11-01', 'empty'); PERFORM pg_temp.say('cleo', '2026-11-01', 'empty', 'weight'); END $$;
SELECT is(pg_temp.asked('cleo'), 'steps health_connect 261101-261101 no_source_coverage', 'a day without a source may still get late data; without weight it is as usual');
DO $$ BEGIN PERFORM pg_temp.recheck('2027-06-01 00:00Z'); END $$;
SELECT unalike(pg_temp.asked('cleo'), '%no_source_coverage%', 'until nobody waits for it any more');

-- Several platforms.
DO $$ BEGIN
  PERFORM pg_temp.say('dora', '2026-11-01', 'failed', code => 'HealthConnectException.8');
  PERFORM pg_temp.say('dora', '2026-11-01', 'empty', platform => 'garmin');
END $$;
SELECT is((SELECT d.unknown_reason FROM public.daily_metric d WHERE d.user_id = md5('dora')::uuid), 'not_yet_synced', 'one platform was busy, the other found nothing');
SELECT is(pg_temp.asked('dora'), 'steps health_connect 261101-261101 not_yet_synced', 'only the one that has not read yet is asked');
DO $$ BEGIN PERFORM pg_temp.allow('dora', 'not_connected', '2026-11-02 07:00Z'); END $$;
SELECT is(pg_temp.asked('dora'), NULL, 'and nobody who is not connected');

-- Lower bounds.
DO $$ BEGIN PERFORM pg_temp.say('emil', '2026-11-01', read => '2026-11-01 12:00Z'); END $$;
SELECT is(pg_temp.asked('emil'), NULL, 'a day that is going on is read anyway');
DO $$ BEGIN PERFORM pg_temp.say('emil', '2026-11-02', read => '2026-11-03 07:00Z'); END $$;
SELECT is(pg_temp.asked('emil'), 'steps health_connect 261101-261101 not_final', 'once it is over its number was a lower bound');
DO $$ BEGIN PERFORM pg_temp.say('emil', '2026-11-01', read => '2026-11-03 08:00Z'); END $$;
SELECT is(pg_temp.asked('emil'), NULL, 'until it is read once more');
DO $$ BEGIN PERFORM pg_temp.say('fay', '2026-11-01', read => '2026-11-01 12:00Z'); PERFORM pg_temp.recheck('2026-11-02 00:30Z'); END $$;
SELECT is(pg_temp.asked('fay'), 'steps health_connect 261101-261101 not_final', 'a re-check knows too that the day is over');

-- Not before what may be read.
DO $$ BEGIN
  PERFORM pg_temp.say('gus', '2026-11-01');
  PERFORM pg_temp.recheck('2026-11-06 00:30Z');
  PERFORM pg_temp.window('gus', '2026-11-04 10:00Z', '2026-11-06 08:00Z');
END $$;
SELECT is(pg_temp.asked('gus'), 'steps health_connect 261104-261105 not_yet_synced', 'a boundary holds at once, before its days are derived again');
DO $$ BEGIN PERFORM pg_temp.recheck('2026-11-06 09:00Z'); END $$;
SELECT is(pg_temp.asked('gus'), 'steps health_connect 261105-261105 not_yet_synced', 'and afterwards');
DO $$ BEGIN PERFORM pg_temp.window('gus', '2026-10-01 00:00Z', '2026-11-06 10:00Z'); PERFORM pg_temp.recheck('2026-11-06 10:00Z'); END $$;
SELECT is(pg_temp.asked('gus'), 'steps health_connect 261102-261105 not_yet_synced', 'when more is shared, the days behind it are asked for');
DO $$ BEGIN
  PERFORM pg_temp.window('hal', '2026-11-01 10:00Z', '2026-11-01 09:00Z');
  PERFORM pg_temp.say('hal', '2026-11-01');
END $$;
SELECT is((SELECT d.is_final FROM public.daily_metric d WHERE d.user_id = md5('hal')::uuid), false, 'on the day of a boundary a number is a lower bound');
SELECT is(pg_temp.asked('hal'), NULL, 'and reading it again makes nothing better');

-- A total that a deletion made untrue.
DO $$ BEGIN
  PERFORM pg_temp.say('ida', '2026-11-01', 'empty', read => '2026-11-02 06:00Z');
  PERFORM pg_temp.say('ida', '2026-11-01');
  PERFORM evidence.merge_deletions(ARRAY[md5('ida')::uuid], '{2}', '{""}', ARRAY[gen_random_uuid()], '{2026-11-02 09:00Z}', '{1}', '{NULL}',
    (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{2026-11-01 10:00Z}', '{2026-11-01 11:00Z}', '2026-11-02 09:00Z');
  PERFORM evidence.derive(ARRAY[md5('ida')::uuid], '{2026-11-01}', '2026-11-02 09:00Z', false);
END $$;
SELECT is(pg_temp.asked('ida'), 'steps health_connect 261101-261101 not_yet_synced', 'a total that a deletion made untrue is read again');

-- How far a history load has reached: the later statement says it, be it for the metric or for all.
CREATE FUNCTION pg_temp.reach(name text, metric text, reached date, read timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_backfills(ARRAY[md5(name)::uuid], '{2}', '{""}', ARRAY[COALESCE((SELECT m.metric_id FROM public.metric m WHERE m.metric = reach.metric), 0::smallint)],
    ARRAY[read], ARRAY[md5(read::text)::uuid], '{0}', '{true}', ARRAY[reached]);
END $$;
CREATE FUNCTION pg_temp.first_asked(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT min(r.from_date)::text FROM public.reread_request r WHERE r.user_id = md5(name)::uuid);
END $$;
DO $$ BEGIN
  PERFORM pg_temp.say('jo', '2026-11-10');
  PERFORM pg_temp.reach('jo', 'steps', '2026-11-08', '2026-11-11 08:00Z');
  PERFORM pg_temp.reach('jo', NULL, '2026-11-05', '2026-11-12 08:00Z');
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, unknown_reason, covering_sources, computed_at, is_final, rule_version)
  SELECT md5('jo')::uuid, 'steps', d::date, 'unknown', 'not_yet_synced', 0, '2026-11-12 08:00Z', true, 1 FROM generate_series(timestamp '2026-11-01', '2026-11-09', '1 day') d;
END $$;
SELECT is(pg_temp.first_asked('jo'), '2026-11-05', 'a later word on all metrics counts more than an earlier one on this');
DO $$ BEGIN PERFORM pg_temp.reach('jo', 'steps', '2026-11-03', '2026-11-13 08:00Z'); END $$;
SELECT is(pg_temp.first_asked('jo'), '2026-11-03', 'and less than a later one');
DO $$ BEGIN PERFORM pg_temp.reach('jo', NULL, '2026-11-02', '2026-11-13 08:00Z'); END $$;
SELECT is(pg_temp.first_asked('jo'), '2026-11-03', 'of one payload the metric''s own counts');

SELECT * FROM finish();
ROLLBACK;
