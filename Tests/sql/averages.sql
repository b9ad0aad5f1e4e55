-- averages.sql — R1, R2: averages divide by the days that are known, and say how many these are; nothing is a number where nothing is known.
BEGIN;
SELECT plan(52);

-- A day's cell, as the derivation would have written it. No value: unknown, for the reason.
CREATE FUNCTION pg_temp.put(name text, metric text, day date, value numeric, is_final boolean DEFAULT true, reason text DEFAULT 'no_source_coverage')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, is_final, observed_at, platform, rule_version)
  VALUES (md5(name)::uuid, metric, day, CASE WHEN value IS NULL THEN 'unknown' ELSE 'measured' END, value, CASE WHEN value IS NULL THEN reason END, 1,
    '2026-11-29 08:00Z', is_final, CASE WHEN value IS NOT NULL THEN timestamptz '2026-11-29 07:00Z' END, CASE WHEN value IS NOT NULL THEN 'healthkit' END, 1);
END $$;
CREATE FUNCTION pg_temp.put_all(name text, metric text, first_day date, "values" numeric[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_temp.put(name, metric, first_day + n - 1, "values"[n]) FROM generate_subscripts("values", 1) n;
END $$;
CREATE FUNCTION pg_temp.average(name text, metric text, first_day date, last_day date) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT format('%s %s/%s/%s: %s', COALESCE(a.average::text, 'NULL'), a.covered_days, a.unknown_days, a.days, a.label)
          FROM public.metric_average(md5(name)::uuid, metric, first_day, last_day) a);
END $$;
CREATE FUNCTION pg_temp.change(name text, day date, days integer, metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(' ', COALESCE(c.current_average::text, 'NULL'), COALESCE(c.previous_average::text, 'NULL'), COALESCE(c.change_pct::text, 'NULL'),
    COALESCE(c.direction, 'NULL'), COALESCE(c.suppressed_reason, 'NULL'), c.current_covered || '/' || c.previous_covered)
    FROM public.metric_change(md5(name)::uuid, metric, day, days) c);
END $$;
CREATE FUNCTION pg_temp.load(name text, read timestamptz, is_running boolean, metric smallint, platform smallint DEFAULT 1, store text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO evidence.backfill AS b VALUES (md5(name)::uuid, platform, store, metric, read, md5(read::text)::uuid, 0, is_running, NULL)
  ON CONFLICT ON CONSTRAINT backfill_pkey DO UPDATE SET read_at = excluded.read_at, payload_id = excluded.payload_id, is_running = excluded.is_running;
END $$;
CREATE FUNCTION pg_temp.number(metric text) RETURNS smallint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT m.metric_id FROM public.metric m WHERE m.metric = number.metric);
END $$;

-- Averages.
SELECT is(pg_temp.average('nobody', 'steps', '2026-11-09', '2026-11-15'), 'NULL 0/7/7: no data', 'an empty table has no average');
DO $$ BEGIN PERFORM pg_temp.put_all('anna', 'steps', '2026-11-09', '{5900,5900,5900,5900,5900,NULL,NULL}'); END $$;
SELECT is(pg_temp.average('anna', 'steps', '2026-11-09', '2026-11-15'), '5900 5/2/7: 5,900 steps, average of the 5 days we have data for', 'five days of seven are divided by five');
SELECT is(pg_temp.average('anna', 'steps', '2026-11-14', '2026-11-15'), 'NULL 0/2/2: no data', 'where all days are unknown there is no average');
SELECT is(pg_temp.average('anna', 'steps', '2026-11-13', '2026-11-13'), '5900 1/0/1: 5,900 steps, average of the 1 day we have data for', 'a range may be one day');
SELECT is(pg_temp.average('anna', 'steps', '2026-11-01', '2026-11-30'), '5900 5/25/30: 5,900 steps, average of the 5 days we have data for', 'a day without a row is as unknown as one with');
SELECT is(pg_temp.average('anna', 'flights_climbed', '2026-11-09', '2026-11-15'), 'NULL 0/7/7: no data', 'one metric says nothing about another');
DO $$ BEGIN
  PERFORM pg_temp.put_all('ben', 'steps', '2026-11-09', '{0,0,3000}');
  PERFORM pg_temp.put('ben', 'steps', '2026-11-12', 90000, false);
  PERFORM pg_temp.put('cleo', 'steps', '2026-11-12', 90000, false);
END $$;
SELECT is(pg_temp.average('ben', 'steps', '2026-11-09', '2026-11-12'), '1000 3/1/4: 1,000 steps, average of the 3 days we have data for', 'a measured zero counts, a lower bound does not');
SELECT is(pg_temp.average('ben', 'steps', '2026-11-09', '2026-11-10'), '0 2/0/2: 0 steps, average of the 2 days we have data for', 'zeros that were measured have an average, which is 0');
SELECT is(pg_temp.average('cleo', 'steps', '2026-11-12', '2026-11-12'), 'NULL 0/1/1: no data', 'a lower bound alone is no average');
DO $$ BEGIN
  PERFORM pg_temp.put_all('dora', 'weight', '2024-02-28', '{70.1,NULL,70.45}');
  PERFORM pg_temp.put_all('dora', 'wrist_temp_deviation', '2024-02-28', '{-0.004,-0.006}');
  PERFORM pg_temp.put_all('dora', 'steps', '2024-02-28', '{1,0,0}');
END $$;
SELECT is(pg_temp.average('dora', 'weight', '2024-02-28', '2024-03-01'), '70.275 2/1/3: 70.3 kg, average of the 2 days we have data for', 'the 29th of February is a day');
SELECT is(pg_temp.average('dora', 'weight', '2023-02-28', '2023-03-01'), 'NULL 0/2/2: no data', 'and is none in other years');
SELECT is(pg_temp.average('dora', 'wrist_temp_deviation', '2024-02-28', '2024-02-29'), '-0.005 2/0/2: -0.005 ' || (SELECT noun FROM metric WHERE metric = 'wrist_temp_deviation') || ', average of the 2 days we have data for',
  'what is small and not zero is not called zero');
SELECT is(pg_temp.average('dora', 'steps', '2024-02-28', '2024-03-01'), '0.333333 3/0/3: 0.33 steps, average of the 3 days we have data for', 'six decimals; two in the sentence');
SELECT is((SELECT string_agg(COALESCE(public.spoken_number(n), 'NULL'), ' ' ORDER BY i) FROM unnest('{0,-0.0,0.00012345,0.999,1,9.999,12.34,99.96,100.4,1234.5,-5900,1000000000000,NULL}'::numeric[]) WITH ORDINALITY u (n, i)),
  '0 0 0.00012 1 1 10 12.3 100 100 1,235 -5,900 1,000,000,000,000 NULL', 'numbers are spoken as people say them');

-- Questions that are none.
SELECT throws_ok($$SELECT metric_average(md5('anna')::uuid, 'step', '2026-11-09', '2026-11-15')$$, '22023', 'There is no metric named "step".', 'a name that is wrong is no absence');
SELECT throws_ok($$SELECT metric_average(NULL, 'steps', '2026-11-09', '2026-11-15')$$, '22004', NULL, 'nobody is asked about');
SELECT throws_ok($$SELECT metric_average(md5('anna')::uuid, NULL, '2026-11-09', '2026-11-15')$$, '22004', NULL, 'no metric is asked for');
SELECT throws_ok($$SELECT metric_average(md5('anna')::uuid, 'steps', NULL, '2026-11-15')$$, '22004', NULL, 'a range has a beginning');
SELECT throws_ok($$SELECT metric_average(md5('anna')::uuid, 'steps', '2026-11-09', NULL)$$, '22004', NULL, 'and an end');
SELECT throws_ok($$SELECT metric_average(md5('anna')::uuid, 'steps', '2026-11-15', '2026-11-09')$$, '22023', 'The range from 2026-11-15 to 2026-11-09 ends before it begins.', 'in this order');
SELECT throws_ok($$SELECT metric_average(md5('anna')::uuid, 'steps', '-infinity', '2026-11-09')$$, '22023', NULL, 'both are days');
SELECT throws_ok($$SELECT metric_average(md5('anna')::uuid, 'steps', '1926-11-15', '2026-11-15')$$, '22023', NULL, 'and it is not longer than a life');
SELECT lives_ok($$SELECT metric_average(md5('anna')::uuid, 'steps', '1926-11-16', '2026-11-15')$$, 'a hundred years are');

-- Changes.
DO $$ BEGIN
  PERFORM pg_temp.put_all('emma', 'steps', '2026-11-02', '{5900,5900,5900,5900,5900,5900,5900,5900,5900,5900,5900,5900,NULL,NULL}');
  PERFORM pg_temp.put_all('finn', 'steps', '2026-11-02', '{1000,1000,1000,1000,1250,1250,1250,1250,1250,999,999,999}');
  PERFORM pg_temp.put_all('gina', 'steps', '2026-11-02', '{0,0,0,0,10,10,0,0,0,0}');
  PERFORM pg_temp.put_all('hugo', 'wrist_temp_deviation', '2026-11-02', '{-0.2,-0.2,-0.1,-0.1}');
END $$;
SELECT is(pg_temp.change('emma', '2026-11-15', 7), '5900 5900 0 flat NULL 5/7', 'two days with the phone off are no fall of 29 %');
SELECT is(pg_temp.change('finn', '2026-11-09', 4), '1250 1000 25 up NULL 4/4', 'up');
SELECT is(pg_temp.change('finn', '2026-11-13', 3), '999 1250 -20.1 down NULL 3/3', 'down');
SELECT is(pg_temp.change('gina', '2026-11-07', 2), '10 0 NULL up NULL 2/2', 'from zero it goes up, by no percentage');
SELECT is(pg_temp.change('gina', '2026-11-09', 2), '0 10 -100 down NULL 2/2', 'to zero it goes down');
SELECT is(pg_temp.change('gina', '2026-11-11', 2), '0 0 0 flat NULL 2/2', 'from zero to zero it goes nowhere');
SELECT is(pg_temp.change('hugo', '2026-11-05', 2, 'wrist_temp_deviation'), '-0.1 -0.2 50 up NULL 2/2', 'what rises below zero goes up');
SELECT is(pg_temp.change('emma', '2026-11-15', 4), '5900 5900 0 flat NULL 2/4', 'half a window is enough');
SELECT is(pg_temp.change('emma', '2026-11-17', 5), '5900 5900 NULL NULL insufficient_coverage 1/5', 'less than half is not, and says so');
SELECT is(pg_temp.change('emma', '2026-11-06', 5), '5900 NULL NULL NULL insufficient_coverage 5/0', 'nor is it in the earlier one');
SELECT is(pg_temp.change('nobody', '2026-11-06', 5), 'NULL NULL NULL NULL insufficient_coverage 0/0', 'an empty table has no trend');
SELECT throws_ok($$SELECT metric_change(md5('emma')::uuid, 'steps', '2026-11-15', 0)$$, '22023', NULL, 'a window has a day');
SELECT throws_ok($$SELECT metric_change(md5('emma')::uuid, 'steps', '2026-11-15', NULL)$$, '22023', NULL, 'how many it has is said');
SELECT throws_ok($$SELECT metric_change(md5('emma')::uuid, 'steps', '2026-11-15', 2147483647)$$, '22023', NULL, 'and is not absurd');
SELECT throws_ok($$SELECT metric_change(md5('emma')::uuid, 'step', '2026-11-15', 7)$$, '22023', NULL, 'a name that is wrong is no missing trend');

-- History that still arrives.
DO $$ BEGIN PERFORM pg_temp.load('emma', '2026-11-15 08:00Z', true, pg_temp.number('steps')); END $$;
SELECT is(pg_temp.change('emma', '2026-11-15', 7), '5900 5900 NULL NULL backfill_running 5/7', 'while history arrives there is no trend');
SELECT is(pg_temp.change('emma', '2026-11-17', 5), '5900 5900 NULL NULL backfill_running 1/5', 'which is said before a lack of coverage');
DO $$ BEGIN PERFORM pg_temp.load('emma', '2026-11-15 09:00Z', false, 0::smallint); END $$;
SELECT is(pg_temp.change('emma', '2026-11-15', 7), '5900 5900 0 flat NULL 5/7', 'a later word that all is complete holds for it too');
DO $$ BEGIN PERFORM pg_temp.load('emma', '2026-11-15 10:00Z', true, 0::smallint, 2::smallint); END $$;
SELECT is(pg_temp.change('emma', '2026-11-15', 7), '5900 5900 NULL NULL backfill_running 5/7', 'of two platforms one that loads everything is enough, also if it has not mentioned the metric yet');
DO $$ BEGIN PERFORM pg_temp.load('emma', '2026-11-15 10:00Z', false, pg_temp.number('steps'), 2::smallint); END $$;
SELECT is(pg_temp.change('emma', '2026-11-15', 7), '5900 5900 0 flat NULL 5/7', 'in one payload the word for the metric counts');
DO $$ BEGIN PERFORM pg_temp.load('emma', '2026-11-15 11:00Z', true, pg_temp.number('steps'), 2::smallint, 'work'); END $$;
SELECT is((SELECT string_agg(format('%s %s', b.metric, b.platform), ', ') FROM public.backfill_running b WHERE b.user_id = md5('emma')::uuid AND b.metric = 'steps'), 'steps health_connect', 'another store of a platform is another load');
DO $$ BEGIN PERFORM pg_temp.load('emma', '2026-11-15 12:00Z', false, 0::smallint, 2::smallint); END $$;
SELECT is(pg_temp.change('emma', '2026-11-15', 7), '5900 5900 NULL NULL backfill_running 5/7', 'which is not over when that of the first store is');

-- Weeks.
DO $$ BEGIN
  PERFORM pg_temp.put_all('ida', 'steps', '2020-12-21', '{100,100,100,100,100,100,100, 1,2,3,4,5,6,NULL, NULL,NULL}');
  PERFORM pg_temp.put('ida', 'steps', '2021-01-11', 7, false);
  PERFORM pg_temp.put_all('ida', 'resting_heart_rate', '2020-12-21', '{60,60,60,60,60,60,67}');
END $$;
CREATE FUNCTION pg_temp.weeks(name text, metric text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s-W%s %s: %s of %s, average %s, total %s', w.iso_year, w.iso_week, to_char(w.monday, 'MM-DD'), w.covered_days, w.days, COALESCE(w.average::text, 'NULL'),
    COALESCE(w.total::text, w.total_suppressed_reason)), '; ' ORDER BY w.monday) FROM public.covered_weekly w WHERE w.user_id = md5(name)::uuid AND w.metric = weeks.metric);
END $$;
SELECT is(pg_temp.weeks('ida', 'steps'),
  '2020-W52 12-21: 7 of 7, average 100, total 700; 2020-W53 12-28: 6 of 7, average 3.5, total days_missing; 2021-W1 01-04: 0 of 7, average NULL, total days_missing; 2021-W2 01-11: 0 of 7, average NULL, total days_missing',
  'a week has a total if each of its days is covered; the 53rd belongs to the year of its Thursday; no days have no average, and lower bounds are none');
DO $$ BEGIN PERFORM pg_temp.put_all('jan', 'steps', '2024-12-30', '{5}'); END $$;
SELECT is(pg_temp.weeks('jan', 'steps'), '2025-W1 12-30: 1 of 7, average 5, total days_missing', 'a week that begins in the old year may be the first of the new one');
SELECT is(pg_temp.weeks('ida', 'resting_heart_rate'), '2020-W52 12-21: 7 of 7, average 61, total not_a_sum', 'heart rates do not add up');
SELECT is((SELECT count(*) FROM public.covered_weekly w WHERE (w.total IS NULL) = (w.total_suppressed_reason IS NULL)), 0::bigint, 'a week without a total says why, and no other');
DO $$ BEGIN PERFORM pg_temp.put_all('apia', 'steps', '2011-12-26', '{100,100,100,100,NULL,100,100}'); DELETE FROM public.daily_metric WHERE user_id = md5('apia')::uuid AND local_date = '2011-12-30'; END $$;
SELECT is(pg_temp.average('apia', 'steps', '2011-12-26', '2012-01-01'), '100 6/1/7: 100 steps, average of the 6 days we have data for', 'the date that Apia left out is a day without data: the average does not fall');
SELECT is(pg_temp.weeks('apia', 'steps'), '2011-W52 12-26: 6 of 7, average 100, total days_missing', 'and its week has no total');
SELECT is(pg_temp.weeks('nobody', 'steps'), NULL, 'who has no rows has no weeks');

SELECT * FROM finish();
ROLLBACK;
