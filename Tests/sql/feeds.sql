-- feeds.sql — what services downstream are told, and what report writers: each change of a cell at least once, removals too, nothing where nothing changed.
-- Everything here happens in one transaction, which is not over: a view of its snapshot stands in for the next one. That nothing is skipped when
-- transactions commit in another order than they began is tested with two sessions (FeedTests).
BEGIN;
SELECT plan(64);

CREATE FUNCTION pg_temp.say(name text, day date, outcome text DEFAULT 'value', value text DEFAULT '5', read timestamptz DEFAULT NULL, metric text DEFAULT 'steps')
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  person constant uuid := md5(name)::uuid;
  reads constant timestamptz[] := ARRAY[COALESCE(read, (day + 1)::timestamp AT TIME ZONE 'UTC' + interval '7 hours')];
  metrics smallint[];
BEGIN
  SELECT ARRAY[m.metric_id] INTO metrics FROM public.metric m WHERE m.metric = say.metric;
  PERFORM evidence.note_origins(ARRAY[person], '{2}', '{""}', reads, '{true}', '{NULL}', reads[1]);
  PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2020-01-01 00:00Z}', ARRAY[md5('zone')::uuid], '{0}', '{UTC}', reads[1]);
  PERFORM evidence.merge_readings(ARRAY[person], '{2}', '{""}', ARRAY[gen_random_uuid()], reads, '{1}', metrics, ARRAY[day], '{0}', ARRAY[outcome],
    ARRAY[CASE WHEN outcome = 'value' THEN value END], ARRAY[CASE WHEN outcome = 'value' THEN '{watch}' ELSE '{}' END], '{NULL}', '{NULL}', '{true}', reads[1]);
  PERFORM evidence.derive(ARRAY[person], ARRAY[day], reads[1], false);
END $$;
-- What the feed holds of a person, as the derivation wrote it.
CREATE FUNCTION pg_temp.noted(name text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT string_agg(format('%s %s', m.metric, to_char(c.local_date, 'MMDD')), ', ' ORDER BY c.change_id, c.n)
          FROM (SELECT x.user_id, x.change_id, e.* FROM public.cell_change x, unnest(x.metric_ids, x.days) WITH ORDINALITY AS e (metric_id, local_date, n)) c
          JOIN public.metric m ON m.metric_id = c.metric_id WHERE c.user_id = md5(noted.name)::uuid);
END $$;

UPDATE public.feed_horizon SET era = public.feed_era();       -- The database is a copy of another one.

-- What is noted.
DO $$ BEGIN PERFORM pg_temp.say('anna', '2026-11-24'); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124', 'a new cell is noted');
DO $$ BEGIN PERFORM pg_temp.say('anna', '2026-11-24', read => '2026-11-25 09:00Z'); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124', 'reading the same number again is no change, although the row is written');
SELECT is((SELECT d.observed_at FROM public.daily_metric d WHERE d.user_id = md5('anna')::uuid), '2026-11-25 09:00Z'::timestamptz, 'and it is written');
DO $$ BEGIN PERFORM pg_temp.say('anna', '2026-11-24', 'empty', read => '2026-11-25 10:00Z'); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124', 'a silence that takes no number away is none either');
DO $$ BEGIN PERFORM pg_temp.say('anna', '2026-11-24', value => '6', read => '2026-11-25 11:00Z'); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124, steps 1124', 'another number is');
DO $$ BEGIN PERFORM evidence.derive(ARRAY[md5('anna')::uuid], '{2026-11-24}', '2026-11-25 12:00Z', true); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124, steps 1124', 'a re-check that finds nothing new is not');
DO $$ BEGIN PERFORM evidence.recheck_silent('2026-11-28 08:00Z', 100); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124, steps 1124, steps 1125, steps 1126, steps 1127', 'days that nobody mentioned are new cells');
DELETE FROM evidence.tracking t WHERE t.user_id = md5('anna')::uuid;
INSERT INTO evidence.tracking SELECT md5('anna')::uuid, m.metric_id, 2, '', '2026-11-27' FROM public.metric m WHERE m.metric = 'steps';
DO $$ BEGIN PERFORM evidence.derive(ARRAY[md5('anna')::uuid], '{2026-11-26}', '2026-11-28 09:00Z', true); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124, steps 1124, steps 1125, steps 1126, steps 1127, steps 1126', 'a row that is removed is a change');
DO $$ BEGIN PERFORM evidence.derive(ARRAY[md5('anna')::uuid], '{2026-11-26}', '2026-11-28 10:00Z', true); END $$;
SELECT is(pg_temp.noted('anna'), 'steps 1124, steps 1124, steps 1125, steps 1126, steps 1127, steps 1126', 'removing nothing is none');
SELECT is((SELECT count(*) FROM evidence.cell_change c WHERE c.transaction_id <> pg_current_xact_id()), 0::bigint, 'all by the transaction that changed the cells');

-- What is told. This transaction is not over, so nothing of it may be told yet but the rows that are there.
SELECT is((SELECT string_agg(format('%s %s %s', c.metric, to_char(c.local_date, 'MMDD'), COALESCE(c.value::text, c.unknown_reason)), ', ')
  FROM public.changes_since(NULL) c), 'steps 1124 6, steps 1125 not_yet_synced, steps 1127 not_yet_synced', 'the beginning is everything that is known');
SELECT is((SELECT count(*) FROM public.changes_since((SELECT c.next_cursor FROM public.changes_since(NULL) c OFFSET 2))), 0::bigint, 'what is not over is not told');
-- As if all that had happened before the oldest transaction that runs on this server.
CREATE TEMPORARY TABLE past AS SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS over;
UPDATE evidence.cell_change c SET transaction_id = ((SELECT p.over FROM past p) - 20 + (c.change_id - (SELECT min(x.change_id) FROM evidence.cell_change x)))::text::xid8;
CREATE FUNCTION pg_temp.behind(steps integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT format('%s:%s:%s:0:0', public.feed_era(), public.newest_proof(), p.over - 20 + steps) FROM past p);
END $$;
SELECT is((SELECT string_agg(format('%s %s', to_char(c.local_date, 'MMDD'), CASE WHEN c.is_removed THEN 'removed' ELSE COALESCE(c.value::text, c.unknown_reason) END), ', ')
  FROM public.changes_since(pg_temp.behind(0)) c), '1124 6, 1124 6, 1125 not_yet_synced, 1126 removed, 1127 not_yet_synced, 1126 removed', 'changes are told in their order, as the cells are now; a removed one has nothing');
SELECT is((SELECT count(*) FROM public.changes_since(pg_temp.behind(0)) c
  WHERE c.is_removed AND num_nonnulls(c.status, c.value, c.unknown_reason, c.covering_sources, c.is_final, c.revision, c.shown_since) > 0), 0::bigint, 'no word about what is gone');

-- Page by page: all pages together are the whole, whatever their size.
CREATE FUNCTION pg_temp.followed(start text, size integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  place text := start;
  told text := '';
  page text;
  next text;
BEGIN
  LOOP
    SELECT string_agg(to_char(c.local_date, 'MMDD') || CASE WHEN c.is_removed THEN '-' ELSE '' END, ' ' ORDER BY c.o), (array_agg(c.next_cursor ORDER BY c.o DESC))[1] INTO page, next
    FROM (SELECT x.*, row_number() OVER () AS o FROM public.changes_since(place, size) x) c;
    EXIT WHEN page IS NULL;
    told := told || page || ' ';
    place := next;
  END LOOP;
  RETURN rtrim(told);
END $$;
SELECT is(pg_temp.followed(pg_temp.behind(0), 1000), '1124 1124 1125 1126- 1127 1126-', 'changes in one page');
SELECT is(pg_temp.followed(pg_temp.behind(0), 1), '1124 1124 1125 1126- 1127 1126-', 'one by one');
SELECT is(pg_temp.followed(pg_temp.behind(0), 2), '1124 1124 1125 1126- 1127 1126-', 'in pages that end within a change');
SELECT is(pg_temp.followed(NULL, 1), '1124 1125 1127', 'the beginning one by one');
SET LOCAL datestyle = 'Postgres, DMY';
SELECT matches((SELECT c.next_cursor FROM public.changes_since(NULL, 1) c), ':2026-11-24$', 'a cursor reads the same whatever the session''s style of dates');
SET LOCAL datestyle = 'German';
SELECT is(pg_temp.followed(NULL, 1), '1124 1125 1127', 'and the beginning goes on in any of them');
SET LOCAL datestyle = 'ISO, MDY';
SELECT is(pg_temp.followed(pg_temp.behind(0) || ':00000000-0000-0000-0000-000000000000::-infinity', 2),
  '1124 1125 1127 1124 1124 1125 1126- 1127 1126-', 'and behind the beginning come the changes since it was asked for');
SELECT is((SELECT count(*) FROM public.changes_since((SELECT c.next_cursor FROM public.changes_since(pg_temp.behind(0)) c OFFSET 5))), 0::bigint, 'behind the last one is nothing');

-- What is no cursor, or none of this database.
SELECT throws_ok($$SELECT * FROM public.changes_since('yesterday')$$, '22023', NULL, 'a word is no cursor');
SELECT throws_ok($$SELECT * FROM public.changes_since('')$$, '22023', NULL, 'an empty one is not the beginning');
SELECT throws_ok($$SELECT * FROM public.changes_since(NULL, 0)$$, '22023', NULL, 'an empty page would never end');
SELECT throws_ok($$SELECT * FROM public.changes_since(regexp_replace(pg_temp.behind(0), '^[0-9]+', '7'))$$, '72000', NULL, 'another cluster''s numbers mean nothing here');
SELECT throws_ok($$SELECT * FROM public.changes_since(regexp_replace(pg_temp.behind(0), '-[0-9A-F]{8}:', '-00000009:'))$$, '72000', NULL, 'nor do those of another timeline');
SELECT throws_ok($$SELECT * FROM public.changes_since(pg_temp.behind(1000000))$$, '72000', NULL, 'a cursor ahead of the database has seen what was lost');

-- What was put back and has gone on since: the numbers of transactions and changes are there again, what they stood for is not.
CREATE TEMPORARY TABLE given AS SELECT pg_temp.behind(0) AS place, (SELECT c.next_cursor FROM public.changes_since(NULL, 1) c) AS page;
CREATE FUNCTION pg_temp.goes_on() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT format('%s %s', count(DISTINCT c.next_cursor), count(DISTINCT d.next_cursor)) FROM given g
          LEFT JOIN LATERAL public.changes_since(g.place) c ON true LEFT JOIN LATERAL public.changes_since(g.page) d ON true);
EXCEPTION WHEN SQLSTATE '72000' THEN
  RETURN 'starts again';
END $$;
SELECT is(pg_temp.goes_on(), '6 2', 'as long as nothing is lost both go on');
DO $$ BEGIN PERFORM pg_temp.say('emil', '2026-11-24'); END $$;
SELECT is(pg_temp.goes_on(), '6 3', 'and when there is something new');
UPDATE evidence.cell_change c SET nonce = gen_random_uuid() FROM (SELECT p.* FROM public.feed_proof p WHERE p.transaction_id < (SELECT p.over FROM past p)::text::xid8
  ORDER BY p.transaction_id DESC, p.change_id DESC LIMIT 1) p WHERE c.transaction_id = p.transaction_id AND c.change_id = p.change_id;
SELECT is(pg_temp.goes_on(), 'starts again', 'another change with the number of the newest that it saw is not that one, wherever its own place is');
SELECT throws_ok('SELECT * FROM given g, public.changes_since(g.page)', '72000', NULL, 'nor while everything is told');
UPDATE given SET place = pg_temp.behind(0);
SELECT is(pg_temp.goes_on(), 'starts again', 'each by itself');
DELETE FROM evidence.cell_change c WHERE c.user_id = md5('emil')::uuid;
DELETE FROM public.daily_metric d WHERE d.user_id = md5('emil')::uuid;
-- One that began earlier and was running: what was changed 20 and 18 transactions ago ran beside what was changed 17 ago.
UPDATE evidence.cell_change c SET seen = ((SELECT format('%s:%s:%s', p.over - 20, p.over - 18, p.over - 20) FROM past p))::pg_snapshot;
UPDATE given SET place = pg_temp.behind(0), page = (SELECT c.next_cursor FROM public.changes_since(NULL, 1) c);
SELECT is(pg_temp.goes_on(), '6 2', 'what ran beside the newest is there');
CREATE TEMPORARY TABLE lost AS SELECT c.* FROM evidence.cell_change c WHERE c.transaction_id = (SELECT (p.over - 20)::text::xid8 FROM past p);
DELETE FROM evidence.cell_change c WHERE c.transaction_id = (SELECT (p.over - 20)::text::xid8 FROM past p);
SELECT is(pg_temp.goes_on(), 'starts again', 'a snapshot of the disk between two ends has the newest, but not the one that began before it and ended later');
INSERT INTO evidence.cell_change OVERRIDING SYSTEM VALUE SELECT l.* FROM lost l;
UPDATE evidence.cell_change c SET transaction_id = ((SELECT p.over - 10 FROM past p))::text::xid8 WHERE c.transaction_id = ((SELECT p.over - 18 FROM past p))::text::xid8;
SELECT is(pg_temp.goes_on(), 'starts again', 'wherever in the snapshot it was');
UPDATE evidence.cell_change c SET transaction_id = ((SELECT p.over - 18 FROM past p))::text::xid8 WHERE c.transaction_id = ((SELECT p.over - 10 FROM past p))::text::xid8;
SELECT is(pg_temp.goes_on(), '6 2', 'and with both it goes on again');

-- How long changes are kept.
UPDATE evidence.cell_change c SET transaction_id = (c.transaction_id::text::bigint - 100)::text::xid8, changed_at = '2026-11-25 12:00Z' WHERE c.change_id < (SELECT max(x.change_id) FROM evidence.cell_change x) - 1;
SELECT is(evidence.forget_changes('2026-12-01 00:00Z', 100), 0, 'nothing is old enough');
SELECT cmp_ok(evidence.forget_changes('2026-12-10 00:00Z', 100), '>', 0, 'what is old enough goes');
SELECT throws_ok($$SELECT * FROM public.changes_since(pg_temp.behind(-100))$$, '72000', NULL, 'a cursor before it is refused');
SELECT lives_ok($$SELECT * FROM public.changes_since((SELECT format('%s:%s:%s:%s:%s', h.era, public.newest_proof(), h.transaction_id, h.change_id, h.cells) FROM public.feed_horizon h))$$, 'one that has seen it all is not, however old it is');
UPDATE public.feed_horizon SET era = '7-7-7-00000001';
CREATE TEMPORARY TABLE left_over AS SELECT h.nonce FROM public.feed_horizon h;
DO $$ BEGIN PERFORM evidence.forget_changes('2026-11-29 00:00Z', 100); END $$;
SELECT is((SELECT format('%s %s', h.era = public.feed_era(), h.transaction_id = pg_current_xact_id()) FROM public.feed_horizon h), 't t', 'a new era begins here');
SELECT throws_ok($$SELECT * FROM public.changes_since(pg_temp.behind(0))$$, '72000', NULL, 'nobody goes on over its beginning');
SELECT isnt((SELECT h.nonce FROM public.feed_horizon h), (SELECT l.nonce FROM left_over l), 'with another number, that no cursor knows');
UPDATE evidence.cell_change c SET transaction_id = (c.transaction_id::text::bigint + 1000000)::text::xid8 WHERE c.change_id = (SELECT max(x.change_id) FROM evidence.cell_change x);
SELECT is(evidence.forget_changes('2026-11-29 00:00Z', 100), 1, 'a change with a number that was not given here yet came with a restore, and goes');
SELECT is((SELECT h.transaction_id = pg_current_xact_id() FROM public.feed_horizon h), true, 'the beginning stays where it is');
SELECT is(evidence.forget_changes('2026-12-25 00:00Z', 100), 1, 'what is left goes when it is old');
SELECT is((SELECT h.transaction_id = pg_current_xact_id() FROM public.feed_horizon h), true, 'and takes no beginning back');
UPDATE public.feed_horizon SET era = '7-7-7-00000001';
DO $$ BEGIN PERFORM evidence.forget_changes('2026-12-10 00:00Z', 100); END $$;
SELECT is((SELECT h.transaction_id FROM public.feed_horizon h), NULL, 'where there was nothing to forget, nobody starts again');

-- A page costs what it tells, whatever lies before and behind it.
INSERT INTO evidence.cell_change (user_id, transaction_id, changed_at, metric_ids, days)
SELECT md5('anna')::uuid, ((SELECT p.over FROM past p) - 10)::text::xid8, '2026-11-25 12:00Z', ARRAY[m.metric_id, m.metric_id], '{2026-11-24,2026-11-25}'
FROM generate_series(1, 30000), (SELECT x.metric_id FROM public.metric x WHERE x.metric = 'steps') m;
CREATE FUNCTION pg_temp.buffers(place text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  plan json;
BEGIN
  EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM public.changes_since(%L, 10)', place) INTO plan;
  RETURN (plan #>> '{0,Plan,Shared Hit Blocks}')::integer + (plan #>> '{0,Plan,Shared Read Blocks}')::integer;
END $$;
CREATE TEMPORARY TABLE middle AS
  SELECT format('%s:%s:%s:%s:1', public.feed_era(), public.newest_proof(), (SELECT p.over FROM past p) - 10, max(c.change_id) - 15000) AS place FROM evidence.cell_change c;
SELECT is((SELECT count(*) FROM middle m, public.changes_since(m.place, 10)), 10::bigint, 'a page in the middle of a transaction of 60,000 changes');
SELECT cmp_ok((SELECT pg_temp.buffers(m.place) FROM middle m), '<', 300, 'reads a few blocks');

-- What a repair takes away.
INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, covering_sources, computed_at, is_final, rule_version, shown_since)
VALUES (md5('carl')::uuid, 'vo2max', '2026-11-24', 'measured', 5, 1, '2026-11-25 07:00Z', true, evidence.rule_version(), '2026-11-25 07:00Z');
DO $$ BEGIN PERFORM evidence.repair_cells(md5('carl')::uuid, '{vo2max}', '{2026-11-24}', '2026-11-28 08:00Z'); END $$;
SELECT is((SELECT format('%s, %s shown', pg_temp.noted('carl'), count(*)) FROM public.daily_metric d WHERE d.user_id = md5('carl')::uuid),
  'vo2max 1124, 0 shown', 'a row without evidence that a repair removes is a change');

-- The context of a report.
DO $$ BEGIN
  PERFORM pg_temp.say('ben', '2026-11-10', value => '4000');
  PERFORM pg_temp.say('ben', '2026-11-11', value => '6000');
  PERFORM pg_temp.say('ben', '2026-11-12', value => '300', read => '2026-11-12 08:00Z');
  PERFORM pg_temp.say('ben', '2026-11-13', 'empty');
  PERFORM pg_temp.say('ben', '2026-11-14', 'empty');
  PERFORM pg_temp.say('ben', '2026-11-14', 'empty', metric => 'sleep_duration');
END $$;
CREATE TEMPORARY VIEW context AS SELECT public.summary_context(md5('ben')::uuid, '2026-11-09', '2026-11-15') AS c;
SELECT is((SELECT c #> '{metrics,0,average}' FROM context), '{"status": "measured", "value": 5000, "reason": null, "covered_days": 2, "days": 7, "message": "5,000 steps, average of the 2 days we have data for"}',
  'an average says of how many days');
SELECT is((SELECT c #> '{metrics,0,unknown}' FROM context), '[
  {"from": "2026-11-09", "to": "2026-11-09", "status": "unknown", "value": null, "reason": "never_mentioned", "covered_days": 0, "days": 1, "message": "Nothing was ever said about steps for 9 November 2026."},
  {"from": "2026-11-13", "to": "2026-11-14", "status": "unknown", "value": null, "reason": "no_source_coverage", "covered_days": 0, "days": 2, "message": "We don''t have steps for 13 to 14 November 2026."},
  {"from": "2026-11-15", "to": "2026-11-15", "status": "unknown", "value": null, "reason": "never_mentioned", "covered_days": 0, "days": 1, "message": "Nothing was ever said about steps for 15 November 2026."}]',
  'every day without a number has its reason and its sentence');
SELECT is((SELECT jsonb_path_query_array(c, '$.metrics[0].known[*] ? (@.is_lower_bound == true)') FROM context),
  '[{"date": "2026-11-12", "status": "measured", "value": 300, "reason": null, "covered_days": 0, "days": 1, "covering_sources": 1, "is_lower_bound": true}]', 'a lower bound is called one, and covers no day');
SELECT is((SELECT c #> '{metrics,1,average}' FROM context), '{"status": "unknown", "value": null, "reason": "no_covered_days", "covered_days": 0, "days": 7, "message": "no data"}', 'what is not known has no number at all');
SELECT is((SELECT jsonb_array_length(c -> 'metrics') FROM context), 2, 'metrics that nobody spoke of are not there');
-- Every number of the document, with the object that it stands in.
CREATE TEMPORARY VIEW bare AS
  WITH RECURSIVE node (value, parent) AS (
    SELECT c, NULL::jsonb FROM context
    UNION ALL
    SELECT x.value, x.parent FROM node n CROSS JOIN LATERAL (
      SELECT e.value, n.value AS parent FROM jsonb_each(CASE jsonb_typeof(n.value) WHEN 'object' THEN n.value ELSE '{}' END) e
      UNION ALL
      SELECT a.value, NULL FROM jsonb_array_elements(CASE jsonb_typeof(n.value) WHEN 'array' THEN n.value ELSE '[]' END) a (value)) x)
  SELECT n.value, n.parent FROM node n WHERE jsonb_typeof(n.value) = 'number';
SELECT cmp_ok((SELECT count(*) FROM bare), '>', 20::bigint, 'there are numbers');
SELECT is_empty($$SELECT * FROM bare WHERE (parent ?& ARRAY['status', 'reason', 'value', 'covered_days', 'days']) IS NOT TRUE$$, 'none of them is bare');
SELECT is_empty($$SELECT * FROM bare WHERE parent ->> 'status' = 'unknown' AND parent ->> 'value' IS NOT NULL$$, 'and none is an unknown one');
SELECT is_empty($$SELECT * FROM bare WHERE (parent ->> 'status' = 'unknown') <> (parent ->> 'reason' IS NOT NULL)$$, 'unknown has its reason, and only unknown');
SELECT is((SELECT sum((x ->> 'days')::integer) FROM context, jsonb_path_query(c, '$.metrics[0].*[*] ? (exists (@.days) && !exists (@.message) || exists (@.from))') x), 7::bigint, 'known and unknown days together are all days');
SELECT is(public.summary_context(md5('nobody')::uuid, '2026-11-09', '2026-11-15') -> 'metrics', '[]', 'of a person of whom nothing was said it says nothing');
SELECT throws_ok($$SELECT public.summary_context(md5('ben')::uuid, '2026-11-15', '2026-11-09')$$, '22023', NULL, 'a range that ends before it begins is an error, not an empty report');

SELECT * FROM finish();
ROLLBACK;
