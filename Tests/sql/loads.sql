-- loads.sql - pages of a history load are held until all of them are there; what comes too late is refused; a week is long enough.
SELECT plan(38);

CREATE FUNCTION tap.person(n integer) RETURNS uuid LANGUAGE plpgsql AS $$
BEGIN
  RETURN lpad(n::text, 32, '0')::uuid;
END $$;

-- Pages as 'LOAD NUMBER final?', each a payload of its own.
CREATE FUNCTION tap.hold(person integer, VARIADIC pages text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT string_agg(CASE WHEN h.is_held THEN 'held' ELSE 'refused' END, ', ' ORDER BY h.ordinal)
    FROM (SELECT array_agg(split_part(x.p, ' ', 1) ORDER BY x.n) AS l, array_agg(split_part(x.p, ' ', 2)::integer ORDER BY x.n) AS n,
                 array_agg(split_part(x.p, ' ', 3) = 'final' ORDER BY x.n) AS f, array_agg(gen_random_uuid()) AS i,
                 array_agg('{"deletions":[]}'::text) AS t, array_agg(timestamptz '2026-11-01 08:00Z') AS r,
                 array_agg(tap.person(person)) AS u, array_agg(1::smallint) AS f2, array_agg(''::text) AS s, array_agg(person = 5) AS c
          FROM unnest(pages) WITH ORDINALITY AS x (p, n)) a
    CROSS JOIN LATERAL intake.hold_pages(a.u, a.f2, a.s, a.l, a.n, a.f, a.i, a.t, a.r, a.c) h);
END $$;

CREATE FUNCTION tap.complete(person integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(c.load_id, ',') FROM intake.complete_pages(ARRAY[tap.person(person)]) c);
END $$;

SELECT is(tap.hold(1, 'A 2', 'A 3 final'), 'held, held', 'pages are held in any order');
SELECT is(tap.complete(1), NULL, 'a load without its first page is not complete');
SELECT is(tap.hold(1, 'A 3 final'), 'refused', 'of two payloads with one page number the first counts');
SELECT is(tap.hold(1, 'B 1 final'), 'held', 'loads of one person do not meet');
SELECT is(tap.complete(1), 'B', 'a load of one page is complete');
SELECT is(tap.hold(1, 'A 1'), 'held', 'the last missing page is held');
SELECT is(tap.complete(1), 'A,A,A,B', 'with it the load is complete');
SELECT is(tap.hold(2, 'A 1'), 'held', 'another person may use the same load_id');
SELECT is(tap.complete(2), NULL, 'and is not helped by it');

SELECT lives_ok($$SELECT intake.end_loads(ARRAY[tap.person(1)], '{1}', '{""}', '{A}', '{applied}', '2026-11-02 08:00Z')$$, 'a load is decided');
SELECT is(tap.complete(1), 'B', 'its pages are let go');
SELECT is(tap.hold(1, 'A 4'), 'refused', 'a page that comes after the decision is refused');

-- Receipts, from their writing to the end of their load: person 3 has page 1 of load C, which is decided, then page 2 of it.
CREATE FUNCTION tap.receive(page integer, final boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  payload uuid := lpad('99' || page, 32, '0')::uuid;
BEGIN
  INSERT INTO intake.receipt (user_id, payload_id, first_seen, read_at, content_hash, outcome, cells, quarantined, processed_at)
  VALUES (tap.person(3), payload, '2026-11-01 08:00Z', '2026-11-01 08:00Z', decode(md5('x'), 'hex'), 'held', 5, 0, '2026-11-01 08:00Z');
  PERFORM intake.hold_pages(ARRAY[tap.person(3)], '{1}', '{""}', '{C}', ARRAY[page], ARRAY[final], ARRAY[payload], '{x}', '{2026-11-01 08:00Z}', '{f}');
  RETURN (SELECT format('%s, %s entries', r.outcome, r.cells) FROM intake.receipt r WHERE r.payload_id = payload);
END $$;
SELECT is(tap.receive(1, true), 'held, 5 entries', 'the receipt of a page that is held says so');
SELECT lives_ok($$SELECT intake.end_loads(ARRAY[tap.person(3)], '{1}', '{""}', '{C}', '{abandoned}', '2026-11-02 08:00Z')$$, 'its load is abandoned');
SELECT results_eq($$SELECT r.outcome, r.cells FROM intake.receipt r WHERE r.user_id = tap.person(3)$$, $$VALUES ('load_abandoned', 0)$$,
  'then it says that, and that nothing was merged');
SELECT is(tap.receive(2, true), 'load_abandoned, 0 entries', 'the receipt of a page that came too late does not say that it waits');

-- Open are the loads B of person 1 and A of person 2, whose page came first.
UPDATE intake.load l SET began_at = l.began_at - interval '1 second' WHERE l.user_id = tap.person(2);
CREATE FUNCTION tap.expired(as_of timestamptz) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(right(e.user_id::text, 1) || e.load_id, ',') FROM intake.expired_pages(as_of) e);
END $$;
SELECT ok(NOT intake.has_expired_load('2026-11-08 07:59:58Z'), 'a load waits for a week');
SELECT is(tap.expired('2026-11-08 07:59:58Z'), NULL, 'and its pages wait with it');
SELECT ok(intake.has_expired_load('2026-11-08 08:00Z'), 'then it has expired');
SELECT is(tap.expired('2026-11-08 08:00Z'), '2A', 'of several the one that waits longest comes first, alone');
SELECT lives_ok($$SELECT intake.end_loads(ARRAY[tap.person(2)], '{1}', '{""}', '{A}', '{abandoned}', '2026-11-08 08:00Z')$$, 'it is abandoned');
SELECT is(tap.expired('2026-11-08 08:00Z'), '1B', 'then the next one');

-- Loads that would delete too much are parked as a whole: load D of person 4. E of person 5 came with consent.
SELECT intake.end_loads(ARRAY[tap.person(1)], '{1}', '{""}', '{B}', '{abandoned}', '2026-11-08 08:00Z');
SELECT is(tap.hold(4, 'D 1', 'D 2 final', 'E 1 final'), 'held, held, held', 'another load is complete');
SELECT is(tap.hold(5, 'E 1 final'), 'held', 'and one that somebody has consented to');
SELECT results_eq($$SELECT c.user_id, c.is_consented FROM intake.complete_pages(ARRAY[tap.person(4), tap.person(5)]) c WHERE c.load_id = 'E'$$,
  $$VALUES (tap.person(4), false), (tap.person(5), true)$$, 'a page remembers the consent');
INSERT INTO intake.receipt (user_id, payload_id, first_seen, read_at, content_hash, outcome, cells, quarantined, processed_at)
SELECT p.user_id, p.payload_id, p.received_at, p.received_at, decode(md5('x'), 'hex'), 'held', 5, 0, p.received_at
FROM intake.load_page p WHERE p.user_id = tap.person(4);
SELECT is(intake.park_load(tap.person(4), 1::smallint, '', 'D', 'too much', '2026-11-09 08:00Z'), 2, 'a load is parked');
SELECT results_eq($$SELECT format('%s %s %s %s', l.code, l.load_id, l.detail, l.payload) COLLATE "C" FROM intake.dead_letter l$$,
  $$SELECT 'mass_deletion D too much {"deletions":[]}' COLLATE "C" FROM generate_series(1, 2)$$, 'each of its pages is a dead letter');
SELECT results_eq($$SELECT r.outcome || r.cells FROM intake.receipt r WHERE r.user_id = tap.person(4) ORDER BY 1$$, $$VALUES ('held5'), ('mass_deletion0'), ('mass_deletion0')$$,
  'their receipts say so, and those of other loads do not');
SELECT is(tap.hold(4, 'D 3'), 'refused', 'no page is held for it any more');
SELECT ok(NOT intake.has_expired_load('2026-11-08 07:59Z'), 'it does not wait');
SELECT throws_ok($$UPDATE intake.dead_letter SET store = NULL$$, '23514', NULL, 'a letter names a whole load');

SELECT results_eq($$SELECT intake.retry_dead_letters(ARRAY[(SELECT max(l.id) FROM intake.dead_letter l)], true, '2026-11-09 08:00Z')$$,
  ARRAY[1::bigint, 2::bigint], 'its letters are retried together');
SELECT results_eq($$SELECT l.state, l.ended_at FROM intake.load l WHERE l.load_id = 'D'$$, $$VALUES ('open', NULL::timestamptz)$$, 'then it is open again');
SELECT is(tap.expired('2026-11-30 08:00Z'), '5E', 'no load of a person whose letters are retried is given up, however old');
DELETE FROM intake.sync_payload;
SELECT is(tap.hold(4, 'D 1', 'D 2 final'), 'held, held', 'its pages are held again');
SELECT is(intake.park_load(tap.person(4), 1::smallint, '', 'D', 'too much', '2026-11-09 08:00Z'), 2, 'and parked again');
SELECT is((SELECT count(*) FROM intake.drop_dead_letters(ARRAY[(SELECT min(l.id) FROM intake.dead_letter l)])), 2::bigint, 'its letters are dropped together');
SELECT is((SELECT l.state FROM intake.load l WHERE l.load_id = 'D'), 'abandoned', 'then it is decided for good');

SELECT * FROM finish();
