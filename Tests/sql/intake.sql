-- intake.sql — Q1-Q3, B6: what a claim takes, what a receipt says, whom enqueueing wakes.
-- In single transactions and not in one: statistics, dead rows, locks and notifications are about what others have committed.
SELECT plan(67);

-- A second session, for what needs two.
CREATE EXTENSION dblink SCHEMA tap;
SELECT isnt(
  dblink_connect('other', format('host=%s port=%s user=%s dbname=%s', split_part(current_setting('unix_socket_directories'), ',', 1),
                                 current_setting('port'), current_user, current_database())),
  NULL, 'a second session is there');

CREATE FUNCTION tap.person(number integer) RETURNS uuid LANGUAGE plpgsql AS $$
BEGIN
  RETURN format('00000000-0000-0000-0000-%s', lpad(number::text, 12, '0'))::uuid;
END $$;

-- Claims, and says how many of whom were taken.
CREATE FUNCTION tap.claimed(after_user uuid, payloads integer, per_user integer, users integer, bytes bigint DEFAULT 1000000) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT string_agg(format('%s of %s', x.taken, x.person), ', ' ORDER BY x.person)
    FROM (SELECT right(c.user_id::text, 3)::integer AS person, count(*) AS taken
          FROM intake.claim(after_user, payloads, per_user, users, bytes) c GROUP BY 1) x);
END $$;

-- What a producer may write.
SELECT throws_ok(format($$INSERT INTO intake.sync_payload (user_id, payload, received_at) VALUES (tap.person(1), '', %L)$$, t), '23514', NULL,
  format('a payload does not arrive at %s', t))
FROM unnest('{infinity,-infinity,1899-12-31 23:59Z,2201-01-01 00:00Z,294276-12-31 00:00Z}'::text[]) t;

-- Limits.
INSERT INTO intake.sync_payload (user_id, payload) SELECT tap.person(p), format('%s.%s', p, n) FROM generate_series(1, 10) n, generate_series(1, 5) p;
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 1000, 1000), '10 of 1, 10 of 2, 10 of 3, 10 of 4, 10 of 5', 'without narrow limits a claim takes all');
SELECT is((SELECT count(*) FROM intake.sync_payload), 0::bigint, 'what is claimed is no longer in the queue');
ROLLBACK;
SELECT is((SELECT count(*) FROM intake.sync_payload), 50::bigint, 'rolling back puts it back');
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 3, 1000), '3 of 1, 3 of 2, 3 of 3, 3 of 4, 3 of 5', 'no more of each person than told');
ROLLBACK;
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 1000, 2), '10 of 1, 10 of 2', 'no more persons than told');
ROLLBACK;
BEGIN;
SELECT is(tap.claimed(NULL, 7, 1000, 1000), '2 of 1, 2 of 2, 1 of 3, 1 of 4, 1 of 5', 'no more payloads than told, and everybody has a turn');
ROLLBACK;
BEGIN;
SELECT is(tap.claimed(NULL, 7, 3, 2), '3 of 1, 3 of 2', 'all limits at once');
ROLLBACK;
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 1000, 1000, 12), '1 of 1, 1 of 2, 1 of 3, 1 of 4', 'no more bytes than told');
ROLLBACK;
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 1000, 1000, 1), '1 of 1', 'but one payload always, however large');
ROLLBACK;
BEGIN;
SELECT is(tap.claimed(tap.person(3), 1000, 1000, 1000), '10 of 4, 10 of 5', 'a claim goes on after the person that it is told');
SELECT is(tap.claimed(tap.person(5), 1000, 1000, 1000), NULL, 'after the last person there is nobody');
ROLLBACK;
BEGIN;
SELECT results_eq(
  $$SELECT c.payload FROM intake.claim(NULL, 1000, 3, 1, 1000000) c ORDER BY c.id$$, $$VALUES ('1.1'), ('1.2'), ('1.3')$$,
  'of a person the oldest are taken first');
ROLLBACK;

-- Two sessions.
SELECT is(dblink_exec('other', 'BEGIN'), 'BEGIN', 'the other session begins');
SELECT is((SELECT o.taken FROM dblink('other', 'SELECT tap.claimed(NULL, 1000, 4, 2)') AS o (taken text)), '4 of 1, 4 of 2', 'and claims of two persons');
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 1000, 1000), '10 of 3, 10 of 4, 10 of 5', 'persons that another session holds are passed over, without waiting');
ROLLBACK;
SELECT is(dblink_exec('other', 'ROLLBACK; BEGIN'), 'BEGIN', 'the other session begins anew');
SELECT is((SELECT o.taken FROM dblink('other', 'SELECT tap.claimed(NULL, 2, 1000, 1000)') AS o (taken text)), '1 of 1, 1 of 2', 'and claims two payloads');
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 1000, 1000), '10 of 3, 10 of 4, 10 of 5', 'it holds no more persons than it took payloads of');
ROLLBACK;
-- A history is as large as a batch, or completes a load whose pages are.
SELECT is(dblink_exec('other', 'ROLLBACK'), 'ROLLBACK', 'the other session lets go');
BEGIN;
UPDATE intake.sync_payload q SET payload = repeat('x', 200) WHERE q.user_id = tap.person(3) AND q.id = (SELECT min(x.id) FROM intake.sync_payload x WHERE x.user_id = tap.person(3));
SELECT is(tap.claimed(NULL, 1000, 2, 1000, 100), '2 of 1, 2 of 2', 'who has a history waits for the next batch');
SELECT is(tap.claimed(tap.person(2), 1000, 2, 1000, 100), '1 of 3', 'and has it alone');
SELECT is(
  (SELECT count(*) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.pid = pg_backend_pid() AND l.objid::bigint = ANY (
    SELECT hashtext(tap.person(p)::text)::bigint & 4294967295 FROM generate_series(4, 5) p)), 0::bigint, 'nobody behind it is locked');
ROLLBACK;
BEGIN;
INSERT INTO intake.load (user_id, platform_id, store, load_id, state, began_at) VALUES (tap.person(3), 1, '', 'l', 'open', now());
INSERT INTO intake.load_page (user_id, platform_id, store, load_id, page, is_final, payload_id, payload, received_at)
VALUES (tap.person(3), 1, '', 'l', 1, false, md5('p')::uuid, repeat('x', 200), now());
SELECT is(tap.claimed(NULL, 1000, 2, 1000, 100), '2 of 1, 2 of 2', 'the pages that are held count');
SELECT is(tap.claimed(tap.person(2), 1000, 2, 1000, 100), '2 of 3', 'for whoever could complete the load');
SELECT is(tap.claimed(tap.person(3), 1000, 2, 1000, 100), '2 of 4, 2 of 5', 'and for nobody else');
ROLLBACK;
BEGIN;
SELECT is(tap.claimed(NULL, 1000, 1000, 1000), '10 of 1, 10 of 2, 10 of 3, 10 of 4, 10 of 5', 'then they can be had');
ROLLBACK;

-- The planner is told lies: an empty table that is full, a full table that is empty. Counted is what was really read.
CREATE FUNCTION tap.frugal(limits integer, after_user uuid DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  taken bigint;
  before record;
  after record;
BEGIN
  SELECT s.seq_scan, s.idx_tup_fetch, pg_stat_get_xact_tuples_returned('intake.sync_payload_pkey'::regclass) AS walked INTO before
  FROM pg_stat_xact_all_tables s WHERE s.relid = 'intake.sync_payload'::regclass;
  SELECT count(*) INTO taken FROM intake.claim(after_user, limits, limits, limits, 1000000);
  SELECT s.seq_scan, s.idx_tup_fetch, pg_stat_get_xact_tuples_returned('intake.sync_payload_pkey'::regclass) AS walked INTO after
  FROM pg_stat_xact_all_tables s WHERE s.relid = 'intake.sync_payload'::regclass;
  RETURN format('%s taken, %s sequential scans, %s rows fetched, %s entries walked', taken, after.seq_scan - COALESCE(before.seq_scan, 0),
    CASE WHEN after.idx_tup_fetch - COALESCE(before.idx_tup_fetch, 0) <= limits * limits + 4 * limits THEN 'few' ELSE 'too many' END,
    CASE WHEN after.walked - COALESCE(before.walked, 0) <= limits * limits + 4 * limits THEN 'few' ELSE 'more' END);
END $$;

TRUNCATE intake.sync_payload;
-- A session that began with an empty queue keeps its plans: here of a table that has no page at all.
VACUUM ANALYZE intake.sync_payload;
SELECT is((SELECT string_agg(DISTINCT tap.frugal(10), '; ') FROM generate_series(1, 10)), '0 taken, 0 sequential scans, few rows fetched, few entries walked',
  'of an empty queue nothing is claimed');
SELECT is(intake.has_work(), false, 'and there is no work');
INSERT INTO intake.sync_payload (user_id, payload) SELECT tap.person(1), 'x' FROM generate_series(1, 5000);
BEGIN;
SELECT is(tap.frugal(10), '10 taken, 0 sequential scans, few rows fetched, few entries walked', 'with the plan for an empty table a claim takes no more than told');
SELECT is((SELECT count(*) FROM intake.sync_payload), 4990::bigint, 'and leaves the rest in the queue');
ROLLBACK;
INSERT INTO intake.sync_payload (user_id, payload) SELECT tap.person(2 + n % 98), 'x' FROM generate_series(1, 5000) n;
BEGIN;
SELECT is(tap.frugal(10), '10 taken, 0 sequential scans, few rows fetched, few entries walked', 'nor of many persons');
SELECT is(tap.frugal(10, tap.person(1)), '10 taken, 0 sequential scans, few rows fetched, few entries walked', 'and does not walk over the long queue of a person before');
ROLLBACK;
SELECT pg_stat_force_next_flush() \g /dev/null
BEGIN;
SELECT is(intake.has_work(), true, 'there is work');
SELECT is((SELECT s.seq_scan FROM pg_stat_xact_all_tables s WHERE s.relid = 'intake.sync_payload'::regclass), 0::bigint, 'which is seen without a sequential scan');
ROLLBACK;
ANALYZE intake.sync_payload;
-- Somebody's long transaction keeps the dead rows where they are.
SELECT is(dblink_exec('other', 'BEGIN ISOLATION LEVEL REPEATABLE READ'), 'BEGIN', 'another session begins');
SELECT is((SELECT o.n FROM dblink('other', 'SELECT count(*) FROM public.platform WHERE false') AS o (n bigint)), 0::bigint, 'and keeps an old snapshot');
INSERT INTO intake.sync_payload (user_id, payload) SELECT tap.person(1 + n % 99), 'x' FROM generate_series(1, 20000) n;
DELETE FROM intake.sync_payload WHERE id % 100 <> 0;
VACUUM intake.sync_payload;
SELECT cmp_ok((SELECT pg_relation_size('intake.sync_payload')), '>', 1000000::bigint, 'so that vacuum cannot give back their space');
BEGIN;
SELECT is(tap.frugal(10), '10 taken, 0 sequential scans, few rows fetched, more entries walked', 'among dead rows, with the statistics of a full table, a claim takes no more either');
SELECT is((SELECT string_agg(DISTINCT tap.frugal(10), '; ') FROM generate_series(1, 10)), '10 taken, 0 sequential scans, few rows fetched, more entries walked',
  'nor when the plan is an old one');
ROLLBACK;
SELECT is(dblink_exec('other', 'ROLLBACK'), 'ROLLBACK', 'the long transaction ends');

-- Receipts. Hashes stand for contents.
CREATE FUNCTION tap.verdicts(VARIADIC payloads text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT string_agg(t.verdict, ', ' ORDER BY t.ordinal)
    FROM (SELECT array_agg(tap.person(left(x.p, 1)::integer) ORDER BY x.n) AS u, array_agg(md5(substr(x.p, 2, 1))::uuid ORDER BY x.n) AS i,
                 array_agg(decode(md5(substr(x.p, 4)), 'hex') ORDER BY x.n) AS h, array_agg(timestamptz '2026-11-29 07:00Z' + x.n * interval '1 minute' ORDER BY x.n) AS r,
                 array_agg('merged'::text) AS o, array_agg(1) AS c,
                 array_agg(substr(x.p, 3, 1) = '!' ORDER BY x.n) AS again
          FROM unnest(payloads) WITH ORDINALITY x (p, n)) a
    CROSS JOIN LATERAL intake.take_receipts(a.u, a.i, a.h, a.r, a.r, a.o, a.c, a.c, a.again, '2026-11-29 08:00Z') t);
END $$;

SELECT is(tap.verdicts('1A:x', '1B:x'), 'new, new', 'payloads that nobody has seen are new');
SELECT is(tap.verdicts('1A:x', '1B:y', '1C:x'), 'repeated, reused, new', 'the same again is a repetition, an id with other content is reused');
SELECT is(tap.verdicts('2A:y'), 'new', 'ids belong to their person');
SELECT is(tap.verdicts('3A:x', '3A:x', '3A:y', '3A:x'), 'new, repeated, reused, repeated', 'in one batch too: the first counts');
SELECT results_eq(
  $$SELECT right(r.user_id::text, 1), r.repetitions FROM intake.receipt r WHERE r.payload_id = md5('A')::uuid ORDER BY 1$$,
  $$VALUES ('1', 1), ('2', 0), ('3', 2)$$, 'repetitions are counted, reuse is none');
SELECT is((SELECT r.first_seen FROM intake.receipt r WHERE r.payload_id = md5('A')::uuid AND r.user_id = tap.person(1)), '2026-11-29 07:01Z'::timestamptz,
  'a repetition does not move the first arrival');
SELECT is((SELECT count(*) FROM intake.receipt r WHERE r.content_hash = decode(md5('y'), 'hex')), 1::bigint, 'what was reused has no receipt of its own');

-- A retry ignores the receipt, and takes its place. (! marks one.)
SELECT is(tap.verdicts('1A!x', '1B!z', '4A!x'), 'new, new, new', 'a retry is new, whether its receipt says the same, something else, or is not there');
SELECT results_eq(
  $$SELECT right(r.user_id::text, 1), r.content_hash = decode(md5('z'), 'hex'), r.repetitions FROM intake.receipt r
    WHERE (r.user_id, r.payload_id) IN ((tap.person(1), md5('A')::uuid), (tap.person(1), md5('B')::uuid), (tap.person(4), md5('A')::uuid)) ORDER BY 1, 2$$,
  $$VALUES ('1', false, 1), ('1', true, 0), ('4', false, 0)$$, 'its receipt is about the retry from now on, and counts no repetition');
SELECT is((SELECT r.first_seen FROM intake.receipt r WHERE r.payload_id = md5('A')::uuid AND r.user_id = tap.person(1)), '2026-11-29 07:01Z'::timestamptz,
  'but keeps the first arrival');
SELECT is(tap.verdicts('1B:z', '1B:x'), 'repeated, reused', 'what comes after a retry is compared with it');
SELECT is(tap.verdicts('5A!x', '5A:x', '5A:y'), 'new, repeated, reused', 'in one batch too');

-- Enqueueing. The other session is the daemon.
TRUNCATE intake.sync_payload;
SELECT is(dblink_exec('other', 'LISTEN dailymetricd'), 'LISTEN', 'the daemon listens');
SELECT lives_ok($$SELECT public.enqueue_sync_payload(tap.person(1), '{}')$$, 'a producer enqueues while the daemon works');
SELECT is((SELECT count(*) FROM dblink_get_notify('other')), 0::bigint, 'nobody is notified');
SELECT is((SELECT o.held FROM dblink('other', 'SELECT pg_try_advisory_lock(intake.wake_key())') AS o (held boolean)), true, 'the daemon goes to sleep and holds the gate');
SELECT lives_ok($$SELECT public.enqueue_sync_payload(tap.person(1), '{}', '2026-11-29 07:00Z')$$, 'a producer enqueues while the daemon sleeps');
-- A notification travels beside the answers: one answer later it is there.
SELECT * FROM dblink('other', 'SELECT 1') AS o (answer integer) \g /dev/null
SELECT is((SELECT string_agg(n.notify_name || n.extra, ',') FROM dblink_get_notify('other') n), 'dailymetricd', 'the daemon is woken, and learns nothing else');
SELECT results_eq(
  $$SELECT q.payload, q.received_at = '2026-11-29 07:00Z', q.received_at > '2026-11-29 07:00Z' FROM intake.sync_payload q ORDER BY q.id$$,
  $$VALUES ('{}', false, true), ('{}', true, false)$$, 'both are in the queue, with the time that was given or that of the call');
BEGIN;
SELECT public.enqueue_sync_payload(tap.person(1), '{}') \g /dev/null
ROLLBACK;
SELECT is((SELECT count(*) FROM dblink_get_notify('other')), 0::bigint, 'what was rolled back wakes nobody');
SELECT throws_ok($$SELECT public.enqueue_sync_payload(tap.person(1), repeat('x', 67108865))$$, '23514', NULL, 'a text of more than 64 MiB is refused where it comes from');

SELECT * FROM finish();
