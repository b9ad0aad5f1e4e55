-- monitoring.sql — coverage by day, alerts that fire and that do not, freshness, the queue, and who may have taken a permission away.
-- Fleets are built day by day: so many people, of whom so many are measured, so many are a measured zero, and the rest unknown with one reason.
BEGIN;
SELECT plan(58);

CREATE FUNCTION pg_temp.fleet(name text, platform text, days daterange, people integer, measured integer, zeros integer DEFAULT 0,
  reason text DEFAULT 'no_source_coverage', sources integer DEFAULT 1, metric text DEFAULT 'steps', idle_sources integer DEFAULT 0) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, is_final, platform, rule_version)
  SELECT md5(fleet.name || i)::uuid, fleet.metric, d::date, CASE WHEN i <= measured + zeros THEN 'measured' ELSE 'unknown' END,
    CASE WHEN i <= measured THEN 5000 WHEN i <= measured + zeros THEN 0 END, CASE WHEN i > measured + zeros THEN reason END,
    CASE WHEN i <= measured + zeros THEN sources ELSE idle_sources END, '2026-11-29 08:00Z', true, CASE WHEN i <= measured + zeros THEN fleet.platform END, 1
  FROM generate_series(1, people) i, generate_series(lower(days)::timestamp, upper(days)::timestamp - interval '1 day', interval '1 day') d;
  INSERT INTO evidence.tracking (user_id, metric_id, platform_id, store, since)
  SELECT md5(fleet.name || i)::uuid, m.metric_id, f.platform_id, '', lower(days)
  FROM generate_series(1, people) i, public.metric m, public.platform f WHERE m.metric = fleet.metric AND f.platform = fleet.platform
  ON CONFLICT DO NOTHING;
END $$;
CREATE FUNCTION pg_temp.sum_up() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.summarize_coverage('2026-11-01', '2026-11-30', '2026-11-29 09:00Z');
END $$;
-- The alerts of a platform in brief.
CREATE FUNCTION pg_temp.alerts(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(concat_ws(' ', a.kind, a.metric, to_char(a.local_date, 'MMDD'), a.reason, a.observed, a.expected), ', ' ORDER BY a.local_date, a.kind, a.metric, a.reason)
          FROM public.coverage_alert a WHERE a.platform = alerts.name);
END $$;
-- Takes the fleet of a platform away.
CREATE FUNCTION pg_temp.dismiss() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM public.daily_metric d WHERE true;
  DELETE FROM evidence.tracking t WHERE true;
END $$;

-- Sums.
DO $$ BEGIN
  PERFORM pg_temp.fleet('a', 'garmin', '[2026-11-10,2026-11-11)', 10, 5, 2, sources => 2);
  PERFORM pg_temp.fleet('b', 'garmin', '[2026-11-10,2026-11-11)', 4, 0, 0, 'not_yet_synced', idle_sources => 1);
  INSERT INTO evidence.tracking SELECT md5('a10')::uuid, t.metric_id, p.platform_id, '', '2026-11-01' FROM public.metric t, public.platform p WHERE t.metric = 'steps' AND p.platform = 'oura';
  INSERT INTO evidence.tracking SELECT md5('a10')::uuid, t.metric_id, p.platform_id, '', '2026-11-11' FROM public.metric t, public.platform p WHERE t.metric = 'steps' AND p.platform = 'polar';
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, unknown_reason, computed_at, is_final, rule_version)
  VALUES (md5('lost')::uuid, 'steps', '2026-11-10', 'unknown', 'provider_error', '2026-11-29 08:00Z', false, 1);
END $$;
SELECT is(evidence.summarize_coverage('2026-11-01', '2026-11-30', '2026-11-29 09:00Z'), 16::bigint, 'each cell once for each platform');
SELECT is((SELECT to_jsonb(c) FROM public.coverage_by_day c WHERE c.platform = 'garmin'), '{"platform": "garmin", "metric": "steps", "local_date": "2026-11-10", "users": 14, "mean_coverage": 1.286,
  "measured": 7, "zero": 2, "unknown": 7, "unknown_by_reason": {"no_source_coverage": 3, "not_yet_synced": 4}, "heard": 10, "summed_at": "2026-11-29T09:00:00+00:00"}', 'measured, zero, unknown by reason, and how old the sum is');
SELECT is((SELECT format('%s %s', c.users, c.unknown_by_reason) FROM public.coverage_by_day c WHERE c.platform = 'oura'), '1 {"no_source_coverage": 1}', 'an unknown cell counts for each platform that reports the metric');
SELECT is((SELECT count(*) FROM public.coverage_by_day c WHERE c.platform = 'polar'), 0::bigint, 'not for one that did so only later');
SELECT is((SELECT c.unknown_by_reason FROM public.coverage_by_day c WHERE c.platform IS NULL), '{"provider_error": 1}', 'what no platform reports is not lost');
SELECT is((SELECT sum(c.measured) FROM public.coverage_by_day c), (SELECT count(*) FROM public.daily_metric d WHERE d.status = 'measured')::numeric, 'every measured cell counts once');
DELETE FROM public.daily_metric d WHERE d.user_id = md5('a1')::uuid;
SELECT is((SELECT c.users FROM public.coverage_by_day c WHERE c.platform = 'garmin'), 14::bigint, 'a sum is as old as it says');
DO $$ BEGIN PERFORM pg_temp.sum_up(); END $$;
SELECT is((SELECT c.users FROM public.coverage_by_day c WHERE c.platform = 'garmin'), 13::bigint, 'until it is made anew');
SELECT is((SELECT count(*) FROM public.coverage_day), 30::bigint, 'days without a cell are summed too');
DO $$ BEGIN PERFORM pg_temp.dismiss(); PERFORM pg_temp.sum_up(); END $$;
SELECT is((SELECT count(*) FROM public.coverage_by_day), 0::bigint, 'and what is gone leaves no sum');
SELECT throws_ok($$SELECT evidence.summarize_coverage('2026-11-10', '2026-11-01', now())$$, '22023', NULL, 'days are summed forwards');

-- What the service sums.
DELETE FROM public.coverage_day;
CREATE FUNCTION pg_temp.kept_up(as_of timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  steps integer := 0;
BEGIN
  WHILE evidence.keep_up(as_of) > 0 LOOP
    steps := steps + 1;
  END LOOP;
  RETURN steps;
END $$;
SELECT is(pg_temp.kept_up('2026-11-29 09:00Z'), 36, 'at first all days of the setting, tomorrow''s for who lives ahead too');
SELECT is((SELECT format('%s %s', min(c.local_date), max(c.local_date)) FROM public.coverage_day c), '2026-10-26 2026-11-30', 'from 34 days ago');
SELECT is(pg_temp.kept_up('2026-11-29 09:59Z'), 0, 'not again within the hour');
SELECT is(pg_temp.kept_up('2026-11-29 10:00Z'), 3, 'after an hour the days that still change: tomorrow, today and yesterday');
SELECT is(pg_temp.kept_up('2026-11-29 11:00Z'), 4, 'after two hours that of two days ago as well');
UPDATE public.monitoring_setting SET summed_every = '1 day', summed_days = 0;
SELECT is(pg_temp.kept_up('2026-12-05 11:00Z'), 1, 'as often and as far back as the operator says');
UPDATE public.monitoring_setting SET summed_every = '1 hour', summed_days = 35;

-- A fall of coverage, provider-wide.
DO $$ BEGIN
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-05,2026-11-20)', 40, 40, sources => 2);
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-20,2026-11-21)', 40, 24, sources => 2);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-05,2026-11-20)', 40, 40, sources => 2);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-20,2026-11-21)', 40, 29, sources => 2);
  PERFORM pg_temp.sum_up();
END $$;
SELECT is(pg_temp.alerts('garmin'), 'attribution_cliff steps 1120 no_source_coverage 0.400 0.000, coverage_fall steps 1120 1.200 2.000', 'coverage that falls by 40 % is an alert');
SELECT is(pg_temp.alerts('oura'), NULL, 'by 28 % it is none');
SELECT is((SELECT a.message FROM public.coverage_alert a WHERE a.kind = 'coverage_fall'), 'Mean coverage of steps from garmin on 2026-11-20 is 1.20 of 40 people, after 2.00 in the 14 days before.', 'and a sentence says so');
UPDATE public.monitoring_setting SET fall_share = 0.41;
SELECT is(pg_temp.alerts('garmin'), 'attribution_cliff steps 1120 no_source_coverage 0.400 0.000', 'the operator chooses how far');
UPDATE public.monitoring_setting SET fall_share = 0.25;
SELECT is(pg_temp.alerts('oura'), 'coverage_fall steps 1120 1.450 2.000', 'both ways');
UPDATE public.monitoring_setting SET fall_share = 0.30, least_users = 41;
SELECT is(pg_temp.alerts('garmin'), NULL, 'too few people are no fleet');
UPDATE public.monitoring_setting SET least_users = 20;
DO $$ BEGIN
  PERFORM pg_temp.dismiss();
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-05,2026-11-20)', 40, 40, sources => 2);
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-20,2026-11-23)', 40, 21, reason => 'not_yet_synced', sources => 2);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-14,2026-11-20)', 40, 40, sources => 2);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-20,2026-11-21)', 40, 10, sources => 2, reason => 'not_yet_synced');
  PERFORM pg_temp.sum_up();
END $$;
SELECT is(pg_temp.alerts('garmin'), NULL, 'clients that are silent for three days are no alert');
SELECT is((SELECT round(c.mean_coverage, 2) FROM public.coverage_by_day c WHERE c.platform = 'garmin' AND c.local_date = '2026-11-20'), 1.05, 'although the mean of all is low');
SELECT is(pg_temp.alerts('oura'), NULL, 'nor is a day of which little has arrived, after six days');
DO $$ BEGIN
  PERFORM pg_temp.dismiss();
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-05,2026-11-20)', 40, 40);
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-20,2026-11-21)', 40, 0, reason => 'provider_error');
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-15,2026-11-20)', 40, 40);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-20,2026-11-21)', 40, 0, reason => 'provider_error');
  PERFORM pg_temp.sum_up();
END $$;
SELECT is(pg_temp.alerts('garmin'), 'attribution_cliff steps 1120 provider_error 1.000 0.000, coverage_fall steps 1120 0.000 1.000', 'a provider whose reads all fail is an alert');
SELECT is(pg_temp.alerts('oura'), 'attribution_cliff steps 1120 provider_error 1.000 0.000', 'five days before are too few to compare a mean with');

-- A fleet of zeros, while reads succeed as before.
DO $$ BEGIN
  PERFORM pg_temp.dismiss();
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-05,2026-11-20)', 40, 30, 10);
  PERFORM pg_temp.fleet('c', 'garmin', '[2026-11-20,2026-11-21)', 40, 2, 38);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-05,2026-11-20)', 40, 30, 10);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-20,2026-11-21)', 40, 9, 31);
  PERFORM pg_temp.fleet('e', 'polar', '[2026-11-05,2026-11-20)', 40, 10, 30);
  PERFORM pg_temp.fleet('e', 'polar', '[2026-11-20,2026-11-21)', 40, 0, 40);
  PERFORM pg_temp.fleet('f', 'whoop', '[2026-11-05,2026-11-20)', 100, 100);
  PERFORM pg_temp.fleet('f', 'whoop', '[2026-11-20,2026-11-21)', 100, 0, 30, 'not_yet_synced');
  PERFORM pg_temp.fleet('g', 'fitbit', '[2026-11-05,2026-11-20)', 40, 35, 0, 'no_source_coverage', idle_sources => 1);
  PERFORM pg_temp.fleet('g', 'fitbit', '[2026-11-20,2026-11-21)', 40, 4, 0, 'no_source_coverage', idle_sources => 1);
  PERFORM pg_temp.sum_up();
END $$;
SELECT is(pg_temp.alerts('garmin'), 'fleet_of_zeros steps 1120 0.950 0.250', 'a platform of which nearly everybody is a measured zero is an alert, although coverage is what it was');
SELECT is(pg_temp.alerts('oura'), NULL, 'a lazy Sunday is none');
SELECT is(pg_temp.alerts('polar'), NULL, 'nor is a metric that mostly is zero');
SELECT is(pg_temp.alerts('whoop'), NULL, 'nor are a few zeros among many who have not been read');
SELECT is(pg_temp.alerts('fitbit'), 'attribution_cliff steps 1120 no_source_coverage 0.900 0.125, fleet_of_zeros steps 1120 0.900 0.125', 'a zero without a witness counts, as the nothing that it is');
INSERT INTO evidence.origin (user_id, platform_id, store, last_read_at, last_success_at)
SELECT md5('c' || i)::uuid, p.platform_id, '', clock_timestamp() - interval '1 hour', clock_timestamp() - interval '1 hour' FROM generate_series(1, 40) i, public.platform p WHERE p.platform = 'garmin';
SELECT is((SELECT format('%s %s', f.succeeded_in_a_day, f.last_success_age < '2 hours') FROM public.freshness f WHERE f.platform = 'garmin'), '40 t', 'freshness is green meanwhile');

-- A cliff on one date.
DO $$ BEGIN
  PERFORM pg_temp.dismiss();
  PERFORM pg_temp.fleet('c', 'healthkit', '[2026-11-10,2026-11-15)', 40, 40);
  PERFORM pg_temp.fleet('c', 'healthkit', '[2026-11-15,2026-11-18)', 40, 26, reason => 'not_authorized_or_no_data');
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-10,2026-11-15)', 40, 40);
  PERFORM pg_temp.fleet('d', 'oura', '[2026-11-15,2026-11-18)', 40, 29, reason => 'not_authorized_or_no_data');
  PERFORM pg_temp.fleet('e', 'polar', '[2026-11-10,2026-11-15)', 40, 0, reason => 'before_authorized_history');
  PERFORM pg_temp.fleet('e', 'polar', '[2026-11-15,2026-11-18)', 40, 40);
  PERFORM pg_temp.fleet('f', 'whoop', '[2026-11-10,2026-11-15)', 40, 0, reason => 'no_source_coverage');
  PERFORM pg_temp.fleet('f', 'whoop', '[2026-11-15,2026-11-18)', 40, 40);
  PERFORM pg_temp.fleet('g', 'fitbit', '[2026-11-10,2026-11-15)', 40, 40);
  PERFORM pg_temp.fleet('g', 'fitbit', '[2026-11-15,2026-11-16)', 40, 0, reason => 'metric_unavailable');
  PERFORM pg_temp.fleet('h', 'withings', '[2026-11-10,2026-11-14)', 40, 40);
  PERFORM pg_temp.fleet('h', 'withings', '[2026-11-15,2026-11-16)', 40, 0, reason => 'not_authorized');
  FOR i IN 0..9 LOOP
    PERFORM pg_temp.fleet('i', 'manual', daterange('2026-11-10'::date + i, '2026-11-11'::date + i), 40, 4 * i, reason => 'before_authorized_history');
  END LOOP;
  PERFORM pg_temp.sum_up();
END $$;
SELECT is(pg_temp.alerts('healthkit'), 'attribution_cliff steps 1115 not_authorized_or_no_data 0.350 0.000', 'many people who get a reason on one date are an alert, once');
SELECT is(pg_temp.alerts('oura'), NULL, 'a few are none');
SELECT is(pg_temp.alerts('polar'), 'attribution_cliff steps 1115 before_authorized_history 0.000 1.000', 'a boundary on one date for all is one too');
SELECT is(pg_temp.alerts('manual'), NULL, 'boundaries of each on another date are not');
SELECT is(pg_temp.alerts('whoop'), NULL, 'nor is the end of a silence');
SELECT is(pg_temp.alerts('fitbit'), NULL, 'what a device cannot measure is said once, and not here');
SELECT is(pg_temp.alerts('withings'), NULL, 'two days with a day between them are not compared');

-- Who may have taken a permission away.
DO $$ BEGIN
  PERFORM pg_temp.dismiss();
  PERFORM pg_temp.fleet('anna', 'healthkit', '[2026-11-01,2026-11-08)', 1, 1);
  PERFORM pg_temp.fleet('anna', 'healthkit', '[2026-11-08,2026-11-22)', 1, 0, reason => 'not_authorized_or_no_data');
  PERFORM pg_temp.fleet('anna', 'healthkit', '[2026-11-22,2026-11-25)', 1, 0, reason => 'not_yet_synced');
  PERFORM pg_temp.fleet('ben', 'healthkit', '[2026-11-01,2026-11-08)', 1, 1);
  PERFORM pg_temp.fleet('ben', 'healthkit', '[2026-11-08,2026-11-21)', 1, 0, reason => 'not_authorized_or_no_data');
  PERFORM pg_temp.fleet('ben', 'healthkit', '[2026-11-21,2026-11-25)', 1, 0, reason => 'not_yet_synced');
  PERFORM pg_temp.fleet('cleo', 'healthkit', '[2026-11-01,2026-11-08)', 1, 1);
  PERFORM pg_temp.fleet('cleo', 'healthkit', '[2026-11-08,2026-11-22)', 1, 0, reason => 'not_authorized_or_no_data');
  PERFORM pg_temp.fleet('cleo', 'healthkit', '[2026-11-22,2026-11-23)', 1, 1);
  PERFORM pg_temp.fleet('dora', 'healthkit', '[2026-11-02,2026-11-08)', 1, 1);
  PERFORM pg_temp.fleet('dora', 'healthkit', '[2026-11-08,2026-11-28)', 1, 0, reason => 'not_authorized_or_no_data');
  PERFORM pg_temp.fleet('emil', 'health_connect', '[2026-11-01,2026-11-08)', 1, 1);
  PERFORM pg_temp.fleet('emil', 'health_connect', '[2026-11-08,2026-11-28)', 1, 0, reason => 'no_source_coverage');
  PERFORM pg_temp.fleet('fay', 'healthkit', '[2026-11-01,2026-11-08)', 1, 1, metric => 'weight');
  PERFORM pg_temp.fleet('fay', 'healthkit', '[2026-11-08,2026-11-28)', 1, 0, reason => 'not_authorized_or_no_data', metric => 'weight');
END $$;
CREATE TEMPORARY VIEW nagged AS SELECT x.name, n.* FROM public.permission_nag n
  JOIN (VALUES ('anna'), ('ben'), ('cleo'), ('dora'), ('emil'), ('fay')) AS x (name) ON md5(x.name || '1')::uuid = n.user_id;
SELECT is((SELECT string_agg(n.name, ' ' ORDER BY n.name) FROM nagged n), 'anna', 'fourteen silent days of a metric that used to report, and nobody with thirteen, with a number since, with six days ever, where denials are told, or where silence is normal');
SELECT is((SELECT to_jsonb(n) - 'user_id' - 'name' FROM nagged n), '{"platform": "healthkit", "metric": "steps", "last_measured": "2026-11-07", "measured_days": 7, "silent_from": "2026-11-08", "silent_to": "2026-11-21", "silent_days": 14}',
  'with the stretch; days that nobody has read do not count');
UPDATE public.monitoring_setting SET nag_silent_days = 13;
SELECT is((SELECT string_agg(n.name, ' ' ORDER BY n.name) FROM nagged n), 'anna ben', 'the operator chooses how long');
UPDATE public.monitoring_setting SET nag_silent_days = 14, nag_measured_days = 6;
SELECT is((SELECT string_agg(n.name, ' ' ORDER BY n.name) FROM nagged n), 'anna dora', 'and what used to report');
SELECT matches(obj_description('public.permission_nag'::regclass), '^A heuristic', 'it says that it is a heuristic');

-- Freshness.
DELETE FROM evidence.origin;
SELECT is((SELECT count(*) FROM public.freshness), (SELECT count(*) FROM public.platform), 'each platform has its row');
SELECT is((SELECT format('%s %s %s', f.origins, f.last_read_at IS NULL, f.overdue IS NULL) FROM public.freshness f WHERE f.platform = 'oura'), '0 t t', 'of a platform that was never read nothing is known');
INSERT INTO evidence.origin (user_id, platform_id, store, last_read_at, last_success_at)
SELECT md5('f' || i)::uuid, p.platform_id, '', clock_timestamp() - i * interval '1 hour', CASE WHEN i <> 1 THEN clock_timestamp() - i * interval '1 hour' END
FROM generate_series(1, 30) i, public.platform p WHERE p.platform = 'oura';
SELECT is((SELECT format('%s %s %s %s %s', f.origins, f.never_succeeded, f.succeeded_in_a_day, extract(hour FROM f.last_read_age), extract(hour FROM f.last_success_age)) FROM public.freshness f WHERE f.platform = 'oura'), '30 1 22 1 2', 'reads and successes apart');
INSERT INTO evidence.due_day VALUES (md5('f3')::uuid, '2026-11-03', '2026-11-04 12:00Z', true), (md5('f4')::uuid, '2026-11-03', '2026-11-05 12:00Z', true), (md5('x')::uuid, '2026-11-03', '2026-11-01 12:00Z', true);
SELECT is((SELECT f.oldest_due_at FROM public.freshness f WHERE f.platform = 'oura'), '2026-11-04 12:00Z'::timestamptz, 'the oldest day that is due is one of the platform''s persons');

-- The queue.
SELECT is((SELECT format('%s %s %s', q.depth, COALESCE(q.oldest_age::text, 'none'), q.top_users) FROM public.queue_health q), '0 none []', 'an empty queue has no oldest payload');
INSERT INTO intake.sync_payload (user_id, payload, received_at) SELECT md5('f' || (i % 3))::uuid, '{}', clock_timestamp() - i * interval '1 minute' FROM generate_series(1, 7) i;
INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at) SELECT md5('f')::uuid, CASE WHEN i = 1 THEN 'not_json' ELSE 'missing_field' END, '', '', now(), now() FROM generate_series(1, 3) i;
SELECT is((SELECT format('%s %s %s', q.depth, extract(minute FROM q.oldest_age), q.dead_letters) FROM public.queue_health q), '7 7 {"not_json": 1, "missing_field": 2}', 'depth, age and dead letters by code');
SELECT is((SELECT q.top_users -> 0 FROM public.queue_health q), jsonb_build_object('user_id', md5('f1')::uuid, 'payloads', 3), 'who has most of it');
UPDATE intake.control SET paused_at = '2026-11-29 08:00Z', paused_because = 'A test.';
SELECT is((SELECT q.paused_because FROM public.queue_health q), 'A test.', 'and that it is paused');
SELECT is((SELECT count(*) FROM public.queue_health), 1::bigint, 'it is one row');

-- What readers may do.
SELECT is_empty($$SELECT x FROM unnest(ARRAY['coverage_by_day', 'coverage_alert', 'freshness', 'queue_health', 'snapshot_holder', 'permission_nag', 'client_action', 'cell_change', 'feed_proof', 'coverage_sum', 'monitoring_setting', 'feed_horizon']) x
  WHERE NOT has_table_privilege('dailymetric_analyst', 'public.' || x, 'SELECT') OR has_table_privilege('dailymetric_analyst', 'public.' || x, 'INSERT, UPDATE, DELETE, TRUNCATE')$$, 'analysts read all of it and write none of it');
CREATE FUNCTION pg_temp.as_analyst(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL ROLE dailymetric_analyst;
  EXECUTE query;
  RESET ROLE;
  RETURN 'worked';
EXCEPTION WHEN OTHERS THEN
  RESET ROLE;
  RETURN SQLSTATE;
END $$;
SELECT is_empty($$SELECT x, pg_temp.as_analyst('SELECT count(*) FROM public.' || x) FROM unnest(ARRAY['coverage_by_day', 'coverage_alert', 'freshness', 'queue_health', 'snapshot_holder', 'permission_nag', 'client_action',
  'changes_since(NULL)', 'summary_context(md5(''anna1'')::uuid, ''2026-11-01'', ''2026-11-28'')']) x WHERE pg_temp.as_analyst('SELECT count(*) FROM public.' || x) <> 'worked'$$, 'and can run it all');
SELECT is(pg_temp.as_analyst($$SELECT evidence.summarize_coverage('2026-11-01', '2026-11-02', now())$$), '42501', 'but sum nothing');

SELECT * FROM finish();
ROLLBACK;
