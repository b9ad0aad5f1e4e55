-- compatible: no
-- 0008_records.sql - the records behind a day, and what their platforms have deleted.
-- Internal, like 0003. Laws: E1 to E4 (deletions), B1 (order).

CREATE TABLE evidence.record_day (
  user_id uuid NOT NULL,
  local_date date NOT NULL,
  metric_id smallint NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  chunk integer NOT NULL,
  ids uuid[] NOT NULL DEFAULT '{}',
  "values" numeric[] NOT NULL DEFAULT '{}',
  sources text[] NOT NULL DEFAULT '{}',
  starts timestamptz[] NOT NULL DEFAULT '{}',
  ends timestamptz[] NOT NULL DEFAULT '{}',
  is_manual boolean[] NOT NULL DEFAULT '{}',
  reads timestamptz[] NOT NULL DEFAULT '{}',
  payloads uuid[] NOT NULL DEFAULT '{}',
  positions integer[] NOT NULL DEFAULT '{}',
  places evidence.place[] NOT NULL DEFAULT '{}',
  edges evidence.window_kind[] NOT NULL DEFAULT '{}',
  is_over boolean[] NOT NULL DEFAULT '{}',
  is_proven boolean[] NOT NULL DEFAULT '{}',
  deleted timestamptz[] NOT NULL DEFAULT '{}',
  CONSTRAINT record_day_pkey PRIMARY KEY (user_id, local_date, metric_id, platform_id, store, chunk),
  CONSTRAINT record_day_chunk_is_bounded CHECK (chunk >= 0 AND cardinality(ids) <= 64),
  CONSTRAINT record_day_arrays_are_parallel CHECK (
    cardinality(ids) = ALL (ARRAY[cardinality("values"), cardinality(sources), cardinality(starts), cardinality(ends), cardinality(is_manual),
      cardinality(reads), cardinality(payloads), cardinality(positions), cardinality(places), cardinality(edges), cardinality(is_over),
      cardinality(is_proven), cardinality(deleted)])),
  CONSTRAINT record_day_values_are_finite CHECK (1000000000000 >= ALL ("values") AND -1000000000000 <= ALL ("values")),
  CONSTRAINT record_day_times_are_finite CHECK (isfinite(local_date) AND 'infinity' > ALL (reads) AND '-infinity' < ALL (reads)
    AND 'infinity' > ALL (deleted) AND '-infinity' < ALL (deleted))
) PARTITION BY RANGE (local_date);
COMMENT ON TABLE evidence.record_day IS 'The records of a person''s day, metric and origin, packed into parallel arrays, one element per record, ordered by id. A record is where its latest read put it, and nowhere else. A row without records says that the origin once had one here.';
COMMENT ON COLUMN evidence.record_day.user_id IS 'The person.';
COMMENT ON COLUMN evidence.record_day.local_date IS 'The local calendar day, as the client wrote it.';
COMMENT ON COLUMN evidence.record_day.metric_id IS 'public.metric.metric_id.';
COMMENT ON COLUMN evidence.record_day.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.record_day.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.record_day.chunk IS 'Number of the row within its day, from 0: a day with many records has several rows. Which record is in which says nothing.';
COMMENT ON COLUMN evidence.record_day.ids IS 'The records: evidence.record_key of the platform''s id.';
COMMENT ON COLUMN evidence.record_day."values" IS 'Values in the metric''s unit; NULL: the record has none.';
COMMENT ON COLUMN evidence.record_day.sources IS 'The device or app that each record names; empty: none.';
COMMENT ON COLUMN evidence.record_day.starts IS 'When what was recorded began; NULL: not stated.';
COMMENT ON COLUMN evidence.record_day.ends IS 'When what was recorded ended; NULL: not stated.';
COMMENT ON COLUMN evidence.record_day.is_manual IS 'True: entered by hand.';
COMMENT ON COLUMN evidence.record_day.reads IS 'When the store was read, never later than its arrival. Orders the reads of a record, with payloads and positions.';
COMMENT ON COLUMN evidence.record_day.payloads IS 'The payload that each record came with.';
COMMENT ON COLUMN evidence.record_day.positions IS 'Position of the entry in its payload, from 0.';
COMMENT ON COLUMN evidence.record_day.places IS 'Where the day lay relative to the windows known to the read.';
COMMENT ON COLUMN evidence.record_day.edges IS 'Which window the day was not wholly inside of; NULL: inside.';
COMMENT ON COLUMN evidence.record_day.is_over IS 'True: the day was over everywhere that the person may have been when it was read.';
COMMENT ON COLUMN evidence.record_day.is_proven IS 'True: the same read shows that the metric could be read, or the platform does not hide denials.';
COMMENT ON COLUMN evidence.record_day.deleted IS 'Read time of the earliest deletion of the record by its id, as in evidence.deleted_record; NULL: none is known.';
COMMENT ON CONSTRAINT record_day_pkey ON evidence.record_day IS 'A user-day is one stretch of the index.';
COMMENT ON CONSTRAINT record_day_chunk_is_bounded ON evidence.record_day IS 'At most 64 records in a row, so that one more rewrites little.';
COMMENT ON CONSTRAINT record_day_arrays_are_parallel ON evidence.record_day IS 'Every array has one element for each record.';
COMMENT ON CONSTRAINT record_day_values_are_finite ON evidence.record_day IS 'No NaN, no infinity, nothing absurd.';
COMMENT ON CONSTRAINT record_day_times_are_finite ON evidence.record_day IS 'Days and instants are real ones.';

CREATE VIEW evidence.record AS
SELECT d.user_id, d.local_date, d.metric_id, d.platform_id, d.store, d.chunk, r.*
FROM evidence.record_day d
CROSS JOIN LATERAL unnest(d.ids, d."values", d.sources, d.starts, d.ends, d.is_manual, d.reads, d.payloads, d.positions,
    d.places, d.edges, d.is_over, d.is_proven, d.deleted)
  AS r (id, value, source, starts_at, ends_at, is_manual, read_at, payload_id, "position", place, edge, is_over, is_proven, deleted_at);
COMMENT ON VIEW evidence.record IS 'evidence.record_day with one row per record.';

CREATE TABLE evidence.record_id (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  local_date date NOT NULL,
  metric_id smallint NOT NULL,
  chunk integer NOT NULL,
  CONSTRAINT record_id_pkey PRIMARY KEY (user_id, platform_id, store, id)
);
COMMENT ON TABLE evidence.record_id IS 'In which row of evidence.record_day each record is. Bigger than the records themselves, because they are packed and this is not; but finding or adding one costs a hundredth of a millisecond, however many the person has.';
COMMENT ON COLUMN evidence.record_id.user_id IS 'The person.';
COMMENT ON COLUMN evidence.record_id.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.record_id.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.record_id.id IS 'The record: evidence.record_key of the platform''s id.';
COMMENT ON COLUMN evidence.record_id.local_date IS 'The day of the row.';
COMMENT ON COLUMN evidence.record_id.metric_id IS 'The metric of the row.';
COMMENT ON COLUMN evidence.record_id.chunk IS 'The number of the row within its day.';
COMMENT ON CONSTRAINT record_id_pkey ON evidence.record_id IS 'A record is in one place.';

CREATE TABLE evidence.former_record (
  user_id uuid NOT NULL,
  local_date date NOT NULL,
  metric_id smallint NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  value numeric,
  source text NOT NULL,
  starts_at timestamptz,
  ends_at timestamptz,
  is_manual boolean NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  place evidence.place NOT NULL,
  edge evidence.window_kind,
  is_over boolean NOT NULL,
  is_proven boolean NOT NULL,
  CONSTRAINT former_record_pkey PRIMARY KEY (user_id, platform_id, store, id, local_date, metric_id),
  CONSTRAINT former_record_value_is_finite CHECK (abs(value) <= 1000000000000),
  CONSTRAINT former_record_times_are_finite CHECK (isfinite(local_date) AND isfinite(read_at))
);
COMMENT ON TABLE evidence.former_record IS 'Records in cells where they are not: another read of the id names another day or metric. Of each cell the latest read. Counts nowhere; decides where a record was when it was deleted (E3), and whose history then forgets it.';
COMMENT ON COLUMN evidence.former_record.user_id IS 'The person.';
COMMENT ON COLUMN evidence.former_record.local_date IS 'The local calendar day that the read names.';
COMMENT ON COLUMN evidence.former_record.metric_id IS 'public.metric.metric_id.';
COMMENT ON COLUMN evidence.former_record.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.former_record.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.former_record.id IS 'The record: evidence.record_key of the platform''s id.';
COMMENT ON COLUMN evidence.former_record.value IS 'Value in the metric''s unit; NULL: the record has none.';
COMMENT ON COLUMN evidence.former_record.source IS 'The device or app that it names; empty: none.';
COMMENT ON COLUMN evidence.former_record.starts_at IS 'When what was recorded began; NULL: not stated.';
COMMENT ON COLUMN evidence.former_record.ends_at IS 'When what was recorded ended; NULL: not stated.';
COMMENT ON COLUMN evidence.former_record.is_manual IS 'True: entered by hand.';
COMMENT ON COLUMN evidence.former_record.read_at IS 'When the store was read.';
COMMENT ON COLUMN evidence.former_record.payload_id IS 'The payload that it came with.';
COMMENT ON COLUMN evidence.former_record."position" IS 'Position of the entry in its payload, from 0.';
COMMENT ON COLUMN evidence.former_record.place IS 'As in record_day.';
COMMENT ON COLUMN evidence.former_record.edge IS 'As in record_day.';
COMMENT ON COLUMN evidence.former_record.is_over IS 'As in record_day.';
COMMENT ON COLUMN evidence.former_record.is_proven IS 'As in record_day.';
COMMENT ON CONSTRAINT former_record_pkey ON evidence.former_record IS 'By record, because it is looked for when the record is deleted.';
COMMENT ON CONSTRAINT former_record_value_is_finite ON evidence.former_record IS 'No NaN, no infinity, nothing absurd.';
COMMENT ON CONSTRAINT former_record_times_are_finite ON evidence.former_record IS 'Days and instants are real ones.';

CREATE TABLE evidence.deleted_record (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  read_at timestamptz NOT NULL,
  CONSTRAINT deleted_record_pkey PRIMARY KEY (user_id, platform_id, store, id),
  CONSTRAINT deleted_record_time_is_finite CHECK (isfinite(read_at))
);
COMMENT ON TABLE evidence.deleted_record IS 'Records that their platform has deleted, known ones and unknown ones. Kept for ever: a record that comes later than its deletion never counts.';
COMMENT ON COLUMN evidence.deleted_record.user_id IS 'The person.';
COMMENT ON COLUMN evidence.deleted_record.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.deleted_record.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.deleted_record.id IS 'The record: evidence.record_key of the platform''s id.';
COMMENT ON COLUMN evidence.deleted_record.read_at IS 'Read time of the earliest payload that says so; platforms repeat old deletions.';
COMMENT ON CONSTRAINT deleted_record_pkey ON evidence.deleted_record IS 'One row per record.';
COMMENT ON CONSTRAINT deleted_record_time_is_finite ON evidence.deleted_record IS 'Times are instants, not infinity.';

CREATE TABLE evidence.deleted_interval (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  metric_id smallint NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  CONSTRAINT deleted_interval_pkey PRIMARY KEY (user_id, platform_id, store, metric_id, starts_at, ends_at, read_at),
  CONSTRAINT deleted_interval_times_are_finite CHECK (isfinite(starts_at) AND isfinite(ends_at) AND isfinite(read_at)),
  CONSTRAINT deleted_interval_ends_after_it_starts CHECK (starts_at <= ends_at)
);
COMMENT ON TABLE evidence.deleted_interval IS 'Stretches of time of which a platform has deleted everything of a metric, as it was at read_at.';
COMMENT ON COLUMN evidence.deleted_interval.user_id IS 'The person.';
COMMENT ON COLUMN evidence.deleted_interval.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.deleted_interval.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.deleted_interval.metric_id IS 'public.metric.metric_id.';
COMMENT ON COLUMN evidence.deleted_interval.starts_at IS 'Beginning of the stretch.';
COMMENT ON COLUMN evidence.deleted_interval.ends_at IS 'End of the stretch.';
COMMENT ON COLUMN evidence.deleted_interval.read_at IS 'Read time of the payload that says so. What was read later stands.';
COMMENT ON CONSTRAINT deleted_interval_pkey ON evidence.deleted_interval IS 'Each deletion counts once.';
COMMENT ON CONSTRAINT deleted_interval_times_are_finite ON evidence.deleted_interval IS 'Times are instants, not infinity.';
COMMENT ON CONSTRAINT deleted_interval_ends_after_it_starts ON evidence.deleted_interval IS 'A stretch may be an instant, but not the other way round.';
