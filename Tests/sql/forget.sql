-- forget.sql — a person is erased from every table that can name one, in steps, and what arrives later is let go of.
BEGIN;
SELECT plan(49);

-- Which columns could name a person: a new one has to be covered, or be added here with the reason.
CREATE TEMPORARY VIEW id_column AS
  SELECT c.oid::regclass::text AS relation, a.attname::text AS name
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace IN ('public'::regnamespace, 'intake'::regnamespace, 'evidence'::regnamespace) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.atttypid IN ('uuid'::regtype, 'uuid[]'::regtype);
CREATE TEMPORARY TABLE harmless (name text, reason text);
INSERT INTO harmless VALUES
  ('payload_id', 'a producer''s id of a payload'), ('payloads', 'the same, of records'), ('id', 'the platform''s id of a record'), ('ids', 'the same'),
  ('record_ids', 'the same'), ('nonce', 'a random number'), ('process', 'a random number');
CREATE TEMPORARY TABLE elsewhere (relation text, name text);
INSERT INTO elsewhere VALUES
  ('intake.batch_in_hand', 'user_ids'), ('evidence.catalogue_change', 'next_user'), ('evidence.cell_change', 'user_id'),
  ('intake.forgotten_person', 'user_id');
SELECT is_empty($$SELECT i.relation, i.name FROM id_column i
    WHERE NOT (i.name = 'user_id' AND i.relation IN (SELECT t.relation::text FROM intake.tables_of_persons() t))
      AND (i.relation, i.name) NOT IN (SELECT e.relation, e.name FROM elsewhere e) AND i.name NOT IN (SELECT h.name FROM harmless h)$$,
  'every column that could name a person is covered by forget, or known to name none');
SELECT is_empty($$SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace IN ('public'::regnamespace, 'intake'::regnamespace, 'evidence'::regnamespace)
    AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped)
    AND c.oid::regclass::text NOT IN (SELECT e.relation FROM elsewhere e) AND c.oid NOT IN (SELECT t.relation FROM intake.tables_of_persons() t)$$,
  'every table with a user_id is on the list, whatever its type');
SELECT is((SELECT count(*) FROM id_column i JOIN elsewhere e ON e.relation = i.relation AND e.name = i.name), 4::bigint, 'what is covered elsewhere is there');
SELECT is_empty($$SELECT t.relation FROM intake.tables_of_persons() t GROUP BY t.relation HAVING count(*) > 1$$, 'no table is on the list twice');
SELECT is_empty($$SELECT t.relation FROM intake.tables_of_persons() t WHERE NOT EXISTS (
    SELECT FROM pg_index x JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
    WHERE x.indrelid = t.relation AND x.indisprimary AND a.attname = 'user_id')$$, 'each is found by an index');
SELECT is_empty($$SELECT f.conrelid::regclass FROM pg_constraint f WHERE f.contype = 'f' AND f.confrelid IN (SELECT t.relation FROM intake.tables_of_persons() t)$$,
  'and no other table hangs on one');

-- Two persons with a row in each table, and traces elsewhere.
CREATE FUNCTION pg_temp.filled(person uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  steps constant smallint := (SELECT m.metric_id FROM public.metric m WHERE m.metric = 'steps');
BEGIN
  PERFORM evidence.note_origins(ARRAY[person], '{2}', '{""}', '{2026-11-25 07:00Z}', '{true}', '{NULL}', '2026-11-25 07:00Z');
  PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2026-11-25 07:00Z}', ARRAY[md5('zone')::uuid], '{0}', '{UTC}', '2026-11-25 07:00Z');
  PERFORM evidence.note_windows(ARRAY[person], '{2}', '{""}', '{0}', '{authorized_from}', '{2026-11-25 07:00Z}', ARRAY[md5('z')::uuid], '{0}', '{2026-10-01 00:00Z}', '2026-11-25 07:00Z');
  PERFORM evidence.note_permissions(ARRAY[person], '{2}', '{""}', '{0}', '{2026-11-25 07:00Z}', ARRAY[md5('z')::uuid], '{0}', '{granted}', '{NULL}', '2026-11-25 07:00Z');
  PERFORM evidence.note_backfills(ARRAY[person], '{2}', '{""}', '{0}', '{2026-11-25 07:00Z}', ARRAY[md5('z')::uuid], '{0}', '{true}', '{2026-11-01}');
  PERFORM evidence.merge_readings(ARRAY[person], '{2}', '{""}', ARRAY[md5('r')::uuid], '{2026-11-25 07:00Z}', '{1}', ARRAY[steps], '{2026-11-24}', '{0}', '{value}', '{5}', '{"{watch}"}', '{NULL}', '{NULL}', '{true}', '2026-11-25 07:00Z');
  PERFORM evidence.derive(ARRAY[person], '{2026-11-24}', '2026-11-25 07:00Z', false);
  PERFORM evidence.merge_readings(ARRAY[person], '{2}', '{""}', ARRAY[md5('s')::uuid], '{2026-11-25 08:00Z}', '{1}', ARRAY[steps], '{2026-11-24}', '{0}', '{value}', '{6}', '{"{watch}"}', '{NULL}', '{NULL}', '{true}', '2026-11-25 08:00Z');
  PERFORM evidence.derive(ARRAY[person], '{2026-11-24}', '2026-11-25 08:00Z', false);
  PERFORM evidence.recheck_silent('2026-11-28 08:00Z', 100);
  INSERT INTO evidence.presence (user_id, local_date, platform_id, store, source, kind) VALUES (person, '2026-11-24', 2, '', 'watch', 'wear') ON CONFLICT DO NOTHING;
  INSERT INTO evidence.due_cell VALUES (person, '2026-11-24', 'steps');
  INSERT INTO evidence.record_day (user_id, local_date, metric_id, platform_id, store, chunk) VALUES (person, '2026-11-24', steps, 2, '', 0);
  INSERT INTO evidence.record_id VALUES (person, 2, '', md5('i')::uuid, '2026-11-24', steps, 0);
  INSERT INTO evidence.former_record (user_id, local_date, metric_id, platform_id, store, id, source, is_manual, read_at, payload_id, "position", place, is_over, is_proven)
  VALUES (person, '2026-11-23', steps, 2, '', md5('i')::uuid, '', false, '2026-11-25 07:00Z', md5('r')::uuid, 0, 'inside', true, true);
  INSERT INTO evidence.deleted_record VALUES (person, 2, '', md5('d')::uuid, '2026-11-25 07:00Z');
  INSERT INTO evidence.deleted_interval VALUES (person, 2, '', steps, '2026-11-20 07:00Z', '2026-11-20 08:00Z', '2026-11-25 07:00Z');
  PERFORM evidence.merge_hours(ARRAY[person], '{2}', '{""}', ARRAY[md5('r')::uuid], '{2026-11-25 07:00Z}', '{1}', ARRAY[steps], '{2026-11-24}', '{9}', '{0}', '{5}', '{60}', '{60}');
  PERFORM evidence.derive_hours(ARRAY[person], '{2026-11-24}');
  PERFORM evidence.merge_workouts(ARRAY[person], '{2}', '{""}', ARRAY[md5('r')::uuid], '{2026-11-25 07:00Z}', '{1}', '{w}', '{2026-11-24}', '{0}', '{watch}', '{2026-11-24 07:00Z}',
    '{2026-11-24 08:00Z}', '{false}', '{"{}"}', '{"{}"}', '{"{}"}', '{"{}"}', '{"{}"}', '{"{}"}', '{"{}"}');
  PERFORM evidence.derive_workouts(ARRAY[person], '{2}', '{""}', '{w}');
  INSERT INTO intake.sync_payload (user_id, payload) SELECT person, format('{"n": %s}', n) FROM generate_series(1, 7) n;
  INSERT INTO intake.suspect SELECT q.user_id, q.id, 1, '2026-11-25 07:00Z' FROM intake.sync_payload q WHERE q.user_id = person ORDER BY q.id LIMIT 1;
  INSERT INTO intake.slow_payload SELECT q.user_id, q.id, 1, 0, '2026-11-25 07:00Z' FROM intake.sync_payload q WHERE q.user_id = person ORDER BY q.id OFFSET 1 LIMIT 1;
  INSERT INTO intake.load VALUES (person, 2, '', 'load', 'open', '2026-11-01 07:00Z', NULL);
  INSERT INTO intake.load_page VALUES (person, 2, '', 'load', 1, false, md5('p')::uuid, '{}', '2026-11-01 07:00Z', false);
  INSERT INTO intake.receipt VALUES (person, md5('r')::uuid, '2026-11-25 07:00Z', '2026-11-25 07:00Z', decode(md5('r'), 'hex'), 'merged', 1, 0, 0, '2026-11-25 07:00Z');
  INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at) VALUES (person, 'not_json', '', 'x', '2026-11-25 07:00Z', '2026-11-25 07:00Z');
  INSERT INTO intake.quarantined_entry VALUES (person, md5('r')::uuid, '/days/0', 'out_of_range', '{}', '2026-11-25 07:00Z', 2, '', '2026-11-25 07:00Z');
END $$;
DO $$ BEGIN PERFORM pg_temp.filled(md5('anna')::uuid); PERFORM pg_temp.filled(md5('ben')::uuid); END $$;
INSERT INTO intake.batch_in_hand VALUES (md5('process')::uuid, 1, 1, '2026-11-25 07:00Z', '2026-11-25 07:00Z', ARRAY[md5('ben'), md5('anna'), md5('ben')]::uuid[], '{1,2,3}');
INSERT INTO evidence.catalogue_change (catalogue, key, before, after, noticed_at, next_user) VALUES ('metric', 'steps', '{}', NULL, '2026-11-25 07:00Z', md5('anna')::uuid);
INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at) VALUES
  ('00000000-0000-0000-0000-000000000000', 'user_mismatch', '/user_id', format('{"user_id": "%s"}', upper(md5('anna')::uuid::text)), '2026-11-25 07:00Z', '2026-11-25 07:00Z'),
  (md5('ben')::uuid, 'not_json', '', format('{"user_id": "%s"', md5('ben')::uuid), '2026-11-25 07:00Z', '2026-11-25 07:00Z');
-- In how many tables of the list a person has no row.
CREATE FUNCTION pg_temp.empty_tables(person uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  part regclass;
  is_empty boolean;
  names text := '';
BEGIN
  FOR part IN SELECT t.relation FROM intake.tables_of_persons() t ORDER BY 1 LOOP
    EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s t WHERE t.user_id = $1)', part) INTO is_empty USING person;
    IF is_empty THEN names := names || part || ' '; END IF;
  END LOOP;
  RETURN names;
END $$;
SELECT is(pg_temp.empty_tables(md5('anna')::uuid), '', 'the person has a row in each table');
CREATE TEMPORARY TABLE feed_before AS SELECT public.newest_proof() AS proof;

-- The beginning: a ban, and nobody works on what is left.
DO $$ BEGIN PERFORM intake.forget_begin(md5('anna')::uuid, '2026-11-29 07:00Z'); END $$;
SELECT ok(intake.is_forgotten(md5('anna')::uuid), 'the ban holds from the first moment on');
SELECT ok(NOT intake.is_forgotten(md5('ben')::uuid), 'of one person');
SELECT is((SELECT f.erased_at FROM intake.forgotten_person f), NULL, 'the erasure is not over');
SELECT is(intake.allow_again(md5('anna')::uuid, '2026-11-29 07:00Z'), 'being_erased', 'and cannot be called off');
SELECT is((SELECT count(*) FROM evidence.due_day d WHERE d.user_id = md5('anna')::uuid) + (SELECT count(*) FROM evidence.due_cell d WHERE d.user_id = md5('anna')::uuid)
  + (SELECT count(*) FROM evidence.person p WHERE p.user_id = md5('anna')::uuid), 0::bigint, 'no re-check finds the person');
SELECT is((SELECT count(*) FROM intake.expired_pages('2026-11-29 07:00Z') e WHERE e.user_id = md5('anna')::uuid), 0::bigint, 'no load is given up with half of the evidence');
SELECT is((SELECT string_agg(c.payload || c.is_forgotten, ' ' ORDER BY c.id) FROM intake.claim(NULL, 1, 1, 1, 1000000) c WHERE c.user_id = md5('anna')::uuid), 'true',
  'a suspect of a forgotten person is claimed without its text');
DELETE FROM intake.suspect s WHERE s.user_id = md5('ben')::uuid;
SELECT is((SELECT string_agg(DISTINCT c.payload || c.is_forgotten, ' ') FROM intake.claim_slow(0) c WHERE c.user_id = md5('anna')::uuid), 'true', 'and so is one that took too long');
DELETE FROM intake.slow_payload;
SELECT is((SELECT string_agg(c.payload || c.is_forgotten, ' ' ORDER BY c.id) FROM intake.claim(NULL, 100, 2, 10, 1000000) c WHERE c.user_id = md5('anna')::uuid), 'true true', 'and any other');
SELECT is((SELECT count(*) FROM intake.claim(NULL, 100, 2, 10, 1000000) c WHERE c.user_id = md5('ben')::uuid AND NOT c.is_forgotten AND c.payload LIKE '{"n": _}'), 2::bigint, 'others'' are claimed as ever');

-- Step by step, in any size.
CREATE TEMPORARY TABLE step (n serial, erased integer, is_over boolean);
DO $$
DECLARE
  done boolean := false;
BEGIN
  WHILE NOT done LOOP
    INSERT INTO step (erased, is_over) SELECT s.* FROM intake.forget_step(md5('anna')::uuid, 3, '2026-11-29 08:00Z') s RETURNING is_over INTO done;
  END LOOP;
END $$;
SELECT cmp_ok((SELECT count(*) FROM step s), '>', 8::bigint, 'small steps are many');
SELECT cmp_ok((SELECT max(s.erased) FROM step s), '<=', 3 + 2, 'none is larger than it may be, but for the two rows that are not the person''s alone');
SELECT is((SELECT f.rows_erased FROM intake.forgotten_person f), (SELECT sum(s.erased) FROM step s)::bigint, 'the proof counts what they erased');
SELECT is((SELECT f.erased_at FROM intake.forgotten_person f), '2026-11-29 08:00Z'::timestamptz, 'and says when it was over');
SELECT is((SELECT array_length(string_to_array(trim(pg_temp.empty_tables(md5('anna')::uuid)), ' '), 1)), (SELECT count(*)::integer FROM intake.tables_of_persons()),
  'no table has a row of the person');
SELECT is((SELECT b.user_ids FROM intake.batch_in_hand b), ARRAY[md5('ben'), md5('ben')]::uuid[], 'the journal does not name them');
SELECT is((SELECT b.ids FROM intake.batch_in_hand b), '{1,3}'::bigint[], 'and still says what others had in hand');
SELECT ok((SELECT c.next_user > md5('anna')::uuid FROM evidence.catalogue_change c WHERE c.key = 'steps' AND c.after IS NULL), 'a change of the catalogue goes on with the next person');
SELECT is((SELECT count(*) FROM intake.dead_letter l WHERE l.user_id = '00000000-0000-0000-0000-000000000000'), 0::bigint, 'a letter under another name that names them is gone');
SELECT is((SELECT count(*) FROM intake.dead_letter l WHERE l.user_id = md5('ben')::uuid), 2::bigint, 'others'' letters are not');
SELECT is((SELECT string_agg(s.name, ' ') FROM unnest(string_to_array(trim(pg_temp.empty_tables(md5('ben')::uuid)), ' ')) AS s (name)),
  'intake.suspect intake.slow_payload', 'nor is anything else of others, but for what this test took itself');

-- What followers of the feed are told.
SELECT is((SELECT count(*) FROM evidence.cell_change c WHERE c.user_id = md5('anna')::uuid), 1::bigint, 'one row of the feed names the person');
SELECT ok((SELECT c.is_whole_person AND c.metric_ids = '{}' AND c.days = '{}' FROM evidence.cell_change c WHERE c.user_id = md5('anna')::uuid), 'which says that all of them is gone, and nothing of what');
SELECT ok(public.is_proven((SELECT b.proof FROM feed_before b)), 'whoever has read the feed before goes on without beginning anew');
CREATE TEMPORARY TABLE past AS SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS over;
UPDATE evidence.cell_change c SET transaction_id = ((SELECT p.over FROM past p) - 100 + (c.change_id - (SELECT min(x.change_id) FROM evidence.cell_change x)))::text::xid8;
UPDATE public.feed_horizon SET era = public.feed_era();
CREATE TEMPORARY TABLE told AS
  SELECT * FROM public.changes_since((SELECT format('%s:%s:%s:0:0', public.feed_era(), public.newest_proof(), p.over - 100) FROM past p));
SELECT is((SELECT string_agg(format('%s %s %s %s', t.metric IS NULL, t.local_date IS NULL, t.is_removed, t.value IS NULL), ', ') FROM told t WHERE t.user_id = md5('anna')::uuid), 't t t t',
  'they are told of the person as a whole');
SELECT is((SELECT count(*) FROM told t WHERE t.user_id NOT IN (md5('anna')::uuid, md5('ben')::uuid)), 0::bigint, 'and nothing of the rows that were emptied');
SELECT is((SELECT count(*) FROM public.changes_since((SELECT t.next_cursor FROM told t OFFSET (SELECT count(*) - 1 FROM told)))), 0::bigint, 'once');

-- What arrives later.
SELECT is(intake.bury(ARRAY[md5('ben'), md5('ben')]::uuid[], '{NULL,NULL}', '{user_mismatch,not_json}', '{/user_id,""}', '{NULL,NULL}', '{NULL,NULL}',
  ARRAY[format('{"user_id": "%s", "days": []}', md5('anna')::uuid), 'y'], '{2026-11-29 09:00Z,2026-11-29 09:00Z}', '2026-11-29 09:00Z'), 1, 'a letter that names them is not kept');
SELECT is((SELECT count(*) FROM intake.dead_letter l WHERE l.user_id = md5('ben')::uuid), 3::bigint, 'its neighbour is');
DO $$ BEGIN PERFORM intake.note_refused(ARRAY[md5('anna'), md5('anna')]::uuid[], '2026-11-29 10:00Z'); END $$;
SELECT is((SELECT f.payloads_refused || ' ' || (f.last_refused_at = '2026-11-29 10:00Z') FROM intake.forgotten_person f), '3 true', 'what was refused is counted');

SELECT is(intake.bury(ARRAY[md5('anna')]::uuid[], '{NULL}', '{not_json}', '{""}', '{NULL}', '{NULL}', '{z}', '{2026-11-29 09:00Z}', '2026-11-29 09:00Z'), 1, 'a letter of theirs is not kept, whatever it holds');
-- What killed its process or took too long is parked by who never looks into it.
DELETE FROM intake.sync_payload;
INSERT INTO intake.sync_payload (user_id, payload) VALUES
  (md5('anna')::uuid, 'crashes'), (md5('ben')::uuid, format('crashes %s', upper(md5('anna')::uuid::text))), (md5('ben')::uuid, 'crashes alone');
INSERT INTO intake.suspect SELECT q.user_id, q.id, intake.deaths_until_parked(), '2026-11-29 09:00Z' FROM intake.sync_payload q;
SELECT is((SELECT d.crashed FROM intake.note_deaths('2026-11-29 10:00Z') d), 1, 'of payloads that crash only that one is parked which is not about them');
SELECT is((SELECT string_agg(l.payload, ', ') FROM intake.dead_letter l WHERE l.code = 'crashed'), 'crashes alone', 'that one');
INSERT INTO intake.sync_payload (user_id, payload) VALUES (md5('anna')::uuid, 'slow'), (md5('ben')::uuid, format('slow %s', md5('anna')::uuid)), (md5('ben')::uuid, 'slow alone');
INSERT INTO intake.slow_payload SELECT q.user_id, q.id, intake.attempts_until_parked() - 1, 1, '2026-11-29 09:00Z' FROM intake.sync_payload q;
SELECT is((SELECT string_agg(n.is_parked::text, ' ' ORDER BY q.id) FROM intake.sync_payload q CROSS JOIN LATERAL intake.note_timeout(q.user_id, q.id, '2026-11-29 10:00Z') n),
  'false false true', 'and so with those that take too long');
SELECT is((SELECT string_agg(l.payload, ', ') FROM intake.dead_letter l WHERE l.code = 'timed_out'), 'slow alone', 'that one');
SELECT is((SELECT count(*) FROM intake.sync_payload) + (SELECT count(*) FROM intake.suspect) + (SELECT count(*) FROM intake.slow_payload), 0::bigint, 'the others are let go of');
SELECT is((SELECT f.payloads_refused FROM intake.forgotten_person f), 8::bigint, 'and counted');

-- Called again it finds nothing, and ends.
DO $$ BEGIN PERFORM intake.forget_begin(md5('anna')::uuid, '2026-11-29 11:00Z'); END $$;
SELECT is((SELECT f.forgotten_at || ' ' || f.times FROM intake.forgotten_person f), '2026-11-29 07:00:00+00 1', 'called again it is the same erasure');
DO $$ BEGIN FOR n IN 1..5 LOOP PERFORM evidence.keep_up('2026-11-29 12:00Z'); END LOOP; END $$;
SELECT is((SELECT f.erased_at FROM intake.forgotten_person f), '2026-11-29 12:00Z'::timestamptz, 'a service ends what was left unfinished');

-- Back again.
SELECT is(intake.allow_again(md5('ben')::uuid, '2026-11-29 13:00Z'), 'not_forgotten', 'who was not forgotten needs no way back');
SELECT is(intake.allow_again(md5('anna')::uuid, '2026-11-29 13:00Z') || ' ' || intake.allow_again(md5('anna')::uuid, '2026-11-29 14:00Z'), 'allowed allowed_before', 'who was can come back');
SELECT ok(NOT intake.is_forgotten(md5('anna')::uuid), 'and then payloads are taken');

SELECT * FROM finish();
ROLLBACK;
