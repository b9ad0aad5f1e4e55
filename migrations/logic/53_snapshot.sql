-- 53_snapshot.sql - what is known now: the latest day of each metric, and what remains of a day's energy.
-- Laws: R6, R7; F1 (unknown zone). "Now" is a parameter. Read with the asker's rights. Write nothing.

CREATE OR REPLACE FUNCTION public.metric_snapshot(p_user uuid, p_as_of timestamptz)
RETURNS TABLE (metric text, describes_date date, value numeric, observed_at timestamptz, is_current boolean, stale_at timestamptz,
  today_status text, today_reason text, is_final boolean)
LANGUAGE plpgsql STABLE ROWS 20 SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  zone text;
  today date;
  latest date;
BEGIN
  IF p_user IS NULL OR (p_as_of >= '1900-01-01 00:00Z' AND p_as_of < '2201-01-01 00:00Z') IS NOT TRUE THEN
    RAISE EXCEPTION 'A snapshot is of a person at an instant of the years 1900 to 2200; neither may be NULL.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT z.zone_name INTO zone FROM public.person_zone z WHERE z.user_id = p_user AND z.valid_from <= p_as_of AND p_as_of < z.valid_until;
  today := (p_as_of AT TIME ZONE zone)::date;
  -- Without a zone it may be this date somewhere.
  latest := COALESCE(today, (p_as_of AT TIME ZONE 'UTC' + interval '14 hours')::date);
  RETURN QUERY
  SELECT m.metric, k.local_date, k.value, k.observed_at,
         CASE WHEN zone IS NOT NULL THEN k.local_date = today WHEN p_as_of >= s.over_at THEN false END,
         s.over_at,
         CASE WHEN zone IS NOT NULL THEN COALESCE(t.status, 'unknown') END,
         CASE WHEN zone IS NULL THEN 'time_zone_unknown' ELSE t.unknown_reason END,
         k.is_final
  FROM public.metric m
  LEFT JOIN LATERAL (
    SELECT d.local_date, d.value, d.observed_at, d.is_final FROM public.daily_metric d
    WHERE d.user_id = p_user AND d.metric = m.metric AND d.local_date <= latest AND d.status = 'measured'
    ORDER BY d.local_date DESC LIMIT 1) k ON true
  LEFT JOIN LATERAL (
    SELECT d.status, d.unknown_reason FROM public.daily_metric d
    WHERE d.user_id = p_user AND d.metric = m.metric AND d.local_date = today) t ON true
  CROSS JOIN LATERAL (
    SELECT CASE WHEN zone IS NOT NULL THEN public.day_begins(k.local_date + 1, zone)
                ELSE (k.local_date::timestamp AT TIME ZONE 'UTC') + interval '36 hours' END AS over_at) s
  WHERE k.local_date IS NOT NULL
     OR EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = m.metric AND d.local_date <= latest)
  ORDER BY m.metric;
END $$;
COMMENT ON FUNCTION public.metric_snapshot(uuid, timestamptz)
  IS 'For each metric of a person the latest day with a value, by the day that it describes and not by when it was read, up to the person''s today at p_as_of. is_final false: the value is a lower bound, as that of today is, and that of a past day which was read while it went on. It is what is known now about these days: a value that was read after p_as_of is shown too (metric_history_at says what was shown then). stale_at: when that day ends by the clock of the zone at p_as_of. today_status and today_reason are those of today''s row. Does not know: value and is_final NULL where no day has one; today_status unknown without a reason where today has no row; where no zone is known today_status is NULL with today_reason time_zone_unknown, is_current NULL while the day may be today anywhere, and stale_at the end of the day at UTC-12. No row: nothing was ever said about the metric. An error: NULL, an instant outside the years 1900 to 2200.';

CREATE OR REPLACE FUNCTION public.energy_deficit(p_user uuid, p_date date, p_goal numeric)
RETURNS TABLE (remaining numeric, missing text[], is_final boolean)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
BEGIN
  PERFORM public.check_question(p_user, 'active_energy', p_date, p_date);
  IF (p_goal > '-Infinity' AND p_goal < 'Infinity') IS NOT TRUE THEN
    RAISE EXCEPTION 'A deficit needs a goal that is a number, in kcal.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN QUERY
  SELECT trim_scale(p_goal - (sum(d.value) FILTER (WHERE i.metric = 'basal_energy') + sum(d.value) FILTER (WHERE i.metric = 'active_energy')
                              - sum(d.value) FILTER (WHERE i.metric = 'dietary_energy'))),
         COALESCE(array_agg(i.metric ORDER BY i.metric) FILTER (WHERE d.value IS NULL), '{}'),
         bool_and(d.value IS NOT NULL AND d.is_final)
  FROM unnest('{basal_energy,active_energy,dietary_energy}'::text[]) AS i (metric)
  LEFT JOIN public.daily_metric d ON d.user_id = p_user AND d.metric = i.metric AND d.local_date = p_date;
END $$;
COMMENT ON FUNCTION public.energy_deficit(uuid, date, numeric)
  IS 'What remains of a day''s goal in kcal: goal - (basal + active - dietary energy). is_final: all three are; false: one is a lower bound or unknown. Does not know: remaining NULL, and missing lists the inputs that are unknown; three failed reads never leave the whole goal. An error: NULL.';
