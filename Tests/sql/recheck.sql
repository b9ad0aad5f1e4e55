-- recheck.sql — G1, G2: what makes a day due, and which days become unknown although nobody spoke of them.
-- Longer than a page because every way in which a day becomes due, or a silent one is filled, stands beside the others.
-- Persons live in UTC and have a watch on Health Connect, unless it says otherwise. A night's read is at 07:00 the morning after.
BEGIN;
SELECT plan(55);

CREATE FUNCTION pg_temp.person(name text, zone text DEFAULT 'UTC') RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  person constant uuid := md5(name)::uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM evidence.person p WHERE p.user_id = person) THEN
    PERFORM evidence.note_origins(ARRAY[person], '{2}', '{""}', '{2020-01-01 00:00Z}', '{true}', '{NULL}', '2020-01-01 00:00Z');
    PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2020-01-01 00:00Z}', ARRAY[md5('zone')::uuid], '{0}', ARRAY[zone], '2020-01-01 00:00Z');
  END IF;
  RETURN person;
END $$;

-- A payload with one entry, merged and derived when it is read.
CREATE FUNCTION pg_temp.say(name text, day date, outcome text DEFAULT 'value', value text DEFAULT NULL, metric text DEFAULT 'steps', platform text DEFAULT 'health_connect',
  read timestamptz DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  person constant uuid := pg_temp.person(name);
  reads constant timestamptz[] := ARRAY[COALESCE(read, (day + 1)::timestamp AT TIME ZONE 'UTC' + interval '7 hours')];
  platforms smallint[];
  metrics smallint[];
BEGIN
  SELECT ARRAY[p.platform_id], ARRAY[m.metric_id] INTO platforms, metrics FROM public.platform p, public.metric m
  WHERE p.platform = say.platform AND m.metric = say.metric;
  PERFORM evidence.note_origins(ARRAY[person], platforms, '{""}', reads, '{true}', '{NULL}', reads[1]);
  PERFORM evidence.merge_readings(ARRAY[person], platforms, '{""}', ARRAY[gen_random_uuid()], reads, '{1}', metrics, ARRAY[day], '{0}', ARRAY[outcome],
    ARRAY[CASE WHEN outcome = 'value' THEN COALESCE(value, '5') END], ARRAY[CASE WHEN outcome = 'value' THEN '{watch}' ELSE '{}' END], '{NULL}', '{NULL}', '{true}', reads[1]);
  PERFORM evidence.derive(ARRAY[person], ARRAY[day], reads[1], false);
END $$;
CREATE FUNCTION pg_temp.allow(name text, state text, read timestamptz, since timestamptz DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_origins(ARRAY[pg_temp.person(name)], '{2}', '{""}', ARRAY[read], '{false}', '{NULL}', read);
  PERFORM evidence.note_permissions(ARRAY[pg_temp.person(name)], '{2}', '{""}', '{0}', ARRAY[read], ARRAY[gen_random_uuid()], '{0}', ARRAY[state], ARRAY[since], read);
END $$;
CREATE FUNCTION pg_temp.limit_history(name text, boundary timestamptz, read timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_windows(ARRAY[pg_temp.person(name)], '{2}', '{""}', '{0}', '{authorized_from}', ARRAY[read], ARRAY[gen_random_uuid()], '{0}', ARRAY[boundary], read);
END $$;

-- Re-checks until nothing is due. Returns how many rounds did something.
CREATE FUNCTION pg_temp.recheck(as_of timestamptz, scheduled boolean DEFAULT true) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  rounds integer := 0;
BEGIN
  LOOP
    EXIT WHEN evidence.recheck_due(as_of, 1000, scheduled) + CASE WHEN scheduled THEN evidence.recheck_silent(as_of, 1000) ELSE 0 END = 0;
    rounds := rounds + 1;
    IF rounds > 10 THEN RAISE 'the re-check finds no end'; END IF;
  END LOOP;
  RETURN rounds;
END $$;

-- The cells of a person in brief: first and last day of each run of one state.
CREATE FUNCTION pg_temp.cells(name text, metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT string_agg(format('%s %s', CASE WHEN min_day = max_day THEN to_char(min_day, 'YYMMDD') ELSE to_char(min_day, 'YYMMDD-') || to_char(max_day, 'YYMMDD') END, state), ', ' ORDER BY min_day)
    FROM (SELECT min(r.local_date) AS min_day, max(r.local_date) AS max_day, r.state
          FROM (SELECT d.local_date, COALESCE(trim_scale(d.value)::text, d.unknown_reason || COALESCE('/' || d.unknown_detail, '')) AS state,
                       d.local_date - (row_number() OVER (PARTITION BY COALESCE(trim_scale(d.value)::text, d.unknown_reason || COALESCE('/' || d.unknown_detail, '')) ORDER BY d.local_date))::integer AS run
                FROM public.daily_metric d WHERE d.user_id = pg_temp.person(name) AND d.metric = cells.metric) r
          GROUP BY r.state, r.run) x);
END $$;
CREATE FUNCTION pg_temp.due(name text, as_of timestamptz DEFAULT '3000-01-01') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT string_agg(to_char(q.local_date, 'YYMMDD') || CASE WHEN q.is_scheduled THEN ' scheduled' ELSE '' END, ', ' ORDER BY q.local_date)
    FROM evidence.due_day q WHERE q.user_id = pg_temp.person(name) AND q.due_at <= as_of);
END $$;

-- G1: the schedule.
DO $$ BEGIN
  PERFORM pg_temp.say('anna', '2026-11-01', 'empty');
  PERFORM pg_temp.say('anna', '2026-11-01', metric => 'weight', value => '80');
END $$;
SELECT is(pg_temp.due('anna'), '261101 scheduled', 'an unknown cell puts its day on the work list');
SELECT is((SELECT q.due_at FROM evidence.due_day q WHERE q.user_id = pg_temp.person('anna')), '2026-11-02 14:00Z', 'for the time when the day is twice as old');
SELECT is((SELECT d.next_check_at FROM public.daily_metric d WHERE d.user_id = pg_temp.person('anna') AND d.metric = 'steps'), '2026-11-02 14:00Z', 'as the cell says itself');
SELECT is((SELECT d.next_check_at FROM public.daily_metric d WHERE d.user_id = pg_temp.person('anna') AND d.metric = 'weight'), NULL, 'what is measured and final is not looked at again');
SELECT is(evidence.recheck_due('2026-11-02 13:59Z', 100, true), 0, 'before that nothing is due');
SELECT is(evidence.recheck_due('2026-11-02 14:00Z', 100, false), 0, 'and without the schedule nothing at all');
SELECT is(evidence.recheck_due('2026-11-02 14:00Z', 100, true), 1, 'then one day is');
SELECT results_eq(
  $$SELECT d.metric, d.computed_at, d.next_check_at FROM public.daily_metric d WHERE d.user_id = pg_temp.person('anna') AND d.metric = 'steps'$$,
  $$VALUES ('steps' COLLATE "C", timestamptz '2026-11-02 14:00Z', timestamptz '2026-11-03 04:00Z')$$,
  'a re-check that finds nothing new is a fact too: computed_at moves, the next one comes later');
SELECT is(evidence.recheck_due('2026-11-02 14:00Z', 100, true), 0, 'nothing is due twice');
SELECT lives_ok($$SELECT pg_temp.say('anna', '2026-11-01', value => '8000', read => '2026-11-02 20:00Z')$$, 'a number arrives');
SELECT is(pg_temp.recheck('2027-03-01 00:00Z') > 0, true, 'the day is looked at once more');
SELECT is(pg_temp.due('anna', '2027-03-01 00:00Z'), NULL, 'and then nothing of it is due');

-- G1: several at once, oldest first.
DO $$ BEGIN
  FOR day IN 1 .. 5 LOOP
    PERFORM pg_temp.say('many', date '2026-10-01' + day, 'empty');
  END LOOP;
END $$;
SELECT is(evidence.recheck_due('2026-10-20 00:00Z', 2, true), 2, 'a re-check takes no more days than told');
SELECT is(pg_temp.due('many', '2026-10-20 00:00Z'), '261004 scheduled, 261005 scheduled, 261006 scheduled', 'those that have been due for longest');

-- G1: what payloads make due.
DO $$ BEGIN
  PERFORM pg_temp.say('ben', '2026-11-01', value => '7000');
  PERFORM pg_temp.say('ben', '2026-11-02', 'empty');
  PERFORM pg_temp.say('ben', '2026-11-03', value => '300', read => '2026-11-03 12:00Z');
  DELETE FROM evidence.due_day;
  PERFORM pg_temp.limit_history('ben', '2026-11-02 12:00Z', '2026-11-04 08:00Z');
END $$;
SELECT is(pg_temp.due('ben'), '261102, 261103', 'a boundary makes the days due that are not measured and final');
SELECT is(evidence.recheck_due('2026-11-04 08:00Z', 100, false), 2, 'also without the schedule');
SELECT is(evidence.recheck_due('2026-11-04 08:00Z', 100, false), 0, 'once');
DO $$ BEGIN
  DELETE FROM evidence.due_day;
  PERFORM pg_temp.limit_history('ben', '2026-11-02 12:00Z', '2026-11-05 08:00Z');
END $$;
SELECT is(pg_temp.due('ben'), NULL, 'the same boundary stated again makes nothing due');
DO $$ BEGIN
  PERFORM pg_temp.limit_history('ben', '2026-10-01 00:00Z', '2026-11-03 08:00Z');
END $$;
SELECT is(pg_temp.due('ben'), NULL, 'nor does an older statement that arrives late');
DO $$ BEGIN
  PERFORM pg_temp.allow('ben', 'denied', '2026-11-06 08:00Z');
END $$;
SELECT is(pg_temp.due('ben'), '261102, 261103', 'a permission that changed makes them due');
DO $$ BEGIN
  DELETE FROM evidence.due_day;
  PERFORM evidence.note_time_zones(ARRAY[pg_temp.person('ben')], '{2026-11-02 00:00Z}', '{2026-11-07 08:00Z}', ARRAY[md5('move')::uuid], '{0}', '{Asia/Tokyo}', '2026-11-07 08:00Z');
END $$;
SELECT is(pg_temp.due('ben'), '261102, 261103', 'so does another zone');
DO $$ BEGIN
  DELETE FROM evidence.due_day;
  PERFORM pg_temp.say('ben', '2026-11-01', 'failed', platform => 'garmin', read => '2026-11-08 08:00Z');
END $$;
SELECT is(pg_temp.due('ben'), '261102', 'an origin that mentions a metric for the first time makes the unknown days due from then on');

-- G1: no more than what a statement can change.
DO $$ BEGIN
  PERFORM pg_temp.say('zoe', date '2026-11-01' + d, 'empty') FROM generate_series(0, 9) d;
  PERFORM pg_temp.say('zoe', '2026-11-02', 'empty', metric => 'resting_heart_rate');
  PERFORM pg_temp.say('zoe', '2026-11-04', 'failed', platform => 'garmin');
  PERFORM pg_temp.say('zoe', '2026-11-01', value => '55', metric => 'hydration');
  PERFORM pg_temp.say('zoe', '2026-11-09', value => '8000', metric => 'wheelchair_pushes', platform => 'garmin');
  DELETE FROM evidence.due_day;
  PERFORM evidence.note_time_zones(ARRAY[pg_temp.person('zoe')], '{2026-11-08 12:00Z}', '{2026-11-12 08:00Z}', ARRAY[md5('move')::uuid], '{0}', '{Asia/Tokyo}', '2026-11-12 08:00Z');
END $$;
SELECT is(pg_temp.due('zoe'), '261106, 261107, 261108, 261109, 261110', 'another zone: days from the change on, and the two that it may reach into');
DO $$ BEGIN
  DELETE FROM evidence.due_day;
  INSERT INTO evidence.deleted_interval SELECT pg_temp.person('zoe'), 2, '', m.metric_id, '2026-11-01 08:00Z', '2026-11-01 09:00Z', '2026-11-10 00:00Z'
  FROM public.metric m WHERE m.metric = 'hydration';
  PERFORM evidence.note_time_zones(ARRAY[pg_temp.person('zoe')], '{2026-11-08 12:00Z}', '{2026-11-12 09:00Z}', ARRAY[md5('move')::uuid], '{0}', '{Asia/Seoul}', '2026-11-12 09:00Z');
END $$;
SELECT is(pg_temp.due('zoe'), '261106, 261107, 261108, 261109, 261110', 'what is measured and final before it stays, although an interval of it was deleted');
DO $$ BEGIN
  DELETE FROM evidence.due_day;
  PERFORM evidence.note_time_zones(ARRAY[pg_temp.person('zoe')], '{2026-11-01 00:00Z}', '{2026-11-12 10:00Z}', ARRAY[md5('move')::uuid], '{0}', '{Asia/Seoul}', '2026-11-12 10:00Z');
  DELETE FROM public.daily_metric WHERE user_id = pg_temp.person('zoe') AND local_date = '2026-11-01' AND metric = 'steps';
  DELETE FROM evidence.due_day;
  PERFORM evidence.note_time_zones(ARRAY[pg_temp.person('zoe')], '{2026-11-01 00:00Z}', '{2026-11-12 11:00Z}', ARRAY[md5('move')::uuid], '{0}', '{Asia/Tokyo}', '2026-11-12 11:00Z');
END $$;
SELECT is(split_part(pg_temp.due('zoe'), ',', 1), '261101', 'unless the change reaches it: what lies in the interval depends on when the day began');
DO $$ BEGIN
  DELETE FROM evidence.due_day;
  PERFORM evidence.note_windows(ARRAY[pg_temp.person('zoe')], '{2}', '{""}', (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'resting_heart_rate'), '{authorized_from}',
    '{2026-11-13 08:00Z}', ARRAY[md5('w1')::uuid], '{0}', '{2026-11-06 00:00Z}', '2026-11-13 08:00Z');
END $$;
SELECT is(pg_temp.due('zoe'), '261102', 'a boundary of one metric: the days of that metric before it');
DO $$ BEGIN
  PERFORM pg_temp.limit_history('zoe', '2026-11-04 00:00Z', '2026-11-13 09:00Z');
  DELETE FROM evidence.due_day;
  PERFORM evidence.note_windows(ARRAY[pg_temp.person('zoe')], '{2}', '{""}', (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'resting_heart_rate'), '{authorized_from}',
    '{2026-11-13 10:00Z}', ARRAY[md5('w2')::uuid], '{0}', '{2026-10-01 00:00Z}', '2026-11-13 10:00Z');
  DELETE FROM evidence.due_day;
  PERFORM pg_temp.limit_history('zoe', '2026-11-04 00:00Z', '2026-11-13 11:00Z');
END $$;
SELECT is(pg_temp.due('zoe'), '261102', 'one for all that repeats what it said before still changes the metric that had another one meanwhile');
DO $$ BEGIN
  DELETE FROM evidence.due_day;
  PERFORM pg_temp.allow('zoe', 'denied', '2026-11-14 08:00Z', '2026-11-09 00:00Z');
END $$;
SELECT is(pg_temp.due('zoe'), '261107, 261108, 261109, 261110', 'a permission that changed some days ago: the days that end after that');

-- D3, G1: the window widens.
DO $$ BEGIN
  PERFORM pg_temp.limit_history('cleo', '2026-11-10 00:00Z', '2026-11-01 00:00Z');
  PERFORM pg_temp.say('cleo', '2026-11-05', 'empty', read => '2026-11-12 07:00Z');
END $$;
SELECT is(pg_temp.cells('cleo'), '261105 before_authorized_history', 'silence from before the shared history says so');
SELECT is((SELECT d.next_check_at FROM public.daily_metric d WHERE d.user_id = pg_temp.person('cleo')), NULL, 'and waits for an event');
DO $$ BEGIN
  PERFORM pg_temp.limit_history('cleo', '2026-11-01 00:00Z', '2026-11-13 07:00Z');
  PERFORM pg_temp.recheck('2026-11-13 08:00Z', false);
END $$;
SELECT is(pg_temp.cells('cleo'), '261105 not_yet_synced', 'once more is shared the day waits to be read');

-- G2: silent days.
DO $$ BEGIN
  PERFORM pg_temp.say('dora', '2026-11-01', value => '7000');
  PERFORM pg_temp.say('dora', '2026-11-01', metric => 'weight', value => '80');
  PERFORM pg_temp.say('dora', '2026-11-04', value => '7500');
END $$;
SELECT is(pg_temp.cells('dora'), '261101 7000, 261104 7500', 'ingest adds no days that nobody spoke of');
DO $$ BEGIN
  PERFORM pg_temp.recheck('2026-11-06 23:59Z', false);
END $$;
SELECT is(pg_temp.cells('dora'), '261101 7000, 261104 7500', 'nor does a re-check of what payloads made due');
DO $$ BEGIN
  PERFORM pg_temp.recheck('2026-11-06 23:59Z');
END $$;
SELECT is(pg_temp.cells('dora'), '261101 7000, 261102-261103 not_yet_synced, 261104 7500, 261105 not_yet_synced',
  'a re-check adds the closed days of a tracked metric, from the first that was mentioned on');
SELECT is(pg_temp.cells('dora', 'weight'), '261101 80', 'not of a metric that comes now and then');
SELECT is((SELECT count(*) FROM public.daily_metric d WHERE d.user_id = pg_temp.person('dora') AND d.metric NOT IN ('steps', 'weight')), 0::bigint, 'nor of one that nobody tracks');
DO $$ BEGIN
  PERFORM pg_temp.recheck('2026-11-07 00:00Z');
END $$;
SELECT is(pg_temp.cells('dora'), '261101 7000, 261102-261103 not_yet_synced, 261104 7500, 261105-261106 not_yet_synced', 'a day closes at its end');
SELECT is((SELECT p.silent_due_at FROM evidence.person p WHERE p.user_id = pg_temp.person('dora')), '2026-11-08 00:00Z', 'and the next is waited for');
DO $$ BEGIN
  PERFORM pg_temp.recheck('2027-03-01 00:00Z');
END $$;
SELECT is(pg_temp.cells('dora'), '261101 7000, 261102-261103 not_yet_synced, 261104 7500, 261105-261204 not_yet_synced',
  'until thirty days after the last read: 2026-11-05 07:00 and 30 days');
DO $$ BEGIN
  PERFORM pg_temp.say('dora', '2027-02-10', value => '6000');
  PERFORM pg_temp.recheck('2027-02-12 12:00Z');
END $$;
SELECT is(pg_temp.cells('dora'), '261101 7000, 261102-261103 not_yet_synced, 261104 7500, 261105-270209 not_yet_synced, 270210 6000, 270211 not_yet_synced',
  'who comes back is asked about the days in between');

-- G2: bounds.
DO $$ BEGIN
  PERFORM pg_temp.say('emil', '2026-11-01', value => '7000', read => '2026-11-20 07:00Z');
  PERFORM pg_temp.recheck('2026-11-21 12:00Z');
END $$;
SELECT is(pg_temp.cells('emil'), '261101 7000, 261102-261120 not_yet_synced', 'before a disconnection is known days are asked about');
DO $$ BEGIN
  PERFORM pg_temp.allow('emil', 'not_connected', '2026-11-21 18:00Z', '2026-10-05 00:00Z');
  PERFORM pg_temp.recheck('2026-11-22 12:00Z');
END $$;
SELECT is(pg_temp.cells('emil'), '261101 7000, 261102-261103 not_connected',
  'once it is, rows without evidence are removed from thirty days after it on, and those that stay say why');
DO $$ BEGIN
  PERFORM pg_temp.say('fred', '2025-01-01', value => '7000', read => '2026-11-20 07:00Z');
  PERFORM pg_temp.recheck('2026-11-21 12:00Z');
END $$;
SELECT is(pg_temp.cells('fred'), '250101 7000, 251017-261120 not_yet_synced', 'at most 400 days back');
DO $$ BEGIN
  PERFORM pg_temp.person('gil', 'Pacific/Apia');
  PERFORM pg_temp.say('gil', '2011-12-28', value => '7000', read => '2011-12-29 20:00Z');
  PERFORM pg_temp.recheck('2012-01-01 00:00Z');
END $$;
SELECT is(pg_temp.cells('gil'), '111228 7000, 111229 not_yet_synced, 111231 not_yet_synced', 'days close by the person''s own zone; a date that it skips is missing to nobody');
DO $$ BEGIN
  PERFORM pg_temp.say('hal', '2026-11-01', 'denied');
  PERFORM pg_temp.say('hal', '2026-11-03', 'failed');
  PERFORM pg_temp.allow('hal', 'denied', '2026-11-04 12:00Z');
  PERFORM pg_temp.recheck('2026-11-05 12:00Z');
END $$;
SELECT is(pg_temp.cells('hal'), '261101-261102 not_authorized, 261103 provider_error, 261104 not_authorized',
  'a silent day has the reason that its origin has now');

-- However long a silence was, it is filled in steps that end.
DO $$ BEGIN
  PERFORM pg_temp.recheck('2026-11-01 00:00Z');
  PERFORM pg_temp.say('joan', '2026-10-01', value => '7000');
END $$;
SELECT is(evidence.recheck_silent('2026-10-12 00:00Z', 4), 4, 'no more days are filled at a time than asked for');
SELECT is(pg_temp.cells('joan'), '261001 7000, 261002-261004 not_yet_synced', 'the earliest ones');
SELECT results_eq(
  $$SELECT evidence.recheck_silent('2026-10-12 00:00Z', 4), pg_temp.cells('joan') FROM generate_series(1, 3)$$,
  $$VALUES (4, '261001 7000, 261002-261008 not_yet_synced'), (3, '261001 7000, 261002-261011 not_yet_synced'), (0, '261001 7000, 261002-261011 not_yet_synced')$$,
  'and the rest stays due until it is done');

-- Payloads that come after the silent days of their time have been filled.
DO $$ BEGIN
  PERFORM pg_temp.say('ida', '2026-10-01', value => '7000');
  PERFORM pg_temp.recheck('2026-11-10 00:00Z');
END $$;
SELECT is(pg_temp.cells('ida'), '261001 7000, 261002-261031 not_yet_synced', 'thirty days after its last read nobody is asked any more');
DO $$ BEGIN
  PERFORM pg_temp.say('ida', '2026-10-11', value => '7100');
  PERFORM pg_temp.recheck('2026-11-10 00:00Z');
END $$;
SELECT is(pg_temp.cells('ida'), '261001 7000, 261002-261010 not_yet_synced, 261011 7100, 261012-261109 not_yet_synced',
  'a later read that arrives late lengthens that time, also for days that were passed over');
DO $$ BEGIN
  PERFORM pg_temp.say('ida', '2026-10-20', metric => 'resting_heart_rate', value => '60', read => '2026-10-21 07:00Z');
  PERFORM pg_temp.recheck('2026-11-10 00:00Z');
END $$;
SELECT is((SELECT d.covering_sources FROM public.daily_metric d WHERE d.user_id = pg_temp.person('ida') AND d.metric = 'steps' AND d.local_date = '2026-10-20'), 1,
  'a witness that comes late covers the silent days of other metrics too');

-- When all is done.
SELECT results_eq(
  $$SELECT count(*) FROM evidence.person p WHERE p.silent_due_at <= '2012-01-01 00:00Z'$$, $$VALUES (0::bigint)$$, 'no person is due');
SELECT is(pg_temp.recheck('2026-11-21 12:00Z') <= 10, true, 'a re-check comes to an end');
SELECT is(evidence.recheck_due('2026-11-21 12:00Z', 100, true) + evidence.recheck_silent('2026-11-21 12:00Z', 100), 0, 'and then nothing is due at that time');
SELECT is_empty(
  $$SELECT q.user_id, q.local_date FROM evidence.due_day q
    WHERE NOT EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = q.user_id AND d.local_date = q.local_date)$$,
  'no day is on the work list that has no cell');

SELECT * FROM finish();
ROLLBACK;
