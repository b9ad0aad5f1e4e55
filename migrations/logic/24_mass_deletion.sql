-- 24_mass_deletion.sql - what a person has, so that a payload that would delete much of it is seen before it does.
-- Law: E7. Reads: public.daily_metric, evidence.record_day, deleted_interval, person. Called by the daemon, under the person's lock.

CREATE OR REPLACE FUNCTION evidence.holdings(person uuid, days date[], OUT cells bigint, OUT records bigint)
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
END $$;
COMMENT ON FUNCTION evidence.holdings(uuid, date[]) IS 'How many measured cells and how many records that are not deleted a person has on these days.';

CREATE OR REPLACE FUNCTION evidence.measured_cells(person uuid) RETURNS bigint
LANGUAGE plpgsql STABLE
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  RETURN (SELECT count(*) FROM public.daily_metric d WHERE d.user_id = person AND d.status = 'measured');
END $$;
COMMENT ON FUNCTION evidence.measured_cells(uuid) IS 'How many cells of a person are measured.';
