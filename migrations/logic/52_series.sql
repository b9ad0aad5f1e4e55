-- 52_series.sql - what a chart draws: one row per calendar day, broken where nothing is known, and where the picture begins.
-- Law R5. Read with the asker's rights. Write nothing, carry nothing forward, draw nothing between two days.

CREATE OR REPLACE FUNCTION public.metric_series(p_user uuid, p_metric text, p_from date, p_to date)
RETURNS TABLE (local_date date, value numeric, mark text, segment integer, connector text, unknown_reason text)
-- A loop, not window functions over a join with the calendar: that took half as long again.
LANGUAGE plpgsql STABLE ROWS 3653 SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  across_gaps text;
  segments integer := 0;
  due date := p_from;
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_from, p_to);
  SELECT CASE WHEN m.intermittent THEN 'dashed' ELSE 'none' END INTO across_gaps FROM public.metric m WHERE m.metric = p_metric;
  connector := 'none';
  FOR local_date, value, mark, unknown_reason IN
    SELECT d.local_date, d.value, CASE WHEN d.value IS NULL THEN 'unknown' WHEN NOT d.is_final THEN 'partial' WHEN d.value = 0 THEN 'zero' ELSE 'value' END, d.unknown_reason
    FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date BETWEEN p_from AND p_to ORDER BY d.local_date
  LOOP
    IF local_date > due OR connector <> 'solid' OR value IS NULL THEN  -- Anything but one more day of an unbroken line.
      IF local_date > due THEN
        RETURN QUERY SELECT * FROM public.series_without_rows(due, local_date - 1);
        segment := NULL;
      END IF;
      IF value IS NULL THEN
        segment := NULL;
        connector := 'none';
      ELSIF segment IS NULL THEN
        segments := segments + 1;
        segment := segments;
        connector := CASE segments WHEN 1 THEN 'none' ELSE across_gaps END;
      ELSE
        connector := 'solid';
      END IF;
    END IF;
    due := local_date + 1;
    RETURN NEXT;
  END LOOP;
  RETURN QUERY SELECT * FROM public.series_without_rows(due, p_to);
END $$;
COMMENT ON FUNCTION public.metric_series(uuid, text, date, date)
  IS 'One row for each calendar day of a range, in order. value in metric.unit; mark: value, zero (measured), partial (a lower bound: not final) or unknown. segment: number of the unbroken line that the day belongs to, from 1. connector: how it is joined to the value before it: solid (to the day before), dashed (across a gap, only of intermittent metrics such as weight), none. Does not know: value and segment NULL, mark unknown, connector none, unknown_reason why; no reason where nothing was ever said about the day. An error: NULL, a metric that there is not, a range that ends before it begins, is longer than 100 years or leaves the years 1900 to 2200.';

CREATE OR REPLACE FUNCTION public.series_without_rows(p_from date, p_to date)
RETURNS TABLE (local_date date, value numeric, mark text, segment integer, connector text, unknown_reason text)
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN QUERY SELECT p_from + n, NULL::numeric, 'unknown', NULL::integer, 'none', NULL::text FROM generate_series(0, p_to - p_from) n;
END $$;
COMMENT ON FUNCTION public.series_without_rows(date, date) IS 'Part of metric_series: the days of a range that have no row, all of them unknown without a reason.';

CREATE OR REPLACE FUNCTION public.earliest_held(p_user uuid, p_metric text) RETURNS TABLE (local_date date, label text)
LANGUAGE plpgsql STABLE ROWS 1 SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, 'epoch', 'epoch');
  SELECT d.local_date INTO local_date FROM public.daily_metric d
  WHERE d.user_id = p_user AND d.metric = p_metric AND d.status = 'measured' ORDER BY d.local_date LIMIT 1;
  -- A boundary explains the edge if no platform that is asked could read the whole of the day before.
  label := CASE WHEN local_date IS NULL THEN 'no data'
    WHEN (SELECT bool_and(COALESCE(r.access_date >= earliest_held.local_date, false))
          FROM public.readable_from r WHERE r.user_id = p_user AND r.metric = p_metric) THEN 'before you granted access'
    ELSE 'not imported yet' END;
  RETURN NEXT;
END $$;
COMMENT ON FUNCTION public.earliest_held(uuid, text)
  IS 'The first day that has a value of a metric, and what to call the time before it: "before you granted access" where a boundary (not counting_since: that is no lack of access) keeps every platform that reports the metric from reading the day before, else "not imported yet". Does not know: local_date NULL, label "no data". An error: NULL, a metric that there is not.';
