-- compatible: no
-- 0003_evidence.sql - what each data store last said about each day, and what else is known about a person.
-- Internal: analysts read daily_metric. All keys start with user_id. Order of statements (law B1) is (read_at, payload_id, position).

CREATE TYPE evidence.slot AS ENUM (
  'value', 'licensing_zero', 'other_zero', 'boundary_zero', 'licensing_empty', 'other_empty', 'boundary_empty',
  'non_look', 'boundary_non_look', 'outside', 'looked', 'records', 'deletion');
COMMENT ON TYPE evidence.slot IS 'What kind of statement a reading row remembers. Of each kind an origin''s latest is kept; the choice among them is made when deriving. records and deletion are what the records of a day amount to; no row has them.';

CREATE TYPE evidence.outcome AS ENUM ('value', 'empty', 'failed', 'denied', 'unavailable', 'invalid', 'deleted', 'outdated');
COMMENT ON TYPE evidence.outcome IS 'What a read found out. value and empty are looks; invalid is a value that the boundary refused. deleted and outdated are what a deletion leaves: nothing, or a total that is no longer true; no reading has them.';

CREATE TYPE evidence.place AS ENUM ('inside', 'boundary', 'outside');
COMMENT ON TYPE evidence.place IS 'Where a day lay relative to the windows of what could be read.';

CREATE TYPE evidence.window_kind AS ENUM ('platform_floor', 'authorized_from', 'history_window', 'counting_since');
COMMENT ON TYPE evidence.window_kind IS 'Kinds of boundaries. A day before several of them gets the reason of the first in this order.';

CREATE TYPE evidence.permission_state AS ENUM ('granted', 'denied', 'not_asked', 'not_connected');
COMMENT ON TYPE evidence.permission_state IS 'What a platform said about access.';

CREATE TYPE evidence.presence_kind AS ENUM ('wear', 'carry', 'activity_sync');
COMMENT ON TYPE evidence.presence_kind IS 'Kinds of evidence that a source was there on a day.';

CREATE TABLE evidence.person (
  user_id uuid NOT NULL,
  zone_from timestamptz[] NOT NULL DEFAULT '{}',
  zone_name text[] NOT NULL DEFAULT '{}',
  silent_from date,
  silent_due_at timestamptz,
  CONSTRAINT person_pkey PRIMARY KEY (user_id),
  CONSTRAINT person_zones_are_pairs CHECK (cardinality(zone_from) = cardinality(zone_name)),
  CONSTRAINT person_silent_days_have_a_due_time CHECK ((silent_from IS NULL) = (silent_due_at IS NULL))
) WITH (fillfactor = 85);
COMMENT ON TABLE evidence.person IS 'One row per person, before all else. Its time zones as known now, merged from evidence.time_zone.';
COMMENT ON COLUMN evidence.person.user_id IS 'The person.';
COMMENT ON COLUMN evidence.person.zone_from IS 'Instants from which the zones in zone_name hold, ascending.';
COMMENT ON COLUMN evidence.person.zone_name IS 'IANA zones, one for each zone_from.';
COMMENT ON COLUMN evidence.person.silent_from IS 'First local date that a re-check has yet to fill where no payload mentions it; NULL: nothing is tracked.';
COMMENT ON COLUMN evidence.person.silent_due_at IS 'When silent_from is over, so that a re-check can fill it.';
COMMENT ON CONSTRAINT person_pkey ON evidence.person IS 'One row per person.';
COMMENT ON CONSTRAINT person_zones_are_pairs ON evidence.person IS 'Each zone has its beginning.';
COMMENT ON CONSTRAINT person_silent_days_have_a_due_time ON evidence.person IS 'A day that is waited for has a time at which it is over.';
CREATE INDEX person_silent_due ON evidence.person (silent_due_at) WHERE silent_due_at IS NOT NULL;
COMMENT ON INDEX evidence.person_silent_due IS 'Persons with a day to fill, by when it is over.';

CREATE TABLE evidence.origin (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  last_read_at timestamptz NOT NULL,
  last_success_at timestamptz,
  os_major integer,
  os_read_at timestamptz,
  CONSTRAINT origin_pkey PRIMARY KEY (user_id, platform_id, store),
  CONSTRAINT origin_os_major_has_its_time CHECK ((os_major IS NULL) = (os_read_at IS NULL)),
  CONSTRAINT origin_times_are_finite CHECK (isfinite(last_read_at) AND isfinite(last_success_at) AND isfinite(os_read_at))
) WITH (fillfactor = 80);
COMMENT ON TABLE evidence.origin IS 'The data stores of a person. An origin is a platform and a store of it.';
COMMENT ON COLUMN evidence.origin.user_id IS 'The person.';
COMMENT ON COLUMN evidence.origin.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.origin.store IS 'Which data store of the platform; empty: the platform has one.';
COMMENT ON COLUMN evidence.origin.last_read_at IS 'Latest read time of a merged payload.';
COMMENT ON COLUMN evidence.origin.last_success_at IS 'Latest read that looked at something (a value or an empty); NULL: never.';
COMMENT ON COLUMN evidence.origin.os_major IS 'Major version of the operating system, as the latest read stated it that said anything; the greater of two that were read at once.';
COMMENT ON COLUMN evidence.origin.os_read_at IS 'Read time of the statement in os_major; NULL: none.';
COMMENT ON CONSTRAINT origin_pkey ON evidence.origin IS 'One row per data store of a person.';
COMMENT ON CONSTRAINT origin_os_major_has_its_time ON evidence.origin IS 'A version that is known was read at some time.';
COMMENT ON CONSTRAINT origin_times_are_finite ON evidence.origin IS 'Times are instants, not infinity.';

CREATE TABLE evidence.tracking (
  user_id uuid NOT NULL,
  metric_id smallint NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  since date NOT NULL,
  CONSTRAINT tracking_pkey PRIMARY KEY (user_id, metric_id, platform_id, store)
) WITH (fillfactor = 80);
COMMENT ON TABLE evidence.tracking IS 'Which origin reports which metric, and since which local date.';
COMMENT ON COLUMN evidence.tracking.user_id IS 'The person.';
COMMENT ON COLUMN evidence.tracking.metric_id IS 'public.metric.metric_id.';
COMMENT ON COLUMN evidence.tracking.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.tracking.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.tracking.since IS 'First local date that the origin ever mentioned for the metric.';
COMMENT ON CONSTRAINT tracking_pkey ON evidence.tracking IS 'One row per metric and origin.';

CREATE TABLE evidence.reading (
  user_id uuid NOT NULL,
  local_date date NOT NULL,
  metric_id smallint NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  slot evidence.slot NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  outcome evidence.outcome NOT NULL,
  value numeric,
  sources text[] NOT NULL,
  code text,
  place evidence.place NOT NULL,
  edge evidence.window_kind,
  permission evidence.permission_state,
  is_over boolean NOT NULL,
  is_proven boolean NOT NULL,
  CONSTRAINT reading_pkey PRIMARY KEY (user_id, local_date, metric_id, platform_id, store, slot),
  CONSTRAINT reading_value_goes_with_its_outcome CHECK ((value IS NOT NULL) = (outcome = 'value')),
  CONSTRAINT reading_is_what_somebody_said CHECK (slot <= 'looked' AND outcome <= 'invalid'),
  CONSTRAINT reading_value_is_finite CHECK (abs(value) <= 1000000000000),
  CONSTRAINT reading_edge_goes_with_its_place CHECK ((edge IS NULL) = (place = 'inside')),
  CONSTRAINT reading_times_are_finite CHECK (isfinite(read_at) AND isfinite(local_date))
) PARTITION BY RANGE (local_date);
COMMENT ON TABLE evidence.reading IS 'What each origin last said about each cell: one row per kind of statement (slot). Judged once, when merged, by the windows, permissions and zones known by then.';
COMMENT ON COLUMN evidence.reading.user_id IS 'The person.';
COMMENT ON COLUMN evidence.reading.local_date IS 'The local calendar day, as the client wrote it.';
COMMENT ON COLUMN evidence.reading.metric_id IS 'public.metric.metric_id.';
COMMENT ON COLUMN evidence.reading.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.reading.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.reading.slot IS 'Kind of statement. licensing_*: could license a zero (read after the day, inside the windows, proven where needed). looked: a range that was read as a whole, which says how late its records were read.';
COMMENT ON COLUMN evidence.reading.read_at IS 'When the store was read, never later than its arrival. Orders readings, with payload_id and position.';
COMMENT ON COLUMN evidence.reading.payload_id IS 'The payload that said it.';
COMMENT ON COLUMN evidence.reading."position" IS 'Position of the entry in its payload, from 0.';
COMMENT ON COLUMN evidence.reading.outcome IS 'What the read found.';
COMMENT ON COLUMN evidence.reading.value IS 'The value in the metric''s unit; NULL with any other outcome. Never a stand-in.';
COMMENT ON COLUMN evidence.reading.sources IS 'Devices and apps that the entry names; empty: it names none.';
COMMENT ON COLUMN evidence.reading.code IS 'The platform''s own word, or why the boundary refused the value; NULL: none.';
COMMENT ON COLUMN evidence.reading.place IS 'Where the day lay relative to the windows known to the read.';
COMMENT ON COLUMN evidence.reading.edge IS 'Which window the day was not wholly inside of; NULL: inside.';
COMMENT ON COLUMN evidence.reading.permission IS 'Permission known to the read; NULL: nothing was stated.';
COMMENT ON COLUMN evidence.reading.is_over IS 'True: the day was over everywhere that the person may have been when it was read, and the entry does not say that it was cut short.';
COMMENT ON COLUMN evidence.reading.is_proven IS 'True: the same read shows that the metric could be read, or the platform does not hide denials.';
COMMENT ON CONSTRAINT reading_pkey ON evidence.reading IS 'One row per cell, origin and kind of statement; a user-day is one stretch of the index.';
COMMENT ON CONSTRAINT reading_value_goes_with_its_outcome ON evidence.reading IS 'A number if and only if the read found a value.';
COMMENT ON CONSTRAINT reading_is_what_somebody_said ON evidence.reading IS 'What records and deletions amount to is derived each time, and not kept.';
COMMENT ON CONSTRAINT reading_value_is_finite ON evidence.reading IS 'No NaN, no infinity, nothing absurd.';
COMMENT ON CONSTRAINT reading_edge_goes_with_its_place ON evidence.reading IS 'A day that is not inside says of which window.';
COMMENT ON CONSTRAINT reading_times_are_finite ON evidence.reading IS 'Days and instants are real ones.';
