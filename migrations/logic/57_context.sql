-- 57_context.sql - what is known of a person in a range of days, for a report writer or a language model.
-- Law R. Whoever writes from it cannot meet a number without its status, its reason and its denominator, nor a day without a word on it.
-- Read with the asker's rights. Writes nothing, fills nothing.

CREATE OR REPLACE FUNCTION public.metric_context(p_user uuid, p_metric text, p_from date, p_to date) RETURNS jsonb
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rules public.metric;
  average record;
  known jsonb;
  unknown jsonb;
BEGIN
  SELECT m.* INTO rules FROM public.metric m WHERE m.metric = p_metric;
  SELECT a.* INTO average FROM public.metric_average(p_user, p_metric, p_from, p_to) a;
  WITH day AS MATERIALIZED (
    SELECT g.day::date AS local_date, COALESCE(d.status, 'unknown') AS status, d.value, d.is_final, d.covering_sources,
           CASE WHEN d.user_id IS NULL THEN 'never_mentioned' ELSE d.unknown_reason END AS reason
    FROM generate_series(p_from::timestamp, p_to::timestamp, interval '1 day') AS g (day)
    LEFT JOIN public.daily_metric d ON d.user_id = p_user AND d.metric = p_metric AND d.local_date = g.day::date),
  stretch AS (
    SELECT n.reason, min(n.local_date) AS from_date, max(n.local_date) AS to_date, count(*) AS days
    FROM (SELECT x.*, x.local_date - (row_number() OVER (PARTITION BY x.reason ORDER BY x.local_date))::integer AS number FROM day x WHERE x.status = 'unknown') n
    GROUP BY n.reason, n.number)
  SELECT
    (SELECT COALESCE(jsonb_agg(jsonb_build_object('date', x.local_date, 'status', x.status, 'value', x.value, 'reason', NULL, 'covered_days', x.is_final::integer, 'days', 1,
        'covering_sources', x.covering_sources, 'is_lower_bound', NOT x.is_final) ORDER BY x.local_date), '[]') FROM day x WHERE x.status = 'measured'),
    (SELECT COALESCE(jsonb_agg(jsonb_build_object('from', s.from_date, 'to', s.to_date, 'status', 'unknown', 'value', NULL, 'reason', s.reason, 'covered_days', 0, 'days', s.days,
        'message', CASE s.reason
          WHEN 'never_mentioned' THEN format('Nothing was ever said about %s for %s.', rules.name, public.days_in_words(s.from_date, s.to_date, NULL))
          ELSE public.unknown_message(s.reason, p_metric, s.from_date, s.to_date, NULL) END) ORDER BY s.from_date), '[]') FROM stretch s)
  INTO known, unknown;
  RETURN jsonb_build_object('metric', p_metric, 'name', rules.name, 'unit', rules.unit,
    'average', jsonb_build_object('status', CASE WHEN average.average IS NULL THEN 'unknown' ELSE 'measured' END, 'value', average.average,
      'reason', CASE WHEN average.average IS NULL THEN 'no_covered_days' END, 'covered_days', average.covered_days, 'days', average.days, 'message', average.label),
    'known', known, 'unknown', unknown);
END $$;
COMMENT ON FUNCTION public.metric_context(uuid, text, date, date)
  IS 'One metric of summary_context. Does not know: an average whose status is unknown and whose value is null; days in unknown. An error: as metric_average.';

CREATE OR REPLACE FUNCTION public.summary_context(p_user uuid, p_from date, p_to date) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
  PERFORM public.check_question(p_user, (SELECT min(m.metric) FROM public.metric m), p_from, p_to);
  RETURN jsonb_build_object('user_id', p_user, 'from', p_from, 'to', p_to,
    'how_to_read', 'Each value stands beside its status, its reason, and how many of how many days it is about (covered_days of days). '
      'A null is not zero: nothing is known, and the message says why. A value of 0 was measured. A lower bound is the least it was. '
      'An average is one of its covered days and of no others; add nothing up over days that are not covered, and estimate no day.',
    'metrics', (SELECT COALESCE(jsonb_agg(public.metric_context(p_user, m.metric, p_from, p_to) ORDER BY m.metric_id), '[]') FROM public.metric m
                WHERE EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = m.metric)));
END $$;
COMMENT ON FUNCTION public.summary_context(uuid, date, date)
  IS 'What is known of a person in a range of days, for a report writer or a language model: each metric that was ever spoken of, with its average, its known days, and its unknown days as stretches. Every number stands in an object with status, reason, covered_days and days. Does not know: value null, status unknown, with reason and message; never_mentioned where there is no row; metrics [] where nothing was ever said of the person. An error: NULL, a range that ends before it begins, is longer than 100 years or leaves the years 1900 to 2200. Holds health values.';
