-- 17_parking.sql - payloads that cannot be used become dead letters, but for those about somebody who is forgotten.
-- Laws: Q3, P1. Writes: intake.dead_letter. Called by the daemon, and by what parks payloads here (11, 14).

CREATE OR REPLACE FUNCTION intake.letter_key() RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 4711004;
END $$;
COMMENT ON FUNCTION intake.letter_key()
  IS 'Advisory lock that whoever writes dead letters shares until the end of the transaction, before asking who is forgotten. Whoever has forgotten somebody takes it alone once: then every letter that was written without knowing is there to be seen.';

CREATE OR REPLACE FUNCTION intake.named_forgotten(text_of_payload text) RETURNS uuid
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off AS $$
BEGIN
  -- Nearly always nobody is forgotten, or few are, and the text need not be looked through.
  IF NOT EXISTS (SELECT FROM intake.forgotten_person f WHERE f.allowed_again_at IS NULL) THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT f.user_id FROM intake.forgotten_person f
          WHERE f.allowed_again_at IS NULL AND f.user_id IN (
            SELECT (m.found)[1]::uuid
            FROM regexp_matches(text_of_payload, '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', 'g') AS m (found))
          ORDER BY f.user_id LIMIT 1);
END $$;
COMMENT ON FUNCTION intake.named_forgotten(text) IS 'A forgotten person whose id stands somewhere in a text. NULL: none does.';

CREATE OR REPLACE FUNCTION intake.bury(
  users uuid[], payload_ids uuid[], codes text[], pointers text[], byte_offsets bigint[], details text[], payloads text[], received timestamptz[],
  as_of timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  refused uuid[];
BEGIN
  -- Shared first and asked then: a letter under another name is not under the lock of the person whom it names.
  PERFORM pg_advisory_xact_lock_shared(intake.letter_key());
  WITH letter AS MATERIALIZED (
    SELECT n.*, CASE WHEN intake.is_forgotten(n.user_id) THEN n.user_id ELSE intake.named_forgotten(n.payload) END AS forgotten
    FROM unnest(users, payload_ids, codes, pointers, byte_offsets, details, payloads, received)
      AS n (user_id, payload_id, code, pointer, byte_offset, detail, payload, received_at)),
  buried AS (
    INSERT INTO intake.dead_letter (user_id, payload_id, code, pointer, byte_offset, detail, payload, received_at, died_at)
    SELECT l.user_id, l.payload_id, l.code, l.pointer, l.byte_offset, l.detail, l.payload, l.received_at, as_of
    FROM letter l WHERE l.forgotten IS NULL)
  SELECT array_agg(l.forgotten) INTO refused FROM letter l WHERE l.forgotten IS NOT NULL;
  IF refused IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM intake.note_refused(refused, as_of);
  RETURN cardinality(refused);
END $$;
COMMENT ON FUNCTION intake.bury(uuid[], uuid[], text[], text[], bigint[], text[], text[], timestamptz[], timestamptz)
  IS 'Parks payloads as dead letters, but for those of somebody who is forgotten, and those that came under another name and name one who is: these are let go of. Returns how many were.';
