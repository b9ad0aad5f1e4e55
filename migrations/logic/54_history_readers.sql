-- 54_history_readers.sql - what was shown at an instant in the past.
-- Law H1. Read with the asker's rights. Write nothing.

CREATE OR REPLACE FUNCTION public.metric_history_at(p_user uuid, p_metric text, p_date date, p_at timestamptz)
RETURNS TABLE (status text, value numeric, unknown_reason text, unknown_detail text, is_final boolean, covering_sources integer,
  observed_at timestamptz, platform text, rule_version integer, revision integer, shown_since timestamptz, shown_until timestamptz, suppressed_reason text)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_date, p_date);
  IF p_at IS NULL THEN
    RAISE EXCEPTION 'What was shown, and when? The instant must not be NULL.' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  RETURN QUERY
  SELECT s.* FROM (
    SELECT d.status, d.value, d.unknown_reason, d.unknown_detail, d.is_final, d.covering_sources, d.observed_at, d.platform, d.rule_version,
           d.revision, d.shown_since, NULL::timestamptz AS shown_until, NULL::text AS suppressed_reason
    FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date = p_date
    UNION ALL
    SELECT h.status, h.value, h.unknown_reason, h.unknown_detail, h.is_final, h.covering_sources, h.observed_at, h.platform, h.rule_version,
           h.revision, h.shown_since, h.superseded_at, CASE WHEN h.status = 'measured' AND h.value IS NULL THEN 'deleted_at_source' END
    FROM public.daily_metric_history h WHERE h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date) s
  -- Several changes at one instant are states that nobody saw.
  WHERE (s.shown_since <= p_at) IS NOT FALSE AND (s.shown_until > p_at) IS NOT FALSE
  ORDER BY s.shown_since DESC NULLS LAST, s.revision DESC LIMIT 1;
END $$;
COMMENT ON FUNCTION public.metric_history_at(uuid, text, date, timestamptz)
  IS 'What daily_metric showed of a cell at an instant: the state that was shown from shown_since (NULL: from before this was recorded) to before shown_until (NULL: still). Does not know: no row where no row was shown then; value NULL with unknown_reason where it was unknown, or measured with suppressed_reason deleted_at_source: a number was shown, the person has deleted it at its source since, and it is not kept. Details that change without a new state (observed_at, platform, unknown_detail) are the last of that state. An error: NULL, a metric that there is not.';
