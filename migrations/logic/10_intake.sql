-- 10_intake.sql - the queue and what becomes of payloads.
-- Laws: Q1-Q3, A5, B6. Reads and writes: intake.*. Called by producers (enqueue_sync_payload) and by the daemon (claim, take_receipts).
-- Here and below, functions that go to single rows switch off every plan but index scans in nested loops: a session keeps its plans, and
-- one that was made while the tables were small or empty would read and hash all of them, batch after batch, when they have grown.

CREATE OR REPLACE FUNCTION intake.wake_key() RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 4711001;
END $$;
COMMENT ON FUNCTION intake.wake_key() IS 'Advisory lock that a sleeping daemon holds: only then does enqueueing notify. A NOTIFY per insert would serialise all producers.';

-- With the rights of its owner, so that a producer needs none on the queue: who could INSERT could also set is_consented and is_retry.
-- So nothing in it is looked up by a name that a producer can shadow.
CREATE OR REPLACE FUNCTION public.enqueue_sync_payload(user_id uuid, payload text, received_at timestamptz DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  arrived constant timestamptz := COALESCE(enqueue_sync_payload.received_at, clock_timestamp());
BEGIN
  -- The constraints of the table say the same, but the server would log the row that breaks them, payload included.
  IF octet_length(enqueue_sync_payload.payload) > 67108864 THEN
    RAISE EXCEPTION 'the payload has % bytes, and the queue takes 67108864; send it in parts', octet_length(enqueue_sync_payload.payload)
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sync_payload_is_not_too_large', TABLE = 'sync_payload', SCHEMA = 'intake';
  ELSIF NOT (arrived >= '1900-01-01 00:00Z' AND arrived < '2201-01-01 00:00Z') THEN
    RAISE EXCEPTION 'received_at is not in the years 1900 to 2200'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sync_payload_arrived_at_a_real_time', TABLE = 'sync_payload', SCHEMA = 'intake';
  ELSIF enqueue_sync_payload.user_id IS NULL OR enqueue_sync_payload.payload IS NULL THEN
    RAISE EXCEPTION 'user_id and payload are needed; the nil UUID stands for a user who is not known' USING ERRCODE = 'not_null_violation';
  END IF;
  INSERT INTO intake.sync_payload AS q (user_id, payload, received_at)
  VALUES (enqueue_sync_payload.user_id, enqueue_sync_payload.payload, arrived);
  IF NOT pg_try_advisory_xact_lock_shared(intake.wake_key()) THEN
    PERFORM pg_notify('dailymetricd', '');
  END IF;
END $$;
COMMENT ON FUNCTION public.enqueue_sync_payload(uuid, text, timestamptz)
  IS 'Puts one payload into the queue and wakes the daemon if it sleeps. Runs with its owner''s rights: a producer needs EXECUTE and nothing else. A plain INSERT or COPY into intake.sync_payload works too, for who may, and is found by polling.';

CREATE OR REPLACE FUNCTION intake.claim(
  after_user uuid, max_payloads integer, max_per_user integer, max_users integer, max_bytes bigint)
RETURNS TABLE (user_id uuid, id bigint, received_at timestamptz, is_retry boolean, is_consented boolean, payload text, is_forgotten boolean)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  suspected uuid[];
  slow uuid[] := intake.slow_persons();
  forgotten uuid[];
  people uuid[] := '{}';
  first_ids bigint[] := '{}';
  weight bigint := 0;
  -- One comparison of rows is one place in the index; after_user IS NULL OR ... would walk over everybody before it.
  person uuid := COALESCE(after_user, '00000000-0000-0000-0000-000000000000');
  place bigint := CASE WHEN after_user IS NULL THEN 0 ELSE 9223372036854775807 END;
  first_id bigint;
  bytes bigint;
BEGIN
  IF EXISTS (SELECT FROM intake.control c WHERE c.paused_at IS NOT NULL) THEN RETURN; END IF;
  suspected := ARRAY(SELECT DISTINCT s.user_id FROM intake.suspect s);
  IF cardinality(suspected) > 0 AND pg_try_advisory_xact_lock(intake.suspect_key()) THEN
    RETURN QUERY SELECT * FROM intake.claim_suspects(max_payloads, max_bytes);
    IF FOUND THEN RETURN; END IF;
  END IF;
  IF cardinality(slow) > 0 THEN
    RETURN QUERY SELECT * FROM intake.claim_slow(intake.batches_between_attempts());
    IF FOUND THEN RETURN; END IF;
    suspected := suspected || slow;
  END IF;
  -- A loose walk over the primary key. A user that another session holds is passed over, and nobody is locked without a payload being
  -- taken, so that the others are left to other sessions. A payload that completes a load is as heavy as all of its pages. Who is too
  -- heavy for the rest of the batch has the next one alone: nobody else's sync waits in the same transaction for a history.
  WHILE cardinality(people) < LEAST(max_users, max_payloads) LOOP
    SELECT q.user_id, q.id, octet_length(q.payload)::bigint + h.bytes INTO person, first_id, bytes
    FROM (SELECT x.user_id, x.id, x.payload FROM intake.sync_payload x WHERE (x.user_id, x.id) > (person, place)
          ORDER BY x.user_id, x.id LIMIT 1) q
    CROSS JOIN LATERAL (SELECT COALESCE(sum(octet_length(p.payload)), 0) AS bytes FROM intake.load_page p WHERE p.user_id = q.user_id) h;
    EXIT WHEN NOT FOUND;
    place := 9223372036854775807;
    CONTINUE WHEN person = ANY (suspected);
    EXIT WHEN cardinality(people) > 0 AND weight + bytes > max_bytes;
    CONTINUE WHEN NOT evidence.try_lock_person(person);
    people := people || person;
    first_ids := first_ids || first_id;
    weight := weight + bytes;
  END LOOP;
  IF cardinality(slow) > 0 THEN
    IF cardinality(people) > 0 THEN
      PERFORM intake.count_passed();
    ELSIF after_user IS NULL THEN
      RETURN QUERY SELECT * FROM intake.claim_slow(0);
      RETURN;
    END IF;
  END IF;
  -- After the locks: who forgets a person holds theirs, so that nobody is forgotten from here on.
  forgotten := ARRAY(SELECT f.user_id FROM intake.forgotten_person f WHERE f.user_id = ANY (people) AND f.allowed_again_at IS NULL);
  -- The rows are deleted by ctid = ANY(ARRAY(...)): a join to a LIMITed subquery may run that subquery once per row and claim the whole
  -- queue. A bitmap would gather all rows of a person to take the first few.
  RETURN QUERY
  WITH pick AS MATERIALIZED (
    SELECT x.row_address, x.bytes, row_number() OVER (ORDER BY x.turn, x.id) AS place
    FROM unnest(people, first_ids) AS mine (user_id, first_id) CROSS JOIN LATERAL (
      SELECT q.ctid AS row_address, octet_length(q.payload)::bigint AS bytes, q.id, row_number() OVER (ORDER BY q.id) AS turn
      FROM intake.sync_payload q WHERE q.user_id = mine.user_id AND q.id >= mine.first_id ORDER BY q.id LIMIT max_per_user) x),
  bounded AS MATERIALIZED (
    SELECT p.row_address, p.place, sum(p.bytes) OVER (ORDER BY p.place) AS bytes_so_far FROM pick p)
  DELETE FROM intake.sync_payload q
  WHERE q.ctid = ANY (ARRAY(
    SELECT b.row_address FROM bounded b WHERE b.place <= max_payloads AND (b.place = 1 OR b.bytes_so_far <= max_bytes)))
  RETURNING q.user_id, q.id, q.received_at, q.is_retry, q.is_consented, CASE WHEN q.user_id = ANY (forgotten) THEN '' ELSE q.payload END,
    q.user_id = ANY (forgotten);
END $$;
COMMENT ON FUNCTION intake.claim(uuid, integer, integer, integer, bigint)
  IS 'Takes payloads out of the queue for this transaction: at most max_per_user of each of at most max_users users after after_user, no more than max_payloads and max_bytes in all, held pages of their loads included (but at least one payload). Locks the users whose payloads it takes until the end of the transaction. Rolling back puts them back. Of somebody who is forgotten (is_forgotten) the text is not given out: it goes with the row. Takes nothing while intake is paused; suspects and payloads that took too long are taken apart, and their persons passed over.';

CREATE OR REPLACE FUNCTION intake.has_work() RETURNS boolean
LANGUAGE plpgsql STABLE
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  -- Not EXISTS: it drops the order, and with it the index.
  RETURN (SELECT true FROM intake.sync_payload q ORDER BY q.user_id, q.id LIMIT 1) IS NOT NULL;
END $$;
COMMENT ON FUNCTION intake.has_work() IS 'Whether a payload waits, also one that another session has in hand.';

CREATE OR REPLACE FUNCTION intake.take_receipts(
  user_ids uuid[], payload_ids uuid[], content_hashes bytea[], received timestamptz[], read_times timestamptz[],
  outcomes text[], cells integer[], quarantined integer[], retries boolean[], as_of timestamptz)
RETURNS TABLE (ordinal bigint, verdict text)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  -- The persons are locked by the claim, so that nobody else writes their receipts between these statements.
  RETURN QUERY
  SELECT p.ordinal, CASE
      WHEN p.is_retry OR (r.content_hash IS NULL AND p.turn = 1) THEN 'new'
      WHEN COALESCE(r.content_hash, p.first_hash) = p.content_hash THEN 'repeated'
      ELSE 'reused' END
  FROM (SELECT u.*, row_number() OVER same AS turn, first_value(u.content_hash) OVER same AS first_hash
        FROM unnest(user_ids, payload_ids, content_hashes, retries) WITH ORDINALITY AS u (user_id, payload_id, content_hash, is_retry, ordinal)
        WINDOW same AS (PARTITION BY u.user_id, u.payload_id ORDER BY u.ordinal)) p
  LEFT JOIN LATERAL (
    SELECT x.content_hash FROM intake.receipt x
    WHERE x.user_id = p.user_id AND x.payload_id = p.payload_id OFFSET 0) r ON true
  ORDER BY p.ordinal;

  UPDATE intake.receipt r SET repetitions = r.repetitions + again.times
  FROM (SELECT u.user_id, u.payload_id, u.content_hash, count(*)::integer AS times
        FROM unnest(user_ids, payload_ids, content_hashes, retries) AS u (user_id, payload_id, content_hash, is_retry)
        WHERE NOT u.is_retry GROUP BY 1, 2, 3) again
  CROSS JOIN LATERAL (SELECT x.ctid FROM intake.receipt x
    WHERE x.user_id = again.user_id AND x.payload_id = again.payload_id AND x.content_hash = again.content_hash OFFSET 0) f
  WHERE r.ctid = f.ctid;

  -- What an operator tries again is what the receipt is about from now on; when it first arrived stays.
  IF true = ANY (retries) THEN
    UPDATE intake.receipt r
    SET read_at = n.read_time, content_hash = n.content_hash, outcome = n.outcome, cells = n.cells, quarantined = n.quarantined,
        processed_at = as_of
    FROM (SELECT DISTINCT ON (p.user_id, p.payload_id) p.*
          FROM unnest(user_ids, payload_ids, content_hashes, read_times, outcomes, cells, quarantined, retries) WITH ORDINALITY
            AS p (user_id, payload_id, content_hash, read_time, outcome, cells, quarantined, is_retry, ordinal)
          WHERE p.is_retry ORDER BY p.user_id, p.payload_id, p.ordinal DESC) n
    CROSS JOIN LATERAL (SELECT x.ctid FROM intake.receipt x WHERE x.user_id = n.user_id AND x.payload_id = n.payload_id OFFSET 0) f
    WHERE r.ctid = f.ctid;
  END IF;

  INSERT INTO intake.receipt
    (user_id, payload_id, first_seen, read_at, content_hash, outcome, cells, quarantined, repetitions, processed_at)
  SELECT DISTINCT ON (p.user_id, p.payload_id)
    p.user_id, p.payload_id, p.received, p.read_time, p.content_hash, p.outcome, p.cells, p.quarantined,
    (count(*) OVER (PARTITION BY p.user_id, p.payload_id, p.content_hash) - 1)::integer, as_of
  FROM unnest(user_ids, payload_ids, content_hashes, received, read_times, outcomes, cells, quarantined) WITH ORDINALITY
    AS p (user_id, payload_id, content_hash, received, read_time, outcome, cells, quarantined, ordinal)
  ORDER BY p.user_id, p.payload_id, p.ordinal
  ON CONFLICT ON CONSTRAINT receipt_pkey DO NOTHING;
END $$;
COMMENT ON FUNCTION intake.take_receipts(uuid[], uuid[], bytea[], timestamptz[], timestamptz[], text[], integer[], integer[], boolean[], timestamptz)
  IS 'Says of each payload of a batch, in order of arrival, whether it is new, repeated (same id and content: a no-op) or reused (same id, other content), and writes the receipts of the new ones. A retry is always new. The persons must be locked.';
