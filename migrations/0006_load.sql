-- compatible: no
-- 0006_load.sql - history loads that come in several payloads: their pages wait here until all of them are there.

CREATE TABLE intake.load (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  load_id text COLLATE "C" NOT NULL,
  state text NOT NULL,
  began_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT load_pkey PRIMARY KEY (user_id, platform_id, store, load_id),
  CONSTRAINT load_state_is_known CHECK (state IN ('open', 'applied', 'abandoned', 'parked')),
  CONSTRAINT load_ended_if_and_only_if_decided CHECK ((state = 'open') = (ended_at IS NULL)),
  CONSTRAINT load_times_are_finite CHECK (isfinite(began_at) AND isfinite(ended_at))
);
COMMENT ON TABLE intake.load IS 'History loads in pages. Open until the pages up to the final one are there, then applied or abandoned as a whole; abandoned after a week. One that would delete too much is parked as a whole.';
COMMENT ON COLUMN intake.load.user_id IS 'The person.';
COMMENT ON COLUMN intake.load.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN intake.load.store IS 'The origin''s store.';
COMMENT ON COLUMN intake.load.load_id IS 'The producer''s id of the load; its own for each person and origin.';
COMMENT ON COLUMN intake.load.state IS 'open, applied, abandoned, or parked: its pages are dead letters, and open again once these are retried.';
COMMENT ON COLUMN intake.load.began_at IS 'When its first page arrived.';
COMMENT ON COLUMN intake.load.ended_at IS 'When it was decided; NULL: it is open.';
COMMENT ON CONSTRAINT load_pkey ON intake.load IS 'One row per load.';
COMMENT ON CONSTRAINT load_state_is_known ON intake.load IS 'The state is one of the words.';
COMMENT ON CONSTRAINT load_ended_if_and_only_if_decided ON intake.load IS 'A decision has a time.';
COMMENT ON CONSTRAINT load_times_are_finite ON intake.load IS 'Times are instants, not infinity.';
CREATE INDEX load_open ON intake.load (began_at) WHERE state = 'open';
COMMENT ON INDEX intake.load_open IS 'Loads that wait, the longest first.';

CREATE TABLE intake.load_page (
  user_id uuid NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  load_id text COLLATE "C" NOT NULL,
  page integer NOT NULL,
  is_final boolean NOT NULL,
  payload_id uuid NOT NULL,
  payload text NOT NULL,
  received_at timestamptz NOT NULL,
  is_consented boolean NOT NULL DEFAULT false,
  CONSTRAINT load_page_pkey PRIMARY KEY (user_id, platform_id, store, load_id, page),
  CONSTRAINT load_page_is_counted_from_one CHECK (page >= 1)
);
COMMENT ON TABLE intake.load_page IS 'Pages of open loads, whole, until their load is decided.';
COMMENT ON COLUMN intake.load_page.user_id IS 'The person.';
COMMENT ON COLUMN intake.load_page.platform_id IS 'public.platform.platform_id.';
COMMENT ON COLUMN intake.load_page.store IS 'The origin''s store.';
COMMENT ON COLUMN intake.load_page.load_id IS 'The load.';
COMMENT ON COLUMN intake.load_page.page IS 'Its number in the load, from 1. Of two with one number the first counts.';
COMMENT ON COLUMN intake.load_page.is_final IS 'True: no page follows.';
COMMENT ON COLUMN intake.load_page.payload_id IS 'The payload that it came as.';
COMMENT ON COLUMN intake.load_page.payload IS 'The payload as it was sent. Contains health values.';
COMMENT ON COLUMN intake.load_page.received_at IS 'When it had been enqueued.';
COMMENT ON COLUMN intake.load_page.is_consented IS 'True: it may delete as much as it says. A load may if all of its pages may.';
COMMENT ON CONSTRAINT load_page_pkey ON intake.load_page IS 'One payload per page.';
COMMENT ON CONSTRAINT load_page_is_counted_from_one ON intake.load_page IS 'Pages are counted from 1.';
