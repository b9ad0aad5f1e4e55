-- refusals.sql — refused entries come back as a payload of their own, payload by payload, and what waits for too long is an alert.
BEGIN;
SELECT plan(22);

-- The platform of a letter is read from whatever it is.
INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at) VALUES
  (md5('anna')::uuid, 'unknown_platform', '', '{"origin": {"store": "a", "platform" : "pebble"}}', '2026-11-25 07:00Z', '2026-11-25 07:00Z'),
  (md5('anna')::uuid, 'not_json', '', '{"origin": {"platform":"garmin"', '2026-11-25 07:00Z', '2026-11-25 08:00Z'),
  (md5('anna')::uuid, 'not_json', '', 'platform', '2026-11-25 07:00Z', '2026-11-25 09:00Z');
SELECT is((SELECT string_agg(COALESCE(l.platform, 'none'), ' ' ORDER BY l.id) FROM intake.dead_letter l), 'pebble garmin none', 'the platform that a letter names is found, in broken JSON too');

-- A delivery names a format; the format says which platform that is, wherever in the text it stands.
INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at)
SELECT md5('berta')::uuid, s.number::text, '', s.text, '2026-11-25 07:00Z', now()
FROM (VALUES
  (1, '{"format": "fitbit", "body": {'),
  (2, '{"body": {"dataPoints": [{"dataSource": {"platform": "FITBIT"}}]}, "format": "google_health"}'),
  (3, '{"body": "' || repeat('x', 70000) || '", "format": "oura"}'),
  (4, '{"format": "open_wearables", "body": {"provider": "Apple"}}'),
  (5, '{"format": "open_wearables", "body": {"provider": "samsung"}}'),
  (6, '{"format": "clay_tablet", "body": {}}'),
  (7, '{"schema": "dailymetricd.sync/1", "format": "oura", "origin": {"platform": "garmin"}}'),
  (8, '{"format": "open_wearables", "body": {"data": {}}}')) AS s (number, text);
SELECT is((SELECT string_agg(concat_ws(' ', l.code, l.format, COALESCE(l.platform, 'none')), ', ' ORDER BY l.code) FROM intake.letter l WHERE l.user_id = md5('berta')::uuid),
  '1 fitbit fitbit, 2 google_health google_health, 3 oura oura, 4 open_wearables healthkit, 5 open_wearables samsung, 6 clay_tablet none, 7 garmin, 8 open_wearables none',
  'a delivery is found by the platform for which its format stands');

CREATE FUNCTION pg_temp.refused(name text, pointer text, code text, entry text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO intake.quarantined_entry VALUES (md5('anna')::uuid, md5(name)::uuid, pointer, code, entry, '2026-11-25 07:00Z', 2, 'my "phone"', '2026-11-24 22:00:00.123456Z');
END $$;
DO $$ BEGIN
  PERFORM pg_temp.refused('one', '/days/10/value', 'out_of_range', '{"n": 10, "n": 1.50}');
  PERFORM pg_temp.refused('one', '/days/9', 'invalid_field', '{"n": 9}');
  PERFORM pg_temp.refused('one', '/records/0/metric', 'unknown_metric', '{"n": 0}');
  PERFORM pg_temp.refused('one', '/readable/3', 'unknown_metric', '"steps"');
  PERFORM pg_temp.refused('one', '/looked/0/metric', 'unknown_metric', '{"from": "2026-11-01"}');
  PERFORM pg_temp.refused('two', '/days/0/value', 'never_read', '{"n": 2}');
  PERFORM pg_temp.refused('held', '/days/0/value', 'out_of_range', '{"n": 3}');
  PERFORM pg_temp.refused('other', '/days/0/value', 'out_of_range', '{"n": 4}');
END $$;
INSERT INTO intake.receipt VALUES
  (md5('anna')::uuid, md5('one')::uuid, '2026-11-25 07:00Z', '2026-11-25 07:00Z', decode(md5('r'), 'hex'), 'merged', 1, 5, 0, '2026-11-25 07:00Z'),
  (md5('anna')::uuid, md5('held')::uuid, '2026-11-25 07:00Z', '2026-11-25 07:00Z', decode(md5('r'), 'hex'), 'held', 1, 1, 0, '2026-11-25 07:00Z');

CREATE TEMPORARY TABLE back AS SELECT * FROM intake.retry_entries(array_fill(md5('anna')::uuid, '{4}'), ARRAY[md5('one'), md5('two'), md5('held'), md5('one')]::uuid[], '2026-11-29 07:00Z');
SELECT bag_eq($$SELECT b.payload_id, b.entries FROM back b$$, $$VALUES (md5('one')::uuid, 4), (md5('two')::uuid, 1)$$, 'the entries of a payload come back together, each payload once');
CREATE TEMPORARY TABLE queued AS SELECT q.*, q.payload::jsonb AS document FROM intake.sync_payload q;
SELECT is((SELECT count(*) FROM queued), 2::bigint, 'each as a payload');
SELECT ok((SELECT bool_and(q.is_retry AND q.received_at = '2026-11-29 07:00Z') FROM queued q), 'that no receipt stands against, and that arrives now');
SELECT is((SELECT q.document -> 'origin' FROM queued q ORDER BY q.id LIMIT 1), '{"platform": "health_connect", "store": "my \"phone\""}', 'of the same data store');
SELECT is((SELECT string_agg(DISTINCT q.document #>> '{read,read_at}', ',') FROM queued q), '2026-11-24T22:00:00.123456Z', 'read when it was read');
SELECT is((SELECT count(*) FROM queued q WHERE q.document -> 'read' ? 'last_successful_read_at'), 1::bigint, 'values of a process that had never read anything stay those');
SELECT ok((SELECT bool_or(q.payload LIKE '%"days":[{"n": 9},{"n": 10, "n": 1.50}]%') FROM queued q), 'entries are the text that was sent, in the order in which they stood');
SELECT ok((SELECT bool_or(q.payload LIKE '%"readable":["steps"]%') FROM queued q), 'what could be read is said beside them');
SELECT is((SELECT string_agg(x.pointer, ' ') FROM intake.quarantined_entry x WHERE x.payload_id = md5('one')::uuid), '/looked/0/metric', 'a range that was looked at stays: without the days beside it, it would say too much');
SELECT is((SELECT count(*) FROM intake.quarantined_entry x WHERE x.payload_id IN (md5('held')::uuid, md5('other')::uuid)), 2::bigint, 'what is held, and what was not meant, stays too');
SELECT is((SELECT r.outcome || r.quarantined FROM intake.receipt r WHERE r.payload_id = md5('one')::uuid), 'merged5', 'the receipt of the payload is left alone');
SELECT ok((SELECT bool_and(q.document ->> 'payload_id' NOT IN (md5('one')::uuid::text, md5('two')::uuid::text)) FROM queued q), 'the new payloads have ids of their own');
SELECT is((SELECT count(*) FROM intake.retry_entries(ARRAY[md5('anna')]::uuid[], ARRAY[md5('one')]::uuid[], '2026-11-29 08:00Z')), 0::bigint, 'a second time there is nothing to put back');
SELECT is((SELECT count(*) FROM intake.sync_payload), 2::bigint, 'and nothing is');

SELECT bag_eq($$SELECT d.payload_id, d.entries FROM intake.drop_entries(array_fill(md5('anna')::uuid, '{2}'), ARRAY[md5('other'), md5('nobody')]::uuid[]) d$$,
  $$VALUES (md5('other')::uuid, 1)$$, 'what is dropped is counted');
SELECT is((SELECT count(*) FROM intake.quarantined_entry x WHERE x.payload_id = md5('other')::uuid), 0::bigint, 'and gone');

-- The alert.
SELECT is((SELECT string_agg(concat_ws(' ', a.kind, a.code, a.platform, a.waiting), ', ' ORDER BY a.kind, a.code, a.platform) FROM public.refusal_alert a),
  'dead_letter not_json garmin 1, dead_letter not_json 1, dead_letter unknown_platform pebble 1, quarantine out_of_range health_connect 1, quarantine unknown_metric health_connect 1',
  'what waits for longer than a day is an alert, by code and platform');
SELECT is((SELECT a.message FROM public.refusal_alert a WHERE a.code = 'unknown_platform'),
  '1 dead letter waits with unknown_platform of pebble since 2026-11-25 07:00 UTC; dailymetricd dead list --code unknown_platform shows them.', 'which says where to look');
UPDATE public.monitoring_setting SET refusals_wait = '100 years';
SELECT is_empty($$SELECT * FROM public.refusal_alert$$, 'how long is the operator''s to say');
SELECT ok(has_table_privilege('dailymetric_analyst', 'public.refusal_alert', 'SELECT'), 'whoever watches may read it');

SELECT * FROM finish();
ROLLBACK;
