-- compatible: no
-- 0004_statements.sql - what payloads state about a person besides readings: zones, windows, permissions, presence, backfills;
-- and the work list of the re-check. Statements are kept with the instant of their read, so that each reading is judged by what was known to it.

CREATE TABLE evidence.time_zone (
  user_id uuid NOT NULL,
  valid_from timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  zone_name text NOT NULL,
  CONSTRAINT time_zone_pkey PRIMARY KEY (user_id, valid_from, read_at, payload_id, "position")
);
COMMENT ON TABLE evidence.time_zone IS 'Statements about the time zone of a person from an instant on. Of the same instant the latest statement wins.';
COMMENT ON COLUMN evidence.time_zone.user_id IS 'The person.';
COMMENT ON COLUMN evidence.time_zone.valid_from IS 'From when on; -infinity: always.';
COMMENT ON COLUMN evidence.time_zone.read_at IS 'Read time of the payload that stated it.';
COMMENT ON COLUMN evidence.time_zone.payload_id IS 'The payload that stated it.';
COMMENT ON COLUMN evidence.time_zone."position" IS 'Position in its payload.';
COMMENT ON COLUMN evidence.time_zone.zone_name IS 'IANA name.';
COMMENT ON CONSTRAINT time_zone_pkey ON evidence.time_zone IS 'One row per statement.';

CREATE TABLE evidence.read_window (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  metric_id smallint NOT NULL,
  kind evidence.window_kind NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  boundary timestamptz,
  CONSTRAINT read_window_pkey PRIMARY KEY (user_id, platform_id, store, metric_id, kind, read_at, payload_id, "position"),
  CONSTRAINT read_window_boundary_is_finite CHECK (isfinite(boundary))
);
COMMENT ON TABLE evidence.read_window IS 'Statements about the boundaries of what an origin can be asked for.';
COMMENT ON COLUMN evidence.read_window.user_id IS 'The person.';
COMMENT ON COLUMN evidence.read_window.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.read_window.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.read_window.metric_id IS 'The metric; 0: all metrics of the origin.';
COMMENT ON COLUMN evidence.read_window.kind IS 'Kind of boundary.';
COMMENT ON COLUMN evidence.read_window.read_at IS 'Read time of the payload that stated it.';
COMMENT ON COLUMN evidence.read_window.payload_id IS 'The payload that stated it.';
COMMENT ON COLUMN evidence.read_window."position" IS 'Position in its payload.';
COMMENT ON COLUMN evidence.read_window.boundary IS 'Nothing before this instant can be read; NULL: the boundary is lifted.';
COMMENT ON CONSTRAINT read_window_pkey ON evidence.read_window IS 'One row per statement.';
COMMENT ON CONSTRAINT read_window_boundary_is_finite ON evidence.read_window IS 'A boundary is an instant.';

CREATE TABLE evidence.permission (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  metric_id smallint NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  state evidence.permission_state NOT NULL,
  since timestamptz,
  CONSTRAINT permission_pkey PRIMARY KEY (user_id, platform_id, store, metric_id, read_at, payload_id, "position"),
  CONSTRAINT permission_since_is_finite CHECK (isfinite(since))
);
COMMENT ON TABLE evidence.permission IS 'Statements of platforms about access.';
COMMENT ON COLUMN evidence.permission.user_id IS 'The person.';
COMMENT ON COLUMN evidence.permission.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.permission.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.permission.metric_id IS 'The metric; 0: all metrics of the origin.';
COMMENT ON COLUMN evidence.permission.read_at IS 'Read time of the payload that stated it.';
COMMENT ON COLUMN evidence.permission.payload_id IS 'The payload that stated it.';
COMMENT ON COLUMN evidence.permission."position" IS 'Position in its payload.';
COMMENT ON COLUMN evidence.permission.state IS 'The state.';
COMMENT ON COLUMN evidence.permission.since IS 'Holds for days that end after this instant; NULL: for all days.';
COMMENT ON CONSTRAINT permission_pkey ON evidence.permission IS 'One row per statement.';
COMMENT ON CONSTRAINT permission_since_is_finite ON evidence.permission IS 'A beginning is an instant.';

CREATE TABLE evidence.presence (
  user_id uuid NOT NULL,
  local_date date NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  kind evidence.presence_kind NOT NULL,
  minutes integer,
  CONSTRAINT presence_pkey PRIMARY KEY (user_id, local_date, platform_id, store, source, kind),
  CONSTRAINT presence_minutes_are_some CHECK (minutes BETWEEN 1 AND 1500)
);
COMMENT ON TABLE evidence.presence IS 'Evidence that a source was worn or carried on a day. Entries of 0 minutes are none and are not kept.';
COMMENT ON COLUMN evidence.presence.user_id IS 'The person.';
COMMENT ON COLUMN evidence.presence.local_date IS 'The local calendar day.';
COMMENT ON COLUMN evidence.presence.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.presence.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.presence.source IS 'The device or app.';
COMMENT ON COLUMN evidence.presence.kind IS 'Worn, carried, or an activity was synced.';
COMMENT ON COLUMN evidence.presence.minutes IS 'Longest stated time in minutes; NULL: not stated.';
COMMENT ON CONSTRAINT presence_pkey ON evidence.presence IS 'One row per day, source and kind.';
COMMENT ON CONSTRAINT presence_minutes_are_some ON evidence.presence IS 'Presence lasts at least a minute and at most the longest day.';

CREATE TABLE evidence.backfill (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  metric_id smallint NOT NULL,
  read_at timestamptz NOT NULL,
  payload_id uuid NOT NULL,
  "position" integer NOT NULL,
  is_running boolean NOT NULL,
  reached date,
  CONSTRAINT backfill_pkey PRIMARY KEY (user_id, platform_id, store, metric_id)
);
COMMENT ON TABLE evidence.backfill IS 'Whether an origin is still loading the history of a metric, as last stated.';
COMMENT ON COLUMN evidence.backfill.user_id IS 'The person.';
COMMENT ON COLUMN evidence.backfill.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN evidence.backfill.store IS 'The origin''s store.';
COMMENT ON COLUMN evidence.backfill.metric_id IS 'The metric; 0: all metrics of the origin.';
COMMENT ON COLUMN evidence.backfill.read_at IS 'Read time of the payload that stated it.';
COMMENT ON COLUMN evidence.backfill.payload_id IS 'The payload that stated it.';
COMMENT ON COLUMN evidence.backfill."position" IS 'Position in its payload.';
COMMENT ON COLUMN evidence.backfill.is_running IS 'True: running; false: complete.';
COMMENT ON COLUMN evidence.backfill.reached IS 'Earliest day that the load has reached; NULL: not stated.';
COMMENT ON CONSTRAINT backfill_pkey ON evidence.backfill IS 'The latest statement per metric and origin.';

CREATE TABLE evidence.due_day (
  user_id uuid NOT NULL,
  local_date date NOT NULL,
  due_at timestamptz NOT NULL,
  is_scheduled boolean NOT NULL,
  CONSTRAINT due_day_pkey PRIMARY KEY (user_id, local_date),
  CONSTRAINT due_day_time_is_finite CHECK (isfinite(due_at))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
COMMENT ON TABLE evidence.due_day IS 'User-days that a re-check derives again, and when.';
COMMENT ON COLUMN evidence.due_day.user_id IS 'The person.';
COMMENT ON COLUMN evidence.due_day.local_date IS 'The local calendar day.';
COMMENT ON COLUMN evidence.due_day.due_at IS 'From when on.';
COMMENT ON COLUMN evidence.due_day.is_scheduled IS 'True: by its reason''s schedule; false: because a payload changed what is known about the day.';
COMMENT ON CONSTRAINT due_day_pkey ON evidence.due_day IS 'One row per user-day.';
COMMENT ON CONSTRAINT due_day_time_is_finite ON evidence.due_day IS 'A time that comes.';
-- By the whole order in which days are taken: a million that are due at one instant are not sorted for each step.
CREATE INDEX due_day_due ON evidence.due_day (due_at, user_id, local_date);
COMMENT ON INDEX evidence.due_day_due IS 'What is due first.';
