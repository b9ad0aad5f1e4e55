-- compatible: no
-- 0015_hours.sql - what was seen of single hours: a value together with the minutes that it covers.
-- Not partitioned: hours are asked for by person and day, and few clients send them.

CREATE TABLE evidence.hour (
  user_id uuid NOT NULL,
  local_date date NOT NULL,
  metric_id smallint NOT NULL,
  local_hour smallint NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  kind smallint NOT NULL,
  value numeric,
  covered_minutes smallint NOT NULL,
  minutes smallint NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT hour_pkey PRIMARY KEY (user_id, local_date, metric_id, local_hour, platform_id, store, kind),
  CONSTRAINT hour_is_one_of_a_clock CHECK (local_hour BETWEEN 0 AND 23),
  CONSTRAINT hour_kind_says_what_the_value_is CHECK (kind = CASE WHEN value IS NULL THEN 0 WHEN value = 0 THEN 1 ELSE 2 END),
  CONSTRAINT hour_has_a_value_if_and_only_if_it_was_seen CHECK ((value IS NOT NULL) = (covered_minutes > 0)),
  CONSTRAINT hour_covers_no_more_than_it_lasted CHECK (covered_minutes BETWEEN 0 AND minutes AND minutes BETWEEN 1 AND 1500),
  CONSTRAINT hour_value_is_finite CHECK (abs(value) <= 1000000000000),
  CONSTRAINT hour_times_are_finite CHECK (isfinite(local_date) AND isfinite(read_at))
);
COMMENT ON TABLE evidence.hour IS 'What each origin last said of each hour, one row per kind of statement: the choice among them, and what a deletion takes away, is made when deriving.';
COMMENT ON COLUMN evidence.hour.user_id IS 'The person.';
COMMENT ON COLUMN evidence.hour.local_date IS 'The local calendar day, as the client wrote it.';
COMMENT ON COLUMN evidence.hour.metric_id IS 'public.metric.metric_id.';
COMMENT ON COLUMN evidence.hour.local_hour IS 'The hour that the clock showed, 0 to 23.';
COMMENT ON COLUMN evidence.hour.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.hour.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.hour.kind IS '2: a value that is not zero. 1: zero. 0: nothing was seen of the hour.';
COMMENT ON COLUMN evidence.hour.value IS 'Value in the metric''s unit over the covered minutes. NULL: nothing was seen.';
COMMENT ON COLUMN evidence.hour.covered_minutes IS 'How many minutes of the hour were seen.';
COMMENT ON COLUMN evidence.hour.minutes IS 'How many minutes the hour lasted: 60, or 120 where the clock showed it twice.';
COMMENT ON COLUMN evidence.hour.read_at IS 'When the store was read. Orders statements, with payload_id and position.';
COMMENT ON COLUMN evidence.hour.payload_id IS 'The payload that said so.';
COMMENT ON COLUMN evidence.hour."position" IS 'Position of the entry in its payload, from 0.';
COMMENT ON CONSTRAINT hour_pkey ON evidence.hour IS 'Of each kind of statement the latest.';
COMMENT ON CONSTRAINT hour_is_one_of_a_clock ON evidence.hour IS 'Clocks show no other hours, whatever the length of the day.';
COMMENT ON CONSTRAINT hour_kind_says_what_the_value_is ON evidence.hour IS 'A zero is no silence.';
COMMENT ON CONSTRAINT hour_has_a_value_if_and_only_if_it_was_seen ON evidence.hour IS 'No value without coverage, no coverage without a value.';
COMMENT ON CONSTRAINT hour_covers_no_more_than_it_lasted ON evidence.hour IS 'Nobody sees more of an hour than there is.';
COMMENT ON CONSTRAINT hour_value_is_finite ON evidence.hour IS 'No NaN, no infinity, nothing absurd.';
COMMENT ON CONSTRAINT hour_times_are_finite ON evidence.hour IS 'Days and instants are real ones.';

CREATE TABLE public.hourly_metric (
  user_id uuid NOT NULL,
  metric text COLLATE "C" NOT NULL,
  local_date date NOT NULL,
  local_hour smallint NOT NULL,
  value numeric,
  covered_minutes smallint NOT NULL,
  minutes smallint NOT NULL,
  platform text COLLATE "C" NOT NULL,
  observed_at timestamptz NOT NULL,
  CONSTRAINT hourly_metric_pkey PRIMARY KEY (user_id, metric, local_date, local_hour),
  CONSTRAINT hourly_metric_hour_is_one_of_a_clock CHECK (local_hour BETWEEN 0 AND 23),
  CONSTRAINT hourly_metric_has_a_value_if_and_only_if_it_was_seen CHECK ((value IS NOT NULL) = (covered_minutes > 0)),
  CONSTRAINT hourly_metric_covers_no_more_than_it_lasted CHECK (covered_minutes BETWEEN 0 AND minutes AND minutes BETWEEN 1 AND 1500),
  CONSTRAINT hourly_metric_value_is_finite CHECK (abs(value) <= 1000000000000),
  CONSTRAINT hourly_metric_times_are_finite CHECK (isfinite(local_date) AND isfinite(observed_at))
);
COMMENT ON TABLE public.hourly_metric IS 'What was seen of single hours of a metric: a value together with the minutes that it covers. A missing row means that nothing was ever said about the hour. Of several platforms one counts, never the sum.';
COMMENT ON COLUMN public.hourly_metric.user_id IS 'The person.';
COMMENT ON COLUMN public.hourly_metric.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.hourly_metric.local_date IS 'The local calendar day, as the client wrote it.';
COMMENT ON COLUMN public.hourly_metric.local_hour IS 'The hour that the clock showed, 0 to 23. An hour that the clock showed twice is one row with more minutes; one that it left out has none.';
COMMENT ON COLUMN public.hourly_metric.value IS 'Value over the covered minutes, in metric.unit; of a sum a lower bound of the hour unless all of its minutes are covered. 0 is a measured zero. NULL: nothing was seen.';
COMMENT ON COLUMN public.hourly_metric.covered_minutes IS 'How many minutes of the hour were seen; 0: none.';
COMMENT ON COLUMN public.hourly_metric.minutes IS 'How many minutes the hour lasted.';
COMMENT ON COLUMN public.hourly_metric.platform IS 'The platform that said so, as in the table platform.';
COMMENT ON COLUMN public.hourly_metric.observed_at IS 'When it was read there.';
COMMENT ON CONSTRAINT hourly_metric_pkey ON public.hourly_metric IS 'One row per hour of a metric.';
COMMENT ON CONSTRAINT hourly_metric_hour_is_one_of_a_clock ON public.hourly_metric IS 'Clocks show no other hours, whatever the length of the day.';
COMMENT ON CONSTRAINT hourly_metric_has_a_value_if_and_only_if_it_was_seen ON public.hourly_metric IS 'No value without coverage, no coverage without a value.';
COMMENT ON CONSTRAINT hourly_metric_covers_no_more_than_it_lasted ON public.hourly_metric IS 'Nobody sees more of an hour than there is.';
COMMENT ON CONSTRAINT hourly_metric_value_is_finite ON public.hourly_metric IS 'No NaN, no infinity, nothing absurd.';
COMMENT ON CONSTRAINT hourly_metric_times_are_finite ON public.hourly_metric IS 'Days and instants are real ones.';
