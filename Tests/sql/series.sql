-- series.sql — R5: one row per calendar day, broken where nothing is known; where the picture begins, and why there.
BEGIN;
SELECT plan(38);

CREATE FUNCTION pg_temp.put(name text, metric text, day date, value numeric, is_final boolean DEFAULT true, reason text DEFAULT 'no_source_coverage')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, is_final, observed_at, platform, rule_version)
  VALUES (md5(name)::uuid, metric, day, CASE WHEN value IS NULL THEN 'unknown' ELSE 'measured' END, value, CASE WHEN value IS NULL THEN reason END, 1,
    '2026-11-29 08:00Z', is_final, CASE WHEN value IS NOT NULL THEN timestamptz '2026-11-29 07:00Z' END, CASE WHEN value IS NOT NULL THEN 'healthkit' END, 1);
END $$;
-- Days from the 1st of November on: a number, ? unknown, - no row, > a number that is not final.
CREATE FUNCTION pg_temp.days(name text, days text, metric text DEFAULT 'steps') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_temp.put(name, metric, date '2026-10-31' + n::integer, NULLIF(ltrim(word, '>'), '?')::numeric, word !~ '^>')
  FROM string_to_table(days, ' ') WITH ORDINALITY AS w (word, n) WHERE word <> '-';
END $$;
-- The series of days of November: value, mark's first letter, segment, how it is joined to the day before (- solid, : dashed).
CREATE FUNCTION pg_temp.series(name text, first_day integer, last_day integer, metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(CASE s.connector WHEN 'solid' THEN '-' WHEN 'dashed' THEN ':' ELSE ' ' END
      || CASE s.mark WHEN 'unknown' THEN COALESCE(left(s.unknown_reason, 2), '?') ELSE s.value || left(s.mark, 1) || s.segment END, '' ORDER BY n)
    FROM public.metric_series(md5(name)::uuid, metric, date '2026-10-31' + first_day, date '2026-10-31' + last_day)
      WITH ORDINALITY AS s (local_date, value, mark, segment, connector, unknown_reason, n));
END $$;

SELECT is(pg_temp.series('nobody', 1, 3), ' ? ? ?', 'an empty table has a series of unknown days');
DO $$ BEGIN
  PERFORM pg_temp.days('anna', '100 0 ? - 300 >50 ? >40 20');
  PERFORM pg_temp.days('anna', '70.1 - - 69.8 69.7 ? 70', 'weight');
  PERFORM pg_temp.days('ben', '- - 5 - -');
  PERFORM pg_temp.days('cleo', '? ? ?');
  PERFORM pg_temp.days('dora', '0 >0', 'wrist_temp_deviation');
END $$;
SELECT is(pg_temp.series('anna', 0, 10), ' ? 100v1-0z1 no ? 300v2-50p2 no 40p3-20v3 ?',
  'a line goes from day to day and breaks at every gap; value, zero and partial have marks of their own');
SELECT is(pg_temp.series('anna', 2, 5), ' 0z1 no ? 300v2', 'the first line of a range is number 1, joined to nothing before it');
SELECT is(pg_temp.series('anna', 3, 4), ' no ?', 'a range may be a gap');
SELECT is(pg_temp.series('anna', 1, 7, 'weight'), ' 70.1v1 ? ?:69.8v2-69.7v2 no:70v3', 'what is measured now and then is joined across gaps, dashed');
SELECT is(pg_temp.series('anna', 2, 5, 'weight'), ' ? ? 69.8v1-69.7v1', 'but not to a day before the range');
SELECT is(pg_temp.series('ben', 1, 5), ' ? ? 5v1 ? ?', 'days without a row before and after are there');
SELECT is(pg_temp.series('cleo', 1, 3), ' no no no', 'unknown days alone make no line');
SELECT is(pg_temp.series('dora', 1, 2, 'wrist_temp_deviation'), ' 0z1-0p1', 'a zero that is not final is partial');
SELECT is((SELECT count(*) FROM metric_series(md5('anna')::uuid, 'steps', '2016-11-30', '2026-11-29')), 3652::bigint, 'there is exactly one row for each day');
SELECT is((SELECT count(*) FROM metric_series(md5('anna')::uuid, 'steps', '2016-11-30', '2026-11-29') WITH ORDINALITY AS s (local_date, value, mark, segment, connector, unknown_reason, n)
  WHERE s.local_date <> date '2016-11-29' + n::integer), 0::bigint, 'in the order of days, of leap years and of years with 53 weeks too');
SELECT is_empty($$SELECT * FROM metric_series(md5('anna')::uuid, 'steps', '2016-11-30', '2026-11-29') s
  LEFT JOIN daily_metric d ON d.user_id = md5('anna')::uuid AND d.metric = 'steps' AND d.local_date = s.local_date
  WHERE (s.value IS NULL) <> (s.mark = 'unknown') OR (s.value IS NULL) <> (s.segment IS NULL) OR (s.value IS NULL AND s.connector <> 'none')
     OR s.value IS DISTINCT FROM d.value$$,
  'a value is the value of its day and of no other; an unknown day has none and is joined to nothing');
DO $$ BEGIN PERFORM pg_temp.put('apia', 'steps', d::date, 12) FROM generate_series(timestamp '2011-12-29', '2011-12-31', '1 day') d WHERE d <> '2011-12-30'; END $$;
SELECT is((SELECT string_agg(concat(s.value, s.mark, s.segment), ' ') FROM metric_series(md5('apia')::uuid, 'steps', '2011-12-29', '2011-12-31') s), '12value1 unknown 12value2', 'the date that Apia left out is a gap: nothing was measured on it');

-- The same as counted with window functions, on random days.
DO $$ BEGIN
  PERFORM setseed(0.5);
  PERFORM pg_temp.put('r', m, date '2026-01-01' + n, CASE WHEN r < 0.7 THEN floor(r * 4)::numeric END, r < 0.6 OR r > 0.7)
  FROM generate_series(0, 300) n, unnest('{steps,weight}'::text[]) m, LATERAL (SELECT random() + 0 * (n + length(m)) AS r OFFSET 0) x WHERE r < 0.9;
END $$;
CREATE TEMPORARY VIEW counted AS
  SELECT x.metric, x.day, x.value, CASE WHEN x.value IS NOT NULL THEN (count(*) FILTER (WHERE x.begins) OVER w)::integer END AS segment,
         CASE WHEN x.value IS NULL OR (x.begins AND count(x.value) OVER w = 1) THEN 'none' WHEN NOT x.begins THEN 'solid' WHEN x.metric = 'weight' THEN 'dashed' ELSE 'none' END AS connector
  FROM (SELECT m.metric, g::date AS day, d.value, d.value IS NOT NULL AND lag(d.value) OVER (PARTITION BY m.metric ORDER BY g) IS NULL AS begins
        FROM generate_series(timestamp '2025-12-30', '2026-11-05', '1 day') g CROSS JOIN (VALUES ('steps'), ('weight')) m (metric)
        LEFT JOIN daily_metric d ON d.user_id = md5('r')::uuid AND d.metric = m.metric AND d.local_date = g::date) x
  WINDOW w AS (PARTITION BY x.metric ORDER BY x.day);
SELECT ok((SELECT max(segment) FROM counted) > 40, 'the random days have gaps');
SELECT set_eq($$SELECT 'steps', local_date, value, segment, connector FROM metric_series(md5('r')::uuid, 'steps', '2025-12-30', '2026-11-05')
  UNION ALL SELECT 'weight', local_date, value, segment, connector FROM metric_series(md5('r')::uuid, 'weight', '2025-12-30', '2026-11-05')$$, 'SELECT * FROM counted', 'lines are counted right');

SELECT throws_ok($$SELECT metric_series(md5('anna')::uuid, 'step', '2026-11-01', '2026-11-02')$$, '22023', 'There is no metric named "step".', 'a name that is wrong is no gap');
SELECT throws_ok($$SELECT metric_series(md5('anna')::uuid, 'steps', '2026-11-02', '2026-11-01')$$, '22023', NULL, 'a range begins before it ends');
SELECT throws_ok($$SELECT metric_series(md5('anna')::uuid, 'steps', '1900-01-01', '2026-11-01')$$, '22023', 'The range from 1900-01-01 to 2026-11-01 is longer than 100 years.', 'and is not absurd');
SELECT throws_ok($$SELECT metric_series(md5('anna')::uuid, 'steps', '2026-11-01', 'infinity')$$, '22023', NULL, 'nor without an end');
SELECT throws_ok($$SELECT metric_series(NULL, 'steps', '2026-11-01', '2026-11-02')$$, '22004', NULL, 'nobody has no chart');

-- The left edge.
CREATE FUNCTION pg_temp.track(name text, platform smallint, zone text DEFAULT 'UTC') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO evidence.person VALUES (md5(name)::uuid, '{-infinity}', ARRAY[zone]) ON CONFLICT DO NOTHING;
  INSERT INTO evidence.tracking SELECT md5(track.name)::uuid, m.metric_id, platform, '', '2026-11-01' FROM public.metric m WHERE m.metric = 'steps';
END $$;
CREATE FUNCTION pg_temp.window(name text, platform smallint, kind text, boundary timestamptz, read timestamptz DEFAULT '2026-11-29 08:00Z') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO evidence.read_window VALUES (md5(name)::uuid, platform, '', 0, kind::evidence.window_kind, read, md5(read::text)::uuid, 0, boundary);
END $$;
CREATE FUNCTION pg_temp.edge(name text, metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(' ', to_char(e.local_date, 'DD'), e.label) FROM public.earliest_held(md5(name)::uuid, metric) e);
END $$;
SELECT is(pg_temp.edge('nobody'), 'no data', 'nothing held has no beginning');
SELECT is(pg_temp.edge('cleo'), 'no data', 'unknown days are not held');
SELECT is(pg_temp.edge('ben'), '03 not imported yet', 'without a window the history may still come');
DO $$ BEGIN PERFORM pg_temp.track('ben', 2::smallint); PERFORM pg_temp.window('ben', 2::smallint, 'authorized_from', '2026-11-02 10:00Z'); END $$;
SELECT is(pg_temp.edge('ben'), '03 before you granted access', 'a window within the day before explains it');
DO $$ BEGIN PERFORM pg_temp.window('ben', 2::smallint, 'authorized_from', '2026-11-03 00:00Z', '2026-11-29 09:00Z'); END $$;
SELECT is(pg_temp.edge('ben'), '03 before you granted access', 'so does one that begins with the first day');
DO $$ BEGIN PERFORM pg_temp.window('ben', 2::smallint, 'authorized_from', '2026-11-02 00:00Z', '2026-11-29 10:00Z'); END $$;
SELECT is(pg_temp.edge('ben'), '03 not imported yet', 'one that leaves the whole day before does not');
DO $$ BEGIN PERFORM pg_temp.window('ben', 2::smallint, 'history_window', '2026-11-02 12:00Z', '2026-11-29 10:00Z'); END $$;
SELECT is(pg_temp.edge('ben'), '03 before you granted access', 'the latest of several kinds counts');
DO $$ BEGIN PERFORM pg_temp.window('ben', 2::smallint, 'history_window', NULL, '2026-11-29 11:00Z'); END $$;
SELECT is(pg_temp.edge('ben'), '03 not imported yet', 'unless it is lifted');
DO $$ BEGIN
  PERFORM pg_temp.window('ben', 2::smallint, 'platform_floor', '2026-11-03 00:00Z', '2026-11-29 12:00Z');
  PERFORM pg_temp.track('ben', 1::smallint);
END $$;
SELECT is(pg_temp.edge('ben'), '03 not imported yet', 'another platform without one may bring more');
DO $$ BEGIN INSERT INTO evidence.permission VALUES (md5('ben')::uuid, 1, '', 0, '2026-11-29 12:00Z', md5('x')::uuid, 0, 'denied', NULL); END $$;
SELECT is(pg_temp.edge('ben'), '03 before you granted access', 'not if it may not be read');
DO $$ BEGIN
  PERFORM pg_temp.days('emma', '- - 5'); PERFORM pg_temp.track('emma', 2::smallint, 'America/Los_Angeles'); PERFORM pg_temp.window('emma', 2::smallint, 'authorized_from', '2026-11-02 07:30Z');
  PERFORM pg_temp.days('finn', '- - 5'); PERFORM pg_temp.track('finn', 2::smallint); PERFORM pg_temp.window('finn', 2::smallint, 'counting_since', '2026-11-03 00:00Z');
END $$;
SELECT is(pg_temp.edge('emma'), '03 not imported yet', 'days are those of the person''s zone: the boundary was on the 1st there');
DO $$ BEGIN PERFORM pg_temp.window('emma', 2::smallint, 'authorized_from', '2026-11-02 08:30Z', '2026-11-29 09:00Z'); END $$;
SELECT is(pg_temp.edge('emma'), '03 before you granted access', 'and an hour later on the 2nd');
SELECT is(pg_temp.edge('finn'), '03 not imported yet', 'that nothing was counted before is no lack of access');
DO $$ BEGIN PERFORM pg_temp.window('finn', 2::smallint, 'authorized_from', '2026-11-02 10:00Z'); END $$;
SELECT is(pg_temp.edge('finn'), '03 before you granted access', 'nor does it hide one that explains the edge, though counting began later');
SELECT is((SELECT concat_ws(' ', r.kind, r.local_date, r.access_date) FROM public.readable_from r WHERE r.user_id = md5('finn')::uuid), 'counting_since 2026-11-03 2026-11-03', 'both are told');
DO $$ BEGIN PERFORM pg_temp.window('finn', 2::smallint, 'authorized_from', '2026-11-01 10:00Z', '2026-11-29 09:00Z'); END $$;
SELECT is(pg_temp.edge('finn'), '03 not imported yet', 'one that leaves the day before does not explain it');
SELECT is((SELECT concat_ws(' ', r.kind, r.local_date, r.access_date) FROM public.readable_from r WHERE r.user_id = md5('finn')::uuid), 'counting_since 2026-11-03 2026-11-02', 'whenever counting began');
SELECT throws_ok($$SELECT earliest_held(md5('ben')::uuid, 'step')$$, '22023', NULL, 'a name that is wrong is no empty history');

SELECT * FROM finish();
ROLLBACK;
