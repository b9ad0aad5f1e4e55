-- 60_monitoring.sql - coverage by day, and when it should wake somebody. A provider in trouble shows in the coverage days before rows go missing.
-- Nothing counts in the way of a payload: daily_metric is summed beside it, a day at a time, by the re-check worker or by hand.
-- summed_at says how old a sum is. The sums hold no person, and their views show them to every reader.

CREATE OR REPLACE FUNCTION evidence.summarize_coverage(from_date date, to_date date, as_of timestamptz) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  cells bigint;
BEGIN
  IF (to_date - from_date BETWEEN 0 AND 36524) IS NOT TRUE THEN
    RAISE EXCEPTION 'Coverage is summed from a day to a day not before it, within 100 years.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  DELETE FROM public.coverage_sum s WHERE s.local_date BETWEEN from_date AND to_date;
  WITH cell AS (
    SELECT d.user_id, d.metric, d.local_date, d.platform, d.unknown_reason, d.covering_sources, d.value = 0 AS is_zero
    FROM public.daily_metric d
    WHERE d.local_date BETWEEN from_date AND to_date AND d.local_date + 0 BETWEEN from_date AND to_date),       -- The partitions, and daily_metric_day.
  -- Of the few millions of cells there are few kinds. An unknown cell belongs to each platform that reports the metric.
  kind AS (
    SELECT c.local_date, c.platform, c.metric, c.unknown_reason, count(*) AS users, sum(c.covering_sources)::bigint AS sources, count(*) FILTER (WHERE c.is_zero) AS zero
    FROM cell c WHERE c.platform IS NOT NULL GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT c.local_date, COALESCE(f.platform, ''), c.metric, c.unknown_reason, count(*), sum(c.covering_sources)::bigint, 0
    FROM cell c
    JOIN public.metric m ON m.metric = c.metric
    LEFT JOIN (SELECT t.user_id, t.metric_id, t.platform_id, min(t.since) AS since FROM evidence.tracking t GROUP BY 1, 2, 3) t
      ON t.user_id = c.user_id AND t.metric_id = m.metric_id AND t.since <= c.local_date
    LEFT JOIN public.platform f ON f.platform_id = t.platform_id
    WHERE c.platform IS NULL GROUP BY 1, 2, 3, 4),
  added AS (
    INSERT INTO public.coverage_sum (local_date, platform, metric, users, sources, heard, heard_sources, measured, zero, unknown, summed_at)
    SELECT k.local_date, k.platform, k.metric, sum(k.users), sum(k.sources),
      COALESCE(sum(k.users) FILTER (WHERE k.unknown_reason IS DISTINCT FROM 'not_yet_synced'), 0),
      COALESCE(sum(k.sources) FILTER (WHERE k.unknown_reason IS DISTINCT FROM 'not_yet_synced'), 0),
      COALESCE(sum(k.users) FILTER (WHERE k.unknown_reason IS NULL), 0), sum(k.zero),
      COALESCE(jsonb_object_agg(k.unknown_reason, k.users) FILTER (WHERE k.unknown_reason IS NOT NULL), '{}'), as_of
    FROM kind k GROUP BY 1, 2, 3
    RETURNING users)
  SELECT COALESCE(sum(a.users), 0) INTO cells FROM added a;
  INSERT INTO public.coverage_day (local_date, summed_at)
  SELECT g::date, as_of FROM generate_series(from_date::timestamp, to_date::timestamp, interval '1 day') g
  ON CONFLICT ON CONSTRAINT coverage_day_pkey DO UPDATE SET summed_at = excluded.summed_at;
  RETURN cells;
END $$;
COMMENT ON FUNCTION evidence.summarize_coverage(date, date, timestamptz)
  IS 'Sums the coverage of these days anew, in one pass over their cells. as_of is noted as the time of the sums. Returns the number of cells, each once per platform; 0: there are none. An operator calls it for days older than monitoring_setting.summed_days.';

CREATE OR REPLACE FUNCTION evidence.summarize_due(as_of timestamptz) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  due date;
BEGIN
  SELECT g::date INTO due
  FROM public.monitoring_setting b
  CROSS JOIN LATERAL generate_series(as_of::date + 1 - b.summed_days, as_of::date + 1, interval '1 day') g
  LEFT JOIN public.coverage_day s ON s.local_date = g::date
  WHERE s.summed_at IS NULL OR s.summed_at + b.summed_every * GREATEST(as_of::date - g::date, 1) <= as_of
  ORDER BY g DESC LIMIT 1;
  -- One session is enough; the lock is advisory, so that an idle service writes nothing.
  IF due IS NULL OR NOT pg_try_advisory_xact_lock(4711003) THEN
    RETURN 0;
  END IF;
  PERFORM evidence.summarize_coverage(due, due, as_of);
  RETURN 1;
END $$;
COMMENT ON FUNCTION evidence.summarize_due(timestamptz)
  IS 'Sums the coverage of the latest day whose sums are missing or older than they should be (monitoring_setting). Returns 1; 0: none is due, or another session is at it.';

CREATE OR REPLACE FUNCTION evidence.keep_up(as_of timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
BEGIN
  RETURN intake.forget_unfinished(as_of, 5000) + evidence.summarize_due(as_of) + LEAST(evidence.forget_changes(as_of, 5000), 1);
END $$;
COMMENT ON FUNCTION evidence.keep_up(timestamptz)
  IS 'What the service does beside its work, in small steps: goes on with an erasure that was ended in the middle, sums the coverage of a day, lets go of old changes of the feed. Returns how many of these there was something to do for; 0: nothing for now.';

CREATE OR REPLACE VIEW public.coverage_by_day WITH (security_invoker = true) AS
SELECT NULLIF(s.platform, '') AS platform, s.metric, s.local_date, s.users, round(s.sources::numeric / s.users, 3) AS mean_coverage,
       s.measured, s.zero, s.users - s.measured AS unknown, s.unknown AS unknown_by_reason, s.heard, s.summed_at
FROM public.coverage_sum s;
COMMENT ON VIEW public.coverage_by_day IS 'How well each day is covered, by platform and metric, as it was at summed_at: late data and re-checks since are not in it. Covering sources are an inference and no wear time. Does not know: no row, where nobody had a cell or the day was not summed (coverage_day).';
COMMENT ON COLUMN public.coverage_by_day.platform IS 'Whose reading is shown; an unknown cell counts for each platform that reports the metric. NULL: none does.';
COMMENT ON COLUMN public.coverage_by_day.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.coverage_by_day.local_date IS 'The local calendar day.';
COMMENT ON COLUMN public.coverage_by_day.users IS 'Number of persons with a cell.';
COMMENT ON COLUMN public.coverage_by_day.mean_coverage IS 'Their covering sources on average: a measure of confidence, and an inference.';
COMMENT ON COLUMN public.coverage_by_day.measured IS 'Number of measured cells, zeros too.';
COMMENT ON COLUMN public.coverage_by_day.zero IS 'Number of measured zeros.';
COMMENT ON COLUMN public.coverage_by_day.unknown IS 'Number of unknown cells.';
COMMENT ON COLUMN public.coverage_by_day.unknown_by_reason IS 'These by reason; a reason that is not there has none.';
COMMENT ON COLUMN public.coverage_by_day.heard IS 'Number of persons of whom anything was heard: all but not_yet_synced. The alerts divide by it, so that a day which is still arriving is no fall.';
COMMENT ON COLUMN public.coverage_by_day.summed_at IS 'As of when. What came later is not in it.';
