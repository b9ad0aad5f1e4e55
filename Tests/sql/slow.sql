-- slow.sql - Q3: a payload that takes too long is tried apart from the others, and parked only if these are merged meanwhile.
-- Not in one transaction: a claim and what becomes of it are two.
SELECT plan(33);

CREATE FUNCTION tap.person(number integer) RETURNS uuid LANGUAGE plpgsql AS $$
BEGIN
  RETURN format('00000000-0000-0000-0000-%s', lpad(number::text, 12, '0'))::uuid;
END $$;
CREATE FUNCTION tap.queue(VARIADIC payloads text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- The person is the number after the letter.
  INSERT INTO intake.sync_payload (user_id, payload)
  SELECT tap.person(substr(p, 2)::integer), p FROM unnest(payloads) WITH ORDINALITY AS u (p, n) ORDER BY u.n;
END $$;
-- What a batch of at most so many takes, and is merged.
CREATE FUNCTION tap.merged(payloads integer DEFAULT 1000, after_user uuid DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(c.payload, ' ' ORDER BY c.id) FROM intake.claim(after_user, payloads, 1000, 1000, 1000000) c);
END $$;
-- The same, but it takes too long.
CREATE FUNCTION tap.times_out(payloads integer DEFAULT 1000) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  number bigint;
  person uuid;
  had text;
  noted record;
BEGIN
  BEGIN
    SELECT min(c.id), min(c.user_id::text)::uuid, string_agg(c.payload, ' ') INTO number, person, had
    FROM intake.claim(NULL, payloads, 1000, 1000, 1000000) c;
    RAISE EXCEPTION 'too slow';
  EXCEPTION WHEN raise_exception THEN NULL;
  END;
  noted := intake.note_timeout(person, number, '2026-11-29 08:00Z');
  RETURN format('%s: %s%s%s', had, noted.attempts, CASE WHEN NOT noted.is_counted THEN ', not counted' END, CASE WHEN noted.is_parked THEN ', parked' END);
END $$;

-- It is tried when nobody else waits, and counts when others have passed.
SELECT tap.queue('a1');
SELECT is(tap.times_out(), 'a1: 1', 'the first attempt counts');
SELECT is(tap.times_out(), 'a1: 1, not counted', 'another one does not: nothing says that others fare better');
SELECT tap.queue('b1', 'c2');
SELECT is(tap.merged(), 'c2', 'others go on, and all of its person''s payloads wait');
SELECT is(tap.times_out(), 'a1: 2', 'when nobody else waits it is tried again, and others have passed');
SELECT is(tap.times_out(), 'a1: 2, not counted', 'once for all that passed');
SELECT is(tap.merged(1000, tap.person(1)), NULL, 'a claim that begins in the middle takes it not: others may wait before it');

-- Others that keep coming do not keep it from its turn.
SELECT is((SELECT string_agg(tap.merged(1), ' ') FROM generate_series(3, 22) AS n CROSS JOIN LATERAL tap.queue('d' || n)),
  (SELECT string_agg('d' || n, ' ') FROM generate_series(3, 22) AS n), 'twenty batches of others pass');
SELECT tap.queue('e3');
SELECT is(tap.times_out(), 'a1: 3', 'then it has a turn before the next one');
SELECT is(tap.merged(), 'e3', 'which comes after it');
SELECT is(tap.times_out(), 'a1: 4', 'the fourth attempt');
SELECT is(tap.times_out(), 'a1: 4, not counted', 'where nothing passes nothing is parked');
SELECT tap.queue('f4');
SELECT is(tap.merged(), 'f4', 'another one passes');
SELECT is(tap.times_out(), 'a1: 5, parked', 'the fifth attempt is the last');
SELECT results_eq('SELECT l.code || l.payload FROM intake.dead_letter l', $$SELECT 'timed_outa1' COLLATE "C"$$, 'it is a dead letter');
SELECT is((SELECT count(*) FROM intake.slow_payload), 0::bigint, 'nothing is remembered of it');
SELECT is(tap.merged(), 'b1', 'its person''s other payloads go on');

-- Retried it is alone from the start, and parked sooner.
SELECT is((SELECT count(*) FROM intake.retry_dead_letters(ARRAY(SELECT l.id FROM intake.dead_letter l WHERE l.code = 'timed_out'), false, '2026-11-29 09:00Z')), 1::bigint, 'it is retried');
SELECT tap.queue('g5');
SELECT is(tap.merged(), 'g5', 'others come first');
SELECT is(tap.times_out(), 'a1: 2', 'it is alone');
SELECT is(tap.merged(), 'a1', 'if it is merged after all');
SELECT is(intake.slow_persons(), '{}', 'it is slow no more');
SELECT is((SELECT count(*) FROM intake.slow_payload) + (SELECT count(*) FROM intake.sync_payload), 0::bigint, 'and forgotten');

-- Rows that have lost their payload, and suspects.
SELECT tap.queue('h6', 'i7');
SELECT is(tap.times_out(1), 'h6: 1', 'one is slow');
DELETE FROM intake.sync_payload q WHERE q.payload = 'h6';
SELECT is(tap.merged(), 'i7', 'and is taken out of the queue by hand');
SELECT is(tap.merged(), NULL, 'nothing is left');
SELECT is((SELECT count(*) FROM intake.slow_payload), 0::bigint, 'the memory of it goes too');
SELECT results_eq($$SELECT attempts, is_parked FROM intake.note_timeout(tap.person(6), 1, '2026-11-29 09:00Z')$$, $$VALUES (NULL::integer, false)$$,
  'a timeout of what is not queued is nothing');
SELECT tap.queue('j8');
INSERT INTO intake.suspect (user_id, id, deaths, died_at) SELECT q.user_id, q.id, 2, '2026-11-29 09:00Z' FROM intake.sync_payload q;
SELECT is(tap.times_out(), 'j8: 1', 'a suspect that takes too long');
SELECT is((SELECT count(*) FROM intake.suspect), 0::bigint, 'has killed nobody, and does not come before all others any more');

-- One after another is no single payload's fault.
INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at)
SELECT tap.person(n), 'timed_out', '', '', '2026-11-29 07:30Z', '2026-11-29 07:30Z' FROM generate_series(1, 9) n;
UPDATE intake.slow_payload SET attempts = 4, passed = 1;
SELECT is((SELECT count(*) FROM intake.control c WHERE c.paused_at IS NOT NULL), 0::bigint, 'intake works');
SELECT is(tap.times_out(), 'j8: 5, parked', 'the tenth within an hour');
SELECT is((SELECT count(*) FROM intake.control c WHERE c.paused_at IS NOT NULL), 1::bigint, 'pauses it');

-- At the fifth attempt another worker had the person in hand, and since then there is nobody else whose payloads could pass.
INSERT INTO intake.sync_payload (user_id, payload, received_at) VALUES (md5('left over')::uuid, '{}', '2026-11-29 08:00Z');
INSERT INTO intake.slow_payload (user_id, id, attempts, passed, tried_at)
  SELECT q.user_id, q.id, intake.attempts_until_parked(), 0, '2026-11-29 09:00Z' FROM intake.sync_payload q WHERE q.user_id = md5('left over')::uuid;
SELECT is((SELECT n.is_parked FROM intake.sync_payload q CROSS JOIN LATERAL intake.note_timeout(q.user_id, q.id, '2026-11-29 10:00Z') n
           WHERE q.user_id = md5('left over')::uuid), true, 'whoever could not park it leaves that to the next attempt, also if nobody has passed since');

SELECT * FROM finish();
