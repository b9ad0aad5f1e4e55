-- 55_actions.sql - what a client should do about days that are unknown, and what it may tell the person.
-- Law R8. The words are the catalogue's: a metric's own where no source was there, the reason's elsewhere. No clock: what "Saturday" may
-- mean is judged by the latest instant that is known of the person. Reads evidence with the owner's rights, for whoever may read the person.

CREATE OR REPLACE FUNCTION public.days_in_words(p_from date, p_to date, p_known_at timestamptz) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE
    WHEN p_from = p_to AND (p_known_at AT TIME ZONE 'UTC')::date - p_from BETWEEN 0 AND 6 THEN to_char(p_from, 'FMDay')
    WHEN p_from = p_to THEN to_char(p_from, 'FMDD FMMonth YYYY')
    ELSE to_char(p_from, CASE WHEN date_trunc('month', p_from::timestamp) = date_trunc('month', p_to::timestamp) THEN 'FMDD'
                              WHEN date_trunc('year', p_from::timestamp) = date_trunc('year', p_to::timestamp) THEN 'FMDD FMMonth'
                              ELSE 'FMDD FMMonth YYYY' END) || ' to ' || to_char(p_to, 'FMDD FMMonth YYYY') END;
END $$;
COMMENT ON FUNCTION public.days_in_words(date, date, timestamptz)
  IS 'A stretch of days in English: "Saturday" for one day of the week before p_known_at, "14 November 2026" for an older one or one that is still to come, "14 to 16 November 2026" for several. Does not know: NULL where a date is NULL; without p_known_at the full date.';

CREATE OR REPLACE FUNCTION public.unknown_message(p_reason text, p_metric text, p_from date, p_to date, p_known_at timestamptz) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  days constant text := public.days_in_words(p_from, p_to, p_known_at);
  name text;
  sentence text;
BEGIN
  -- A metric's own words say that no source was there; of any other reason that has no words they might be untrue.
  SELECT m.name, COALESCE(NULLIF(r.message, ''), CASE r.code WHEN 'no_source_coverage' THEN m.absence_message ELSE 'We don''t have {name} for {day}.' END)
  INTO name, sentence
  FROM public.unknown_reason r, public.metric m WHERE r.code = p_reason AND m.metric = p_metric;
  IF p_from <> p_to THEN
    sentence := replace(replace(sentence, ' on {day}', ' from {day}'), '{Day} is ', '{Day} are ');
    sentence := replace(sentence, 'the night to {day}', 'the nights that ended on {day}');
  END IF;
  RETURN replace(replace(replace(replace(sentence, '{day}', days), '{Day}', days), '{name}', name), '{Name}', upper(left(name, 1)) || substr(name, 2));
END $$;
COMMENT ON FUNCTION public.unknown_message(text, text, date, date, timestamptz)
  IS 'What to tell a person about a stretch of days with one reason: the metric''s absence_message for no_source_coverage, else unknown_reason.message; {name} and {day} are filled in, {Name} and {Day} as at the beginning of a sentence. For several days "on {day}" becomes "from 14 to 16 November 2026", "the night to" "the nights that ended on", and "{Day} is" "are". Does not know: NULL for a reason or metric that there is not.';

CREATE OR REPLACE VIEW public.client_action WITH (security_barrier = true) AS
WITH cell AS (
  SELECT d.user_id, d.metric, d.local_date, d.unknown_reason, d.computed_at, r.action, m.metric_id,
         d.unknown_reason IN ('no_source_coverage', 'not_authorized_or_no_data') AS is_silence
  FROM public.daily_metric d
  JOIN public.unknown_reason r ON r.code = d.unknown_reason
  JOIN public.metric m ON m.metric = d.metric
  WHERE d.status = 'unknown' AND r.action <> 'none'),
told AS (
  -- An unknown cell belongs to no platform. Whoever tracks the metric is told, but a platform that looked and found nothing is not told of
  -- another's failure, nor the other way round, unless nobody else can be meant.
  SELECT c.*, o.platform, GREATEST(c.computed_at, o.last_read_at) AS known_at, o.has_looked = c.is_silence AS is_meant,
         bool_or(o.has_looked = c.is_silence) OVER (PARTITION BY c.user_id, c.metric, c.local_date) AS some_are_meant
  FROM cell c
  LEFT JOIN LATERAL (
    SELECT f.platform, max(g.last_read_at) AS last_read_at, bool_or(EXISTS (
      SELECT FROM evidence.reading x
      WHERE x.user_id = t.user_id AND x.local_date = c.local_date AND x.metric_id = t.metric_id AND x.platform_id = t.platform_id AND x.store = t.store
        AND x.slot IN ('licensing_zero', 'other_zero', 'licensing_empty', 'other_empty') AND x.is_over
        AND COALESCE(x.permission, 'granted') = 'granted')) AS has_looked
    FROM evidence.tracking t
    JOIN evidence.origin g ON g.user_id = t.user_id AND g.platform_id = t.platform_id AND g.store = t.store
    JOIN public.platform f ON f.platform_id = t.platform_id
    WHERE t.user_id = c.user_id AND t.metric_id = c.metric_id AND t.since <= c.local_date
    GROUP BY f.platform) o ON true),
stretch AS (
  SELECT t.user_id, t.platform, t.metric, t.action, t.unknown_reason, min(t.local_date) AS from_date, max(t.local_date) AS to_date, max(t.known_at) AS known_at
  FROM (SELECT n.*, n.local_date - (row_number() OVER (PARTITION BY n.user_id, n.metric, n.platform, n.unknown_reason ORDER BY n.local_date))::integer AS number
        FROM told n WHERE n.is_meant OR n.some_are_meant IS NOT TRUE) t
  GROUP BY t.user_id, t.platform, t.metric, t.action, t.unknown_reason, t.number)
SELECT s.user_id, s.platform, s.metric, s.action, s.from_date, s.to_date,
       public.unknown_message(s.unknown_reason, s.metric, s.from_date, s.to_date, s.known_at) AS message
FROM stretch s WHERE public.may_read(s.user_id);
COMMENT ON VIEW public.client_action IS 'What a client should do about unknown days, and what it may say: one row per unbroken stretch of days of a metric with one reason, for each platform that reports it. Where several do, those whose own reads can be behind the reason. What the person deleted needs no action and is not there. Ask for one person: WHERE user_id = ... Does not know: no row says that nothing is known to be missing.';
COMMENT ON COLUMN public.client_action.user_id IS 'The person.';
COMMENT ON COLUMN public.client_action.platform IS 'The platform on which to act, as in the table platform. NULL: none reports the metric.';
COMMENT ON COLUMN public.client_action.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.client_action.action IS 'What to do, as unknown_reason.action has it for the reason. say_once: tell it once per metric, not again for each stretch.';
COMMENT ON COLUMN public.client_action.from_date IS 'First local day of the stretch.';
COMMENT ON COLUMN public.client_action.to_date IS 'Last local day of the stretch.';
COMMENT ON COLUMN public.client_action.message IS 'A sentence for the person, in English (see unknown_message). A weekday is one of the week before the platform''s latest read or the cell''s latest derivation.';

CREATE OR REPLACE VIEW public.permission_nag WITH (security_barrier = true) AS
WITH reported AS (
  SELECT d.user_id, d.metric, max(d.local_date) AS last_measured, count(*) AS measured_days
  FROM public.daily_metric d JOIN public.metric m ON m.metric = d.metric AND NOT m.intermittent
  WHERE d.status = 'measured' GROUP BY d.user_id, d.metric),
silent AS (
  SELECT d.user_id, d.metric, min(d.local_date) AS silent_from, max(d.local_date) AS silent_to, count(*) AS silent_days, r.last_measured, r.measured_days
  FROM public.daily_metric d
  JOIN public.unknown_reason u ON u.code = d.unknown_reason AND u.action = 'suggest_permission_check'
  JOIN reported r ON r.user_id = d.user_id AND r.metric = d.metric AND d.local_date > r.last_measured
  WHERE d.status = 'unknown'
  GROUP BY d.user_id, d.metric, r.last_measured, r.measured_days)
SELECT s.user_id, f.platform, s.metric, s.last_measured, s.measured_days, s.silent_from, s.silent_to, s.silent_days
FROM silent s
JOIN public.monitoring_setting b ON s.silent_days >= b.nag_silent_days AND s.measured_days >= b.nag_measured_days
JOIN public.metric m ON m.metric = s.metric
JOIN LATERAL (SELECT DISTINCT p.platform FROM evidence.tracking t JOIN public.platform p ON p.platform_id = t.platform_id AND p.hides_denial
              WHERE t.user_id = s.user_id AND t.metric_id = m.metric_id AND t.since <= s.silent_to) f ON true
WHERE public.may_read(s.user_id);
COMMENT ON VIEW public.permission_nag IS 'A heuristic, not a finding: metrics that used to report and have been silent since, read after read, for an implausibly long stretch, on a platform that hides denials. The person may have taken the permission away, or the device off: ask, do not claim. Thresholds: monitoring_setting. Days that nobody has read yet do not count. Does not know: no row.';
COMMENT ON COLUMN public.permission_nag.user_id IS 'The person.';
COMMENT ON COLUMN public.permission_nag.platform IS 'The platform whose permissions to check, as in the table platform.';
COMMENT ON COLUMN public.permission_nag.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.permission_nag.last_measured IS 'The last measured day.';
COMMENT ON COLUMN public.permission_nag.measured_days IS 'Number of measured days until then.';
COMMENT ON COLUMN public.permission_nag.silent_from IS 'First silent day since.';
COMMENT ON COLUMN public.permission_nag.silent_to IS 'Last silent day so far.';
COMMENT ON COLUMN public.permission_nag.silent_days IS 'Number of silent days since.';
