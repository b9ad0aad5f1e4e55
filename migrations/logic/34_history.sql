-- 34_history.sql - what a cell showed before it changed.
-- Law H1. Writes: public.daily_metric_history. Called by evidence.derive (35) in the same transaction, under the person's lock.

CREATE OR REPLACE FUNCTION evidence.keep_history(shown public.daily_metric[], deletions timestamptz[], as_of timestamptz) RETURNS void
LANGUAGE plpgsql
SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  keeps_all boolean;
  emptied public.daily_metric_history[];
BEGIN
  SELECT s.keep_deleted_values INTO STRICT keeps_all FROM public.history_setting s;
  WITH state AS MATERIALIZED (
    -- Which of several deletions this change is due to is not known, so in doubt the value goes.
    SELECT d.*, CASE WHEN d.value IS NOT NULL AND d."unnest" > d.observed_at AND NOT keeps_all THEN d."unnest" END AS value_deleted_at
    FROM unnest(shown, deletions) AS d),         -- The columns of daily_metric, and "unnest": the deletion.
  added AS (
    INSERT INTO public.daily_metric_history AS h (user_id, metric, local_date, revision, shown_since, superseded_at, status, value, unknown_reason,
      covering_sources, unknown_detail, is_final, observed_at, platform, rule_version, value_deleted_at)
    SELECT s.user_id, s.metric, s.local_date, s.revision, s.shown_since, as_of, s.status, CASE WHEN s.value_deleted_at IS NULL THEN s.value END,
      s.unknown_reason, s.covering_sources, s.unknown_detail, s.is_final, s.observed_at, s.platform, s.rule_version, s.value_deleted_at
    FROM state s ORDER BY s.user_id, s.metric, s.local_date
    ON CONFLICT DO NOTHING
    RETURNING h)
  SELECT array_agg(a.h) FILTER (WHERE (a.h).value_deleted_at IS NOT NULL) INTO emptied FROM added a;
  IF emptied IS NOT NULL THEN
    UPDATE public.daily_metric_history h SET value = NULL, value_deleted_at = e.value_deleted_at
    FROM unnest(emptied) e
    WHERE h.user_id = e.user_id AND h.metric = e.metric AND h.local_date = e.local_date
      AND h.value IS NOT NULL AND h.observed_at < e.value_deleted_at;
  END IF;
END $$;
COMMENT ON FUNCTION evidence.keep_history(public.daily_metric[], timestamptz[], timestamptz)
  IS 'Adds states that were shown until as_of to the history. deletions: for each state when the latest deletion behind its cell was read; NULL: there is none. A value that was read before its deletion is not kept, here or in older rows of the cell, unless the operator wants it.';
