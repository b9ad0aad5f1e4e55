-- actions.sql — R8: what a client should do about unknown days, and what it may say: sentences in every form, on the platform that is meant.
-- Persons live in UTC and have a watch on Health Connect, unless it says otherwise. A night's read is at 07:00 the morning after.
BEGIN;
SELECT plan(35);

-- The words.
CREATE TEMPORARY VIEW form (from_date, to_date) AS
  VALUES ('2026-11-28'::date, '2026-11-28'::date), ('2026-11-14', '2026-11-14'), ('2026-11-14', '2026-11-16'), ('2026-10-31', '2026-11-02'), ('2025-12-31', '2026-01-02');
CREATE TEMPORARY VIEW spoken AS
  SELECT r.code, m.metric, f.from_date, f.to_date, public.unknown_message(r.code, m.metric, f.from_date, f.to_date, '2026-11-29 08:00Z') AS message
  FROM public.unknown_reason r, public.metric m, form f;
SELECT cmp_ok((SELECT count(*) FROM spoken), '>=', (11 * 40 * 5)::bigint, 'every reason of every metric is spoken in five forms');
SELECT is_empty($$SELECT * FROM spoken WHERE message IS NULL OR message ~ '[{}]|  |^ | $|\.\.| ,|on the night to [0-9]+[^.]* to |[^d] on [0-9]+[^.]* to [0-9]'$$, 'no placeholder, no double space and no half sentence is left in any of them');
SELECT is_empty($$SELECT * FROM spoken WHERE message !~ '^[[:upper:]0-9].*[^ ]\.$'$$, 'each begins like a sentence and ends like one');
SELECT is_empty($$SELECT * FROM spoken WHERE from_date < to_date AND message ~ ' [0-9]{4} is '$$, 'several days are, and one is');
SELECT is_empty($$SELECT * FROM spoken s JOIN public.unknown_reason r USING (code) WHERE r.message ~* '[{]day[}]' AND s.message !~ '2026|Saturday'$$,
  'each that speaks of a day names it');
SELECT is(public.days_in_words('2026-11-28', '2026-11-28', '2026-11-29 08:00Z'), 'Saturday', 'a day of the last week is a weekday');
SELECT is(public.days_in_words('2026-11-23', '2026-11-23', '2026-11-29 23:59Z'), 'Monday', 'six days later still');
SELECT is(public.days_in_words('2026-11-23', '2026-11-23', '2026-11-30 00:00Z'), '23 November 2026', 'after a week the same weekday would be another day');
SELECT is(public.days_in_words('2026-11-29', '2026-11-29', '2026-11-29 08:00Z'), 'Sunday', 'so is the day of knowing');
SELECT is(public.days_in_words('2026-11-30', '2026-11-30', '2026-11-29 23:59Z'), '30 November 2026', 'a day to come is its date: the weekday would be taken for the last');
SELECT is(public.days_in_words('2026-11-28', '2026-11-28', NULL), '28 November 2026', 'without a time of knowing it is the date');
SELECT is(public.days_in_words('2026-11-14', '2026-11-16', '2026-11-17 08:00Z'), '14 to 16 November 2026', 'several days');
SELECT is(public.days_in_words('2026-10-31', '2026-11-02', NULL), '31 October to 2 November 2026', 'over a month''s end');
SELECT is(public.days_in_words('2025-12-31', '2026-01-02', NULL), '31 December 2025 to 2 January 2026', 'over a year''s end');
SELECT is(public.unknown_message('no_source_coverage', 'sleep_duration', '2026-11-14', '2026-11-16', NULL), 'Your device wasn''t worn on the nights that ended on 14 to 16 November 2026.',
  'where it is known what was missing, the words say it, also for several nights');
SELECT is(public.unknown_message('no_source_coverage', 'stand_hours', '2026-11-14', '2026-11-16', NULL), 'Your watch wasn''t worn from 14 to 16 November 2026.', 'and for several days');
SELECT is(public.unknown_message('deleted_at_source', 'sleep_duration', '2026-11-14', '2026-11-14', NULL), 'We don''t have sleep for 14 November 2026.',
  'what was deleted is not called unworn');
SELECT is(public.unknown_message('before_authorized_history', 'steps', '2026-11-14', '2026-11-16', NULL), '14 to 16 November 2026 are before the history that you chose to share.', 'at the beginning of a sentence');
SELECT is(public.unknown_message('not_yet_synced', 'vo2max', '2026-11-28', '2026-11-28', '2026-11-29 08:00Z'), 'VO2 max for Saturday hasn''t arrived yet.', 'a name at the beginning of a sentence');
SELECT is(public.unknown_message('no_such_reason', 'steps', '2026-11-28', '2026-11-28', NULL), NULL, 'a reason that there is not has no words');
UPDATE public.unknown_reason SET message = 'No {name} on {day}, sorry.' WHERE code = 'provider_error';
SELECT is(public.unknown_message('provider_error', 'steps', '2026-11-14', '2026-11-16', NULL), 'No steps from 14 to 16 November 2026, sorry.', 'an operator''s own words are used');

-- The view.
CREATE FUNCTION pg_temp.say(name text, day date, outcome text, metric text DEFAULT 'steps', platform text DEFAULT 'health_connect',
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
CREATE FUNCTION pg_temp.told(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s %s %s %s-%s', a.metric, a.platform, a.action, to_char(a.from_date, 'MMDD'), to_char(a.to_date, 'MMDD')), ', '
    ORDER BY a.metric, a.platform, a.from_date) FROM public.client_action a WHERE a.user_id = md5(name)::uuid);
END $$;

SELECT columns_are('public', 'client_action', ARRAY['user_id', 'platform', 'metric', 'action', 'from_date', 'to_date', 'message'], 'the columns are the law''s');
DO $$ BEGIN
  PERFORM pg_temp.say('anna', d::date, CASE WHEN d = '2026-11-12' THEN 'value' ELSE 'empty' END) FROM generate_series('2026-11-10', '2026-11-14', interval '1 day') d;
END $$;
SELECT is(pg_temp.told('anna'), 'steps health_connect say_not_worn 1110-1111, steps health_connect say_not_worn 1113-1114', 'one row per unbroken stretch; a known day parts it');
SELECT is((SELECT string_agg(a.message, ' ' ORDER BY a.from_date) FROM public.client_action a WHERE a.user_id = md5('anna')::uuid),
  'We don''t have steps for 10 to 11 November 2026. We don''t have steps for 13 to 14 November 2026.', 'and has one sentence');
DO $$ BEGIN PERFORM pg_temp.say('ben', '2026-11-11', 'empty'); PERFORM pg_temp.say('ben', '2026-11-12', 'unavailable'); END $$;
SELECT is(pg_temp.told('ben'), 'steps health_connect say_not_worn 1111-1111, steps health_connect say_once 1112-1112', 'another reason begins another stretch');
SELECT is(pg_temp.told('nobody'), NULL, 'nothing is said about a person of whom nothing is known');

-- Weekdays.
DO $$ BEGIN PERFORM pg_temp.say('cleo', '2026-11-14', 'empty'); END $$;
SELECT is((SELECT a.message FROM public.client_action a WHERE a.user_id = md5('cleo')::uuid), 'We don''t have steps for Saturday.', 'while it is new, a day is a weekday');
DO $$ BEGIN PERFORM pg_temp.say('cleo', '2026-11-27', 'value'); END $$;
SELECT is((SELECT a.message FROM public.client_action a WHERE a.user_id = md5('cleo')::uuid), 'We don''t have steps for 14 November 2026.',
  'once the platform was read a week later it is a date, although nobody derived the cell again');

-- Several platforms.
DO $$ BEGIN
  PERFORM pg_temp.say('dora', '2026-11-14', 'failed', code => 'HealthConnectException.8');
  PERFORM pg_temp.say('dora', '2026-11-14', 'empty', platform => 'garmin');
END $$;
SELECT is(pg_temp.told('dora'), 'steps health_connect wait 1114-1114', 'only the platform that could not be read is waited for');
DO $$ BEGIN PERFORM pg_temp.say('dora', '2026-11-14', 'empty', read => '2026-11-15 09:00Z'); END $$;
SELECT is(pg_temp.told('dora'), 'steps garmin say_not_worn 1114-1114, steps health_connect say_not_worn 1114-1114', 'where both found nothing, each may say so');
DO $$ BEGIN PERFORM pg_temp.say('emil', '2026-11-14', 'denied', platform => 'garmin'); PERFORM pg_temp.say('emil', '2026-11-14', 'denied'); END $$;
SELECT is(pg_temp.told('emil'), 'steps garmin prompt_for_permission 1114-1114, steps health_connect prompt_for_permission 1114-1114', 'where several may be meant, none is left out');
DO $$ BEGIN PERFORM pg_temp.say('emil', '2026-11-14', 'empty', platform => 'garmin'); END $$;
SELECT is(pg_temp.told('emil'), 'steps health_connect prompt_for_permission 1114-1114', 'once one has looked, the other is');
INSERT INTO public.daily_metric (user_id, metric, local_date, status, unknown_reason, computed_at, is_final, rule_version)
VALUES (md5('fay')::uuid, 'steps', '2026-11-14', 'unknown', 'not_connected', '2026-11-15 07:00Z', false, 1);
SELECT is((SELECT format('%s, %s', COALESCE(a.platform, 'nowhere'), a.message) FROM public.client_action a WHERE a.user_id = md5('fay')::uuid), 'nowhere, Connect your account to see steps.', 'a cell of no platform is not lost');
UPDATE public.daily_metric SET unknown_reason = 'deleted_at_source' WHERE user_id = md5('fay')::uuid;
SELECT is(pg_temp.told('fay'), NULL, 'what the person deleted needs nothing');

-- What an owner with row level security on would see is tested with the readers' roles; here, that it is asked at all.
SELECT matches(pg_get_viewdef('public.client_action'::regclass), 'may_read', 'nobody is told of persons whom the asker may not read');

SELECT * FROM finish();
ROLLBACK;
