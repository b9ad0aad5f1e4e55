-- 36_forget.sql - a person is erased, and what arrives about them later is let go of.
-- Law P1. In steps of bounded size, each a transaction under the person's lock: it may be ended anywhere and gone on with by anybody, because a
-- step always begins with the first table that has a row. Called by the command forget; the re-check goes on with what was ended in the middle (60).
-- Writes: everything about the person, and intake.forgotten_person, which remains.

CREATE OR REPLACE FUNCTION intake.is_forgotten(person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.allowed_again_at IS NULL);
END $$;
COMMENT ON FUNCTION intake.is_forgotten(uuid) IS 'Whether payloads about the person are refused. Whoever asks under the person''s lock has an answer that stays true.';

CREATE OR REPLACE FUNCTION intake.note_refused(persons uuid[], as_of timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE intake.forgotten_person f
  SET payloads_refused = f.payloads_refused + n.payloads, last_refused_at = GREATEST(f.last_refused_at, as_of)
  FROM (SELECT u.user_id, count(*) AS payloads FROM unnest(persons) AS u (user_id) GROUP BY u.user_id) n
  WHERE f.user_id = n.user_id;
END $$;
COMMENT ON FUNCTION intake.note_refused(uuid[], timestamptz) IS 'Counts payloads about forgotten persons that were let go of, one element for each.';

CREATE OR REPLACE FUNCTION intake.tables_of_persons() RETURNS TABLE (place integer, relation regclass, at_once integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  -- What makes others work on the person comes first, then what they would work with, then what they would have made. Rows with whole
  -- payloads are heavy, so few of them go at once. Tests/sql/forget.sql compares this list with the columns that name persons.
  RETURN QUERY
  SELECT t.n::integer, t.name::regclass, t.rows
  FROM unnest(
    ARRAY['evidence.due_day', 'evidence.due_cell', 'evidence.person', 'intake.sync_payload', 'intake.load_page', 'intake.load',
      'intake.suspect', 'intake.slow_payload', 'intake.dead_letter', 'intake.quarantined_entry', 'intake.receipt',
      'evidence.tracking', 'evidence.origin', 'evidence.time_zone', 'evidence.read_window', 'evidence.permission', 'evidence.presence',
      'evidence.backfill', 'evidence.reading', 'evidence.record_day', 'evidence.record_id', 'evidence.former_record',
      'evidence.deleted_record', 'evidence.deleted_interval', 'evidence.hour', 'evidence.workout', 'public.hourly_metric', 'public.workout_summary',
      'public.daily_metric', 'public.daily_metric_history'],
    ARRAY[10000, 10000, 10000, 100, 20, 10000, 10000, 10000, 20, 1000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000,
      10000, 1000, 10000, 10000, 10000, 10000, 10000, 100, 10000, 10000, 10000, 10000]) WITH ORDINALITY AS t (name, rows, n);
END $$;
COMMENT ON FUNCTION intake.tables_of_persons()
  IS 'The tables that have a row for a person (user_id), in the order in which a person is erased from them, and how many rows of each go in one transaction at most. Three others name persons otherwise, see evidence.forget_elsewhere.';

CREATE OR REPLACE FUNCTION evidence.forget_elsewhere(person uuid, max_rows integer) RETURNS integer
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
DECLARE
  changed integer;
  erased integer := 0;
BEGIN
  UPDATE intake.batch_in_hand b
  SET user_ids = ARRAY(SELECT u.user_id FROM unnest(b.user_ids, b.ids) WITH ORDINALITY AS u (user_id, id, n) WHERE u.user_id <> person ORDER BY u.n),
      ids = ARRAY(SELECT u.id FROM unnest(b.user_ids, b.ids) WITH ORDINALITY AS u (user_id, id, n) WHERE u.user_id <> person ORDER BY u.n)
  WHERE person = ANY (b.user_ids);
  GET DIAGNOSTICS erased = ROW_COUNT;
  -- Whoever looks for cells goes on with the next person. The last id of all is as good as nobody.
  UPDATE evidence.catalogue_change c SET next_user = COALESCE(evidence.next_person(person), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  WHERE c.next_user = person;
  GET DIAGNOSTICS changed = ROW_COUNT;
  erased := erased + changed;
  -- The rows of the feed stay without what they say: cursors are recognised by them.
  UPDATE evidence.cell_change c
  SET user_id = '00000000-0000-0000-0000-000000000000', metric_ids = '{}', days = '{}'
  WHERE c.user_id = person AND c.change_id = ANY (ARRAY(
    SELECT x.change_id FROM evidence.cell_change x
    WHERE x.user_id = person AND cardinality(x.days) > 0 ORDER BY x.change_id LIMIT max_rows));
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN erased + changed;
END $$;
COMMENT ON FUNCTION evidence.forget_elsewhere(uuid, integer)
  IS 'Takes a person out of the tables where a row is not theirs alone: the notes of batches in hand, the place of a change of the catalogue, the feed, of which up to max_rows rows are emptied. Returns how many rows were changed.';

CREATE OR REPLACE FUNCTION intake.forget_rows(person uuid, max_rows integer) RETURNS integer
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
DECLARE
  part record;
  found_here integer;
  erased integer := 0;
BEGIN
  FOR part IN
    SELECT COALESCE(p.relid, t.relation) AS relation, LEAST(t.at_once, max_rows) AS at_once
    FROM intake.tables_of_persons() t LEFT JOIN LATERAL (SELECT x.relid FROM pg_partition_tree(t.relation) x WHERE x.isleaf) p ON true
    ORDER BY t.place, p.relid
  LOOP
    EXECUTE format('DELETE FROM ONLY %1$s t WHERE t.ctid = ANY (ARRAY(SELECT x.ctid FROM ONLY %1$s x WHERE x.user_id = $1 LIMIT $2))', part.relation)
    USING person, LEAST(part.at_once, max_rows - erased);
    GET DIAGNOSTICS found_here = ROW_COUNT;
    erased := erased + found_here;
    EXIT WHEN erased >= max_rows OR found_here >= part.at_once;
  END LOOP;
  RETURN erased;
END $$;
COMMENT ON FUNCTION intake.forget_rows(uuid, integer) IS 'Deletes up to max_rows rows of a person, from the first table that has any on. Returns how many; 0: none is left.';

CREATE OR REPLACE FUNCTION intake.forget_letters(person uuid) RETURNS integer
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
DECLARE
  seen bigint[];
  found_here integer;
BEGIN
  -- Before the first: a letter that was written without knowing of the ban is committed, or rolled back. Later ones are written by who knows.
  IF EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.letters_read = 0) THEN
    PERFORM pg_advisory_xact_lock(intake.letter_key());
  END IF;
  -- As many as are quickly read: their length is known without that.
  seen := ARRAY(SELECT n.id FROM (
    SELECT l.id, sum(l.bytes) OVER before AS bytes_before
    FROM (SELECT x.id, octet_length(x.payload)::bigint AS bytes FROM intake.dead_letter x
          WHERE x.id > (SELECT f.letters_read FROM intake.forgotten_person f WHERE f.user_id = person) ORDER BY x.id LIMIT 500) l
    WINDOW before AS (ORDER BY l.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) n
    WHERE n.bytes_before IS NULL OR n.bytes_before < 8000000 ORDER BY n.id);
  IF cardinality(seen) = 0 THEN
    RETURN NULL;
  END IF;
  DELETE FROM intake.dead_letter l WHERE l.id = ANY (seen) AND position(person::text IN lower(l.payload)) > 0;
  GET DIAGNOSTICS found_here = ROW_COUNT;
  UPDATE intake.forgotten_person f SET letters_read = seen[cardinality(seen)] WHERE f.user_id = person;
  RETURN found_here;
END $$;
COMMENT ON FUNCTION intake.forget_letters(uuid)
  IS 'Looks through the next dead letters for those that came under another name and name the person, and deletes these. Waits, before the first, for whoever is writing letters and may not know that the person is forgotten: the ban must have been committed. Returns how many; NULL: all have been looked through.';

CREATE OR REPLACE FUNCTION intake.forget_begin(person uuid, as_of timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  -- A batch that has the person in hand ends before; whoever claims after this finds the ban.
  PERFORM evidence.lock_person(person);
  INSERT INTO intake.forgotten_person AS f (user_id, forgotten_at) VALUES (person, as_of)
  ON CONFLICT ON CONSTRAINT forgotten_person_pkey DO UPDATE
    SET forgotten_at = CASE WHEN f.allowed_again_at IS NULL THEN f.forgotten_at ELSE excluded.forgotten_at END,
        times = CASE WHEN f.allowed_again_at IS NULL THEN f.times ELSE f.times + 1 END,
        erased_at = NULL, allowed_again_at = NULL, letters_read = 0;
  -- Nothing derives the person's days any more, so that no number is made of evidence that is half gone.
  DELETE FROM evidence.due_day d WHERE d.user_id = person;
  DELETE FROM evidence.due_cell d WHERE d.user_id = person;
  DELETE FROM evidence.person p WHERE p.user_id = person;
END $$;
COMMENT ON FUNCTION intake.forget_begin(uuid, timestamptz)
  IS 'Begins to forget a person, or to look again whether anything is left: from now on payloads about them are refused, and no re-check finds them. Waits for the batch that has them in hand.';

CREATE OR REPLACE FUNCTION intake.forget_step(person uuid, max_rows integer, as_of timestamptz, OUT erased integer, OUT is_over boolean)
LANGUAGE plpgsql AS $$
DECLARE
  more integer;
BEGIN
  PERFORM evidence.lock_person(person);
  erased := 0;
  is_over := NOT EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.erased_at IS NULL);
  IF is_over THEN                              -- Somebody else has come to the end.
    RETURN;
  END IF;
  erased := intake.forget_rows(person, max_rows);
  IF erased < max_rows THEN
    erased := erased + evidence.forget_elsewhere(person, max_rows - erased);
  END IF;
  IF erased = 0 THEN
    more := intake.forget_letters(person);
    erased := COALESCE(more, 0);
    is_over := more IS NULL;
  END IF;
  UPDATE intake.forgotten_person f
  SET rows_erased = f.rows_erased + erased, erased_at = CASE WHEN is_over THEN as_of END
  WHERE f.user_id = person AND (erased > 0 OR is_over);
  -- Not before: whoever begins to follow the feed meanwhile is told of cells that are still there, and of this behind them. What was said of an
  -- earlier erasure is said anew if there was more to erase.
  IF erased > 0 THEN
    UPDATE evidence.cell_change c SET user_id = '00000000-0000-0000-0000-000000000000', is_whole_person = false WHERE c.user_id = person AND c.is_whole_person;
  ELSIF is_over AND NOT EXISTS (SELECT FROM evidence.cell_change c WHERE c.user_id = person AND c.is_whole_person) THEN
    INSERT INTO evidence.cell_change (user_id, transaction_id, seen, changed_at, metric_ids, days, is_whole_person)
    VALUES (person, pg_current_xact_id(), pg_current_snapshot(), as_of, '{}', '{}', true);
  END IF;
END $$;
COMMENT ON FUNCTION intake.forget_step(uuid, integer, timestamptz)
  IS 'Erases up to max_rows more rows of a person whom forget_begin has begun to forget, fewer of those that hold whole payloads, and mends a few that are not the person''s alone. is_over: nothing is left, the proof says so, and so does the feed.';

CREATE OR REPLACE FUNCTION intake.forget_unfinished(as_of timestamptz, max_rows integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  person uuid;
BEGIN
  FOR person IN SELECT f.user_id FROM intake.forgotten_person f WHERE f.erased_at IS NULL ORDER BY f.forgotten_at LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(person);
    -- Whoever had the lock may have come to the end.
    CONTINUE WHEN NOT EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.erased_at IS NULL);
    PERFORM intake.forget_step(person, max_rows, as_of);
    RETURN 1;
  END LOOP;
  RETURN 0;
END $$;
COMMENT ON FUNCTION intake.forget_unfinished(timestamptz, integer)
  IS 'Goes a step on with the erasure of somebody that was ended in the middle. Returns 1; 0: there is none, or others are at it.';

CREATE OR REPLACE FUNCTION intake.allow_again(person uuid, as_of timestamptz) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  proof intake.forgotten_person;
BEGIN
  PERFORM evidence.lock_person(person);
  SELECT f.* INTO proof FROM intake.forgotten_person f WHERE f.user_id = person;
  IF proof.user_id IS NULL THEN
    RETURN 'not_forgotten';
  ELSIF proof.allowed_again_at IS NOT NULL THEN
    RETURN 'allowed_before';
  ELSIF proof.erased_at IS NULL THEN
    RETURN 'being_erased';
  END IF;
  UPDATE intake.forgotten_person f SET allowed_again_at = as_of WHERE f.user_id = person;
  RETURN 'allowed';
END $$;
COMMENT ON FUNCTION intake.allow_again(uuid, timestamptz)
  IS 'Takes payloads about a forgotten person again; what was erased stays erased, and the proof says both. Returns allowed; or not_forgotten, allowed_before, or being_erased (nothing has changed).';
