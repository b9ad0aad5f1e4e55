-- 26_hours.sql - what was seen of single hours, and which of several platforms shows it.
-- Laws: B1 (order), B2 (a zero removes no value, a silence no zero), D2 (never the sum), E4 (what was read before a deletion does not count).
-- Reads: evidence.record, former_record, deleted_record, deleted_interval, person. Writes: evidence.hour, public.hourly_metric. Changes no cell.

CREATE OR REPLACE FUNCTION evidence.merge_hours(
  users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamptz[],
  entry_payload integer[], metrics smallint[], days date[], hours smallint[], positions integer[], "values" text[], covered smallint[], lengths smallint[])
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO evidence.hour AS h (user_id, local_date, metric_id, local_hour, platform_id, store, kind, value, covered_minutes, minutes,
    read_at, payload_id, "position")
  SELECT DISTINCT ON (x.user_id, x.local_date, x.metric_id, x.local_hour, x.platform_id, x.store, x.kind)
    x.user_id, x.local_date, x.metric_id, x.local_hour, x.platform_id, x.store, x.kind, x.value, x.covered_minutes, x.minutes,
    x.read_at, x.payload_id, x.place_in_payload
  FROM (SELECT p.*, e.metric_id, e.local_date, e.local_hour, e.place_in_payload, e.value::numeric AS value, e.covered_minutes, e.minutes,
               CASE WHEN e.value IS NULL THEN 0 WHEN e.value::numeric = 0 THEN 1 ELSE 2 END::smallint AS kind
        FROM unnest(entry_payload, metrics, days, hours, positions, "values", covered, lengths)
          AS e (number, metric_id, local_date, local_hour, place_in_payload, value, covered_minutes, minutes)
        JOIN unnest(users, platforms, stores, payloads, reads) WITH ORDINALITY AS p (user_id, platform_id, store, payload_id, read_at, number)
          ON p.number = e.number) x
  ORDER BY x.user_id, x.local_date, x.metric_id, x.local_hour, x.platform_id, x.store, x.kind, x.read_at DESC, x.payload_id DESC, x.place_in_payload DESC
  ON CONFLICT ON CONSTRAINT hour_pkey DO UPDATE SET
    value = excluded.value, covered_minutes = excluded.covered_minutes, minutes = excluded.minutes,
    read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position"
  WHERE (h.read_at, h.payload_id, h."position") < (excluded.read_at, excluded.payload_id, excluded."position");
END $$;
COMMENT ON FUNCTION evidence.merge_hours(uuid[], smallint[], text[], uuid[], timestamptz[], integer[], smallint[], date[], smallint[], integer[], text[], smallint[], smallint[])
  IS 'Merges the hours of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; values: number tokens, NULL: nothing was seen; lengths: minutes of the hour). Of each kind of statement the latest stays, in whatever order they come.';

CREATE OR REPLACE FUNCTION evidence.deleted_at(person uuid, day date, of_metric smallint, platform smallint, of_store text) RETURNS timestamptz
LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
DECLARE
  by_id timestamptz;
  moved timestamptz;
  by_time timestamptz;
BEGIN
  SELECT max(r.deleted_at) INTO by_id FROM evidence.record r
  WHERE r.user_id = person AND r.local_date = day AND r.metric_id = of_metric AND r.platform_id = platform AND r.store = of_store;
  SELECT max(d.read_at) INTO moved FROM evidence.former_record f
  JOIN evidence.deleted_record d ON d.user_id = f.user_id AND d.platform_id = f.platform_id AND d.store = f.store AND d.id = f.id
  WHERE f.user_id = person AND f.platform_id = platform AND f.store = of_store AND f.local_date = day AND f.metric_id = of_metric;
  SELECT max(i.read_at) INTO by_time FROM evidence.deleted_interval i
  CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = person) z
  CROSS JOIN LATERAL evidence.day_span(day, z.zone_from, z.zone_name) s
  WHERE i.user_id = person AND i.platform_id = platform AND i.store = of_store AND i.metric_id = of_metric
    AND i.starts_at < s.over_at AND i.ends_at > s.starts_at;
  RETURN GREATEST(by_id, moved, by_time);
END $$;
COMMENT ON FUNCTION evidence.deleted_at(uuid, date, smallint, smallint, text)
  IS 'Read time of the latest deletion that touches a day of an origin''s metric: of a record that is or was in it, or of a stretch of time. What was said of the day''s hours before does not count. NULL: there is none.';

CREATE OR REPLACE FUNCTION evidence.chosen_hours(persons uuid[], days date[]) RETURNS SETOF public.hourly_metric
LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  WITH said AS MATERIALIZED (
    SELECT h.* FROM (SELECT DISTINCT u.* FROM unnest(persons, days) AS u (user_id, local_date)) d
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.hour x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) h),
  part AS MATERIALIZED (
    SELECT p.*, evidence.deleted_at(p.user_id, p.local_date, p.metric_id, p.platform_id, p.store) AS cut
    FROM (SELECT DISTINCT s.user_id, s.local_date, s.metric_id, s.platform_id, s.store FROM said s) p)
  SELECT DISTINCT ON (s.user_id, m.metric, s.local_date, s.local_hour)
    s.user_id, m.metric, s.local_date, s.local_hour, s.value, s.covered_minutes, s.minutes, f.platform, s.read_at
  FROM said s
  JOIN part p ON p.user_id = s.user_id AND p.local_date = s.local_date AND p.metric_id = s.metric_id AND p.platform_id = s.platform_id AND p.store = s.store
  JOIN public.metric m ON m.metric_id = s.metric_id
  JOIN public.platform f ON f.platform_id = s.platform_id
  WHERE p.cut IS NULL OR s.read_at >= p.cut
  ORDER BY s.user_id, m.metric, s.local_date, s.local_hour, s.kind DESC, CASE m.combine WHEN 'max' THEN s.value ELSE f.preference END DESC NULLS LAST,
    s.covered_minutes DESC, s.read_at DESC, s.payload_id DESC, s.platform_id, s.store;
END $$;
COMMENT ON FUNCTION evidence.chosen_hours(uuid[], date[])
  IS 'What the hours of these user-days amount to: of several platforms the larger value where the metric''s days combine so, else the preferred one; then what covers more, then the latest read. Never the sum. What was read before a deletion of the day does not count.';

CREATE OR REPLACE FUNCTION evidence.derive_hours(persons uuid[], days date[]) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  wanted public.hourly_metric[];
BEGIN
  SELECT array_agg(c) INTO wanted FROM evidence.chosen_hours(persons, days) c;
  INSERT INTO public.hourly_metric AS h (user_id, metric, local_date, local_hour, value, covered_minutes, minutes, platform, observed_at)
  SELECT w.user_id, w.metric, w.local_date, w.local_hour, w.value, w.covered_minutes, w.minutes, w.platform, w.observed_at FROM unnest(wanted) w
  ORDER BY w.user_id, w.metric, w.local_date, w.local_hour
  ON CONFLICT ON CONSTRAINT hourly_metric_pkey DO UPDATE SET
    value = excluded.value, covered_minutes = excluded.covered_minutes, minutes = excluded.minutes, platform = excluded.platform,
    observed_at = excluded.observed_at
  WHERE (h.value, h.covered_minutes, h.minutes, h.platform, h.observed_at)
    IS DISTINCT FROM (excluded.value, excluded.covered_minutes, excluded.minutes, excluded.platform, excluded.observed_at);
  -- Key by key: the days of a metric are one stretch of the index, all days of a person are not.
  DELETE FROM public.hourly_metric h
  USING (SELECT DISTINCT u.* FROM unnest(persons, days) AS u (user_id, local_date)) d, public.metric m
  WHERE h.user_id = d.user_id AND h.metric = m.metric AND h.local_date = d.local_date
    AND NOT EXISTS (SELECT FROM unnest(wanted) w
      WHERE w.user_id = h.user_id AND w.metric = h.metric AND w.local_date = h.local_date AND w.local_hour = h.local_hour);
END $$;
COMMENT ON FUNCTION evidence.derive_hours(uuid[], date[]) IS 'Makes public.hourly_metric of these user-days what evidence.hour amounts to, removals included.';

CREATE OR REPLACE FUNCTION evidence.days_of_hours_between(
  users uuid[], platforms smallint[], stores text[], metrics smallint[], starts timestamptz[], ends timestamptz[])
RETURNS TABLE (user_id uuid, local_date date) LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT DISTINCT h.user_id, h.local_date
  FROM unnest(users, platforms, stores, metrics, starts, ends) AS i (user_id, platform_id, store, metric_id, starts_at, ends_at)
  CROSS JOIN LATERAL (SELECT x.user_id, x.local_date FROM evidence.hour x
    WHERE x.user_id = i.user_id AND x.local_date BETWEEN i.starts_at::date - 2 AND i.ends_at::date + 2
      AND x.metric_id = i.metric_id AND x.platform_id = i.platform_id AND x.store = i.store OFFSET 0) h;
END $$;
COMMENT ON FUNCTION evidence.days_of_hours_between(uuid[], smallint[], text[], smallint[], timestamptz[], timestamptz[])
  IS 'The user-days that have hours of an origin''s metric which a stretch of time may touch, in whatever zone.';

CREATE OR REPLACE FUNCTION evidence.judge_hours_again(persons uuid[]) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
DECLARE
  users uuid[];
  days date[];
BEGIN
  SELECT array_agg(t.user_id), array_agg(t.local_date) INTO users, days
  FROM (SELECT array_agg(i.user_id) AS u, array_agg(i.platform_id) AS p, array_agg(i.store) AS s, array_agg(i.metric_id) AS m,
               array_agg(i.starts_at) AS f, array_agg(i.ends_at) AS t
        FROM evidence.deleted_interval i WHERE i.user_id = ANY (persons)) a
  CROSS JOIN LATERAL evidence.days_of_hours_between(a.u, a.p, a.s, a.m, a.f, a.t) t;
  IF users IS NOT NULL THEN
    PERFORM evidence.derive_hours(users, days);
  END IF;
END $$;
COMMENT ON FUNCTION evidence.judge_hours_again(uuid[])
  IS 'Derives the hours of these persons again that a deletion by time may touch: which days it touches follows from the zones, and these have changed.';

CREATE OR REPLACE FUNCTION evidence.compare_hours(person uuid, days date[]) RETURNS TABLE (metric text, local_date date, finding text)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT COALESCE(w.metric, s.metric), COALESCE(w.local_date, s.local_date),
         format('hours %s', string_agg(COALESCE(w.local_hour, s.local_hour)::text, ', ' ORDER BY COALESCE(w.local_hour, s.local_hour)))
  FROM evidence.chosen_hours(array_fill(person, ARRAY[cardinality(days)]), days) w
  FULL JOIN (SELECT h.* FROM public.hourly_metric h WHERE h.user_id = person AND h.local_date = ANY (days)) s
    ON s.metric = w.metric AND s.local_date = w.local_date AND s.local_hour = w.local_hour
  WHERE w IS DISTINCT FROM s
  GROUP BY 1, 2;
END $$;
COMMENT ON FUNCTION evidence.compare_hours(uuid, date[])
  IS 'Days of a person of which public.hourly_metric is not what evidence.hour amounts to, and which hours. Never a value. Changes nothing.';
