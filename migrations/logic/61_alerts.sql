-- 61_alerts.sql - which sums of coverage look like trouble of a provider, a platform or a release. Heuristics with thresholds in monitoring_setting.
-- All of them divide by those of whom anything was heard: silence of clients is no alert, and a day that is still arriving is no fall.

CREATE OR REPLACE VIEW public.coverage_alert WITH (security_invoker = true) AS
WITH day AS (
  SELECT s.local_date, s.platform, s.metric, s.heard, s.heard_sources, s.unknown, s.summed_at,
         -- Who was read: found something, 0, or nothing.
         s.measured + z.silent AS looked, s.zero + z.silent AS found_nothing
  FROM public.coverage_sum s
  CROSS JOIN LATERAL (SELECT COALESCE((s.unknown ->> 'no_source_coverage')::bigint, 0) + COALESCE((s.unknown ->> 'not_authorized_or_no_data')::bigint, 0) AS silent) z
  WHERE s.platform <> ''),
compared AS (
  SELECT d.*, count(*) OVER before AS days_before, sum(d.heard) OVER before AS heard_before, sum(d.heard_sources) OVER before AS sources_before,
         sum(d.looked) OVER before AS looked_before, sum(d.found_nothing) OVER before AS nothing_before,
         lag(d.unknown) OVER days AS unknown_yesterday, lag(d.heard) OVER days AS heard_yesterday, lag(d.local_date) OVER days AS yesterday
  FROM day d
  WINDOW days AS (PARTITION BY d.platform, d.metric ORDER BY d.local_date),
         before AS (PARTITION BY d.platform, d.metric ORDER BY d.local_date RANGE BETWEEN interval '14 days' PRECEDING AND interval '1 day' PRECEDING)),
alert AS (
  SELECT 'coverage_fall' AS kind, c.platform, c.metric, c.local_date, NULL AS reason, c.heard AS users,
         c.heard_sources::numeric / c.heard AS observed, c.sources_before / c.heard_before AS expected, c.summed_at
  FROM compared c CROSS JOIN public.monitoring_setting b
  WHERE c.heard >= b.least_users AND c.days_before >= 7 AND c.heard_before > 0
    AND c.heard_sources::numeric / c.heard <= (1 - b.fall_share) * c.sources_before / c.heard_before AND c.sources_before > 0
  UNION ALL
  -- Reads succeed as before, and nearly all of them find nothing.
  SELECT 'fleet_of_zeros', c.platform, c.metric, c.local_date, NULL, c.looked, c.found_nothing::numeric / c.looked, c.nothing_before / c.looked_before, c.summed_at
  FROM compared c CROSS JOIN public.monitoring_setting b
  WHERE c.looked >= b.least_users AND c.days_before >= 7 AND c.looked_before > 0 AND 2 * c.looked >= c.looked_before / c.days_before
    AND c.found_nothing >= b.zero_share * c.looked AND c.found_nothing::numeric / c.looked - c.nothing_before / c.looked_before >= b.zero_rise
  UNION ALL
  -- Many people get a reason on one and the same date; of a boundary, many lose it.
  SELECT 'attribution_cliff', c.platform, c.metric, c.local_date, r.code, c.heard, x.share, x.share_yesterday, c.summed_at
  FROM compared c CROSS JOIN public.monitoring_setting b
  JOIN public.unknown_reason r ON r.action NOT IN ('none', 'wait', 'say_once')
  CROSS JOIN LATERAL (SELECT COALESCE((c.unknown ->> r.code)::numeric, 0) / NULLIF(c.heard, 0) AS share,
    COALESCE((c.unknown_yesterday ->> r.code)::numeric, 0) / NULLIF(c.heard_yesterday, 0) AS share_yesterday) x
  WHERE c.yesterday = c.local_date - 1 AND LEAST(c.heard, c.heard_yesterday) >= b.least_users
    AND CASE WHEN r.action IN ('offer_to_share_more_history', 'show_platform_limit') THEN abs(x.share - x.share_yesterday) ELSE x.share - x.share_yesterday END >= b.cliff_share)
SELECT a.kind, a.platform, a.metric, a.local_date, a.reason, a.users, round(a.observed, 3) AS observed, round(a.expected, 3) AS expected,
       CASE a.kind
         WHEN 'coverage_fall' THEN format('Mean coverage of %s from %s on %s is %s of %s people, after %s in the 14 days before.', a.metric, a.platform, a.local_date, round(a.observed, 2), a.users, round(a.expected, 2))
         WHEN 'fleet_of_zeros' THEN format('%s %% of %s people read from %s on %s have nothing or 0 for %s, after %s %% in the 14 days before.', round(100 * a.observed), a.users, a.platform, a.local_date, a.metric, round(100 * a.expected))
         ELSE format('%s %% of %s people of %s have %s for %s on %s, after %s %% the day before.', round(100 * a.observed), a.users, a.platform, a.reason, a.metric, a.local_date, round(100 * a.expected)) END AS message,
       a.summed_at
FROM alert a;
COMMENT ON VIEW public.coverage_alert IS 'Days on which the coverage of a platform''s metric looks like trouble of a provider, a platform or a release. Kinds: coverage_fall (mean coverage far below that of the 14 days before), fleet_of_zeros (reads succeed and nearly all find nothing), attribution_cliff (many people get one reason on one date). Heuristics, with thresholds in monitoring_setting; as fresh as summed_at. Does not know: no row, with fewer than least_users people, fewer than 7 of the 14 days, or a day that was not summed.';
COMMENT ON COLUMN public.coverage_alert.kind IS 'coverage_fall, fleet_of_zeros or attribution_cliff.';
COMMENT ON COLUMN public.coverage_alert.platform IS 'The platform, as in the table platform.';
COMMENT ON COLUMN public.coverage_alert.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.coverage_alert.local_date IS 'The local calendar day.';
COMMENT ON COLUMN public.coverage_alert.reason IS 'attribution_cliff: the reason. NULL elsewhere.';
COMMENT ON COLUMN public.coverage_alert.users IS 'Number of people that it is judged by.';
COMMENT ON COLUMN public.coverage_alert.observed IS 'What was seen: mean coverage, or a share.';
COMMENT ON COLUMN public.coverage_alert.expected IS 'What it is compared with: the 14 days before, or the day before.';
COMMENT ON COLUMN public.coverage_alert.message IS 'The same as a sentence. Holds no person and no health value of one.';
COMMENT ON COLUMN public.coverage_alert.summed_at IS 'As of when.';
