-- snapshot.sql — R6, R7: what is known now is chosen by the day that it describes; a deficit needs every input.
BEGIN;
SELECT plan(41);

CREATE FUNCTION pg_temp.put(name text, metric text, day date, value numeric, is_final boolean DEFAULT true, observed timestamptz DEFAULT '2026-11-29 07:00Z')
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, is_final, observed_at, platform, rule_version)
  VALUES (md5(name)::uuid, metric, day, CASE WHEN value IS NULL THEN 'unknown' ELSE 'measured' END, value, CASE WHEN value IS NULL THEN 'provider_error' END, 1,
    '2026-11-29 08:00Z', is_final, CASE WHEN value IS NOT NULL THEN observed END, CASE WHEN value IS NOT NULL THEN 'healthkit' END, 1);
END $$;
CREATE FUNCTION pg_temp.live(name text, zones text[], since timestamptz[] DEFAULT '{-infinity}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO evidence.person VALUES (md5(name)::uuid, since, zones) ON CONFLICT (user_id) DO UPDATE SET zone_from = since, zone_name = zones;
END $$;
CREATE FUNCTION pg_temp.snapshot(name text, as_of timestamptz, metric text DEFAULT 'steps') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT format('%s %s %s until %s, today %s%s', COALESCE(to_char(s.describes_date, 'MM-DD'), 'never'), COALESCE(s.value::text, 'NULL'),
      CASE s.is_current WHEN true THEN 'current' WHEN false THEN 'old' ELSE 'perhaps' END, COALESCE(to_char(s.stale_at AT TIME ZONE 'UTC', 'MM-DD HH24:MI'), 'never'),
      COALESCE(s.today_status, 'NULL'), ' ' || s.today_reason)
    FROM public.metric_snapshot(md5(name)::uuid, as_of) s WHERE s.metric = snapshot.metric);
END $$;

SELECT is((SELECT count(*) FROM metric_snapshot(md5('nobody')::uuid, '2026-11-29 12:00Z')), 0::bigint, 'an empty table has no snapshot');
DO $$ BEGIN
  PERFORM pg_temp.live('anna', '{UTC}');
  PERFORM pg_temp.put('anna', 'steps', '2026-11-29', 40, false, '2026-11-29 00:10Z');
  PERFORM pg_temp.put('anna', 'steps', '2026-11-28', 9000, true, '2026-11-29 03:02Z');
  PERFORM pg_temp.put('anna', 'flights_climbed', '2026-11-27', 0);
  PERFORM pg_temp.put('anna', 'flights_climbed', '2026-11-29', NULL);
  PERFORM pg_temp.put('anna', 'active_energy', '2026-11-28', NULL);
END $$;
SELECT is(pg_temp.snapshot('anna', '2026-11-29 03:10Z'), '11-29 40 current until 11-30 00:00, today measured', 'a reading of yesterday, taken later, does not outrank today''s');
SELECT is(pg_temp.snapshot('anna', '2026-11-29 23:59:59Z'), '11-29 40 current until 11-30 00:00, today measured', 'it is today''s to the last second');
SELECT is(pg_temp.snapshot('anna', '2026-11-30 00:00Z'), '11-29 40 old until 11-30 00:00, today unknown', 'and goes stale at midnight by itself; of the new day nothing was said');
SELECT is(pg_temp.snapshot('anna', '2026-11-28 12:00Z'), '11-28 9000 current until 11-29 00:00, today measured', 'days to come are not known before');
SELECT is(pg_temp.snapshot('anna', '2026-11-29 12:00Z', 'flights_climbed'), '11-27 0 old until 11-28 00:00, today unknown provider_error', 'the latest value is of its day, a measured zero too; why today has none is said');
SELECT is(pg_temp.snapshot('anna', '2026-11-29 12:00Z', 'active_energy'), 'never NULL perhaps until never, today unknown', 'what was never measured has no value and no day');
SELECT is((SELECT array_agg(s.metric) FROM metric_snapshot(md5('anna')::uuid, '2026-11-29 12:00Z') s), '{active_energy,flights_climbed,steps}', 'metrics of which nothing was ever said are not there');
SELECT is((SELECT s.observed_at FROM metric_snapshot(md5('anna')::uuid, '2026-11-29 12:00Z') s WHERE s.metric = 'steps'), '2026-11-29 00:10Z', 'when it was read is said');

-- Zones.
DO $$ BEGIN
  PERFORM pg_temp.live('berlin', '{Europe/Berlin}'); PERFORM pg_temp.put('berlin', 'steps', '2026-10-25', 5, false);
  PERFORM pg_temp.live('tokyo', '{Asia/Tokyo}'); PERFORM pg_temp.put('tokyo', 'steps', '2026-11-29', 5, false);
  PERFORM pg_temp.live('beirut', '{Asia/Beirut}'); PERFORM pg_temp.put('beirut', 'steps', '2026-03-28', 5, false);
  PERFORM pg_temp.live('apia', '{Pacific/Apia}'); PERFORM pg_temp.put('apia', 'steps', '2011-12-29', 5, false);
  PERFORM pg_temp.live('flyer', '{Asia/Tokyo,America/Los_Angeles}', '{-infinity,2026-11-29 08:00Z}'); PERFORM pg_temp.put('flyer', 'steps', '2026-11-29', 5, false);
  PERFORM pg_temp.live('later', '{UTC}', '{2026-11-29 10:00Z}'); PERFORM pg_temp.put('later', 'steps', '2026-11-29', 5, false);
  PERFORM pg_temp.put('lost', 'steps', '2026-11-28', 5, false);
END $$;
SELECT is(pg_temp.snapshot('berlin', '2026-10-25 22:30Z'), '10-25 5 current until 10-25 23:00, today measured', 'a day of 25 hours ends after 25');
SELECT is(pg_temp.snapshot('tokyo', '2026-11-28 16:00Z'), '11-29 5 current until 11-29 15:00, today measured', 'in Tokyo it is tomorrow already');
SELECT is(pg_temp.snapshot('tokyo', '2026-11-29 15:00Z'), '11-29 5 old until 11-29 15:00, today unknown', 'and over when it is over there');
SELECT is(pg_temp.snapshot('beirut', '2026-03-28 21:59Z'), '03-28 5 current until 03-28 22:00, today measured', 'a day ends where the next begins, though that has no midnight');
SELECT is(pg_temp.snapshot('apia', '2011-12-30 09:59Z'), '12-29 5 current until 12-30 10:00, today measured', 'the 29th was followed by');
SELECT is(pg_temp.snapshot('apia', '2011-12-30 10:00Z'), '12-29 5 old until 12-30 10:00, today unknown', 'the 31st');
SELECT is(public.local_today(md5('apia')::uuid, '2011-12-30 10:00Z'), '2011-12-31'::date, 'without a 30th');
SELECT is(pg_temp.snapshot('flyer', '2026-11-29 16:00Z'), '11-29 5 current until 11-30 08:00, today measured', 'who flew to where it is earlier has more of the day');
SELECT is(pg_temp.snapshot('lost', '2026-11-28 12:00Z'), '11-28 5 perhaps until 11-29 12:00, today NULL time_zone_unknown', 'without a zone nobody knows which day it is');
SELECT is(pg_temp.snapshot('lost', '2026-11-29 12:00Z'), '11-28 5 old until 11-29 12:00, today NULL time_zone_unknown', 'until it has ended everywhere');
SELECT is(pg_temp.snapshot('lost', '2026-11-27 10:00Z'), '11-28 5 perhaps until 11-29 12:00, today NULL time_zone_unknown', 'from when it began anywhere');
SELECT is(pg_temp.snapshot('lost', '2026-11-27 09:59Z'), NULL, 'and not before');
SELECT is(pg_temp.snapshot('later', '2026-11-29 09:59Z'), '11-29 5 perhaps until 11-30 12:00, today NULL time_zone_unknown', 'before the first zone that is known, none is');
SELECT is(pg_temp.snapshot('later', '2026-11-29 10:00Z'), '11-29 5 current until 11-30 00:00, today measured', 'from then on it is');
SELECT throws_ok($$SELECT metric_snapshot(NULL, '2026-11-29 12:00Z')$$, '22023', NULL, 'nobody has no snapshot');
SELECT throws_ok($$SELECT metric_snapshot(md5('anna')::uuid, NULL)$$, '22023', NULL, 'nor has anybody at no time');
SELECT throws_ok($$SELECT metric_snapshot(md5('anna')::uuid, 'infinity')$$, '22023', NULL, 'nor at the end of it');
SELECT throws_ok(format('SELECT metric_snapshot(md5(%L)::uuid, %L)', 'anna', at), '22023', NULL, 'nor at ' || at)
FROM unnest('{294276-12-31 23:59:59Z,4713-01-01 00:00:00Z BC,1899-12-31 23:59:59Z,2201-01-01 00:00:00Z}'::text[]) at;

-- What is a lower bound.
CREATE FUNCTION pg_temp.bounds(as_of timestamptz) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s %s %s %s', s.metric, to_char(s.describes_date, 'MM-DD'), s.value, CASE s.is_final WHEN true THEN 'final' WHEN false THEN 'at least' ELSE 'NULL' END), ', ' ORDER BY s.metric)
          FROM public.metric_snapshot(md5('bo')::uuid, as_of) s);
END $$;
DO $$ BEGIN
  PERFORM pg_temp.live('bo', '{UTC}');
  PERFORM pg_temp.put('bo', 'steps', '2026-11-27', 700, false, '2026-11-27 12:00Z');
  PERFORM pg_temp.put('bo', 'weight', '2026-11-27', 80);
  PERFORM pg_temp.put('bo', 'active_energy', '2026-11-28', NULL);
END $$;
SELECT is(pg_temp.bounds('2026-11-29 12:00Z'), 'active_energy   NULL, steps 11-27 700 at least, weight 11-27 80 final', 'a past day that was read while it went on is a lower bound, and said to be one');
SELECT is(pg_temp.bounds('2026-11-27 11:00Z'), 'steps 11-27 700 at least, weight 11-27 80 final', 'what was read after the instant is shown too: it is known now');
UPDATE public.daily_metric SET value = 900, is_final = true WHERE user_id = md5('bo')::uuid AND metric = 'steps';
SELECT is(pg_temp.bounds('2026-11-29 12:00Z'), 'active_energy   NULL, steps 11-27 900 final, weight 11-27 80 final', 'until it was read again');
SELECT is((SELECT s.is_final FROM metric_snapshot(md5('anna')::uuid, '2026-11-29 12:00Z') s WHERE s.metric = 'steps'), false, 'so is that of today');

-- The deficit.
DO $$ BEGIN
  PERFORM pg_temp.put('eve', 'basal_energy', d, 1700), pg_temp.put('eve', 'active_energy', d, CASE d WHEN '2026-11-26' THEN 0 ELSE 500 END, d <> '2026-11-25'),
    pg_temp.put('eve', 'dietary_energy', d, CASE WHEN d < '2026-11-28' THEN 1900 END) FROM unnest('{2026-11-25,2026-11-26,2026-11-27,2026-11-28}'::date[]) d;
  PERFORM pg_temp.put('eve', m, '2026-11-24', NULL, true) FROM unnest('{basal_energy,active_energy,dietary_energy}'::text[]) m;
END $$;
CREATE FUNCTION pg_temp.deficit(day date) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(' ', COALESCE(e.remaining::text, 'NULL'), e.missing, e.is_final) FROM public.energy_deficit(md5('eve')::uuid, day, 500) e);
END $$;
SELECT is(pg_temp.deficit('2026-11-27'), '200 {} t', 'goal - (basal + active - dietary)');
SELECT is(pg_temp.deficit('2026-11-26'), '700 {} t', 'a measured zero is an input');
SELECT is(pg_temp.deficit('2026-11-25'), '200 {} f', 'of a lower bound it is not final');
SELECT is(pg_temp.deficit('2026-11-28'), 'NULL {dietary_energy} f', 'one unknown input, and nothing is known');
SELECT is(pg_temp.deficit('2026-11-24'), 'NULL {active_energy,basal_energy,dietary_energy} f', 'three failed reads do not leave the whole goal');
SELECT is(pg_temp.deficit('2026-11-23'), 'NULL {active_energy,basal_energy,dietary_energy} f', 'nor do three missing rows');
SELECT throws_ok($$SELECT energy_deficit(md5('eve')::uuid, '2026-11-27', NULL)$$, '22023', NULL, 'without a goal there is no deficit');

SELECT * FROM finish();
ROLLBACK;
