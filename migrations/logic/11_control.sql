-- 11_control.sql - pausing the intake, and finding the payload that kills its process.
-- Law: Q3. Reads and writes: intake.*. Called by the commands pause and resume, and by the daemon.

CREATE OR REPLACE FUNCTION intake.pause(because text, as_of timestamptz, newest bigint DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE intake.control c SET paused_at = as_of, paused_because = because
  WHERE c.paused_at IS NULL AND (newest IS NULL OR newest > c.accepted_up_to);
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM pg_notify('dailymetricd', '');
  RETURN true;
END $$;
COMMENT ON FUNCTION intake.pause(text, timestamptz, bigint)
  IS 'Stops taking payloads out of the queue, until resume; batches in hand are finished. newest: id of the newest payload that speaks for it; if all of them have been accepted since, nothing happens. Returns whether intake worked until now.';

CREATE OR REPLACE FUNCTION intake.resume() RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE intake.control c
  SET paused_at = NULL, paused_because = NULL,
      accepted_up_to = GREATEST(c.accepted_up_to, (SELECT max(q.id) FROM intake.sync_payload q))
  WHERE c.paused_at IS NOT NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM pg_notify('dailymetricd', '');
  RETURN true;
END $$;
COMMENT ON FUNCTION intake.resume()
  IS 'Lets the workers go on. What is queued now is accepted as it is: it may die in any number without another pause. Returns whether intake was paused.';

CREATE OR REPLACE FUNCTION intake.suspect_key() RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 4711002;
END $$;
COMMENT ON FUNCTION intake.suspect_key() IS 'Advisory lock of the one session that has suspects in hand: of two suspects that died with one process, the innocent one would die as often as the other.';

CREATE OR REPLACE FUNCTION intake.deaths_until_alone() RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 2;
END $$;
COMMENT ON FUNCTION intake.deaths_until_alone()
  IS 'From how many deaths on a suspect is the only payload of its transaction. After the first one sixteen go together, because nearly all of them only had bad company.';

CREATE OR REPLACE FUNCTION intake.deaths_until_parked() RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 8;
END $$;
COMMENT ON FUNCTION intake.deaths_until_parked()
  IS 'After how many deaths a suspect is parked as crashed: one in a batch, one in a small group, six alone. Of a dozen kills at the worst moments some met the same innocent payload alone three times.';

CREATE OR REPLACE FUNCTION intake.crashes_until_pause() RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 10;
END $$;
COMMENT ON FUNCTION intake.crashes_until_pause()
  IS 'How many payloads parked as crashed within an hour pause the intake: by then it is rather the build, the memory or the network than they.';

CREATE OR REPLACE FUNCTION intake.claim_suspects(max_payloads integer, max_bytes bigint)
RETURNS TABLE (user_id uuid, id bigint, received_at timestamptz, is_retry boolean, is_consented boolean, payload text, is_forgotten boolean)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  suspect intake.suspect;
  taken integer := 0;
  bytes bigint := 0;
BEGIN
  -- The worst comes last: a process that somebody kills soon after each of its starts would else be killed with the same one in hand.
  FOR suspect IN SELECT s.* FROM intake.suspect s ORDER BY s.deaths, s.id LOOP
    EXIT WHEN taken >= LEAST(16, max_payloads) OR bytes >= max_bytes OR (taken > 0 AND suspect.deaths >= intake.deaths_until_alone());
    CONTINUE WHEN NOT evidence.try_lock_person(suspect.user_id);
    DELETE FROM intake.suspect s WHERE s.user_id = suspect.user_id AND s.id = suspect.id;
    DELETE FROM intake.sync_payload q WHERE q.user_id = suspect.user_id AND q.id = suspect.id
    RETURNING q.user_id, q.id, q.received_at, q.is_retry, q.is_consented, q.payload
    INTO user_id, id, received_at, is_retry, is_consented, payload;
    -- It may have been merged by a session that had it in hand when it was suspected.
    CONTINUE WHEN NOT FOUND;
    taken := taken + 1;
    bytes := bytes + octet_length(payload);
    is_forgotten := intake.is_forgotten(user_id);
    IF is_forgotten THEN payload := ''; END IF;
    RETURN NEXT;
    EXIT WHEN suspect.deaths >= intake.deaths_until_alone();
  END LOOP;
END $$;
COMMENT ON FUNCTION intake.claim_suspects(integer, bigint)
  IS 'Takes suspects out of the queue for this transaction, those with the fewest deaths first: up to sixteen that have seen one death each, or one alone. The caller holds suspect_key. Rolling back puts them back.';

CREATE OR REPLACE FUNCTION intake.suspect_batch(user_ids uuid[], numbers bigint[], unless_since timestamptz, as_of timestamptz) RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  number integer;
BEGIN
  INSERT INTO intake.suspect AS s (user_id, id, deaths, died_at)
  SELECT q.user_id, q.id, 1, as_of
  FROM unnest(user_ids, numbers) AS n (user_id, id)
  CROSS JOIN LATERAL (SELECT x.user_id, x.id FROM intake.sync_payload x WHERE x.user_id = n.user_id AND x.id = n.id OFFSET 0) q
  ORDER BY 1, 2
  ON CONFLICT ON CONSTRAINT suspect_pkey DO UPDATE SET deaths = s.deaths + 1, died_at = GREATEST(s.died_at, excluded.died_at)
  WHERE unless_since IS NULL OR s.died_at < unless_since;
  GET DIAGNOSTICS number = ROW_COUNT;
  RETURN number;
END $$;
COMMENT ON FUNCTION intake.suspect_batch(uuid[], bigint[], timestamptz, timestamptz)
  IS 'Counts a death against each of these payloads that is still queued, but not against one that has been suspected since unless_since (NULL: against all). Returns against how many.';

CREATE OR REPLACE FUNCTION intake.note_loss(
  of_process uuid, of_worker integer, backend_start timestamptz, began timestamptz, user_ids uuid[], numbers bigint[],
  without_a_word boolean) RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  is_counted boolean;
BEGIN
  DELETE FROM intake.batch_in_hand b WHERE b.process = of_process AND b.worker = of_worker;
  -- Somebody took the end of the connection for a death of the worker; or the server crashed before the note was safe.
  is_counted := NOT FOUND;
  IF without_a_word AND backend_start >= pg_postmaster_start_time() THEN
    -- Dated by its batch, however late it is told: what takes back the deaths since a later batch began must not take back this one.
    RETURN intake.suspect_batch(user_ids, numbers, CASE WHEN is_counted THEN began END, began);
  END IF;
  IF is_counted THEN
    DELETE FROM intake.suspect s USING unnest(user_ids, numbers) AS n (user_id, id)
    WHERE s.user_id = n.user_id AND s.id = n.id AND s.died_at >= began AND s.deaths = 1;
    UPDATE intake.suspect s SET deaths = s.deaths - 1 FROM unnest(user_ids, numbers) AS n (user_id, id)
    WHERE s.user_id = n.user_id AND s.id = n.id AND s.died_at >= began;
  END IF;
  RETURN 0;
END $$;
COMMENT ON FUNCTION intake.note_loss(uuid, integer, timestamptz, timestamptz, uuid[], bigint[], boolean)
  IS 'What a worker that lives says of the connection that it lost with a batch in hand. If the server ended it with a word, fell silent or has been started again since, the payloads are not to blame, and what somebody counted against them is taken back. If it ended without a word they may have crashed the server, and that is a death. Returns the number of new suspects.';

CREATE OR REPLACE FUNCTION intake.note_deaths(as_of timestamptz, OUT suspects integer, OUT crashed integer)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  batch intake.batch_in_hand;
  culprit intake.suspect;
  parked intake.sync_payload;
  newest bigint := 0;
BEGIN
  suspects := 0;
  crashed := 0;
  -- backend_start is hidden from roles that may not see each other's sessions; then the number has to do.
  FOR batch IN
    SELECT b.* FROM intake.batch_in_hand b
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity a
      WHERE a.pid = b.backend_pid AND (a.backend_start IS NULL OR a.backend_start = b.backend_start))
    FOR UPDATE SKIP LOCKED
  LOOP
    -- Whoever stops the server stops all batches, and none of them is to blame.
    IF batch.backend_start >= pg_postmaster_start_time() THEN
      suspects := suspects + intake.suspect_batch(batch.user_ids, batch.ids, NULL, as_of);
    END IF;
    DELETE FROM intake.batch_in_hand b WHERE b.process = batch.process AND b.worker = batch.worker;
  END LOOP;
  FOR culprit IN SELECT s.* FROM intake.suspect s WHERE s.deaths >= intake.deaths_until_parked() ORDER BY s.user_id, s.id LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(culprit.user_id);
    DELETE FROM intake.sync_payload q WHERE q.user_id = culprit.user_id AND q.id = culprit.id RETURNING q.* INTO parked;
    IF FOUND AND 0 = intake.bury(ARRAY[parked.user_id], '{NULL}', '{crashed}', '{""}', '{NULL}',
      ARRAY[format('The process or the server died %s times with it in hand, at last alone with it.', culprit.deaths)],
      ARRAY[parked.payload], ARRAY[parked.received_at], as_of)
    THEN
      crashed := crashed + 1;
      newest := GREATEST(newest, culprit.id);
    END IF;
    DELETE FROM intake.suspect s WHERE s.user_id = culprit.user_id AND s.id = culprit.id;
  END LOOP;
  IF crashed > 0 AND intake.crashes_until_pause() <= (
    SELECT count(*) FROM intake.dead_letter l WHERE l.code = 'crashed' AND l.died_at > as_of - interval '1 hour')
  THEN
    PERFORM intake.pause('payloads keep ending the process that has them in hand; see dead list --code crashed', as_of, newest);
  END IF;
END $$;
COMMENT ON FUNCTION intake.note_deaths(timestamptz)
  IS 'Looks for batches whose worker is gone: their payloads that are still queued become suspects, or after too many deaths dead letters (crashed). Pauses the intake if that happens again and again. Returns how many of each.';
