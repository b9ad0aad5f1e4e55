-- 49_people.sql - what readers may know of a person besides the days: zones, running history loads, what can be read.
-- Law R. Small windows onto the schema evidence, which analysts cannot read: the views run with their owner's rights and show no one
-- whose days the asker may not see. Functions here run with the asker's rights. Nothing is written.

CREATE OR REPLACE FUNCTION public.may_read(person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NOT row_security_active('public.daily_metric') OR EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = person);
END $$;
COMMENT ON FUNCTION public.may_read(uuid)
  IS 'True: whoever asks may see this person''s days. Where row level security filters daily_metric, who has a day that passes it. Never NULL; a person without days is false then.';

CREATE OR REPLACE VIEW public.person_zone WITH (security_barrier = true) AS
SELECT p.user_id, z.valid_from, COALESCE(p.zone_from[z.n + 1], 'infinity') AS valid_until, z.zone_name
FROM evidence.person p CROSS JOIN LATERAL unnest(p.zone_from, p.zone_name) WITH ORDINALITY AS z (valid_from, zone_name, n)
WHERE public.may_read(p.user_id);
COMMENT ON VIEW public.person_zone IS 'In which time zone a person was, as known now: one row per zone, without gaps from the first on. Does not know: no row, or none for instants before the first.';
COMMENT ON COLUMN public.person_zone.user_id IS 'The person.';
COMMENT ON COLUMN public.person_zone.valid_from IS 'From when on; -infinity: always.';
COMMENT ON COLUMN public.person_zone.valid_until IS 'Until when, exclusive; infinity: still.';
COMMENT ON COLUMN public.person_zone.zone_name IS 'IANA name.';

CREATE OR REPLACE VIEW public.backfill_running WITH (security_barrier = true) AS
SELECT b.user_id, m.metric, p.platform
FROM evidence.backfill b
JOIN public.metric m ON b.metric_id IN (0, m.metric_id)
JOIN public.platform p ON p.platform_id = b.platform_id
-- Of a statement for one metric and one for all the later counts, in one payload the one for the metric.
WHERE b.is_running AND NOT EXISTS (
  SELECT FROM evidence.backfill o
  WHERE o.user_id = b.user_id AND o.platform_id = b.platform_id AND o.store = b.store AND o.metric_id IN (0, m.metric_id)
    AND (o.read_at, o.payload_id, o.metric_id <> 0) > (b.read_at, b.payload_id, b.metric_id <> 0))
  AND public.may_read(b.user_id)
GROUP BY b.user_id, m.metric, p.platform;
COMMENT ON VIEW public.backfill_running IS 'Metrics of which a platform is still loading the history, as it last said; a platform that loads all is there with each. Their bests and trends wait. Does not know: no row, where a platform says nothing of its load.';
COMMENT ON COLUMN public.backfill_running.user_id IS 'The person.';
COMMENT ON COLUMN public.backfill_running.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.backfill_running.platform IS 'The platform, as in the table platform.';

CREATE OR REPLACE VIEW public.readable_from WITH (security_barrier = true) AS
SELECT t.user_id, m.metric, f.platform, t.store, w.kind, w.boundary,
       -- The first day that lies wholly after the boundary, by the clock of the person's latest zone.
       ((w.boundary - interval '1 microsecond') AT TIME ZONE COALESCE(e.zone_name[cardinality(e.zone_name)], 'UTC'))::date + 1 AS local_date,
       ((w.access_boundary - interval '1 microsecond') AT TIME ZONE COALESCE(e.zone_name[cardinality(e.zone_name)], 'UTC'))::date + 1 AS access_date
FROM evidence.tracking t
JOIN evidence.person e ON e.user_id = t.user_id
JOIN public.metric m ON m.metric_id = t.metric_id
JOIN public.platform f ON f.platform_id = t.platform_id
LEFT JOIN LATERAL (
  -- That nothing was counted before is no lack of access: what keeps from reading is told apart, also where counting began later.
  SELECT (array_agg(l.kind::text ORDER BY l.boundary DESC, l.kind))[1] AS kind, max(l.boundary) AS boundary,
         max(l.boundary) FILTER (WHERE l.kind <> 'counting_since') AS access_boundary
  FROM (SELECT DISTINCT ON (x.kind) x.kind, x.boundary FROM evidence.read_window x
        WHERE x.user_id = t.user_id AND x.platform_id = t.platform_id AND x.store = t.store AND x.metric_id IN (0, t.metric_id)
        ORDER BY x.kind, x.read_at DESC, x.payload_id DESC, x.metric_id = 0, x."position" DESC) l
  WHERE l.boundary IS NOT NULL) w ON true
LEFT JOIN LATERAL (
  SELECT x.state FROM evidence.permission x
  WHERE x.user_id = t.user_id AND x.platform_id = t.platform_id AND x.store = t.store AND x.metric_id IN (0, t.metric_id)
  ORDER BY x.read_at DESC, x.payload_id DESC, x.metric_id = 0, x."position" DESC LIMIT 1) p ON true
WHERE (p.state IS NULL OR p.state = 'granted') AND public.may_read(t.user_id);
COMMENT ON VIEW public.readable_from IS 'How far back each platform that reports a metric can be read now: the latest of its boundaries. One row per metric and data store that has not refused. Does not know: boundary NULL where none is stated, which is no promise that there is none.';
COMMENT ON COLUMN public.readable_from.user_id IS 'The person.';
COMMENT ON COLUMN public.readable_from.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.readable_from.platform IS 'The platform, as in the table platform.';
COMMENT ON COLUMN public.readable_from.store IS 'Which data store of it; empty: it has one.';
COMMENT ON COLUMN public.readable_from.kind IS 'platform_floor, authorized_from, history_window or counting_since. NULL: no boundary is stated.';
COMMENT ON COLUMN public.readable_from.boundary IS 'Nothing before this instant can be read. NULL: no boundary is stated.';
COMMENT ON COLUMN public.readable_from.local_date IS 'The first local day that can be read as a whole, by the person''s latest zone (unknown: UTC). NULL: no boundary is stated.';
COMMENT ON COLUMN public.readable_from.access_date IS 'The same by the latest boundary of those that are about access: all but counting_since. NULL: none of these is stated.';

CREATE OR REPLACE FUNCTION public.local_today(p_user uuid, p_as_of timestamptz) RETURNS date
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT (p_as_of AT TIME ZONE z.zone_name)::date FROM public.person_zone z
          WHERE z.user_id = p_user AND z.valid_from <= p_as_of AND p_as_of < z.valid_until);
END $$;
COMMENT ON FUNCTION public.local_today(uuid, timestamptz)
  IS 'The person''s calendar day at an instant. Does not know: NULL where no time zone is known for that instant; it may be any of two or three days then.';

CREATE OR REPLACE FUNCTION public.check_range(p_metric text, p_from date, p_to date) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF num_nulls(p_metric, p_from, p_to) > 0 THEN
    RAISE EXCEPTION 'A reader was asked about nothing or no day: metric and dates must not be NULL.' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT EXISTS (SELECT FROM public.metric m WHERE m.metric = p_metric) THEN
    RAISE EXCEPTION 'There is no metric named "%".', p_metric USING ERRCODE = 'invalid_parameter_value', HINT = 'SELECT metric FROM metric lists them.';
  ELSIF LEAST(p_from, p_to) < '1900-01-01' OR GREATEST(p_from, p_to) > '2200-12-31' THEN
    RAISE EXCEPTION 'Days are of the years 1900 to 2200, as in payloads; % is not.', CASE WHEN LEAST(p_from, p_to) < '1900-01-01' THEN LEAST(p_from, p_to) ELSE GREATEST(p_from, p_to) END
      USING ERRCODE = 'invalid_parameter_value';
  ELSIF p_from > p_to THEN
    RAISE EXCEPTION 'The range from % to % ends before it begins.', p_from, p_to USING ERRCODE = 'invalid_parameter_value';
  ELSIF p_to - p_from >= 36525 THEN
    RAISE EXCEPTION 'The range from % to % is longer than 100 years.', p_from, p_to USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;
COMMENT ON FUNCTION public.check_range(text, date, date)
  IS 'Part of the readers: refuses what would be answered with "no data" for the wrong reason, such as a metric that there is not or a day outside the years 1900 to 2200. An error, or nothing.';

CREATE OR REPLACE FUNCTION public.check_question(p_user uuid, p_metric text, p_from date, p_to date) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF p_user IS NULL THEN
    RAISE EXCEPTION 'A reader was asked about nobody: the person must not be NULL.' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  PERFORM public.check_range(p_metric, p_from, p_to);
END $$;
COMMENT ON FUNCTION public.check_question(uuid, text, date, date) IS 'Part of the readers: check_range, and there must be a person. An error, or nothing.';

CREATE OR REPLACE FUNCTION public.spoken_number(p_number numeric) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN abs(p_number) >= 100 THEN to_char(round(p_number), 'FM9,999,999,999,990')
              WHEN abs(p_number) >= 10 THEN trim_scale(round(p_number, 1))::text
              WHEN abs(p_number) >= 1 OR p_number = 0 THEN trim_scale(round(p_number, 2))::text
              -- Two digits that are not 0: what is not zero is not called 0.
              ELSE trim_scale(round(p_number, 1 - floor(log(abs(p_number)))::integer))::text END;
END $$;
COMMENT ON FUNCTION public.spoken_number(numeric)
  IS 'A number as a sentence has it: three digits or as many as it needs before the point, two of what is less than 1; with commas for thousands. Does not know: NULL stays NULL.';
