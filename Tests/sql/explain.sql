-- explain.sql — explain_cell: everything behind a cell in sentences, and nothing that is not there.
-- One person in UTC. Read as a whole: each test compares what psql shows.
BEGIN;
SELECT plan(12);

CREATE FUNCTION pg_temp.me() RETURNS uuid LANGUAGE plpgsql AS $$ BEGIN RETURN md5('anna')::uuid; END $$;
CREATE FUNCTION pg_temp.say(read timestamptz, outcome text, value text DEFAULT NULL, day date DEFAULT '2026-11-01', platform text DEFAULT 'health_connect', code text DEFAULT NULL, metric text DEFAULT 'steps')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  metrics smallint[];
  platforms smallint[];
BEGIN
  SELECT ARRAY[m.metric_id], ARRAY[p.platform_id] INTO metrics, platforms FROM public.metric m, public.platform p WHERE m.metric = say.metric AND p.platform = say.platform;
  PERFORM evidence.note_origins(ARRAY[pg_temp.me()], platforms, '{""}', ARRAY[read], '{true}', '{NULL}', read);
  PERFORM evidence.note_time_zones(ARRAY[pg_temp.me()], '{NULL}', '{2020-01-01 00:00Z}', ARRAY[md5('zone')::uuid], '{0}', '{UTC}', read);
  PERFORM evidence.merge_readings(ARRAY[pg_temp.me()], platforms, '{""}', ARRAY[gen_random_uuid()], ARRAY[read], '{1}', metrics, ARRAY[day], '{0}', ARRAY[outcome],
    ARRAY[value], ARRAY[CASE WHEN outcome = 'value' THEN '{watch}' ELSE '{}' END], ARRAY[code], '{NULL}', '{true}', read);
  PERFORM evidence.derive(ARRAY[pg_temp.me()], ARRAY[day], read, false);
END $$;
-- What it says in some sections.
CREATE FUNCTION pg_temp.says(sections text, day date DEFAULT '2026-11-01', metric text DEFAULT 'steps') RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT format('%s: %s', e.section, e.line) FROM public.explain_cell(pg_temp.me(), metric, day) e WHERE e.section = ANY (sections::text[]);
END $$;

SELECT results_eq($$SELECT format('%s: %s', e.section, e.line) FROM public.explain_cell(pg_temp.me(), 'steps', '2026-11-01') e$$,
  ARRAY['cell: Nothing was ever said about this cell. That is no zero either.'], 'where nothing was said, it says that and nothing else');
SELECT results_eq($$SELECT pg_temp.says('{cell}', metric => 'stepps')$$, ARRAY['cell: There is no metric named stepps.'], 'a metric that does not exist is named');

DO $$ BEGIN
  PERFORM pg_temp.say('2026-11-01 12:00Z', 'value', '8000');
  PERFORM pg_temp.say('2026-11-02 07:00Z', 'failed', platform => 'garmin', code => 'http.429');
END $$;
SELECT results_eq($$SELECT pg_temp.says('{cell,rule,reading,history,next check}')$$, ARRAY[
  'cell: steps on 2026-11-01 is 8000 steps, a lower bound, 1 covering source.',
  'cell: Shown since 2026-11-01 12:00:00Z as state 1; last derived 2026-11-02 07:00:00Z by rules 1.',
  'rule: An origin has a number, and a number outlasts every silence, failure and zero. It was read before the day was over, or the day lies on a boundary: a lower bound.',
  'reading: Health Connect, read 2026-11-01 12:00:00Z: 8000 steps from watch; the day was not over, or was cut short.',
  'reading: Garmin, read 2026-11-02 07:00:00Z: the read failed, http.429; the day was over.',
  'next check: 2026-11-02 14:00:00Z, by its schedule.'], 'a number is told with who said it, and when it was read');
DO $$ BEGIN PERFORM pg_temp.say('2026-11-02 08:00Z', 'value', '9000'); END $$;
SELECT results_eq($$SELECT pg_temp.says('{next check,history}')$$, ARRAY[
  'next check: only when something arrives that changes what is known.',
  'history: 2026-11-01 12:00:00Z to 2026-11-02 08:00:00Z: 8000 steps, a lower bound, 1 covering source.'], 'what was shown before is told');
SELECT results_eq($$SELECT pg_temp.says('{day,origin}')$$, ARRAY[
  'day: begins 2026-11-01 00:00:00Z and is over 2026-11-02 00:00:00Z, by the zones known now: UTC.',
  'origin: Garmin reports the metric since 2026-11-01; its latest read was 2026-11-02 07:00:00Z.',
  'origin: Health Connect reports the metric since 2026-11-01; its latest read was 2026-11-02 08:00:00Z.'], 'the day''s bounds and who is asked are told');

DO $$ BEGIN
  PERFORM evidence.note_presence(ARRAY[pg_temp.me()], '{2026-11-05}', '{2}', '{""}', '{watch}', '{wear}', '{600}');
  PERFORM evidence.note_permissions(ARRAY[pg_temp.me()], '{2}', '{""}', '{0}', '{2026-11-03 00:00Z}', ARRAY[gen_random_uuid()], '{0}', '{granted}', '{NULL}', '2026-11-03 00:00Z');
  PERFORM evidence.note_windows(ARRAY[pg_temp.me()], '{2}', '{""}', '{0}', '{authorized_from}', '{2026-11-03 00:00Z}', ARRAY[gen_random_uuid()], '{0}', '{2026-10-01 00:00Z}', '2026-11-03 00:00Z');
  PERFORM pg_temp.say('2026-11-06 07:00Z', 'empty', day => '2026-11-05');
END $$;
SELECT results_eq($$SELECT pg_temp.says('{cell,rule,reading,witness,permission,window}', '2026-11-05') LIMIT 3$$, ARRAY[
  'cell: steps on 2026-11-05 is a measured zero, final, 1 covering source.',
  'cell: Shown since 2026-11-06 07:00:00Z as state 1; last derived 2026-11-06 07:00:00Z by rules 1.',
  'rule: Somebody looked after the day was over and found nothing or 0, and a source was there that would have counted (wear or carry): a measured zero.'], 'a zero is told with its licence');
SELECT results_eq($$SELECT pg_temp.says('{reading,witness,permission,window}', '2026-11-05')$$, ARRAY[
  'reading: Health Connect, read 2026-11-06 07:00:00Z: found nothing; the day was over; permission then: granted. May be a zero, where the metric''s policy finds a licence.',
  'window: Health Connect: authorized_from is 2026-10-01 00:00:00Z, stated 2026-11-03 00:00:00Z.',
  'permission: Health Connect: granted, stated 2026-11-03 00:00:00Z.',
  'witness: watch of Health Connect: wear, 600 minutes; licenses a zero of this metric.'], 'and with witness, permission and window');

DO $$ BEGIN
  PERFORM evidence.merge_records(ARRAY[pg_temp.me()], '{2}', '{""}', ARRAY[gen_random_uuid()], '{2026-11-11 07:00Z}', '{1,1}', ARRAY[md5('a'), md5('b')],
    (SELECT ARRAY[m.metric_id, m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{2026-11-10,2026-11-10}', '{0,1}', '{3000,5000}', '{watch,watch}',
    '{2026-11-10 08:00Z,NULL}', '{2026-11-10 09:00Z,NULL}', '{false,true}', '{true,true}', '2026-11-11 07:00Z');
  PERFORM evidence.merge_deletions(ARRAY[pg_temp.me()], '{2}', '{""}', ARRAY[gen_random_uuid()], '{2026-11-11 09:00Z}', '{1,1}', ARRAY[md5('a'), NULL],
    (SELECT ARRAY[NULL, m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{NULL,2026-11-10 20:00Z}', '{NULL,2026-11-10 21:00Z}', '2026-11-11 09:00Z');
  PERFORM evidence.derive(ARRAY[pg_temp.me()], '{2026-11-10}', '2026-11-11 09:00Z', false);
END $$;
SELECT results_eq($$SELECT pg_temp.says('{records,record,deletion}', '2026-11-10')$$, ARRAY[
  'records: Health Connect, read 2026-11-11 07:00:00Z: its records make 5000 steps from watch; the day was over.',
  format('record: Health Connect, %s: 3000 steps from watch, 2026-11-10 08:00:00Z to 2026-11-10 09:00:00Z, read 2026-11-11 07:00:00Z. Deleted by its id, read 2026-11-11 09:00:00Z.', evidence.record_key(2::smallint, '', md5('a'))),
  format('record: Health Connect, %s: 5000 steps from watch, entered by hand, read 2026-11-11 07:00:00Z.', evidence.record_key(2::smallint, '', md5('b'))),
  'deletion: Health Connect: everything from 2026-11-10 20:00:00Z to 2026-11-10 21:00:00Z was deleted, read 2026-11-11 09:00:00Z.'], 'records and deletions are told');

DO $$ BEGIN
  PERFORM pg_temp.say('2026-11-13 07:00Z', 'value', '7000', '2026-11-12');
  PERFORM evidence.merge_deletions(ARRAY[pg_temp.me()], '{2}', '{""}', ARRAY[gen_random_uuid()], '{2026-11-13 09:00Z}', '{1}', ARRAY[NULL],
    (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{2026-11-12 00:00Z}', '{2026-11-13 00:00Z}', '2026-11-13 09:00Z');
  PERFORM evidence.derive(ARRAY[pg_temp.me()], '{2026-11-12}', '2026-11-13 09:00Z', false);
END $$;
SELECT results_eq($$SELECT pg_temp.says('{cell,reading,history}', '2026-11-12')$$, ARRAY[
  'cell: steps on 2026-11-12 is unknown, deleted_at_source, no look after the end of the day counts, 0 covering sources.',
  'cell: Shown since 2026-11-13 09:00:00Z as state 2; last derived 2026-11-13 09:00:00Z by rules 1.',
  'reading: Health Connect, read 2026-11-13 07:00:00Z: 7000 steps from watch; the day was over; permission then: granted. Does not count: a deletion of 2026-11-13 09:00:00Z took away what it was true of.',
  'history: 2026-11-13 07:00:00Z to 2026-11-13 09:00:00Z: a number that was deleted at its source since, and is not kept, final, 1 covering source.'], 'a total that was deleted is told to count no more');

DO $$ BEGIN PERFORM pg_temp.say('2026-11-16 07:00Z', 'denied', day => '2026-11-15'); END $$;
SELECT results_eq($$SELECT pg_temp.says('{rule}', '2026-11-15')$$, ARRAY[
  'rule: No admissible number and no licence for a zero (covered). Of the reasons of all who are asked the first of the catalogue is shown: We have not looked yet, or could not: not read, day still open, device locked, platform busy.'],
  'an absence is told in the catalogue''s words: one platform denied, the other was not read');
UPDATE public.daily_metric SET value = 1 WHERE local_date = '2026-11-01';
SELECT is((SELECT count(*) FROM pg_temp.says('{rule}') s WHERE s = 'rule: The row is not what its evidence amounts to (value): dailymetricd rebuild repairs it.'), 1::bigint,
  'a row that somebody edited is told to be wrong');
DELETE FROM public.daily_metric WHERE local_date = '2026-11-01';
SELECT results_eq($$SELECT pg_temp.says('{cell}')$$, ARRAY['cell: There is evidence and no row: it was removed by hand, and dailymetricd rebuild brings it back.'], 'and one that somebody removed');

SELECT * FROM finish();
ROLLBACK;
