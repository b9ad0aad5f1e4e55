-- streaks.sql — R3, R4: an unknown day suspends a streak, a measured miss ends it; a best waits for the history.
BEGIN;
SELECT plan(52);

-- A day's cell, as the derivation would have written it. No value: unknown.
CREATE FUNCTION pg_temp.put(name text, metric text, day date, value numeric, is_final boolean DEFAULT true) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, is_final, observed_at, platform, rule_version)
  VALUES (md5(name)::uuid, metric, day, CASE WHEN value IS NULL THEN 'unknown' ELSE 'measured' END, value, CASE WHEN value IS NULL THEN 'no_source_coverage' END, 1,
    '2026-11-29 08:00Z', is_final, CASE WHEN value IS NOT NULL THEN timestamptz '2026-11-29 07:00Z' END, CASE WHEN value IS NOT NULL THEN 'healthkit' END, 1);
END $$;
-- Days from the 1st of November on: a number, ? unknown, - no row, > a number that is not final.
CREATE FUNCTION pg_temp.days(name text, days text, metric text DEFAULT 'steps') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_temp.put(name, metric, date '2026-10-31' + n::integer, NULLIF(ltrim(word, '>'), '?')::numeric, word !~ '^>')
  FROM string_to_table(days, ' ') WITH ORDINALITY AS w (word, n) WHERE word <> '-';
END $$;
CREATE FUNCTION pg_temp.streak(name text, goal numeric, day integer, kind text DEFAULT 'at_least', metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(' ', s.state, s.length, to_char(s.started_on, 'FMDD') || '-' || to_char(s.last_hit, 'FMDD'),
      (SELECT '(' || string_agg(to_char(u, 'FMDD'), ' ' ORDER BY n) || ')' FROM unnest(s.unknown_days) WITH ORDINALITY x (u, n)))
    FROM public.metric_streak(md5(name)::uuid, metric, goal, date '2026-10-31' + day, kind) s);
END $$;

SELECT is(pg_temp.streak('nobody', 10, 12), 'none 0', 'an empty table has no streak');
SELECT is((SELECT s.unknown_days FROM public.metric_streak(md5('nobody')::uuid, 'steps', 10, '2026-11-12') s), '{}', 'and lists no days');
DO $$ BEGIN
  PERFORM pg_temp.days('anna', '11 11 11 11 11 11 ? 12 12 12 ? ?');
  PERFORM pg_temp.days('ben', '11 11 11 11 11 11 9 12 12 12 12 12');
  PERFORM pg_temp.days('cleo', '? ? ? - ?');
  PERFORM pg_temp.days('dora', '12 - - 12 - 12');
  PERFORM pg_temp.days('emma', '12 9 ? - ?');
END $$;
SELECT is(pg_temp.streak('anna', 10, 12), 'suspended 9 1-10 (7 11 12)', 'unknown days suspend a streak');
SELECT is(pg_temp.streak('anna', 10, 10), 'active 9 1-10 (7)', 'which is active on a day that keeps the goal');
SELECT is(pg_temp.streak('anna', 11, 12), 'suspended 9 1-10 (7 11 12)', 'a goal that is reached exactly is kept');
SELECT is(pg_temp.streak('anna', 12, 12), 'suspended 3 8-10 (11 12)', 'a measured miss ends it; days before its first are not in doubt');
SELECT is(pg_temp.streak('ben', 10, 12), 'active 5 8-12', 'a miss of long ago does not end what came after');
SELECT is(pg_temp.streak('ben', 10, 7), 'broken 0', 'on the day of the miss it is broken');
SELECT is(pg_temp.streak('ben', 10, 6), 'active 6 1-6', 'and was not the day before');
SELECT is(pg_temp.streak('cleo', 10, 5), 'none 0', 'where nothing is known there is no streak, and none is broken');
SELECT is(pg_temp.streak('dora', 10, 8), 'suspended 3 1-6 (2 3 5 7 8)', 'days without a row suspend, days to come among them');
SELECT is(pg_temp.streak('dora', 10, 0), 'none 0', 'before the first day nothing is known');
SELECT is(pg_temp.streak('emma', 10, 6), 'broken 0 (3 4 5 6)', 'after a miss the days in doubt are said');

-- Zero as a goal, goals not to pass, days that are not final.
DO $$ BEGIN
  PERFORM pg_temp.days('finn', '0 0 ? 5');
  PERFORM pg_temp.days('gina', '9 12 >10 >9 >20');
  PERFORM pg_temp.days('gina', '60 60 >80 >50', 'resting_heart_rate');
END $$;
SELECT is(pg_temp.streak('finn', 0, 4), 'active 3 1-4 (3)', 'with a goal of zero every measured day keeps it');
SELECT is(pg_temp.streak('finn', 0, 2, 'at_most'), 'active 2 1-2', 'nothing at all may be the goal: measured zeros keep it');
SELECT is(pg_temp.streak('finn', 0, 3, 'at_most'), 'suspended 2 1-2 (3)', 'an unknown day is no zero');
SELECT is(pg_temp.streak('finn', 0, 4, 'at_most'), 'broken 0', 'more than nothing breaks it');
SELECT is(pg_temp.streak('gina', 10, 3), 'active 2 2-3', 'a total of an open day that has reached the goal keeps it');
SELECT is(pg_temp.streak('gina', 10, 4), 'suspended 2 2-3 (4)', 'one that has not may still');
SELECT is(pg_temp.streak('gina', 12, 4, 'at_most'), 'suspended 2 1-2 (3 4)', 'one below a limit may still pass it');
SELECT is(pg_temp.streak('gina', 9, 1, 'at_most'), 'active 1 1-1', 'a final day at the limit keeps it');
SELECT is(pg_temp.streak('gina', 8, 4, 'at_most'), 'broken 0 (3 4)', 'a lower bound above the limit breaks nothing: the miss was on the 2nd');
SELECT is(pg_temp.streak('gina', 60, 4, 'at_least', 'resting_heart_rate'), 'suspended 2 1-2 (3 4)', 'what is no total is no hit before its day is final');
SELECT is(pg_temp.streak('gina', 60, 4, 'at_most', 'resting_heart_rate'), 'suspended 2 1-2 (3 4)', 'nor a miss');

-- Calendars.
DO $$ BEGIN
  PERFORM pg_temp.put('hugo', 'steps', d::date, 12) FROM generate_series(timestamp '2024-02-26', '2024-03-02', '1 day') d;
  PERFORM pg_temp.put('apia', 'steps', d::date, 12) FROM generate_series(timestamp '2011-12-27', '2012-01-02', '1 day') d WHERE d <> '2011-12-30';
  PERFORM pg_temp.put('ida', 'steps', '2016-11-30', 12);
END $$;
SELECT is((SELECT format('%s %s %s', s.state, s.length, s.unknown_days) FROM public.metric_streak(md5('hugo')::uuid, 'steps', 10, '2024-03-02') s), 'active 6 {}', 'a leap day is a day of a streak');
SELECT is((SELECT format('%s %s %s', s.state, s.length, s.unknown_days) FROM public.metric_streak(md5('apia')::uuid, 'steps', 10, '2012-01-02') s), 'active 6 {2011-12-30}', 'the date that Apia left out ends none');
SELECT is((SELECT format('%s %s %s', s.state, s.length, cardinality(s.unknown_days)) FROM public.metric_streak(md5('ida')::uuid, 'steps', 10, '2026-11-29') s), 'suspended 1 3651', 'ten years of silence suspend');

-- Questions that are none.
SELECT throws_ok($$SELECT metric_streak(md5('anna')::uuid, 'step', 10, '2026-11-12')$$, '22023', 'There is no metric named "step".', 'a name that is wrong is no missing streak');
SELECT throws_ok($$SELECT metric_streak(md5('anna')::uuid, 'steps', 10, '2026-11-12', 'exactly')$$, '22023', 'A streak is at_least or at_most, not "exactly".', 'there are two kinds');
SELECT throws_ok($$SELECT metric_streak(md5('anna')::uuid, 'steps', 10, '2026-11-12', NULL)$$, '22023', NULL, 'one is said');
SELECT throws_ok($$SELECT metric_streak(md5('anna')::uuid, 'steps', NULL, '2026-11-12')$$, '22023', NULL, 'a streak has a goal');
SELECT throws_ok($$SELECT metric_streak(md5('anna')::uuid, 'steps', 'NaN', '2026-11-12')$$, '22023', NULL, 'which is a number');
SELECT throws_ok($$SELECT metric_streak(NULL, 'steps', 10, '2026-11-12')$$, '22004', NULL, 'nobody has no streak');
SELECT throws_ok($$SELECT metric_streak(md5('anna')::uuid, 'steps', 10, 'infinity')$$, '22023', NULL, 'it is counted back from a day');
SELECT throws_ok($$SELECT metric_streaks('steps', 10, NULL)$$, '22004', NULL, 'so are those of all');
SET LOCAL statement_timeout = '5s';
SELECT throws_ok(format(question, day), '22023', format('Days are of the years 1900 to 2200, as in payloads; %s is not.', day), format(question, day))
FROM unnest('{5874897-12-31,294276-12-30,2201-01-01}'::date[] || '{4713-01-01 BC,1899-12-31}'::date[]) day,
  unnest(ARRAY['SELECT metric_streak(md5(''ida'')::uuid, ''steps'', 10, %L)']) question;
SELECT throws_ok($$SELECT metric_streaks('steps', 10, '5874897-12-31')$$, '22023', NULL, 'nor are there streaks of all so far away');
SELECT throws_ok($$SELECT metric_change(md5('ida')::uuid, 'steps', '1900-01-05', 7)$$, '22023', 'Days are of the years 1900 to 2200, as in payloads; 1899-12-30 is not.', 'windows do not begin before either');
SELECT throws_ok($$SELECT energy_deficit(md5('ida')::uuid, '5874897-12-31', 7)$$, '22023', NULL, 'nor is anything left to eat');
SELECT is((SELECT cardinality(s.unknown_days) FROM public.metric_streak(md5('ida')::uuid, 'steps', 10, '2200-12-31') s), date '2200-12-31' - date '2016-11-30', 'the longest silence is answered in time');
RESET statement_timeout;

-- Everybody at once is the same as one by one: random people, who miss, are unknown, open or without a row.
DO $$ BEGIN
  PERFORM setseed(0.5);
  PERFORM pg_temp.put('p' || p, m, date '2026-10-01' + n, CASE WHEN r < 0.7 THEN 12 WHEN r < 0.9 THEN (ARRAY[9, 10, 11])[1 + floor(random() * 3)::integer] END, random() < 0.9)
  FROM generate_series(1, 60) p, generate_series(0, 40) n, unnest('{steps,resting_heart_rate}'::text[]) m, LATERAL (SELECT random() + 0 * (p + n + length(m)) AS r OFFSET 0) x
  WHERE random() < 0.9;
END $$;
SELECT is_empty($$
  SELECT q.metric, q.kind, q.day, a.user_id, a, o FROM (VALUES ('steps', 'at_least', date '2026-11-05'), ('steps', 'at_most', '2026-11-12'), ('resting_heart_rate', 'at_least', '2026-11-12'),
    ('resting_heart_rate', 'at_most', '2026-10-20')) q (metric, kind, day)
  CROSS JOIN LATERAL metric_streaks(q.metric, 10, q.day, q.kind) a
  CROSS JOIN LATERAL metric_streak(a.user_id, q.metric, 10, q.day, q.kind) o
  WHERE (a.length, a.state, a.started_on, a.last_hit, a.unknown_count) IS DISTINCT FROM (o.length, o.state, o.started_on, o.last_hit, cardinality(o.unknown_days))$$,
  'the streaks of all are those of each');
SELECT is((SELECT count(*) FROM metric_streaks('steps', 10, '2026-11-12')),
  (SELECT count(DISTINCT user_id) FROM daily_metric WHERE metric = 'steps' AND local_date <= '2026-11-12'), 'everybody who has a row is among them');
SELECT is((SELECT count(DISTINCT state) FROM (SELECT state FROM metric_streaks('steps', 10, '2026-11-12') UNION ALL SELECT state FROM metric_streaks('steps', 10, '2026-11-05')) s), 4::bigint, 'all states occur');

-- Bests.
CREATE FUNCTION pg_temp.best(name text, metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT format('%s %s%s', COALESCE(b.value::text, 'NULL'), COALESCE(to_char(b.local_date, 'DD'), 'NULL'), ' ' || b.suppressed_reason)
          FROM public.personal_best b WHERE b.user_id = md5(name)::uuid AND b.metric = best.metric);
END $$;
SELECT is(pg_temp.best('ben'), '12 08', 'the greatest day, and of equal ones the first');
SELECT is(pg_temp.best('gina'), '12 02', 'a lower bound is no best');
SELECT is(concat(pg_temp.best('cleo'), pg_temp.best('nobody'), pg_temp.best('gina', 'resting_heart_rate')), '', 'nothing known, or more is not better: no row');
DO $$ BEGIN INSERT INTO evidence.backfill VALUES (md5('ben')::uuid, 1, '', 0, '2026-11-15 10:00Z', md5('x')::uuid, 0, true, NULL); END $$;
SELECT is(pg_temp.best('ben'), 'NULL NULL backfill_running', 'while a platform loads all of its history there is none, and it says so');
SELECT is(pg_temp.best('gina'), '12 02', 'others'' stay');

SELECT * FROM finish();
ROLLBACK;
