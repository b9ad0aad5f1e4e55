-- 58_reread.sql - what the clients should read again.
-- Law R8. A re-check looks again at the evidence; only a client can look again at the person's data. No clock: days are over as far as rows say so.

CREATE OR REPLACE VIEW public.reread_request WITH (security_barrier = true) AS
WITH asked AS (
  -- Which origin is asked for which metric, from which day on: the first it mentioned or its history load has reached, not before what it may read.
  SELECT o.user_id, m.metric_id, m.metric, m.intermittent, o.platform_id, o.store, f.platform, o.last_read_at, e.zone_from, e.zone_name, w.edge,
         GREATEST(LEAST(t.since, b.reached), w.edge) AS first_day
  FROM evidence.tracking t
  JOIN evidence.origin o ON o.user_id = t.user_id AND o.platform_id = t.platform_id AND o.store = t.store
  JOIN evidence.person e ON e.user_id = t.user_id
  JOIN public.metric m ON m.metric_id = t.metric_id
  JOIN public.platform f ON f.platform_id = t.platform_id
  LEFT JOIN LATERAL (
    SELECT x.reached FROM evidence.backfill x
    WHERE x.user_id = t.user_id AND x.platform_id = t.platform_id AND x.store = t.store AND x.metric_id IN (0, t.metric_id)
    -- Of a statement for the metric and one for all the later counts, as in backfill_running.
    ORDER BY x.read_at DESC, x.payload_id DESC, x.metric_id = 0 LIMIT 1) b ON true
  -- The day that contains the latest of the boundaries, by the clock of the person's latest zone.
  LEFT JOIN LATERAL (
    SELECT (max(l.boundary) AT TIME ZONE COALESCE(e.zone_name[cardinality(e.zone_name)], 'UTC'))::date AS edge
    FROM (SELECT DISTINCT ON (x.kind) x.kind, x.boundary FROM evidence.read_window x
          WHERE x.user_id = t.user_id AND x.platform_id = t.platform_id AND x.store = t.store AND x.metric_id IN (0, t.metric_id)
          ORDER BY x.kind, x.read_at DESC, x.payload_id DESC, x.metric_id = 0, x."position" DESC) l) w ON true
  LEFT JOIN LATERAL (
    SELECT x.state FROM evidence.permission x
    WHERE x.user_id = t.user_id AND x.platform_id = t.platform_id AND x.store = t.store AND x.metric_id IN (0, t.metric_id)
    ORDER BY x.read_at DESC, x.payload_id DESC, x.metric_id = 0, x."position" DESC LIMIT 1) p ON true
  WHERE p.state IS NULL OR p.state = 'granted'),
open_cell AS (
  -- The catalogue decides: to wait and to retry is to read again; other reasons that resolve themselves are worth it while they are checked.
  SELECT d.user_id, d.metric, d.local_date, d.unknown_reason, d.computed_at, d.observed_at, r.action IN ('wait', 'retry') AS is_unread
  FROM public.daily_metric d JOIN public.unknown_reason r ON r.code = d.unknown_reason
  WHERE d.status = 'unknown' AND (r.action IN ('wait', 'retry') OR (r.resolves_itself AND d.next_check_at IS NOT NULL))
  UNION ALL
  SELECT d.user_id, d.metric, d.local_date, NULL, d.computed_at, d.observed_at, false
  FROM public.daily_metric d WHERE d.status = 'measured' AND NOT d.is_final),
wanted AS (
  SELECT a.user_id, a.metric, a.platform, a.store, c.local_date, COALESCE(c.unknown_reason, 'not_final') AS reason
  FROM open_cell c
  JOIN asked a ON a.user_id = c.user_id AND a.metric = c.metric AND c.local_date >= a.first_day
  WHERE CASE
    -- Whoever has looked after the day was over and found nothing has done its part; who found something that a deletion took away has not.
    WHEN c.is_unread THEN NOT EXISTS (
      SELECT FROM evidence.reading x
      WHERE x.user_id = c.user_id AND x.local_date = c.local_date AND x.metric_id = a.metric_id AND x.platform_id = a.platform_id AND x.store = a.store
        AND x.slot IN ('licensing_zero', 'other_zero', 'licensing_empty', 'other_empty') AND x.is_over)
      OR EXISTS (
      SELECT FROM evidence.reading x
      WHERE x.user_id = c.user_id AND x.local_date = c.local_date AND x.metric_id = a.metric_id AND x.platform_id = a.platform_id AND x.store = a.store
        AND x.slot = 'value')
      OR EXISTS (
      SELECT FROM evidence.record_day x
      WHERE x.user_id = c.user_id AND x.local_date = c.local_date AND x.metric_id = a.metric_id AND x.platform_id = a.platform_id AND x.store = a.store)
    WHEN c.unknown_reason IS NOT NULL THEN NOT a.intermittent
    -- A lower bound whose day is over by now. On the day of a boundary it stays one, however often it is read.
    ELSE c.local_date IS DISTINCT FROM a.edge AND (
      SELECT GREATEST(c.computed_at, a.last_read_at) >= s.over_at FROM evidence.day_span(c.local_date, a.zone_from, a.zone_name) s) END)
SELECT s.user_id, s.metric, s.platform, s.store, min(s.local_date) AS from_date, max(s.local_date) AS to_date, array_agg(DISTINCT s.reason) AS reasons
FROM (SELECT n.*, n.local_date - (row_number() OVER (PARTITION BY n.user_id, n.metric, n.platform, n.store ORDER BY n.local_date))::integer AS stretch
      FROM wanted n) s
WHERE public.may_read(s.user_id)
GROUP BY s.user_id, s.metric, s.platform, s.store, s.stretch;
COMMENT ON VIEW public.reread_request IS 'What a client should read again, one row per unbroken stretch of days, for each platform that reports the metric: days that are unknown and may become known by reading, and days that are over and were read while they were open. Not before the first day that the platform mentioned, nor before what it may read. Ask for one person: WHERE user_id = ...';
COMMENT ON COLUMN public.reread_request.user_id IS 'The person.';
COMMENT ON COLUMN public.reread_request.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.reread_request.platform IS 'The platform to read, as in the table platform.';
COMMENT ON COLUMN public.reread_request.store IS 'Which data store of it; empty: it has one.';
COMMENT ON COLUMN public.reread_request.from_date IS 'First local day of the stretch.';
COMMENT ON COLUMN public.reread_request.to_date IS 'Last local day of the stretch.';
COMMENT ON COLUMN public.reread_request.reasons IS 'Why: the reasons of its days, as in the table unknown_reason; not_final: a number is there, but the day went on after it was read.';
