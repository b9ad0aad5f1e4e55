-- 14_slow.sql - the payload that takes longer than the server allows whenever it is tried, alone too.
-- Law: Q3. Reads and writes: intake.*. Called by the daemon, and by intake.claim.

CREATE OR REPLACE FUNCTION intake.attempts_until_parked() RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 5;
END $$;
COMMENT ON FUNCTION intake.attempts_until_parked()
  IS 'After how many attempts alone, with others merged in between, a payload that takes too long is parked as timed_out.';

CREATE OR REPLACE FUNCTION intake.batches_between_attempts() RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 20;
END $$;
COMMENT ON FUNCTION intake.batches_between_attempts()
  IS 'How many batches of others come before a payload that takes too long is tried again, while others wait: each attempt holds a worker until its deadline.';

CREATE OR REPLACE FUNCTION intake.claim_slow(after_batches integer)
RETURNS TABLE (user_id uuid, id bigint, received_at timestamptz, is_retry boolean, is_consented boolean, payload text, is_forgotten boolean)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  slow intake.slow_payload;
BEGIN
  FOR slow IN SELECT s.* FROM intake.slow_payload s WHERE s.passed >= after_batches ORDER BY s.attempts, s.tried_at, s.id LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(slow.user_id);
    -- What is remembered of it stays unlocked: while it is tried others pass, and are counted.
    DELETE FROM intake.sync_payload q WHERE q.user_id = slow.user_id AND q.id = slow.id
    RETURNING q.user_id, q.id, q.received_at, q.is_retry, q.is_consented, q.payload
    INTO user_id, id, received_at, is_retry, is_consented, payload;
    CONTINUE WHEN NOT FOUND;
    is_forgotten := intake.is_forgotten(user_id);
    IF is_forgotten THEN payload := ''; END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END $$;
COMMENT ON FUNCTION intake.claim_slow(integer)
  IS 'Takes one payload that took too long before out of the queue for this transaction, alone, if so many batches of others have passed since. Rolling back puts it back.';

CREATE OR REPLACE FUNCTION intake.slow_persons() RETURNS uuid[]
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  -- Nearly always there is none.
  IF NOT EXISTS (SELECT FROM intake.slow_payload) THEN
    RETURN '{}';
  END IF;
  DELETE FROM intake.slow_payload s
  USING (
    SELECT x.user_id, x.id FROM intake.slow_payload x
    WHERE NOT EXISTS (SELECT FROM intake.sync_payload q WHERE q.user_id = x.user_id AND q.id = x.id)
    ORDER BY x.user_id, x.id FOR UPDATE SKIP LOCKED) gone
  WHERE s.user_id = gone.user_id AND s.id = gone.id;
  RETURN ARRAY(SELECT DISTINCT s.user_id FROM intake.slow_payload s);
END $$;
COMMENT ON FUNCTION intake.slow_persons() IS 'Whose payloads took too long; empty: nobody''s. Forgets those that have left the queue since.';

CREATE OR REPLACE FUNCTION intake.count_passed() RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  -- Who waited here would wait for another worker's whole batch; one batch more or less is not missed.
  UPDATE intake.slow_payload s SET passed = s.passed + 1
  FROM (SELECT x.user_id, x.id FROM intake.slow_payload x ORDER BY x.user_id, x.id FOR UPDATE SKIP LOCKED) free
  WHERE s.user_id = free.user_id AND s.id = free.id;
END $$;
COMMENT ON FUNCTION intake.count_passed() IS 'Counts a batch of others for all payloads that took too long. It counts if the batch is committed.';

CREATE OR REPLACE FUNCTION intake.note_timeout(
  person uuid, number bigint, as_of timestamptz, OUT attempts integer, OUT is_counted boolean, OUT is_parked boolean)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  parked intake.sync_payload;
BEGIN
  is_parked := false;
  SELECT s.passed > 0 INTO is_counted FROM intake.slow_payload s WHERE s.user_id = person AND s.id = number FOR UPDATE;
  is_counted := COALESCE(is_counted, true);
  INSERT INTO intake.slow_payload AS s (user_id, id, attempts, tried_at)
  SELECT q.user_id, q.id, 1, as_of FROM intake.sync_payload q WHERE q.user_id = person AND q.id = number
  ON CONFLICT ON CONSTRAINT slow_payload_pkey DO UPDATE
    SET attempts = s.attempts + is_counted::integer, passed = 0, tried_at = excluded.tried_at
  RETURNING s.attempts INTO attempts;
  -- Whoever lives through a whole attempt with it has not been killed by it; as a suspect it would come before all others, again and again.
  DELETE FROM intake.suspect s WHERE s.user_id = person AND s.id = number;
  -- So many are there only if each was counted. Whoever had the person in hand at the last one leaves the parking to the next.
  IF attempts IS NULL OR attempts < intake.attempts_until_parked() OR NOT evidence.try_lock_person(person) THEN RETURN; END IF;
  DELETE FROM intake.sync_payload q WHERE q.user_id = person AND q.id = number RETURNING q.* INTO parked;
  is_parked := FOUND AND 0 = intake.bury(ARRAY[parked.user_id], '{NULL}', '{timed_out}', '{""}', '{NULL}',
    ARRAY[format('Alone it took longer than --statement-deadline allows, %s times, while others were merged.', attempts)],
    ARRAY[parked.payload], ARRAY[parked.received_at], as_of);
  DELETE FROM intake.slow_payload s WHERE s.user_id = person AND s.id = number;
  IF intake.crashes_until_pause() <= (
    SELECT count(*) FROM intake.dead_letter l WHERE l.code = 'timed_out' AND l.died_at > as_of - interval '1 hour')
  THEN
    PERFORM intake.pause('payload after payload takes longer than --statement-deadline; see dead list --code timed_out', as_of, number);
  END IF;
END $$;
COMMENT ON FUNCTION intake.note_timeout(uuid, bigint, timestamptz)
  IS 'Notes that a payload took longer than the server allows although it was the only one of its batch; after enough attempts it is parked (timed_out). An attempt counts if it is the first or others were merged since the latest one: where everything is slow nothing is parked. Pauses the intake if too many are. attempts is NULL if the payload is not queued any more.';
