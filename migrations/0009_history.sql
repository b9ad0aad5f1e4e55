-- compatible: no
-- 0009_history.sql - what was shown before: the states of a cell that others have taken the place of.
-- Written by evidence.keep_history, in the transaction that changes the cell, and by evidence.forget_deleted.

ALTER TABLE public.daily_metric
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  ADD COLUMN shown_since timestamptz,
  -- The columns are new, so that nothing can be wrong in them.
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT daily_metric_revision_is_positive CHECK (revision >= 1),
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT daily_metric_shown_since_is_an_instant CHECK (isfinite(shown_since));
COMMENT ON COLUMN public.daily_metric.revision IS 'Number of the state that is shown, from 1. A new state is another status, value, reason, number of sources or is_final; those before it are in daily_metric_history.';
COMMENT ON COLUMN public.daily_metric.shown_since IS 'Since when this state is shown. Re-checks that find nothing new leave it alone. NULL: since before this was recorded.';
COMMENT ON CONSTRAINT daily_metric_revision_is_positive ON public.daily_metric IS 'A number that counts from 1.';
COMMENT ON CONSTRAINT daily_metric_shown_since_is_an_instant ON public.daily_metric IS 'Times are instants, not infinity.';

CREATE TABLE public.daily_metric_history (
  user_id uuid NOT NULL,
  metric text COLLATE "C" NOT NULL,
  local_date date NOT NULL,
  revision integer NOT NULL,
  shown_since timestamptz,
  superseded_at timestamptz NOT NULL,
  status text COLLATE "C" NOT NULL,
  value numeric,
  unknown_reason text COLLATE "C",
  covering_sources integer NOT NULL,
  unknown_detail text,
  is_final boolean NOT NULL,
  observed_at timestamptz,
  platform text COLLATE "C",
  rule_version integer NOT NULL,
  value_deleted_at timestamptz,
  CONSTRAINT daily_metric_history_pkey PRIMARY KEY (user_id, metric, local_date, superseded_at, revision),
  CONSTRAINT daily_metric_history_status_is_measured_or_unknown CHECK (status IN ('measured', 'unknown')),
  CONSTRAINT daily_metric_history_unknown_has_a_reason_and_no_value CHECK (
    (status = 'unknown') = (unknown_reason IS NOT NULL) AND (status <> 'unknown' OR value IS NULL)),
  CONSTRAINT daily_metric_history_measured_has_a_value_unless_it_was_deleted CHECK (
    status <> 'measured' OR value IS NOT NULL OR value_deleted_at IS NOT NULL),
  CONSTRAINT daily_metric_history_value_is_finite CHECK (abs(value) <= 1000000000000),
  CONSTRAINT daily_metric_history_times_are_finite CHECK (
    isfinite(local_date) AND isfinite(shown_since) AND isfinite(superseded_at) AND isfinite(observed_at) AND isfinite(value_deleted_at))
) PARTITION BY RANGE (local_date);
COMMENT ON TABLE public.daily_metric_history IS 'What daily_metric showed before: one row for each state of a cell that another one has taken the place of, or whose row was removed. Rows are added, never changed, except that a value which the person deletes at its source leaves them too.';
COMMENT ON COLUMN public.daily_metric_history.user_id IS 'The person.';
COMMENT ON COLUMN public.daily_metric_history.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.daily_metric_history.local_date IS 'The local calendar day.';
COMMENT ON COLUMN public.daily_metric_history.revision IS 'Number of the state, from 1. Begins again with 1 where the row of a silent day was removed and came back.';
COMMENT ON COLUMN public.daily_metric_history.shown_since IS 'Since when it was shown. NULL: since before this was recorded.';
COMMENT ON COLUMN public.daily_metric_history.superseded_at IS 'Until when it was shown.';
COMMENT ON COLUMN public.daily_metric_history.status IS 'measured or unknown.';
COMMENT ON COLUMN public.daily_metric_history.value IS 'The value that was shown, in metric.unit; 0 is a measured zero. NULL: it was unknown, or (value_deleted_at) it is not kept.';
COMMENT ON COLUMN public.daily_metric_history.unknown_reason IS 'Why it was unknown. NULL: it was measured.';
COMMENT ON COLUMN public.daily_metric_history.covering_sources IS 'Number of distinct devices and apps that were known to have been there.';
COMMENT ON COLUMN public.daily_metric_history.unknown_detail IS 'A word more about the reason. NULL: none.';
COMMENT ON COLUMN public.daily_metric_history.is_final IS 'As in daily_metric: a measured value that was not final was a lower bound.';
COMMENT ON COLUMN public.daily_metric_history.observed_at IS 'When the reading behind the value was taken. NULL: it was unknown.';
COMMENT ON COLUMN public.daily_metric_history.platform IS 'The platform whose reading was shown. NULL: it was unknown.';
COMMENT ON COLUMN public.daily_metric_history.rule_version IS 'Version of the rules that had derived it.';
COMMENT ON COLUMN public.daily_metric_history.value_deleted_at IS 'A number was shown, and the person has deleted data behind it at its source since: when that deletion was read. The number is not kept (see evidence.setting). NULL: nothing was deleted.';
COMMENT ON CONSTRAINT daily_metric_history_pkey ON public.daily_metric_history IS 'One row per state of a cell, in the order of time.';
COMMENT ON CONSTRAINT daily_metric_history_status_is_measured_or_unknown ON public.daily_metric_history IS 'There is no third status.';
COMMENT ON CONSTRAINT daily_metric_history_unknown_has_a_reason_and_no_value ON public.daily_metric_history IS 'No absence without a reason, no number beside one.';
COMMENT ON CONSTRAINT daily_metric_history_measured_has_a_value_unless_it_was_deleted ON public.daily_metric_history IS 'A number is missing only where its deletion is noted.';
COMMENT ON CONSTRAINT daily_metric_history_value_is_finite ON public.daily_metric_history IS 'No NaN, no infinity, nothing absurd.';
COMMENT ON CONSTRAINT daily_metric_history_times_are_finite ON public.daily_metric_history IS 'Days and instants are real ones.';
