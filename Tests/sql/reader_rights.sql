-- reader_rights.sql — readers work for who may read the schema public only, with and without row level security, and write nothing.
BEGIN;
SELECT plan(24);

CREATE ROLE reader_in_test;
CREATE ROLE filtered_in_test;
GRANT USAGE ON SCHEMA public, tap TO reader_in_test, filtered_in_test;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_in_test, filtered_in_test;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO reader_in_test, filtered_in_test;
CREATE FUNCTION pg_temp.person(name text) RETURNS uuid LANGUAGE plpgsql AS $$ BEGIN RETURN md5(name)::uuid; END $$;
-- Two persons with the same days, zone and history load; a window explains the beginning.
DO $$ BEGIN
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, covering_sources, computed_at, is_final, observed_at, platform, rule_version, revision, shown_since)
  SELECT pg_temp.person(p), m, date '2026-11-22' + n, 'measured', 100, 1, '2026-11-29 08:00Z', true, '2026-11-29 07:00Z', 'healthkit', 1, 1, '2026-11-29 08:00Z'
  FROM unnest('{anna,ben}'::text[]) p, unnest('{steps,basal_energy,active_energy,dietary_energy}'::text[]) m, generate_series(0, 6) n;
  INSERT INTO evidence.person SELECT pg_temp.person(p), '{-infinity}', '{UTC}' FROM unnest('{anna,ben}'::text[]) p;
  INSERT INTO evidence.tracking SELECT pg_temp.person(p), m.metric_id, 1, '', '2026-11-22' FROM unnest('{anna,ben}'::text[]) p, public.metric m WHERE m.metric = 'steps';
  INSERT INTO evidence.read_window SELECT pg_temp.person(p), 1, '', 0, 'authorized_from', '2026-11-29 07:00Z', md5('x')::uuid, 0, '2026-11-22 00:00Z' FROM unnest('{anna,ben}'::text[]) p;
  INSERT INTO evidence.backfill SELECT pg_temp.person(p), 1, '', m.metric_id, '2026-11-29 07:00Z', md5('x')::uuid, 0, true, NULL FROM unnest('{anna,ben}'::text[]) p, public.metric m WHERE m.metric = 'active_energy';
END $$;
-- One row per reader: what it says of a person.
CREATE FUNCTION pg_temp.said(name text) RETURNS TABLE (reader text, answer text) LANGUAGE plpgsql AS $$
DECLARE
  who constant uuid := pg_temp.person(name);
BEGIN
  RETURN QUERY SELECT 'average', a.label FROM public.metric_average(who, 'steps', '2026-11-22', '2026-11-28') a;
  RETURN QUERY SELECT 'change', concat(c.direction, c.suppressed_reason) FROM public.metric_change(who, 'active_energy', '2026-11-28', 2) c;
  RETURN QUERY SELECT 'weekly', count(*)::text FROM public.covered_weekly w WHERE w.user_id = who;
  RETURN QUERY SELECT 'streak', concat(s.state, s.length) FROM public.metric_streak(who, 'steps', 50, '2026-11-28') s;
  RETURN QUERY SELECT 'streaks', count(*)::text FROM public.metric_streaks('steps', 50, '2026-11-28') s WHERE s.user_id = who;
  RETURN QUERY SELECT 'best', concat_ws(' ', b.value, b.suppressed_reason) FROM public.personal_best b WHERE b.user_id = who AND b.metric IN ('steps', 'active_energy') ORDER BY b.metric LIMIT 1;
  RETURN QUERY SELECT 'series', count(s.value)::text FROM public.metric_series(who, 'steps', '2026-11-20', '2026-11-28') s;
  RETURN QUERY SELECT 'earliest', concat_ws(' ', e.local_date, e.label) FROM public.earliest_held(who, 'steps') e;
  RETURN QUERY SELECT 'snapshot', string_agg(concat(s.metric, s.is_current), ' ') FROM public.metric_snapshot(who, '2026-11-28 12:00Z') s;
  RETURN QUERY SELECT 'deficit', e.remaining::text FROM public.energy_deficit(who, '2026-11-28', 500) e;
  RETURN QUERY SELECT 'history', h.value::text FROM public.metric_history_at(who, 'steps', '2026-11-28', '2026-11-29 09:00Z') h;
  RETURN QUERY SELECT 'zone', z.zone_name FROM public.person_zone z WHERE z.user_id = who;
  RETURN QUERY SELECT 'loading', b.metric FROM public.backfill_running b WHERE b.user_id = who;
  RETURN QUERY SELECT 'readable', r.local_date::text FROM public.readable_from r WHERE r.user_id = who;
END $$;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_temp TO reader_in_test, filtered_in_test;
CREATE TEMPORARY TABLE expected AS SELECT * FROM pg_temp.said('anna');
CREATE TEMPORARY TABLE unseen (reader text, answer text);
INSERT INTO unseen VALUES ('average', 'no data'), ('change', 'insufficient_coverage'), ('weekly', '0'), ('streak', 'none0'), ('streaks', '0'), ('series', '0'),
  ('earliest', 'no data'), ('snapshot', NULL), ('deficit', NULL);
GRANT SELECT ON expected, unseen TO reader_in_test, filtered_in_test;
SELECT is((SELECT count(*) FROM expected WHERE answer IS NOT NULL), 14::bigint, 'every reader has something to say');
SELECT set_eq('SELECT * FROM expected', $$VALUES ('average', '100 steps, average of the 7 days we have data for'), ('change', 'backfill_running'), ('weekly', '8'), ('streak', 'active7'), ('streaks', '1'),
  ('best', 'backfill_running'), ('series', '7'), ('earliest', '2026-11-22 before you granted access'), ('snapshot', 'active_energyt basal_energyt dietary_energyt stepst'), ('deficit', '400'),
  ('history', '100'), ('zone', 'UTC'), ('loading', 'active_energy'), ('readable', '2026-11-22')$$, 'namely this');

SET ROLE reader_in_test;
SELECT throws_ok('SELECT * FROM evidence.person', '42501', NULL, 'who reads public only reads no evidence');
SELECT throws_ok('SELECT * FROM intake.receipt', '42501', NULL, 'and nothing of the intake');
SELECT set_eq($$SELECT * FROM pg_temp.said('anna')$$, 'SELECT * FROM expected', 'all readers work for them');
SELECT set_eq($$SELECT * FROM pg_temp.said('ben')$$, 'SELECT * FROM expected', 'for every person');
SELECT ok(public.may_read(pg_temp.person('ben')), 'without row level security everybody may be read');
RESET ROLE;

ALTER TABLE public.daily_metric ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.daily_metric_history ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON public.daily_metric TO filtered_in_test USING (user_id = '00000000-0000-0000-0000-000000000000' OR user_id = md5('anna')::uuid);
CREATE POLICY own ON public.daily_metric_history TO filtered_in_test USING (user_id = md5('anna')::uuid);
SET ROLE filtered_in_test;
SELECT set_eq($$SELECT * FROM pg_temp.said('anna')$$, 'SELECT * FROM expected', 'with it they say the same of who may be read');
SELECT set_eq($$SELECT * FROM pg_temp.said('ben')$$, 'SELECT * FROM unseen', 'and of others nothing: no zone, no load, no boundary, no number');
SELECT ok(NOT public.may_read(pg_temp.person('ben')), 'who may not be read is not');
SELECT is((SELECT count(DISTINCT user_id) FROM public.person_zone), 1::bigint, 'the whole view of zones has one person');
SELECT is((SELECT count(DISTINCT user_id) FROM public.backfill_running), 1::bigint, 'so has that of loads');
SELECT is((SELECT count(DISTINCT user_id) FROM public.readable_from), 1::bigint, 'and that of boundaries');
SELECT is((SELECT count(*) FROM public.metric_streaks('steps', 50, '2026-11-28')), 1::bigint, 'the streaks of all are those of all who may be read');
RESET ROLE;
SET ROLE reader_in_test;
SELECT set_eq($$SELECT * FROM pg_temp.said('anna')$$, 'SELECT * FROM unseen', 'whom no policy admits reads nothing');
RESET ROLE;

-- Nothing slips past the filter of a view through a function that tells what it sees.
CREATE FUNCTION pg_temp.tell(zone text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN RAISE EXCEPTION 'seen %', zone; END $$;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_temp TO filtered_in_test;
UPDATE evidence.person SET zone_name = '{Asia/Tokyo}' WHERE user_id = md5('ben')::uuid;
SET ROLE filtered_in_test;
SELECT lives_ok($$SELECT * FROM public.person_zone z WHERE z.zone_name <> 'UTC' AND pg_temp.tell(z.zone_name)$$, 'a condition of the asker''s own is asked after the view''s');
RESET ROLE;

-- What \df+ and \d+ say.
SELECT is_empty($$SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.proname ~ '^(metric_|earliest|energy|day_begins|local_today|spoken)'
  AND obj_description(p.oid, 'pg_proc') !~ 'Does not know:'$$, 'the comment of each function names its form of "don''t know"');
SELECT is_empty($$SELECT v FROM unnest('{covered_weekly,personal_best,backfill_running,readable_from,person_zone}'::regclass[]) v
  WHERE obj_description(v, 'pg_class') !~ 'Does not know:'
     OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = v AND a.attnum > 0 AND col_description(v, a.attnum) IS NULL)$$, 'so does that of each view, and each of its columns has one');

-- No way to write.
SELECT is_empty($$SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.provolatile = 'v'
  AND p.proname ~ '^(metric_|earliest|energy|day_begins|local_today|check_|spoken|streak|series|may_read)'$$, 'the readers are declared to change nothing, which the server enforces');
SET ROLE reader_in_test;
SELECT throws_ok($$UPDATE public.daily_metric SET value = 1$$, '42501', NULL, 'they cannot write days');
SELECT throws_ok($$DELETE FROM public.personal_best$$, '55000', NULL, 'nor through a view');
SELECT throws_ok($$INSERT INTO public.backfill_running VALUES (md5('anna')::uuid, 'steps', 'healthkit')$$, '55000', NULL, 'nor loads');
SELECT throws_ok($$UPDATE public.readable_from SET boundary = NULL$$, '55000', NULL, 'nor boundaries');
SELECT throws_ok($$UPDATE public.person_zone SET zone_name = 'UTC'$$, '55000', NULL, 'nor zones');
RESET ROLE;

SELECT * FROM finish();
ROLLBACK;
