-- 13_dead_letters.sql - trying dead letters again, and letting go of them.
-- Laws: Q3, B6, A5, E7. Reads and writes: intake.*. Called by the command dead.

-- At each look anew: what a build does not know yet a later one may.
CREATE OR REPLACE VIEW intake.letter WITH (security_barrier = true) AS
SELECT l.user_id, l.id, l.payload_id, l.code, l.pointer, l.byte_offset, l.detail, l.payload, l.received_at, l.died_at, l.load_id, l.format,
       COALESCE(f.platform, l.platform) AS platform
FROM intake.dead_letter l LEFT JOIN intake.format f ON f.format = l.format AND f.said IN ('', l.platform);
COMMENT ON VIEW intake.letter IS 'Dead letters, each with its platform: the one that the payload names, as it stands there, or the one for which a delivery''s format stands. Does not know: platform NULL, where none is named.';
COMMENT ON COLUMN intake.letter.format IS 'The format that a delivery names. NULL: it is none.';
COMMENT ON COLUMN intake.letter.platform IS 'The platform. Of what is no format or provider that this build knows, the word as it stands there. NULL: none was found.';

CREATE OR REPLACE FUNCTION intake.letters_together(numbers bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT l.id FROM intake.dead_letter l WHERE l.id = ANY (numbers)
  UNION
  SELECT other.id
  FROM intake.dead_letter l
  JOIN intake.dead_letter other
    ON other.user_id = l.user_id AND other.platform_id = l.platform_id AND other.store = l.store AND other.load_id = l.load_id
  WHERE l.id = ANY (numbers);
END $$;
COMMENT ON FUNCTION intake.letters_together(bigint[])
  IS 'The numbers of these dead letters, and of those that were parked with them as one load: what deletes too much as a whole is not let through page by page.';

CREATE OR REPLACE FUNCTION intake.retry_dead_letters(numbers bigint[], consent boolean, as_of timestamptz) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
DECLARE
  letter intake.dead_letter;
  new_id bigint;
BEGIN
  FOR letter IN
    WITH gone AS (
      DELETE FROM intake.dead_letter l WHERE l.id = ANY (ARRAY(SELECT intake.letters_together(numbers))) RETURNING l.*)
    SELECT g.* FROM gone g ORDER BY g.id
  LOOP
    INSERT INTO intake.sync_payload AS q (user_id, payload, received_at, is_retry, is_consented)
    VALUES (letter.user_id, letter.payload, letter.received_at, true, consent) RETURNING q.id INTO new_id;
    -- What killed a process or took too long is not put among other payloads again.
    IF letter.code = 'crashed' THEN
      INSERT INTO intake.suspect (user_id, id, deaths, died_at) VALUES (letter.user_id, new_id, intake.deaths_until_alone(), as_of);
    ELSIF letter.code = 'timed_out' THEN
      INSERT INTO intake.slow_payload (user_id, id, attempts, tried_at) VALUES (letter.user_id, new_id, 1, as_of);
    END IF;
    UPDATE intake.load l SET state = 'open', ended_at = NULL
    WHERE l.user_id = letter.user_id AND l.platform_id = letter.platform_id AND l.store = letter.store AND l.load_id = letter.load_id
      AND l.state = 'parked';
    RETURN NEXT letter.id;
  END LOOP;
  PERFORM pg_notify('dailymetricd', '');
END $$;
COMMENT ON FUNCTION intake.retry_dead_letters(bigint[], boolean, timestamptz)
  IS 'Puts dead letters back into the queue, with the time of their first arrival, and lets go of them; a load that was parked as a whole comes back as a whole, and is open again. With consent they may delete as much as they say. Returns their numbers.';

CREATE OR REPLACE FUNCTION intake.drop_dead_letters(numbers bigint[]) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
DECLARE
  letter intake.dead_letter;
BEGIN
  FOR letter IN
    WITH gone AS (
      DELETE FROM intake.dead_letter l WHERE l.id = ANY (ARRAY(SELECT intake.letters_together(numbers))) RETURNING l.*)
    SELECT g.* FROM gone g ORDER BY g.id
  LOOP
    -- Other receipts stay: they say what came of the payload, or are another payload's.
    UPDATE intake.receipt r SET outcome = 'dropped'
    WHERE letter.code = 'mass_deletion' AND r.user_id = letter.user_id AND r.payload_id = letter.payload_id AND r.outcome = 'mass_deletion';
    UPDATE intake.load l SET state = 'abandoned'
    WHERE l.user_id = letter.user_id AND l.platform_id = letter.platform_id AND l.store = letter.store AND l.load_id = letter.load_id
      AND l.state = 'parked';
    RETURN NEXT letter.id;
  END LOOP;
END $$;
COMMENT ON FUNCTION intake.drop_dead_letters(bigint[])
  IS 'Deletes dead letters for good, a load that was parked as a whole with all of its pages; the receipts of mass deletions say so. Returns their numbers.';
