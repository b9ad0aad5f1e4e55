-- 34_history.sql - what a cell showed before it changed.
-- Law H1. Writes: public.daily_metric_history. keep_history is called by evidence.derive (35) in the same transaction, forget_deleted by whoever
-- merged deletions, after what they touch is derived; both under the person's lock.

CREATE OR REPLACE FUNCTION evidence.keep_history(shown public.daily_metric[], deletions timestamptz[], as_of timestamptz) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO public.daily_metric_history (user_id, metric, local_date, revision, shown_since, superseded_at, status, value, unknown_reason,
    covering_sources, unknown_detail, is_final, observed_at, platform, rule_version)
  SELECT s.user_id, s.metric, s.local_date, s.revision, s.shown_since, as_of, s.status, s.value,
    s.unknown_reason, s.covering_sources, s.unknown_detail, s.is_final, s.observed_at, s.platform, s.rule_version
  FROM unnest(shown) s ORDER BY s.user_id, s.metric, s.local_date
  ON CONFLICT DO NOTHING;
  -- Which of several deletions a change is due to is not known, so in doubt the value goes.
  PERFORM evidence.forget_deleted(array_agg(s.user_id), array_agg(s.metric), array_agg(s.local_date), array_agg(s.platform), array_agg(s."unnest"),
    array_agg(false))
  FROM unnest(shown, deletions) s               -- The columns of daily_metric, and "unnest": the deletion.
  WHERE s.value IS NOT NULL AND s."unnest" > s.observed_at HAVING count(*) > 0;
END $$;
COMMENT ON FUNCTION evidence.keep_history(public.daily_metric[], timestamptz[], timestamptz)
  IS 'Adds states that were shown until as_of to the history. deletions: for each state when the latest deletion behind its cell was read; NULL: there is none. A value that was read before its deletion is not kept (forget_deleted).';

CREATE OR REPLACE FUNCTION evidence.forget_deleted(
  persons uuid[], metrics text[], days date[], platforms text[], deletions timestamptz[], held boolean[]) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  cell record;
BEGIN
  IF (SELECT s.keep_deleted_values FROM evidence.setting s) THEN
    RETURN;
  END IF;
  -- One by one, for the reason that evidence.remove_cells (35) has.
  FOR cell IN
    SELECT x.user_id, x.metric, x.local_date, x.platform, max(x.deleted_at) AS deleted_at, max(CASE WHEN x.held THEN 'infinity' ELSE x.deleted_at END) AS before
    FROM unnest(persons, metrics, days, platforms, deletions, held) AS x (user_id, metric, local_date, platform, deleted_at, held) GROUP BY 1, 2, 3, 4
  LOOP
    UPDATE public.daily_metric_history h SET value = NULL, value_deleted_at = cell.deleted_at
    WHERE h.user_id = cell.user_id AND h.metric = cell.metric AND h.local_date = cell.local_date
      AND h.value IS NOT NULL AND h.platform = cell.platform AND h.observed_at < cell.before;
  END LOOP;
END $$;
COMMENT ON FUNCTION evidence.forget_deleted(uuid[], text[], date[], text[], timestamptz[], boolean[])
  IS 'Takes out of the history of these cells the values that a platform''s deletion may have taken back (deletions: when it was read): those that were read before it, and where the cell held a record that is deleted all that the cell has shown until now. That there was a value stays. Does nothing where the operator keeps deleted values (evidence.setting).';
