-- 59_hours.sql - what readers are told of single hours, and of a day that is made of them.
-- Read with the asker's rights. Write nothing, and fill nothing in: an hour of which nothing is known adds nothing.

CREATE OR REPLACE FUNCTION public.hour_label(p_value numeric, p_covered_minutes integer, p_minutes integer DEFAULT 60, p_adds_up boolean DEFAULT true)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE
    WHEN p_value IS NULL OR p_covered_minutes IS NULL OR p_covered_minutes <= 0 THEN 'no data'
    WHEN p_covered_minutes >= p_minutes THEN trim_scale(p_value)::text
    ELSE format('%s%s (%s of %s min)', trim_scale(p_value), CASE WHEN p_adds_up THEN '+' ELSE '' END, p_covered_minutes, p_minutes) END;
END $$;
COMMENT ON FUNCTION public.hour_label(numeric, integer, integer, boolean)
  IS 'What a person is shown of an hour: "no data", "0", "1840+ (42 of 60 min)". The plus only where the rest of the hour can only add to it (p_adds_up).';

CREATE OR REPLACE FUNCTION public.hours_of_day(p_user uuid, p_metric text, p_date date)
RETURNS TABLE (local_hour integer, value numeric, covered_minutes integer, minutes integer, label text)
LANGUAGE plpgsql STABLE ROWS 24 SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_date, p_date);
  RETURN QUERY
  SELECT n, h.value, COALESCE(h.covered_minutes, 0)::integer, COALESCE(h.minutes, 60)::integer,
         public.hour_label(h.value, h.covered_minutes, h.minutes, m.aggregation IN ('sum', 'count', 'max'))
  FROM generate_series(0, 23) n
  JOIN public.metric m ON m.metric = p_metric
  LEFT JOIN public.hourly_metric h ON h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date AND h.local_hour = n
  ORDER BY n;
END $$;
COMMENT ON FUNCTION public.hours_of_day(uuid, text, date)
  IS 'The 24 hours that a clock shows on a day, in order: value in metric.unit (NULL: nothing was seen), covered_minutes of minutes, and label for a person. An hour that the clock left out that day has no data; one that it showed twice has more minutes. An error: NULL, a metric that there is not, a date outside the years 1900 to 2200.';

CREATE OR REPLACE FUNCTION public.day_from_hours(p_user uuid, p_metric text, p_date date)
RETURNS TABLE (lower_bound numeric, covered_minutes integer, covered_hours integer, label text, suppressed_reason text)
LANGUAGE plpgsql STABLE ROWS 1 SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_date, p_date);
  SELECT sum(h.value), COALESCE(sum(h.covered_minutes), 0), count(*) FILTER (WHERE h.covered_minutes > 0) INTO lower_bound, covered_minutes, covered_hours
  FROM public.hourly_metric h WHERE h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date;
  IF NOT EXISTS (SELECT FROM public.metric m WHERE m.metric = p_metric AND m.aggregation IN ('sum', 'count')) THEN
    lower_bound := NULL;
    suppressed_reason := 'not_a_sum';
  END IF;
  label := CASE WHEN lower_bound IS NULL THEN 'no data' ELSE format('%s+ (%s min seen)', trim_scale(lower_bound), covered_minutes) END;
  RETURN NEXT;
END $$;
COMMENT ON FUNCTION public.day_from_hours(uuid, text, date)
  IS 'What the hours of a day add up to: lower_bound in metric.unit and covered_minutes, never more than was seen. A lower bound even where all minutes are covered, because only a reading of the whole day is final; daily_metric does not use it. Does not know: lower_bound NULL, label "no data"; suppressed_reason not_a_sum where hours do not add up. An error: NULL, a metric that there is not, a date outside the years 1900 to 2200.';
