-- control.sql — Q3, B6, A5: pausing the intake, retrying dead letters, and suspects of a death.
-- In single transactions and not in one: a process that died has committed nothing but its journal.
SELECT plan(63);

CREATE EXTENSION dblink SCHEMA tap;
SELECT isnt(
  dblink_connect('other', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                 current_setting('port'), current_user, current_database())),
  NULL, 'a second session is there');

CREATE FUNCTION tap.person(number integer) RETURNS uuid LANGUAGE plpgsql AS $$
BEGIN
  RETURN format('00000000-0000-0000-0000-%s', lpad(number::text, 12, '0'))::uuid;
END $$;
CREATE FUNCTION tap.claimed(payloads integer DEFAULT 1000) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(c.payload, ' ' ORDER BY c.id) FROM intake.claim(NULL, payloads, 1000, 1000, 1000000) c);
END $$;
CREATE FUNCTION tap.suspects() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s:%s', q.payload, s.deaths), ' ' ORDER BY s.id)
          FROM intake.suspect s JOIN intake.sync_payload q ON q.user_id = s.user_id AND q.id = s.id);
END $$;
-- A worker takes what it gets, notes it down and dies: its session's number is one that no session has.
CREATE FUNCTION tap.dies() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  users uuid[];
  numbers bigint[];
  had text;
BEGIN
  BEGIN
    SELECT array_agg(c.user_id ORDER BY c.id), array_agg(c.id ORDER BY c.id), string_agg(c.payload, ' ' ORDER BY c.id) INTO users, numbers, had
    FROM intake.claim(NULL, 1000, 1000, 1000, 1000000) c;
    RAISE EXCEPTION 'dead';
  EXCEPTION WHEN raise_exception THEN NULL;
  END;
  INSERT INTO intake.batch_in_hand (process, worker, backend_pid, backend_start, started_at, user_ids, ids)
  VALUES (gen_random_uuid(), 1, 0, pg_postmaster_start_time(), '2026-11-29 08:00Z', users, numbers);
  PERFORM intake.note_deaths('2026-11-29 08:01Z');
  RETURN had;
END $$;

-- Pause and resume.
SELECT is((SELECT count(*) FROM intake.control), 1::bigint, 'a new database has its one row');
SELECT throws_ok('INSERT INTO intake.control (is_only) VALUES (false)', '23514', NULL, 'and takes no second one');
SELECT throws_ok('INSERT INTO intake.control DEFAULT VALUES', '23505', NULL, 'neither the same again');
SELECT throws_ok($$UPDATE intake.control SET paused_at = '2026-11-29 08:00Z'$$, '23514', NULL, 'no pause without a reason');
SELECT throws_ok($$UPDATE intake.control SET paused_because = 'x'$$, '23514', NULL, 'no reason without a pause');
SELECT throws_ok($$UPDATE intake.control SET paused_at = 'infinity', paused_because = 'x'$$, '23514', NULL, 'a pause begins at an instant');
INSERT INTO intake.sync_payload (user_id, payload) VALUES (tap.person(1), 'a'), (tap.person(2), 'b');
SELECT is(dblink_exec('other', 'LISTEN dailymetricd'), 'LISTEN', 'a worker listens');
SELECT ok(intake.pause('release 7', '2026-11-29 08:00Z'), 'intake is paused');
SELECT ok(NOT intake.pause('another reason', '2026-11-29 09:00Z'), 'once');
SELECT results_eq('SELECT c.paused_at, c.paused_because FROM intake.control c', $$VALUES ('2026-11-29 08:00Z'::timestamptz, 'release 7')$$, 'the first reason stays');
BEGIN;
SELECT is(tap.claimed(), NULL, 'nothing is taken out of the queue');
ROLLBACK;
SELECT ok(intake.resume(), 'intake goes on');
SELECT ok(NOT intake.resume(), 'once');
SELECT * FROM dblink('other', 'SELECT 1') AS o (answer integer) \g /dev/null
SELECT is((SELECT count(*) FROM dblink_get_notify('other')), 2::bigint, 'both wake the workers');
BEGIN;
SELECT is(tap.claimed(), 'a b', 'and all is there');
ROLLBACK;
SELECT is((SELECT c.accepted_up_to FROM intake.control c), (SELECT max(q.id) FROM intake.sync_payload q), 'what was queued until then is accepted');
SELECT ok(NOT intake.pause('garbage', '2026-11-29 08:00Z', (SELECT max(q.id) FROM intake.sync_payload q)), 'so that it pauses nothing again');
INSERT INTO intake.sync_payload (user_id, payload) VALUES (tap.person(3), 'c');
SELECT ok(intake.pause('garbage', '2026-11-29 08:00Z', (SELECT max(q.id) FROM intake.sync_payload q)), 'what came later does');
SELECT ok(intake.resume(), 'and is accepted in its turn');
DELETE FROM intake.sync_payload;
SELECT ok(intake.pause('x', '2026-11-29 08:00Z') AND intake.resume(), 'with an empty queue a pause ends too');
SELECT cmp_ok((SELECT c.accepted_up_to FROM intake.control c), '>=', 3::bigint, 'and nothing that was accepted is forgotten');

-- Retries.
INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at)
SELECT tap.person(n), CASE WHEN n < 4 THEN 'not_json' WHEN n = 4 THEN 'crashed' ELSE 'too_large' END, '', 'letter ' || n, '2026-11-01 07:00Z', '2026-11-02 07:00Z' FROM generate_series(1, 6) n;
SELECT results_eq($$SELECT intake.retry_dead_letters(ARRAY[1, 99], false, '2026-11-29 08:00Z')$$, ARRAY[1::bigint], 'a letter is retried by its number, one that is not there is not');
SELECT set_eq($$SELECT intake.retry_dead_letters(ARRAY(SELECT l.id FROM intake.dead_letter l WHERE l.code = 'not_json'), true, '2026-11-29 08:00Z')$$, ARRAY[2::bigint, 3::bigint], 'and all of a code');
SELECT results_eq(
  'SELECT q.payload, q.received_at, q.is_retry, q.is_consented FROM intake.sync_payload q ORDER BY q.payload',
  $$SELECT 'letter ' || n, '2026-11-01 07:00Z'::timestamptz, true, n > 1 FROM generate_series(1, 3) n$$,
  'they are queued as what they are, with their first arrival and the consent that they got');
SELECT set_eq('SELECT l.id FROM intake.dead_letter l', ARRAY[4::bigint, 5::bigint, 6::bigint], 'and are no dead letters any more');
SELECT is((SELECT count(*) FROM intake.retry_dead_letters(ARRAY[4], false, '2026-11-29 08:00Z')), 1::bigint, 'one that killed its process is retried');
SELECT is(tap.suspects(), 'letter 4:2', 'but goes alone');
TRUNCATE intake.sync_payload, intake.suspect;

-- Suspects. b kills whoever has it in hand.
INSERT INTO intake.sync_payload (user_id, payload) VALUES (tap.person(1), 'a'), (tap.person(2), 'b'), (tap.person(2), 'c'), (tap.person(3), 'd');
SELECT is(tap.dies(), 'a b c d', 'a worker dies with its batch');
SELECT is(tap.suspects(), 'a:1 b:1 c:1 d:1', 'all of it is suspected');
SELECT is((SELECT count(*) FROM intake.batch_in_hand), 0::bigint, 'and the dead worker forgotten');
INSERT INTO intake.sync_payload (user_id, payload) VALUES (tap.person(1), 'e'), (tap.person(4), 'f');
SELECT is(tap.dies(), 'a b c d', 'suspects are taken together at first, and nothing else with them');
SELECT is(tap.suspects(), 'a:2 b:2 c:2 d:2', 'they die together');
BEGIN;
SELECT is(tap.claimed(), 'a', 'then each is alone');
SELECT is((SELECT o.taken FROM dblink('other', 'BEGIN; SELECT tap.claimed()') AS o (taken text)), 'f', 'while others take what is not suspected, of persons that are not');
COMMIT;
SELECT is(dblink_exec('other', 'COMMIT'), 'COMMIT', 'both work out');
SELECT is(tap.dies(), 'b', 'the culprit dies alone');
SELECT is(tap.suspects(), 'b:3 c:2 d:2', 'and has one death more than the others');
BEGIN;
SELECT is(tap.claimed(), 'c', 'who are tried before it');
COMMIT;
BEGIN;
SELECT is(tap.claimed(), 'd', 'one by one');
COMMIT;
SELECT is((SELECT string_agg(tap.dies(), ' ') FROM generate_series(4, 8)), 'b b b b b', 'the culprit dies again and again, alone');
SELECT results_eq('SELECT l.user_id, l.payload FROM intake.dead_letter l WHERE l.code = ''crashed''', $$VALUES (tap.person(2), 'b')$$, 'eight deaths, six of them alone, are too many');
BEGIN;
SELECT is(tap.claimed(), 'e', 'what waited behind them is merged');
COMMIT;
SELECT is((SELECT count(*) FROM intake.sync_payload) + (SELECT count(*) FROM intake.suspect), 0::bigint, 'nothing is left behind');

-- A worker that lives is no dead one; a suspect that has been merged meanwhile stops nobody.
INSERT INTO intake.sync_payload (user_id, payload) VALUES (tap.person(1), 'g');
INSERT INTO intake.batch_in_hand (process, worker, backend_pid, backend_start, started_at, user_ids, ids)
SELECT gen_random_uuid(), 1, a.pid, a.backend_start, '2026-11-29 08:00Z', ARRAY[tap.person(1)], ARRAY(SELECT q.id FROM intake.sync_payload q)
FROM pg_stat_activity a WHERE a.pid = pg_backend_pid();
SELECT results_eq($$SELECT * FROM intake.note_deaths('2026-11-29 08:01Z')$$, 'VALUES (0, 0)', 'the batch of a session that is there is nobody''s death');
INSERT INTO intake.suspect (user_id, id, deaths, died_at) VALUES (tap.person(1), 999999, 3, '2026-11-29 08:00Z');
BEGIN;
SELECT is(COALESCE(tap.claimed(), '') || COALESCE(tap.claimed(), ''), 'g', 'a suspect that is gone is forgotten');
COMMIT;

DELETE FROM intake.batch_in_hand;

-- Connections that were lost by workers that live. Whoever stops the server stops everybody.
CREATE FUNCTION tap.loses(without_a_word boolean, was_noted boolean DEFAULT true, started timestamptz DEFAULT pg_postmaster_start_time(),
  began timestamptz DEFAULT '2026-11-29 08:00Z') RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  process uuid := gen_random_uuid();
  users uuid[] := ARRAY(SELECT q.user_id FROM intake.sync_payload q ORDER BY q.id);
  numbers bigint[] := ARRAY(SELECT q.id FROM intake.sync_payload q ORDER BY q.id);
  number integer;
BEGIN
  IF was_noted THEN
    INSERT INTO intake.batch_in_hand (process, worker, backend_pid, backend_start, started_at, user_ids, ids)
    VALUES (process, 1, 0, started, began, users, numbers);
  END IF;
  number := intake.note_loss(process, 1, started, began, users, numbers, without_a_word);
  RETURN format('%s, %s', number, COALESCE(tap.suspects(), 'none'));
END $$;
INSERT INTO intake.sync_payload (user_id, payload) VALUES (tap.person(1), 'h'), (tap.person(2), 'i');
SELECT is(tap.loses(false), '0, none', 'a connection that was ended with a word speaks against nobody');
SELECT is((SELECT count(*) FROM intake.batch_in_hand), 0::bigint, 'and its note is gone');
SELECT is(tap.loses(true), '2, h:1 i:1', 'one that ended without a word does');
SELECT is(tap.loses(true, started => pg_postmaster_start_time() - interval '1 second'), '0, h:1 i:1', 'unless the server has been started since');
SELECT is(tap.loses(true, was_noted => false), '0, h:1 i:1', 'a death that somebody else has counted meanwhile is not counted again');
SELECT is(tap.loses(false, was_noted => false, began => '2026-11-29 08:00:30Z'), '0, h:1 i:1', 'a later batch takes back no death of an earlier one, however late that was told');
SELECT is(tap.loses(false, was_noted => false), '0, none', 'and is taken back if nobody is to blame');
INSERT INTO intake.suspect (user_id, id, deaths, died_at) SELECT q.user_id, q.id, 3, '2026-11-29 08:00Z' FROM intake.sync_payload q WHERE q.payload = 'h';
SELECT is(tap.loses(false, was_noted => false), '0, h:2', 'earlier deaths stay');
UPDATE intake.suspect SET died_at = '2026-11-29 07:59Z';
SELECT is(tap.loses(false, was_noted => false), '0, h:2', 'also where the crash of the server took the note along');
SELECT is(tap.loses(true, was_noted => false), '2, h:3 i:1', 'and then the worker''s own memory counts');
UPDATE intake.suspect SET died_at = '2026-11-29 09:00Z';
SELECT is(tap.loses(true) || (SELECT bool_and(s.died_at = '2026-11-29 09:00Z') FROM intake.suspect s), '2, h:4 i:2true', 'the latest death stays the latest');
INSERT INTO intake.batch_in_hand (process, worker, backend_pid, backend_start, started_at, user_ids, ids)
SELECT gen_random_uuid(), 1, 0, pg_postmaster_start_time() - interval '1 second', '2026-11-29 08:00Z', array_agg(q.user_id), array_agg(q.id) FROM intake.sync_payload q;
SELECT results_eq($$SELECT * FROM intake.note_deaths('2026-11-29 08:01Z')$$, 'VALUES (0, 0)', 'a server that was stopped and started is no death of its clients');
SELECT is((SELECT count(*) FROM intake.batch_in_hand), 0::bigint, 'and their notes are gone');

-- When payloads are parked as crashed again and again, it is not they.
TRUNCATE intake.sync_payload, intake.suspect, intake.dead_letter;
CREATE FUNCTION tap.crash(how_many integer, since timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  WITH queued AS (
    INSERT INTO intake.sync_payload AS q (user_id, payload) SELECT tap.person(n), 'j' || n FROM generate_series(1, how_many) n
    RETURNING q.user_id, q.id)
  INSERT INTO intake.suspect (user_id, id, deaths, died_at) SELECT q.user_id, q.id, intake.deaths_until_parked(), since FROM queued q;
  PERFORM intake.note_deaths(since);
  RETURN (SELECT c.paused_at IS NOT NULL FROM intake.control c);
END $$;
SELECT ok(NOT tap.crash(9, '2026-11-29 08:00Z'), 'nine within an hour pause nothing');
SELECT ok(NOT tap.crash(1, '2026-11-29 09:00Z'), 'and one more after an hour neither');
SELECT ok(tap.crash(9, '2026-11-29 09:30Z'), 'ten within an hour pause the intake');
SELECT is((SELECT count(*) FROM intake.dead_letter l WHERE l.code = 'crashed'), 19::bigint, 'and are parked');

SELECT * FROM finish();
