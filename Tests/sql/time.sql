-- time.sql — F1: a day has the length that its zone gives it, and is over when it is over in every zone known for it.
-- G1: when something unknown is looked at again.
BEGIN;

-- A local date in one zone, as hours and its two ends in UTC.
CREATE FUNCTION pg_temp.day(day date, zone text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  s record;
BEGIN
  s := evidence.day_span(day, ARRAY['-infinity']::timestamptz[], ARRAY[zone]);
  RETURN format('%s h: %s to %s', trim_scale(extract(epoch FROM s.over_at - s.starts_at) / 3600),
    to_char(s.starts_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI'), to_char(s.over_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI'));
END $$;

CREATE TEMPORARY TABLE situation (number integer GENERATED ALWAYS AS IDENTITY, day date, zone text, span text, sentence text);
INSERT INTO situation (day, zone, span, sentence) VALUES
  ('2026-11-28', 'UTC', '24 h: 11-28 00:00 to 11-29 00:00', 'a day without a change has 24 hours'),
  ('2026-11-28', 'Europe/Berlin', '24 h: 11-27 23:00 to 11-28 23:00', 'a day in the east begins and ends earlier'),
  ('2026-11-28', 'Pacific/Kiritimati', '24 h: 11-27 10:00 to 11-28 10:00', 'the easternmost day begins at UTC+14'),
  ('2026-11-28', 'Etc/GMT+12', '24 h: 11-28 12:00 to 11-29 12:00', 'the westernmost day ends at UTC-12'),
  ('2026-03-29', 'Europe/Berlin', '23 h: 03-28 23:00 to 03-29 22:00', 'the day on which summer time begins has 23 hours'),
  ('2026-10-25', 'Europe/Berlin', '25 h: 10-24 22:00 to 10-25 23:00', 'the day on which summer time ends has 25 hours'),
  ('2026-03-29', 'Antarctica/Troll', '22 h: 03-29 00:00 to 03-29 22:00', 'a change of two hours leaves 22'),
  ('2026-10-25', 'Antarctica/Troll', '26 h: 10-24 22:00 to 10-26 00:00', 'a change of two hours back makes 26'),
  ('2026-10-04', 'Australia/Lord_Howe', '23.5 h: 10-03 13:30 to 10-04 13:00', 'a change of half an hour leaves 23.5'),
  ('2026-04-05', 'Australia/Lord_Howe', '24.5 h: 04-04 13:00 to 04-05 13:30', 'a change of half an hour back makes 24.5'),
  ('2011-12-29', 'Pacific/Apia', '24 h: 12-29 10:00 to 12-30 10:00', 'the day before a skipped date is an ordinary one'),
  ('2011-12-30', 'Pacific/Apia', '0 h: 12-30 10:00 to 12-30 10:00', 'a skipped date has no hours'),
  ('2011-12-31', 'Pacific/Apia', '24 h: 12-30 10:00 to 12-31 10:00', 'the day after a skipped date follows the day before it'),
  ('1993-08-20', 'Pacific/Kwajalein', '24 h: 08-20 12:00 to 08-21 12:00', 'before a skipped date the atoll was in the far west'),
  ('1993-08-21', 'Pacific/Kwajalein', '0 h: 08-21 12:00 to 08-21 12:00', 'Kwajalein skipped a date too'),
  -- Of a year that is over: what a state decides about its clocks comes with the next release of tzdata.
  ('2024-11-02', 'America/Havana', '24 h: 11-02 04:00 to 11-03 04:00', 'the day before a double midnight ends at the first one'),
  ('2024-11-03', 'America/Havana', '25 h: 11-03 04:00 to 11-04 05:00', 'a day with two midnights begins with the first'),
  ('2024-03-10', 'America/Havana', '23 h: 03-10 05:00 to 03-11 04:00', 'a day without midnight begins when the clock has jumped'),
  ('2018-11-04', 'America/Sao_Paulo', '23 h: 11-04 03:00 to 11-05 02:00', 'São Paulo had days without midnight'),
  ('2018-02-17', 'America/Sao_Paulo', '25 h: 02-17 02:00 to 02-18 03:00', 'and days with 23 o''clock twice, which are over after the second'),
  ('1900-01-01', 'UTC', '24 h: 01-01 00:00 to 01-02 00:00', 'the first day that is taken has a length');

SELECT plan((SELECT count(*)::integer FROM situation) + 14 + 11);

SELECT is(pg_temp.day(day, zone), span, sentence) FROM situation ORDER BY number;

SELECT results_eq(
  $$SELECT s.over_at = n.starts_at FROM generate_series(date '2011-12-20', '2012-01-10', '1 day') d
    CROSS JOIN (VALUES ('Pacific/Apia'), ('America/Havana'), ('Europe/Berlin')) z (name)
    CROSS JOIN LATERAL evidence.day_span(d::date, ARRAY['-infinity']::timestamptz[], ARRAY[z.name]) s
    CROSS JOIN LATERAL evidence.day_span(d::date + 1, ARRAY['-infinity']::timestamptz[], ARRAY[z.name]) n GROUP BY 1$$,
  $$VALUES (true)$$,
  'each day begins when the one before it is over');

SELECT is_empty(
  $$SELECT n.name, d::date FROM pg_timezone_names n
    CROSS JOIN generate_series(date '2026-01-01', '2026-12-31', '1 day') d
    CROSS JOIN LATERAL evidence.day_span(d::date, ARRAY['-infinity']::timestamptz[], ARRAY[n.name]) s
    CROSS JOIN LATERAL evidence.day_span(d::date + 1, ARRAY['-infinity']::timestamptz[], ARRAY[n.name]) t
    WHERE n.name IN ('America/Havana', 'Asia/Beirut', 'Africa/Cairo', 'America/Asuncion', 'America/Santiago', 'Atlantic/Azores',
                     'America/Scoresbysund', 'Australia/Lord_Howe', 'Antarctica/Troll', 'Pacific/Apia', 'Asia/Kathmandu')
      AND (s.over_at <> t.starts_at OR s.over_at - s.starts_at NOT BETWEEN '22 hours' AND '26 hours')$$,
  'also in the zones that change at midnight');

-- Several zones. The zone of an instant is that of the latest zone_from before it.
CREATE FUNCTION pg_temp.span(day date, zone_from timestamptz[], zone_name text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  s record;
BEGIN
  s := evidence.day_span(day, zone_from, zone_name);
  RETURN format('%s to %s', to_char(s.starts_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI'), to_char(s.over_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI'));
END $$;

SELECT is(pg_temp.span('2026-11-28', '{}', '{}'), '11-27 10:00 to 11-29 12:00', 'without a zone a day may begin at UTC+14 and end at UTC-12');
SELECT is(pg_temp.span('2026-11-28', NULL, NULL), '11-27 10:00 to 11-29 12:00', 'no list of zones is an unknown zone');
SELECT is(pg_temp.span('2026-11-28', '{2026-11-29T00:00:00Z}', '{Europe/Berlin}'), '11-27 10:00 to 11-29 12:00',
  'a zone that holds only from a later day on says nothing about this one');
SELECT is(pg_temp.span('2026-11-28', '{2026-11-28T12:00:00Z}', '{Europe/Berlin}'), '11-27 23:00 to 11-28 23:00',
  'a zone that holds for a part of the day is known for the day');
SELECT is(pg_temp.span('2026-11-28', '{-infinity,2026-11-28T12:00:00Z}', '{Europe/Berlin,America/New_York}'), '11-27 23:00 to 11-29 05:00',
  'a flight to the west in mid-day makes the day longer: it is over when it is over in the west');
SELECT is(pg_temp.span('2026-11-28', '{-infinity,2026-11-28T12:00:00Z}', '{America/New_York,Europe/Berlin}'), '11-27 23:00 to 11-29 05:00',
  'a flight to the east in mid-day does not end the day sooner: someone may have stayed in the west');
SELECT is(pg_temp.span('2026-11-29', '{-infinity,2026-11-28T12:00:00Z}', '{America/New_York,Europe/Berlin}'), '11-28 23:00 to 11-29 23:00',
  'the day after a flight knows the new zone only');
SELECT is(pg_temp.span('2026-11-27', '{-infinity,2026-11-28T12:00:00Z}', '{America/New_York,Europe/Berlin}'), '11-27 05:00 to 11-28 05:00',
  'the day before a flight knows the old zone only');
SELECT is(pg_temp.span('2026-11-28', '{-infinity,2026-11-28T08:00:00Z,2026-11-28T14:00:00Z}', '{Europe/Berlin,Etc/GMT+12,Asia/Tokyo}'),
  '11-27 15:00 to 11-29 12:00', 'of three zones in a day the westernmost decides, whichever was the last');
SELECT is(pg_temp.span('2011-12-30', '{-infinity,2011-12-30T10:00:00Z}', '{UTC,Pacific/Apia}'), '12-30 00:00 to 12-31 00:00',
  'a date that one zone skips has the hours that it has in the other');
SELECT throws_ok($$SELECT pg_temp.span('2026-11-28', '{-infinity}', '{Mars/Olympus}')$$, '22023', NULL,
  'a zone that does not exist is an error and not a guess');
SELECT is(public.day_begins('2026-11-01', 'America/Havana'), '2026-11-01T04:00:00Z'::timestamptz,
  'a day starts once, however often midnight comes');

-- What a payload says about zones.
CREATE FUNCTION pg_temp.note(person uuid, zone text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_origins(ARRAY[person], '{2}', '{""}', '{2026-11-01 00:00Z}', '{true}', '{NULL}', '2026-11-01 00:00Z');
  PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2026-11-01 00:00Z}', ARRAY[person], '{0}', ARRAY[zone], '2026-11-01 00:00Z');
  RETURN (SELECT public.day_begins('2026-07-01', p.zone_name[1]) AT TIME ZONE 'UTC' FROM evidence.person p WHERE p.user_id = person);
END $$;
SELECT results_eq(
  $$SELECT z, pg_temp.note(md5(z)::uuid, z) FROM unnest('{CET,MET,EET,WET}'::text[]) z$$,
  $$VALUES ('CET', '2026-06-30 22:00:00'), ('MET', '2026-06-30 22:00:00'), ('EET', '2026-06-30 21:00:00'), ('WET', '2026-06-30 23:00:00')$$,
  'a zone that is called like an abbreviation has summer time');
SELECT throws_ok($$SELECT pg_temp.note(md5('olympus')::uuid, 'Mars/Olympus')$$, '22023', NULL,
  'a zone that the server does not know fails the payload that names it, not those that follow');

-- The schedule. The day is over at 2026-11-29T00:00Z.
CREATE FUNCTION pg_temp.next(reason text, as_of timestamptz) RETURNS interval LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT evidence.next_check(r.first_check, r.check_growth, r.check_until, '2026-11-29T00:00:00Z', as_of) - as_of
          FROM public.unknown_reason r WHERE r.code = reason);
END $$;

SELECT is(pg_temp.next('not_yet_synced', '2026-11-28T12:00:00Z'), interval '15 minutes', 'an open day is looked at again after first_check');
SELECT is(pg_temp.next('not_yet_synced', '2026-11-29T00:10:00Z'), interval '15 minutes', 'a day that has just ended too');
SELECT is(pg_temp.next('not_yet_synced', '2026-11-29T03:00:00Z'), interval '3 hours', 'then always when it is twice as old');
SELECT is(pg_temp.next('no_source_coverage', '2026-11-29T00:10:00Z'), interval '1 hour', 'a reason without hurry begins later');
SELECT is(pg_temp.next('not_yet_synced', '2026-12-29T00:00:00Z'), interval '30 days', 'at the age of check_until it is planned once more');
SELECT is(pg_temp.next('not_yet_synced', '2026-12-29T00:00:01Z'), NULL, 'after check_until nothing is planned');
SELECT results_eq(
  $$SELECT u.code FROM public.unknown_reason u WHERE pg_temp.next(u.code, '2026-11-29T03:00:00Z') IS NULL ORDER BY u.rank$$,
  $$SELECT u.code FROM public.unknown_reason u WHERE u.first_check IS NULL ORDER BY u.rank$$,
  'a reason without a schedule waits for an event');
SELECT is(evidence.next_check(NULL, NULL, NULL, '2026-11-29T00:00:00Z', '2026-11-29T03:00:00Z'), NULL, 'what has no schedule has no next check');
SELECT is_empty(
  $$SELECT u.code, a FROM public.unknown_reason u CROSS JOIN generate_series(0, 900) a
    WHERE pg_temp.next(u.code, timestamptz '2026-11-28T12:00:00Z' + a * interval '1 hour') <= '0'$$,
  'a next check always lies ahead');

SELECT * FROM finish();
ROLLBACK;
