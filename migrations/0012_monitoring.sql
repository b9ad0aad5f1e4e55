-- compatible: no
-- 0012_monitoring.sql - what others follow: which cells have changed, for services downstream; coverage summed by day, for operators.

CREATE TABLE evidence.cell_change (
  user_id uuid NOT NULL,
  change_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  transaction_id xid8 NOT NULL,
  nonce uuid NOT NULL DEFAULT gen_random_uuid(),
  seen pg_snapshot NOT NULL DEFAULT pg_current_snapshot(),
  changed_at timestamptz NOT NULL,
  metric_ids smallint[] NOT NULL,
  days date[] NOT NULL,
  is_whole_person boolean NOT NULL DEFAULT false,
  CONSTRAINT cell_change_pkey PRIMARY KEY (user_id, change_id),
  CONSTRAINT cell_change_names_both_halves_of_each_cell CHECK (cardinality(metric_ids) = cardinality(days)),
  CONSTRAINT cell_change_of_a_whole_person_names_no_cells CHECK (NOT is_whole_person OR cardinality(days) = 0),
  CONSTRAINT cell_change_time_is_finite CHECK (isfinite(changed_at))
) WITH (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.2
);
COMMENT ON TABLE evidence.cell_change IS 'Which cells of daily_metric were added, changed or removed, in which transaction; what they became stands in daily_metric. Written by evidence.derive, read by changes_since, kept for feed_horizon.kept_for.';
COMMENT ON COLUMN evidence.cell_change.user_id IS 'The person; the nil UUID where the row was emptied because the person was forgotten.';
COMMENT ON COLUMN evidence.cell_change.change_id IS 'Order within a transaction. Not the order in which transactions commit.';
COMMENT ON COLUMN evidence.cell_change.transaction_id IS 'The transaction that changed the cells. All transactions below the oldest running one are over, so that their changes are all there: up to it the feed is read, and nothing is skipped, whatever the order of commits.';
COMMENT ON COLUMN evidence.cell_change.nonce IS 'A random number: a database that was put back gives transactions and changes the same numbers again, but never this one.';
COMMENT ON COLUMN evidence.cell_change.seen IS 'Which transactions were over then. What others did that had begun before it may be missing in a copy of the database that has this row.';
COMMENT ON COLUMN evidence.cell_change.changed_at IS 'The instant taken for now when they changed.';
COMMENT ON COLUMN evidence.cell_change.metric_ids IS 'public.metric.metric_id of each cell.';
COMMENT ON COLUMN evidence.cell_change.days IS 'Local calendar day of each cell, in the same order.';
COMMENT ON COLUMN evidence.cell_change.is_whole_person IS 'True: the person was forgotten, all of their cells are gone. Written by intake.forget_step.';
COMMENT ON CONSTRAINT cell_change_pkey ON evidence.cell_change IS 'By person, so that a person can be forgotten.';
COMMENT ON CONSTRAINT cell_change_names_both_halves_of_each_cell ON evidence.cell_change IS 'Each cell has a metric and a day. A row without cells is told to nobody, unless it is of a whole person.';
COMMENT ON CONSTRAINT cell_change_of_a_whole_person_names_no_cells ON evidence.cell_change IS 'All is more than some, and needs no list.';
COMMENT ON CONSTRAINT cell_change_time_is_finite ON evidence.cell_change IS 'Times are instants, not infinity.';
CREATE INDEX cell_change_order ON evidence.cell_change (transaction_id, change_id);
COMMENT ON INDEX evidence.cell_change_order IS 'The order of the feed.';

CREATE TABLE public.feed_horizon (
  is_only boolean NOT NULL DEFAULT true,
  kept_for interval NOT NULL DEFAULT '14 days',
  era text COLLATE "C",
  nonce uuid NOT NULL DEFAULT gen_random_uuid(),
  transaction_id xid8,
  change_id bigint,
  cells integer,
  CONSTRAINT feed_horizon_pkey PRIMARY KEY (is_only),
  CONSTRAINT feed_horizon_has_one_row CHECK (is_only),
  CONSTRAINT feed_horizon_keeps_changes_for_a_while CHECK (kept_for >= '1 hour' AND isfinite(kept_for)),
  CONSTRAINT feed_horizon_is_a_whole_place_or_none CHECK (num_nulls(transaction_id, change_id, cells) IN (0, 3))
);
COMMENT ON TABLE public.feed_horizon IS 'How far back changes_since can go on; one row. kept_for is the operator''s.';
COMMENT ON COLUMN public.feed_horizon.is_only IS 'Always true.';
COMMENT ON COLUMN public.feed_horizon.kept_for IS 'How long changes are kept. Whoever was away for longer starts again.';
COMMENT ON COLUMN public.feed_horizon.era IS 'The era (feed_era) that the changes belong to. NULL: none is known yet.';
COMMENT ON COLUMN public.feed_horizon.nonce IS 'That of the latest change that is not kept any more; where there is none, a random number of the era.';
COMMENT ON COLUMN public.feed_horizon.transaction_id IS 'Place of the latest change that is not kept any more: its transaction. NULL: all are kept.';
COMMENT ON COLUMN public.feed_horizon.change_id IS 'Its number. NULL: all are kept.';
COMMENT ON COLUMN public.feed_horizon.cells IS 'Its number of cells. NULL: all are kept.';
COMMENT ON CONSTRAINT feed_horizon_pkey ON public.feed_horizon IS 'There is one row.';
COMMENT ON CONSTRAINT feed_horizon_has_one_row ON public.feed_horizon IS 'There is one row.';
COMMENT ON CONSTRAINT feed_horizon_keeps_changes_for_a_while ON public.feed_horizon IS 'A feed that forgets at once is none.';
COMMENT ON CONSTRAINT feed_horizon_is_a_whole_place_or_none ON public.feed_horizon IS 'A place has all its parts.';
INSERT INTO public.feed_horizon DEFAULT VALUES;

-- One day of all persons is read without the rest of its partition: rows arrive day by day, so that the days of a block are few.
-- The index is tiny, and no update of a cell touches it. It is on an expression that only the sum uses: a plan made while the table is believed
-- empty would prefer an index on local_date itself to the primary key, and go on with it. The table is new with this release, so nobody waits.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX daily_metric_day ON public.daily_metric USING brin ((local_date + 0)) WITH (pages_per_range = 32);
COMMENT ON INDEX public.daily_metric_day IS 'Which blocks hold which days, for questions about one day of all persons that say local_date + 0. Others must not use it.';

CREATE TABLE public.monitoring_setting (
  is_only boolean NOT NULL DEFAULT true,
  summed_every interval NOT NULL DEFAULT '1 hour',
  summed_days integer NOT NULL DEFAULT 35,
  least_users integer NOT NULL DEFAULT 20,
  fall_share numeric NOT NULL DEFAULT 0.30,
  zero_share numeric NOT NULL DEFAULT 0.80,
  zero_rise numeric NOT NULL DEFAULT 0.40,
  cliff_share numeric NOT NULL DEFAULT 0.30,
  nag_silent_days integer NOT NULL DEFAULT 14,
  nag_measured_days integer NOT NULL DEFAULT 7,
  refusals_wait interval NOT NULL DEFAULT '1 day',
  CONSTRAINT monitoring_setting_pkey PRIMARY KEY (is_only),
  CONSTRAINT monitoring_setting_has_one_row CHECK (is_only),
  CONSTRAINT monitoring_setting_sums_at_a_pace CHECK (summed_every >= '1 minute' AND isfinite(summed_every) AND summed_days BETWEEN 0 AND 3660),
  CONSTRAINT monitoring_setting_shares_are_shares CHECK (
    fall_share > 0 AND fall_share <= 1 AND zero_share > 0 AND zero_share <= 1 AND zero_rise > 0 AND zero_rise <= 1 AND cliff_share > 0 AND cliff_share <= 1),
  CONSTRAINT monitoring_setting_counts_are_some CHECK (least_users >= 1 AND nag_silent_days >= 1 AND nag_measured_days >= 1),
  CONSTRAINT monitoring_setting_refusals_wait_for_a_while CHECK (refusals_wait >= '0' AND isfinite(refusals_wait))
);
COMMENT ON TABLE public.monitoring_setting IS 'From when on something is an alert; one row, the operator''s. All of these are heuristics.';
COMMENT ON COLUMN public.monitoring_setting.is_only IS 'Always true.';
COMMENT ON COLUMN public.monitoring_setting.summed_every IS 'How often the coverage of a day is summed again; of a day that is n days old, every n times as long.';
COMMENT ON COLUMN public.monitoring_setting.summed_days IS 'How many days back the coverage is summed by the service. Older days: evidence.summarize_coverage.';
COMMENT ON COLUMN public.monitoring_setting.least_users IS 'Fewer persons than these make no alert.';
COMMENT ON COLUMN public.monitoring_setting.fall_share IS 'coverage_fall: by which share of the mean of the 14 days before the mean coverage must have fallen.';
COMMENT ON COLUMN public.monitoring_setting.zero_share IS 'fleet_of_zeros: at which share of those who were read nothing or 0 must have been found.';
COMMENT ON COLUMN public.monitoring_setting.zero_rise IS 'fleet_of_zeros: by how much that share must lie above the share of the 14 days before.';
COMMENT ON COLUMN public.monitoring_setting.cliff_share IS 'attribution_cliff: by how much the share of a reason must differ from the day before.';
COMMENT ON COLUMN public.monitoring_setting.nag_silent_days IS 'permission_nag: from how many silent days on.';
COMMENT ON COLUMN public.monitoring_setting.nag_measured_days IS 'permission_nag: how many measured days make a metric one that used to report.';
COMMENT ON COLUMN public.monitoring_setting.refusals_wait IS 'refusal_alert: for how long dead letters and quarantined entries may wait for somebody.';
COMMENT ON CONSTRAINT monitoring_setting_refusals_wait_for_a_while ON public.monitoring_setting IS 'A time that passes.';
COMMENT ON CONSTRAINT monitoring_setting_pkey ON public.monitoring_setting IS 'There is one row.';
COMMENT ON CONSTRAINT monitoring_setting_has_one_row ON public.monitoring_setting IS 'There is one row.';
COMMENT ON CONSTRAINT monitoring_setting_sums_at_a_pace ON public.monitoring_setting IS 'Not all the time, and not for ever back.';
COMMENT ON CONSTRAINT monitoring_setting_shares_are_shares ON public.monitoring_setting IS 'Above 0, at most 1.';
COMMENT ON CONSTRAINT monitoring_setting_counts_are_some ON public.monitoring_setting IS 'At least one.';
INSERT INTO public.monitoring_setting DEFAULT VALUES;

CREATE TABLE public.coverage_sum (
  local_date date NOT NULL,
  platform text COLLATE "C" NOT NULL,
  metric text COLLATE "C" NOT NULL,
  users bigint NOT NULL,
  sources bigint NOT NULL,
  heard bigint NOT NULL,
  heard_sources bigint NOT NULL,
  measured bigint NOT NULL,
  zero bigint NOT NULL,
  unknown jsonb NOT NULL,
  summed_at timestamptz NOT NULL,
  CONSTRAINT coverage_sum_pkey PRIMARY KEY (local_date, platform, metric),
  CONSTRAINT coverage_sum_counts_fit_together CHECK (zero <= measured AND measured <= heard AND heard <= users AND heard_sources <= sources),
  CONSTRAINT coverage_sum_times_are_finite CHECK (isfinite(local_date) AND isfinite(summed_at))
);
COMMENT ON TABLE public.coverage_sum IS 'What daily_metric amounts to by day, platform and metric, as it was at summed_at. Holds no person. Written by evidence.summarize_coverage; read through coverage_by_day and coverage_alert.';
COMMENT ON COLUMN public.coverage_sum.local_date IS 'The local calendar day.';
COMMENT ON COLUMN public.coverage_sum.platform IS 'Whose reading is shown; of unknown cells each platform that reports the metric. Empty: none does.';
COMMENT ON COLUMN public.coverage_sum.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.coverage_sum.users IS 'Number of persons with a cell.';
COMMENT ON COLUMN public.coverage_sum.sources IS 'Sum of their covering_sources.';
COMMENT ON COLUMN public.coverage_sum.heard IS 'Number of these of whom anything was heard: all but not_yet_synced.';
COMMENT ON COLUMN public.coverage_sum.heard_sources IS 'Sum of the covering_sources of those.';
COMMENT ON COLUMN public.coverage_sum.measured IS 'Number of measured cells, zeros too.';
COMMENT ON COLUMN public.coverage_sum.zero IS 'Number of measured zeros.';
COMMENT ON COLUMN public.coverage_sum.unknown IS 'Number of unknown cells by reason. A reason that is not there has none.';
COMMENT ON COLUMN public.coverage_sum.summed_at IS 'As of when.';
COMMENT ON CONSTRAINT coverage_sum_pkey ON public.coverage_sum IS 'One row per day, platform and metric.';
COMMENT ON CONSTRAINT coverage_sum_counts_fit_together ON public.coverage_sum IS 'A part is not more than the whole.';
COMMENT ON CONSTRAINT coverage_sum_times_are_finite ON public.coverage_sum IS 'Days and instants are real ones.';

CREATE TABLE public.coverage_day (
  local_date date NOT NULL,
  summed_at timestamptz NOT NULL,
  CONSTRAINT coverage_day_pkey PRIMARY KEY (local_date),
  CONSTRAINT coverage_day_times_are_finite CHECK (isfinite(local_date) AND isfinite(summed_at))
);
COMMENT ON TABLE public.coverage_day IS 'Which days coverage_sum has, also those that have no cell.';
COMMENT ON COLUMN public.coverage_day.local_date IS 'The local calendar day.';
COMMENT ON COLUMN public.coverage_day.summed_at IS 'When it was summed last.';
COMMENT ON CONSTRAINT coverage_day_pkey ON public.coverage_day IS 'One row per day.';
COMMENT ON CONSTRAINT coverage_day_times_are_finite ON public.coverage_day IS 'Days and instants are real ones.';
