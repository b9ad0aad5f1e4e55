-- compatible: no
-- 0005_daily_metric.sql - what is known: one row per person, metric and local day, and no number without provenance.
-- Written by evidence.write_cells and by nothing else. The constraints never fire in normal work.

CREATE TABLE public.daily_metric (
  user_id uuid NOT NULL,
  metric text COLLATE "C" NOT NULL,
  local_date date NOT NULL,
  status text COLLATE "C" NOT NULL,
  value numeric,
  unknown_reason text COLLATE "C",
  covering_sources integer NOT NULL DEFAULT 0,
  computed_at timestamptz NOT NULL,
  unknown_detail text,
  is_final boolean NOT NULL,
  observed_at timestamptz,
  platform text COLLATE "C",
  next_check_at timestamptz,
  rule_version integer NOT NULL,
  CONSTRAINT daily_metric_pkey PRIMARY KEY (user_id, metric, local_date),
  CONSTRAINT daily_metric_status_is_measured_or_unknown CHECK (status IN ('measured', 'unknown')),
  CONSTRAINT daily_metric_measured_if_and_only_if_it_has_a_value CHECK ((status = 'measured') = (value IS NOT NULL)),
  CONSTRAINT daily_metric_unknown_if_and_only_if_it_has_a_reason CHECK ((status = 'unknown') = (unknown_reason IS NOT NULL)),
  CONSTRAINT daily_metric_value_is_finite CHECK (abs(value) <= 1000000000000),
  CONSTRAINT daily_metric_covering_sources_is_not_negative CHECK (covering_sources >= 0),
  CONSTRAINT daily_metric_measured_has_a_covering_source CHECK (status <> 'measured' OR covering_sources >= 1),
  CONSTRAINT daily_metric_reason_is_known CHECK (unknown_reason IN (
    'deleted_at_source', 'provider_error', 'not_yet_synced', 'invalid_reading', 'not_authorized', 'before_authorized_history',
    'outside_history_window', 'not_authorized_or_no_data', 'no_source_coverage', 'metric_unavailable', 'not_connected')),
  CONSTRAINT daily_metric_detail_goes_with_unknown CHECK (unknown_detail IS NULL OR status = 'unknown'),
  CONSTRAINT daily_metric_times_are_finite CHECK (
    isfinite(local_date) AND isfinite(computed_at) AND isfinite(observed_at) AND isfinite(next_check_at))
) PARTITION BY RANGE (local_date);
COMMENT ON TABLE public.daily_metric IS 'Every (person, metric, local day): measured, measured zero (value 0), or unknown with a reason. A missing row means that nothing was ever said about the cell.';
COMMENT ON COLUMN public.daily_metric.user_id IS 'The person.';
COMMENT ON COLUMN public.daily_metric.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.daily_metric.local_date IS 'The local calendar day as the client wrote it. Never computed from an instant.';
COMMENT ON COLUMN public.daily_metric.status IS 'measured or unknown.';
COMMENT ON COLUMN public.daily_metric.value IS 'Value of the day in metric.unit. NULL: unknown. 0 is a measured zero.';
COMMENT ON COLUMN public.daily_metric.unknown_reason IS 'Why it is unknown, as in the table unknown_reason. NULL: measured.';
COMMENT ON COLUMN public.daily_metric.covering_sources IS 'Number of distinct devices and apps that are known to have been there. An inference and a measure of confidence, not of wear time.';
COMMENT ON COLUMN public.daily_metric.computed_at IS 'When this row was last derived.';
COMMENT ON COLUMN public.daily_metric.unknown_detail IS 'A word more about the reason, such as device_locked. NULL: none.';
COMMENT ON COLUMN public.daily_metric.is_final IS 'Measured: the day had ended when it was read and lies inside every window; false: a lower bound. Unknown: someone looked after the day had ended.';
COMMENT ON COLUMN public.daily_metric.observed_at IS 'When the reading behind the value was taken. NULL: unknown.';
COMMENT ON COLUMN public.daily_metric.platform IS 'The platform whose reading is shown, as in the table platform. NULL: unknown.';
COMMENT ON COLUMN public.daily_metric.next_check_at IS 'When it is looked at again by itself. NULL: only when something arrives.';
COMMENT ON COLUMN public.daily_metric.rule_version IS 'Version of the rules that derived it.';
COMMENT ON CONSTRAINT daily_metric_pkey ON public.daily_metric IS 'One row per cell.';
COMMENT ON CONSTRAINT daily_metric_status_is_measured_or_unknown ON public.daily_metric IS 'There is no third status.';
COMMENT ON CONSTRAINT daily_metric_measured_if_and_only_if_it_has_a_value ON public.daily_metric IS 'No measurement without a number, no number without a measurement.';
COMMENT ON CONSTRAINT daily_metric_unknown_if_and_only_if_it_has_a_reason ON public.daily_metric IS 'No absence without a reason, no reason beside a number.';
COMMENT ON CONSTRAINT daily_metric_value_is_finite ON public.daily_metric IS 'No NaN, no infinity, nothing absurd.';
COMMENT ON CONSTRAINT daily_metric_covering_sources_is_not_negative ON public.daily_metric IS 'A count.';
COMMENT ON CONSTRAINT daily_metric_measured_has_a_covering_source ON public.daily_metric IS 'A number has a source: a zero without a witness cannot be stored, not even by hand.';
COMMENT ON CONSTRAINT daily_metric_reason_is_known ON public.daily_metric IS 'The reason is one of the table unknown_reason. A list and no foreign key: a key would double the cost of writing.';
COMMENT ON CONSTRAINT daily_metric_detail_goes_with_unknown ON public.daily_metric IS 'Only an absence needs a detail.';
COMMENT ON CONSTRAINT daily_metric_times_are_finite ON public.daily_metric IS 'Days and instants are real ones.';
