-- compatible: no
-- 0016_workouts.sql - workouts: what was seen of each, without where it was, and the summary that is made of it.
-- Places are taken out before anything is stored: a summary needs the way from fix to fix, not the fixes. An hour at one fix a second takes some
-- 60 kB before compression; the sums alone would take 100 bytes, but could not be made anew under other rules.

CREATE TABLE evidence.workout (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  local_date date NOT NULL,
  source text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  is_manual boolean NOT NULL,
  fix_at integer[] NOT NULL,
  hops real[] NOT NULL,
  altitudes real[] NOT NULL,
  speeds real[] NOT NULL,
  is_exact boolean[] NOT NULL,
  beat_at integer[] NOT NULL,
  beats real[] NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT workout_pkey PRIMARY KEY (user_id, platform_id, store, id),
  CONSTRAINT workout_ends_after_it_starts CHECK (starts_at < ends_at),
  CONSTRAINT workout_arrays_are_parallel CHECK (
    cardinality(fix_at) = ALL (ARRAY[cardinality(hops), cardinality(altitudes), cardinality(speeds), cardinality(is_exact)])
    AND cardinality(beat_at) = cardinality(beats)),
  CONSTRAINT workout_times_are_finite CHECK (isfinite(local_date) AND isfinite(starts_at) AND isfinite(ends_at) AND isfinite(read_at))
);
COMMENT ON TABLE evidence.workout IS 'The latest read of each workout: its samples in parallel arrays, in the order of time, without the places. One that its platform has deleted is not kept.';
COMMENT ON COLUMN evidence.workout.user_id IS 'The person.';
COMMENT ON COLUMN evidence.workout.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.workout.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.workout.id IS 'The workout: evidence.record_key of the platform''s id.';
COMMENT ON COLUMN evidence.workout.local_date IS 'The local calendar day to which it counts, as the client wrote it.';
COMMENT ON COLUMN evidence.workout.source IS 'The device or app that wrote it; empty: none is named.';
COMMENT ON COLUMN evidence.workout.starts_at IS 'When it began.';
COMMENT ON COLUMN evidence.workout.ends_at IS 'When it ended.';
COMMENT ON COLUMN evidence.workout.is_manual IS 'True: entered by hand.';
COMMENT ON COLUMN evidence.workout.fix_at IS 'Fixes: milliseconds since the start, no two alike.';
COMMENT ON COLUMN evidence.workout.hops IS 'Metres from the fix before; NULL: it is the first.';
COMMENT ON COLUMN evidence.workout.altitudes IS 'Metres above sea level; NULL: unknown.';
COMMENT ON COLUMN evidence.workout.speeds IS 'Metres per second; NULL: unknown, 0: standing still.';
COMMENT ON COLUMN evidence.workout.is_exact IS 'Whether the speed came with an accuracy.';
COMMENT ON COLUMN evidence.workout.beat_at IS 'Heart rates: milliseconds since the start; negative: before it.';
COMMENT ON COLUMN evidence.workout.beats IS 'Beats per minute.';
COMMENT ON COLUMN evidence.workout.read_at IS 'When the store was read. Orders the reads of a workout, with payload_id and position.';
COMMENT ON COLUMN evidence.workout.payload_id IS 'The payload that it came with.';
COMMENT ON COLUMN evidence.workout."position" IS 'Position of the entry in its payload, from 0.';
COMMENT ON CONSTRAINT workout_pkey ON evidence.workout IS 'Of each workout the latest read.';
COMMENT ON CONSTRAINT workout_ends_after_it_starts ON evidence.workout IS 'A workout lasts.';
COMMENT ON CONSTRAINT workout_arrays_are_parallel ON evidence.workout IS 'Every array has one element for each fix, or for each heart rate.';
COMMENT ON CONSTRAINT workout_times_are_finite ON evidence.workout IS 'Days and instants are real ones.';

CREATE TABLE public.workout_summary (
  user_id uuid NOT NULL,
  platform text COLLATE "C" NOT NULL,
  store text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  local_date date NOT NULL,
  source text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  is_manual boolean NOT NULL,
  distance numeric,
  distance_coverage numeric NOT NULL,
  average_speed numeric,
  average_speed_coverage numeric NOT NULL,
  speed_without_accuracy numeric,
  elevation_gain numeric,
  elevation_gain_coverage numeric NOT NULL,
  average_heart_rate numeric,
  average_heart_rate_coverage numeric NOT NULL,
  observed_at timestamptz NOT NULL,
  rule_version integer NOT NULL,
  CONSTRAINT workout_summary_pkey PRIMARY KEY (user_id, platform, store, id),
  CONSTRAINT workout_summary_ends_after_it_starts CHECK (starts_at < ends_at),
  CONSTRAINT workout_summary_coverage_is_a_fraction CHECK (distance_coverage BETWEEN 0 AND 1 AND average_speed_coverage BETWEEN 0 AND 1
    AND elevation_gain_coverage BETWEEN 0 AND 1 AND average_heart_rate_coverage BETWEEN 0 AND 1 AND speed_without_accuracy BETWEEN 0 AND 1),
  CONSTRAINT workout_summary_has_a_distance_if_and_only_if_it_was_seen CHECK ((distance IS NOT NULL) = (distance_coverage > 0)),
  CONSTRAINT workout_summary_has_a_speed_if_and_only_if_it_was_seen CHECK ((average_speed IS NOT NULL) = (average_speed_coverage > 0)),
  CONSTRAINT workout_summary_has_a_gain_if_and_only_if_it_was_seen CHECK ((elevation_gain IS NOT NULL) = (elevation_gain_coverage > 0)),
  CONSTRAINT workout_summary_has_a_heart_rate_if_and_only_if_it_was_seen CHECK ((average_heart_rate IS NOT NULL) = (average_heart_rate_coverage > 0)),
  CONSTRAINT workout_summary_says_how_exact_a_speed_is CHECK ((speed_without_accuracy IS NOT NULL) = (average_speed IS NOT NULL)),
  CONSTRAINT workout_summary_values_are_finite CHECK (distance BETWEEN 0 AND 1000000000000 AND average_speed BETWEEN 0 AND 1000000000000
    AND elevation_gain BETWEEN 0 AND 1000000000000 AND average_heart_rate BETWEEN 0 AND 1000000000000),
  CONSTRAINT workout_summary_heart_beats CHECK (average_heart_rate > 0),
  CONSTRAINT workout_summary_times_are_finite CHECK (isfinite(local_date) AND isfinite(starts_at) AND isfinite(ends_at) AND isfinite(observed_at))
);
COMMENT ON TABLE public.workout_summary IS 'Workouts, each quantity together with its coverage: the fraction of the workout''s seconds that it was computed from. Two devices that recorded one workout are two rows; workout_count and workout_minutes in daily_metric count it once.';
COMMENT ON COLUMN public.workout_summary.user_id IS 'The person.';
COMMENT ON COLUMN public.workout_summary.platform IS 'The platform, as in the table platform.';
COMMENT ON COLUMN public.workout_summary.store IS 'Which data store of the platform; empty: it has one.';
COMMENT ON COLUMN public.workout_summary.id IS 'The workout: the platform''s id if that is a UUID, else a hash of it.';
COMMENT ON COLUMN public.workout_summary.local_date IS 'The local calendar day to which it counts, as the client wrote it.';
COMMENT ON COLUMN public.workout_summary.source IS 'The device or app that wrote it; empty: none is named.';
COMMENT ON COLUMN public.workout_summary.starts_at IS 'When it began.';
COMMENT ON COLUMN public.workout_summary.ends_at IS 'When it ended.';
COMMENT ON COLUMN public.workout_summary.is_manual IS 'True: entered by hand.';
COMMENT ON COLUMN public.workout_summary.distance IS 'Metres; a lower bound where the coverage is below 1. NULL: no distance data. 0: seen, and did not move.';
COMMENT ON COLUMN public.workout_summary.distance_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';
COMMENT ON COLUMN public.workout_summary.average_speed IS 'Metres per second over the covered time. NULL: no speed data.';
COMMENT ON COLUMN public.workout_summary.average_speed_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';
COMMENT ON COLUMN public.workout_summary.speed_without_accuracy IS 'Fraction of the time behind the average speed in which speeds came without an accuracy. NULL: no speed data.';
COMMENT ON COLUMN public.workout_summary.elevation_gain IS 'Metres up; a lower bound where the coverage is below 1. NULL: no elevation data. 0: seen, and flat.';
COMMENT ON COLUMN public.workout_summary.elevation_gain_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';
COMMENT ON COLUMN public.workout_summary.average_heart_rate IS 'Beats per minute over the covered time. NULL: no heart rate data.';
COMMENT ON COLUMN public.workout_summary.average_heart_rate_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';
COMMENT ON COLUMN public.workout_summary.observed_at IS 'When it was read.';
COMMENT ON COLUMN public.workout_summary.rule_version IS 'Version of the rules of docs/workouts.md that made it.';
COMMENT ON CONSTRAINT workout_summary_pkey ON public.workout_summary IS 'One row per workout.';
COMMENT ON CONSTRAINT workout_summary_ends_after_it_starts ON public.workout_summary IS 'A workout lasts.';
COMMENT ON CONSTRAINT workout_summary_coverage_is_a_fraction ON public.workout_summary IS 'Nobody sees more of a workout than there is.';
COMMENT ON CONSTRAINT workout_summary_has_a_distance_if_and_only_if_it_was_seen ON public.workout_summary IS 'No value without coverage, no coverage without a value.';
COMMENT ON CONSTRAINT workout_summary_has_a_speed_if_and_only_if_it_was_seen ON public.workout_summary IS 'No value without coverage, no coverage without a value.';
COMMENT ON CONSTRAINT workout_summary_has_a_gain_if_and_only_if_it_was_seen ON public.workout_summary IS 'No elevation data is not 0 m.';
COMMENT ON CONSTRAINT workout_summary_has_a_heart_rate_if_and_only_if_it_was_seen ON public.workout_summary IS 'No value without coverage, no coverage without a value.';
COMMENT ON CONSTRAINT workout_summary_says_how_exact_a_speed_is ON public.workout_summary IS 'A speed without an accuracy counts, and its share is reported.';
COMMENT ON CONSTRAINT workout_summary_values_are_finite ON public.workout_summary IS 'No NaN, no infinity, nothing below zero.';
COMMENT ON CONSTRAINT workout_summary_heart_beats ON public.workout_summary IS 'No pulse is no measurement.';
COMMENT ON CONSTRAINT workout_summary_times_are_finite ON public.workout_summary IS 'Days and instants are real ones.';
CREATE INDEX workout_summary_by_day ON public.workout_summary (user_id, local_date);
COMMENT ON INDEX public.workout_summary_by_day IS 'A person''s workouts of some days.';

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY '{fix_at,hops,altitudes,speeds,is_exact,beat_at,beats}'::text[] LOOP
    EXECUTE format('ALTER TABLE evidence.workout ALTER COLUMN %I SET COMPRESSION lz4', name);
  END LOOP;
EXCEPTION
  WHEN feature_not_supported THEN
    RAISE NOTICE 'This server was built without lz4: samples are packed by pglz, which takes more time.';
END $$;
