-- hours.sql — an hour has a value if and only if some of it was seen; several statements make one row in whatever order they come.
BEGIN;
SELECT plan(31);

CREATE FUNCTION pg_temp.said(hours smallint[], "values" text[], covered smallint[], read_at timestamptz, platform smallint DEFAULT 2, metric_name text DEFAULT 'steps',
  lengths smallint[] DEFAULT NULL, day date DEFAULT '2026-11-24') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  metric_id constant smallint := (SELECT m.metric_id FROM public.metric m WHERE m.metric = metric_name);
  n constant integer := cardinality(hours);
BEGIN
  PERFORM evidence.note_origins(ARRAY[md5('anna')::uuid], ARRAY[platform], '{""}', ARRAY[read_at], '{true}', '{NULL}', read_at);
  PERFORM evidence.merge_hours(ARRAY[md5('anna')::uuid], ARRAY[platform], '{""}', ARRAY[md5(read_at::text || platform)::uuid], ARRAY[read_at],
    array_fill(1, ARRAY[n]), array_fill(metric_id, ARRAY[n]), array_fill(day, ARRAY[n]), hours, ARRAY(SELECT g FROM generate_series(0, n - 1) g), "values", covered,
    COALESCE(lengths, array_fill(60::smallint, ARRAY[n])));
  PERFORM evidence.derive_hours(ARRAY[md5('anna')::uuid], ARRAY[day]);
END $$;
CREATE FUNCTION pg_temp.shown(metric_name text DEFAULT 'steps', day date DEFAULT '2026-11-24') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s:%s/%s', h.local_hour, COALESCE(h.value::text, '-'), h.covered_minutes), ' ' ORDER BY h.local_hour)
    FROM public.hourly_metric h WHERE h.user_id = md5('anna')::uuid AND h.metric = metric_name AND h.local_date = day);
END $$;

-- The words.
SELECT is(public.hour_label(0, 0), 'no data', 'nothing seen is no data');
SELECT is(public.hour_label(NULL, 0), 'no data', 'whatever stands beside it');
SELECT is(public.hour_label(0, 60), '0', 'an hour of sitting still is 0');
SELECT is(public.hour_label(1840, 42), '1840+ (42 of 60 min)', 'what was seen in part is a lower bound');
SELECT is(public.hour_label(72.50, 42, 60, false), '72.5 (42 of 60 min)', 'an average is none');
SELECT is(public.hour_label(1840, 60, 120), '1840+ (60 of 120 min)', 'half of an hour that the clock showed twice');

-- What cannot be stored.
SELECT throws_ok($$INSERT INTO public.hourly_metric VALUES (md5('a')::uuid, 'steps', '2026-11-24', 9, 0, 0, 60, 'healthkit', '2026-11-25 07:00Z')$$, '23514', NULL, 'no value without coverage, not even 0');
SELECT throws_ok($$INSERT INTO public.hourly_metric VALUES (md5('a')::uuid, 'steps', '2026-11-24', 9, NULL, 10, 60, 'healthkit', '2026-11-25 07:00Z')$$, '23514', NULL, 'no coverage without a value');
SELECT throws_ok($$INSERT INTO public.hourly_metric VALUES (md5('a')::uuid, 'steps', '2026-11-24', 9, 5, 61, 60, 'healthkit', '2026-11-25 07:00Z')$$, '23514', NULL, 'nobody sees 61 minutes of 60');
SELECT throws_ok($$INSERT INTO public.hourly_metric VALUES (md5('a')::uuid, 'steps', '2026-11-24', 24, 5, 60, 60, 'healthkit', '2026-11-25 07:00Z')$$, '23514', NULL, 'no clock shows 24');
SELECT throws_ok($$INSERT INTO public.hourly_metric VALUES (md5('a')::uuid, 'steps', '2026-11-24', 9, 'NaN', 60, 60, 'healthkit', '2026-11-25 07:00Z')$$, '23514', NULL, 'no NaN');

-- One origin.
SELECT pg_temp.said('{9,10,11}', '{1840,0,NULL}', '{42,60,0}', '2026-11-24 12:00Z');
SELECT is(pg_temp.shown(), '9:1840/42 10:0/60 11:-/0', 'value, zero and nothing are three things');
SELECT pg_temp.said('{9,10,11}', '{0,NULL,20}', '{60,0,5}', '2026-11-24 13:00Z');
SELECT is(pg_temp.shown(), '9:1840/42 10:0/60 11:20/5', 'a later zero removes no value, a later silence no zero, a value both');
SELECT pg_temp.said('{9,11}', '{1700,25}', '{60,6}', '2026-11-24 12:30Z');
SELECT is(pg_temp.shown(), '9:1700/60 10:0/60 11:20/5', 'of two values the later read counts, whichever came first');

-- Readers.
SELECT is((SELECT string_agg(h.label, ', ' ORDER BY h.local_hour) FROM public.hours_of_day(md5('anna')::uuid, 'steps', '2026-11-24') h WHERE h.local_hour BETWEEN 8 AND 11),
  'no data, 1700, 0, 20+ (5 of 60 min)', 'an hour of which nothing was said is no data');
SELECT is((SELECT count(*) FROM public.hours_of_day(md5('anna')::uuid, 'steps', '2026-11-24')), 24::bigint, 'a clock has 24 hours');
SELECT is((SELECT format('%s %s %s %s', d.lower_bound, d.covered_minutes, d.covered_hours, d.label) FROM public.day_from_hours(md5('anna')::uuid, 'steps', '2026-11-24') d),
  '1720 125 3 1720+ (125 min seen)', 'hours add up to a lower bound and to what was seen');
SELECT is((SELECT format('%s %s', d.lower_bound, d.label) FROM public.day_from_hours(md5('anna')::uuid, 'steps', '2026-11-23') d), ' no data', 'no hour is no zero');
SELECT is_empty($$SELECT FROM public.daily_metric$$, 'hours change no day');
SELECT throws_ok($$SELECT public.day_from_hours(md5('anna')::uuid, 'moon', '2026-11-24')$$, '22023', NULL, 'a metric that there is not is an error');

-- Several platforms.
SELECT pg_temp.said('{9,10,12}', '{1900,NULL,7}', '{30,0,60}', '2026-11-24 11:00Z', 1::smallint);
SELECT is(pg_temp.shown(), '9:1900/30 10:0/60 11:20/5 12:7/60', 'of two platforms the larger value counts, and never the sum');
SELECT pg_temp.said('{9}', '{60}', '{60}', '2026-11-24 11:00Z', 1::smallint, 'heart_rate_avg');
SELECT pg_temp.said('{9}', '{90}', '{60}', '2026-11-24 10:00Z', 2::smallint, 'heart_rate_avg');
SELECT is(pg_temp.shown('heart_rate_avg'), '9:60/60', 'of two averages the later read');
SELECT is((SELECT d.suppressed_reason FROM public.day_from_hours(md5('anna')::uuid, 'heart_rate_avg', '2026-11-24') d), 'not_a_sum', 'averages add up to nothing');

-- The night on which the clock shows one hour twice.
SELECT pg_temp.said('{2,3}', '{10,4}', '{120,60}', '2026-10-26 07:00Z', 2::smallint, 'steps', '{120,60}', '2026-10-25');
SELECT is((SELECT d.covered_minutes FROM public.day_from_hours(md5('anna')::uuid, 'steps', '2026-10-25') d), 180, 'its hour has twice the minutes');

-- Deletions.
SELECT is_empty($$SELECT * FROM evidence.compare_hours(md5('anna')::uuid, '{2026-11-24,2026-10-25}')$$, 'what is shown is what was said');
DO $$ BEGIN
  PERFORM evidence.merge_deletions(ARRAY[md5('anna')::uuid], '{2}', '{""}', ARRAY[md5('x')::uuid], '{2026-11-24 12:45Z}', '{1}', '{NULL}',
    (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{2026-11-24 09:00Z}', '{2026-11-24 10:00Z}', '2026-11-24 12:45Z');
END $$;
SELECT set_eq($$SELECT d.local_date FROM evidence.days_of_hours_between(ARRAY[md5('anna')::uuid], '{2}', '{""}', (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'steps'),
    '{2026-11-24 09:00Z}', '{2026-11-24 10:00Z}') d$$, ARRAY['2026-11-24'::date], 'a deletion by time finds the days that it may touch');
SELECT isnt_empty($$SELECT * FROM evidence.compare_hours(md5('anna')::uuid, '{2026-11-24}')$$, 'and makes what is shown untrue');
DO $$ BEGIN PERFORM evidence.derive_hours(ARRAY[md5('anna')::uuid], '{2026-11-24}'); END $$;
SELECT is(pg_temp.shown(), '9:1900/30 10:-/0 11:20/5 12:7/60', 'what was read before a deletion of the day does not count, another platform''s stands');
SELECT pg_temp.said('{9,10}', '{9999,8}', '{60,60}', '2026-11-24 12:40Z');
SELECT is(pg_temp.shown(), '9:1900/30 10:-/0 11:20/5 12:7/60', 'nor if it comes afterwards');
SELECT pg_temp.said('{10}', '{0}', '{60}', '2026-11-24 14:00Z');
SELECT is(pg_temp.shown(), '9:1900/30 10:0/60 11:20/5 12:7/60', 'a later read speaks again');
DELETE FROM public.hourly_metric WHERE local_hour = 12;
SELECT set_eq($$SELECT c.metric, c.finding FROM evidence.compare_shown(md5('anna')::uuid, '{2026-11-24}', '2026-11-25 07:00Z') c$$, $$VALUES ('steps', 'hours 12')$$, 'a row that is missing is found');

SELECT * FROM finish();
