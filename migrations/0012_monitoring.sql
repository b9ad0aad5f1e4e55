-- compatible: no
-- 0012_monitoring.sql - what others follow: which cells have changed, for services downstream; coverage summed by day, for operators.

CREATE TABLE evidence.cell_change (
  user_id uuid NOT NULL,
  change_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  transaction_id xid8 NOT NULL,
  changed_at timestamptz NOT NULL,
  metric_ids smallint[] NOT NULL,
  days date[] NOT NULL,
  CONSTRAINT cell_change_pkey PRIMARY KEY (user_id, change_id),
  CONSTRAINT cell_change_names_both_halves_of_each_cell CHECK (cardinality(metric_ids) = cardinality(days) AND cardinality(days) > 0),
  CONSTRAINT cell_change_time_is_finite CHECK (isfinite(changed_at))
) WITH (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.2
);
COMMENT ON TABLE evidence.cell_change IS 'Which cells of daily_metric were added, changed or removed, in which transaction; what they became stands in daily_metric. Written by evidence.derive, read by changes_since, kept for feed_horizon.kept_for.';
COMMENT ON COLUMN evidence.cell_change.user_id IS 'The person.';
COMMENT ON COLUMN evidence.cell_change.change_id IS 'Order within a transaction. Not the order in which transactions commit.';
COMMENT ON COLUMN evidence.cell_change.transaction_id IS 'The transaction that changed the cells. All transactions below the oldest running one are over, so that their changes are all there: up to it the feed is read, and nothing is skipped, whatever the order of commits.';
COMMENT ON COLUMN evidence.cell_change.changed_at IS 'The instant taken for now when they changed.';
COMMENT ON COLUMN evidence.cell_change.metric_ids IS 'public.metric.metric_id of each cell.';
COMMENT ON COLUMN evidence.cell_change.days IS 'Local calendar day of each cell, in the same order.';
COMMENT ON CONSTRAINT cell_change_pkey ON evidence.cell_change IS 'By person, so that a person can be forgotten.';
COMMENT ON CONSTRAINT cell_change_names_both_halves_of_each_cell ON evidence.cell_change IS 'Each cell has a metric and a day, and there is one at least.';
COMMENT ON CONSTRAINT cell_change_time_is_finite ON evidence.cell_change IS 'Times are instants, not infinity.';
CREATE INDEX cell_change_order ON evidence.cell_change (transaction_id, change_id);
COMMENT ON INDEX evidence.cell_change_order IS 'The order of the feed.';

CREATE TABLE public.feed_horizon (
  is_only boolean NOT NULL DEFAULT true,
  kept_for interval NOT NULL DEFAULT '14 days',
  era text COLLATE "C",
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
COMMENT ON COLUMN public.feed_horizon.transaction_id IS 'Place of the latest change that is not kept any more: its transaction. NULL: all are kept.';
COMMENT ON COLUMN public.feed_horizon.change_id IS 'Its number. NULL: all are kept.';
COMMENT ON COLUMN public.feed_horizon.cells IS 'Its number of cells. NULL: all are kept.';
COMMENT ON CONSTRAINT feed_horizon_pkey ON public.feed_horizon IS 'There is one row.';
COMMENT ON CONSTRAINT feed_horizon_has_one_row ON public.feed_horizon IS 'There is one row.';
COMMENT ON CONSTRAINT feed_horizon_keeps_changes_for_a_while ON public.feed_horizon IS 'A feed that forgets at once is none.';
COMMENT ON CONSTRAINT feed_horizon_is_a_whole_place_or_none ON public.feed_horizon IS 'A place has all its parts.';
INSERT INTO public.feed_horizon DEFAULT VALUES;
