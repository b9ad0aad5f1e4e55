-- 50_averages.sql - averages, changes and weeks that divide by the days that are known and say how many these are.
-- Laws: R1, R2; F2 (what is not final enters no average). Read with the asker's rights. Write nothing, fill nothing.

CREATE OR REPLACE FUNCTION public.metric_average(p_user uuid, p_metric text, p_from date, p_to date)
RETURNS TABLE (average numeric, covered_days integer, unknown_days integer, days integer, label text)
LANGUAGE plpgsql STABLE ROWS 1 SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_from, p_to);
  RETURN QUERY
  SELECT a.average, a.covered, a.days - a.covered, a.days,
    CASE a.covered WHEN 0 THEN 'no data'
      ELSE format('%s %s, average of the %s we have data for', public.spoken_number(a.average), m.noun,
        CASE a.covered WHEN 1 THEN '1 day' ELSE a.covered || ' days' END) END
  FROM (SELECT trim_scale(round(avg(d.value), 6)) AS average, count(*)::integer AS covered, p_to - p_from + 1 AS days
        FROM public.daily_metric d
        WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date BETWEEN p_from AND p_to AND d.status = 'measured' AND d.is_final) a
  CROSS JOIN public.metric m WHERE m.metric = p_metric;
END $$;
COMMENT ON FUNCTION public.metric_average(uuid, text, date, date)
  IS 'Average per day over the days of a range (both ends included) that are measured and final: covered_days; unknown_days are all others. Divides by the covered days, never by the length of the range; six decimals, in metric.unit. Does not know: average NULL, label "no data". An error: NULL, a metric that there is not, a range that ends before it begins, is longer than 100 years or leaves the years 1900 to 2200.';

CREATE OR REPLACE FUNCTION public.metric_change(p_user uuid, p_metric text, p_as_of date, p_days integer)
RETURNS TABLE (current_average numeric, previous_average numeric, change_pct numeric, direction text, suppressed_reason text,
  current_covered integer, previous_covered integer)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_as_of, p_as_of);
  IF (p_days BETWEEN 1 AND 18262) IS NOT TRUE THEN
    RAISE EXCEPTION 'A window has from 1 to 18262 days, not %.', p_days USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN QUERY
  SELECT c.average, p.average, CASE WHEN s.reason IS NULL THEN x.pct END,
    CASE WHEN s.reason IS NOT NULL THEN NULL WHEN x.pct = 0 THEN 'flat' WHEN c.average > p.average THEN 'up' WHEN c.average < p.average THEN 'down' END,
    s.reason, c.covered_days, p.covered_days
  FROM public.metric_average(p_user, p_metric, p_as_of - p_days + 1, p_as_of) c
  CROSS JOIN public.metric_average(p_user, p_metric, p_as_of - 2 * p_days + 1, p_as_of - p_days) p
  CROSS JOIN LATERAL (SELECT CASE WHEN c.average = p.average THEN 0
                             ELSE trim_scale(round(100 * (c.average - p.average) / NULLIF(abs(p.average), 0), 1)) END AS pct) x
  CROSS JOIN LATERAL (SELECT CASE
    WHEN EXISTS (SELECT FROM public.backfill_running b WHERE b.user_id = p_user AND b.metric = p_metric) THEN 'backfill_running'
    WHEN 2 * LEAST(c.covered_days, p.covered_days) < p_days THEN 'insufficient_coverage' END AS reason) s;
END $$;
COMMENT ON FUNCTION public.metric_change(uuid, text, date, integer)
  IS 'The average of the p_days days up to p_as_of beside that of as many days before: change in percent of the earlier one, to one decimal, and direction: up, down, or flat (less than 0.05 %). Does not know: change and direction NULL with suppressed_reason backfill_running (history still arrives) or insufficient_coverage (under half of either window is covered); change alone NULL where the earlier average is 0 and the later is not, because nothing is a percentage of 0. An error: as metric_average.';

CREATE OR REPLACE VIEW public.covered_weekly WITH (security_invoker = true) AS
SELECT w.user_id, w.metric, extract(isoyear FROM w.monday)::integer AS iso_year, extract(week FROM w.monday)::integer AS iso_week, w.monday,
       w.covered_days, 7 AS days, trim_scale(round(w.total / NULLIF(w.covered_days, 0), 6)) AS average,
       CASE WHEN s.reason IS NULL THEN trim_scale(w.total) END AS total, s.reason AS total_suppressed_reason
FROM (SELECT d.user_id, d.metric, (date_trunc('week', d.local_date::timestamp))::date AS monday,
             count(*) FILTER (WHERE d.status = 'measured' AND d.is_final)::integer AS covered_days,
             sum(d.value) FILTER (WHERE d.status = 'measured' AND d.is_final) AS total
      FROM public.daily_metric d GROUP BY 1, 2, 3) w
JOIN public.metric m ON m.metric = w.metric
CROSS JOIN LATERAL (SELECT CASE WHEN m.aggregation NOT IN ('sum', 'count') THEN 'not_a_sum' WHEN w.covered_days < 7 THEN 'days_missing' END AS reason) s;
COMMENT ON VIEW public.covered_weekly IS 'Weeks from Monday to Sunday, by the days that are measured and final. The average divides by those days. A total only of a week that is covered whole: a part of a week is no week. Does not know: average NULL (covered_days 0); total NULL with total_suppressed_reason; no row where nothing was ever said about any day of the week.';
COMMENT ON COLUMN public.covered_weekly.user_id IS 'The person.';
COMMENT ON COLUMN public.covered_weekly.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.covered_weekly.iso_year IS 'Year that the ISO week belongs to: that of its Thursday.';
COMMENT ON COLUMN public.covered_weekly.iso_week IS 'ISO week, 1 to 53.';
COMMENT ON COLUMN public.covered_weekly.monday IS 'First day of the week.';
COMMENT ON COLUMN public.covered_weekly.covered_days IS 'Number of days that are measured and final.';
COMMENT ON COLUMN public.covered_weekly.days IS 'Number of days of the week: 7.';
COMMENT ON COLUMN public.covered_weekly.average IS 'Average per covered day, in metric.unit, six decimals. NULL: none is covered.';
COMMENT ON COLUMN public.covered_weekly.total IS 'Sum of the seven days, in metric.unit. NULL: not known, or no sum.';
COMMENT ON COLUMN public.covered_weekly.total_suppressed_reason IS 'Why there is no total: days_missing (not every day is covered), not_a_sum (days of this metric do not add up, such as a heart rate). NULL: there is one.';
