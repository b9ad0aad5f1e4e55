-- compatible: no
-- 0007_control.sql - what the workers are told, and what is known of payloads that ended a process or take too long.

CREATE TABLE intake.control (
  is_only boolean NOT NULL DEFAULT true,
  paused_at timestamptz,
  paused_because text,
  accepted_up_to bigint NOT NULL DEFAULT 0,
  CONSTRAINT control_pkey PRIMARY KEY (is_only),
  CONSTRAINT control_has_one_row CHECK (is_only),
  CONSTRAINT control_paused_if_and_only_if_it_has_a_reason CHECK ((paused_at IS NULL) = (paused_because IS NULL)),
  CONSTRAINT control_pause_is_an_instant CHECK (isfinite(paused_at))
);
COMMENT ON TABLE intake.control IS 'What all workers are told; one row. Changed by the commands pause and resume, and by a worker that finds most of a batch unusable.';
COMMENT ON COLUMN intake.control.is_only IS 'Always true.';
COMMENT ON COLUMN intake.control.paused_at IS 'Since when nothing is taken out of the queue; NULL: intake works.';
COMMENT ON COLUMN intake.control.paused_because IS 'Why, in a sentence; NULL: intake works. Never contains anything of a payload.';
COMMENT ON COLUMN intake.control.accepted_up_to IS 'Newest sync_payload.id at the latest resume: payloads up to it may die in any number without another pause. 0: none were accepted.';
COMMENT ON CONSTRAINT control_pkey ON intake.control IS 'There is one row.';
COMMENT ON CONSTRAINT control_has_one_row ON intake.control IS 'There is one row.';
COMMENT ON CONSTRAINT control_paused_if_and_only_if_it_has_a_reason ON intake.control IS 'Whoever stops the intake says why.';
COMMENT ON CONSTRAINT control_pause_is_an_instant ON intake.control IS 'Times are instants, not infinity.';
INSERT INTO intake.control DEFAULT VALUES;

CREATE TABLE intake.batch_in_hand (
  process uuid NOT NULL,
  worker integer NOT NULL,
  backend_pid integer NOT NULL,
  backend_start timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  user_ids uuid[] NOT NULL,
  ids bigint[] NOT NULL,
  CONSTRAINT batch_in_hand_pkey PRIMARY KEY (process, worker),
  CONSTRAINT batch_in_hand_names_both_halves_of_each_key CHECK (cardinality(user_ids) = cardinality(ids))
) WITH (
  fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE intake.batch_in_hand IS 'The latest batch of each worker, committed before its payloads are decoded: a crash rolls the batch back, and only this remembers what was in hand.';
COMMENT ON COLUMN intake.batch_in_hand.process IS 'The worker''s process, an id that it gave itself at its start.';
COMMENT ON COLUMN intake.batch_in_hand.worker IS 'The worker''s number in its process.';
COMMENT ON COLUMN intake.batch_in_hand.backend_pid IS 'The server process of the worker''s connection. Where it is gone the worker is, or has lost its batch.';
COMMENT ON COLUMN intake.batch_in_hand.backend_start IS 'When that server process began: numbers of processes are used again.';
COMMENT ON COLUMN intake.batch_in_hand.started_at IS 'When the worker took the batch.';
COMMENT ON COLUMN intake.batch_in_hand.user_ids IS 'sync_payload.user_id of each payload.';
COMMENT ON COLUMN intake.batch_in_hand.ids IS 'sync_payload.id of each payload, in the same order.';
COMMENT ON CONSTRAINT batch_in_hand_pkey ON intake.batch_in_hand IS 'One row per worker; its next batch takes the place of the last one.';
COMMENT ON CONSTRAINT batch_in_hand_names_both_halves_of_each_key ON intake.batch_in_hand IS 'A payload is named by user and number.';

CREATE TABLE intake.suspect (
  user_id uuid NOT NULL,
  id bigint NOT NULL,
  deaths integer NOT NULL,
  died_at timestamptz NOT NULL,
  CONSTRAINT suspect_pkey PRIMARY KEY (user_id, id),
  CONSTRAINT suspect_has_seen_a_death CHECK (deaths >= 1)
);
COMMENT ON TABLE intake.suspect IS 'Queued payloads that were in hand when a process died. They are taken apart from all others, until they are merged or known to be the cause.';
COMMENT ON COLUMN intake.suspect.user_id IS 'sync_payload.user_id.';
COMMENT ON COLUMN intake.suspect.id IS 'sync_payload.id.';
COMMENT ON COLUMN intake.suspect.deaths IS 'How many processes, or connections, have died with it in hand.';
COMMENT ON COLUMN intake.suspect.died_at IS 'When the latest of them was noticed; of a connection that was lost, when its batch began.';
COMMENT ON CONSTRAINT suspect_pkey ON intake.suspect IS 'One row per payload.';
COMMENT ON CONSTRAINT suspect_has_seen_a_death ON intake.suspect IS 'Nobody is a suspect without one.';

CREATE TABLE intake.slow_payload (
  user_id uuid NOT NULL,
  id bigint NOT NULL,
  attempts integer NOT NULL,
  passed integer NOT NULL DEFAULT 0,
  tried_at timestamptz NOT NULL,
  CONSTRAINT slow_payload_pkey PRIMARY KEY (user_id, id),
  CONSTRAINT slow_payload_was_tried CHECK (attempts >= 1 AND passed >= 0)
);
COMMENT ON TABLE intake.slow_payload IS 'Queued payloads that took longer than the server allows although they were the only one of their batch. They are taken apart from all others, until they are merged or have been tried often enough.';
COMMENT ON COLUMN intake.slow_payload.user_id IS 'sync_payload.user_id.';
COMMENT ON COLUMN intake.slow_payload.id IS 'sync_payload.id.';
COMMENT ON COLUMN intake.slow_payload.attempts IS 'How often it took too long, alone, while others passed: attempts between which nothing else was merged count once.';
COMMENT ON COLUMN intake.slow_payload.passed IS 'Batches of others that were merged since its latest attempt. 0: nothing says yet that it is not the server that is slow.';
COMMENT ON COLUMN intake.slow_payload.tried_at IS 'When it was tried last.';
COMMENT ON CONSTRAINT slow_payload_pkey ON intake.slow_payload IS 'One row per payload.';
COMMENT ON CONSTRAINT slow_payload_was_tried ON intake.slow_payload IS 'Nobody is slow without an attempt.';
