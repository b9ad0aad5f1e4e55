-- 24_mass_deletion.sql - what a person has, so that a payload that would delete much of it is seen before it does.
-- Law: E7. Reads: public.daily_metric, hourly_metric, workout_summary, evidence.record_day, deleted_interval, person. Called by the daemon, under the person's lock.

CREATE OR REPLACE FUNCTION evidence.holdings(person uuid, days date[], OUT cells bigint, OUT records bigint, OUT hours bigint, OUT workouts bigint)
LANGUAGE plpgsql STABLE SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  SELECT count(*) INTO cells FROM public.daily_metric d
  WHERE d.user_id = person AND d.local_date = ANY (days) AND d.status = 'measured';
  SELECT count(*) INTO records
  FROM (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = person) z
  CROSS JOIN (SELECT DISTINCT u AS local_date FROM unnest(days) u) d
  CROSS JOIN LATERAL evidence.day_span(d.local_date, z.zone_from, z.zone_name) s
  CROSS JOIN LATERAL (SELECT r.* FROM evidence.record r WHERE r.user_id = person AND r.local_date = d.local_date OFFSET 0) r
  WHERE r.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM evidence.deleted_interval i
    WHERE i.user_id = person AND i.platform_id = r.platform_id AND i.store = r.store AND i.metric_id = r.metric_id
      AND evidence.is_cleared(i, r.read_at, r.starts_at, r.ends_at, s.starts_at, s.over_at));
  -- Metric by metric: the days of a metric are one stretch of the index, all days of a person are not.
  SELECT count(*) INTO hours FROM public.metric m
  CROSS JOIN LATERAL (SELECT FROM public.hourly_metric x
    WHERE x.user_id = person AND x.metric = m.metric AND x.local_date = ANY (days) AND x.value IS NOT NULL OFFSET 0) h;
  -- Which days the workouts are of that a deletion takes, nobody has noted: all are counted, there are few.
  SELECT count(*) INTO workouts FROM public.workout_summary w WHERE w.user_id = person;
END $$;
COMMENT ON FUNCTION evidence.holdings(uuid, date[])
  IS 'How many measured cells, records that are not deleted, and hours with a value a person has on these days; and how many workouts on all days.';

CREATE OR REPLACE FUNCTION evidence.all_holdings(person uuid, OUT cells bigint, OUT hours bigint, OUT workouts bigint)
LANGUAGE plpgsql STABLE
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  SELECT count(*) INTO cells FROM public.daily_metric d WHERE d.user_id = person AND d.status = 'measured';
  SELECT count(*) INTO hours FROM public.hourly_metric h WHERE h.user_id = person AND h.value IS NOT NULL;
  SELECT count(*) INTO workouts FROM public.workout_summary w WHERE w.user_id = person;
END $$;
COMMENT ON FUNCTION evidence.all_holdings(uuid) IS 'How many measured cells, hours with a value, and workouts a person has in all.';
