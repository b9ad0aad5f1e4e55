-- record_days.sql — E1-E6, F2, C1: what records and deletions make of a cell, as a table of situations and what must come out.
-- A situation is about steps of one person in UTC on 2026-11-28, read on the next morning from Health Connect, unless it says otherwise.
-- Statements: {"record": id, "value": ..., "source": ..., "from": instant, "to": instant}, {"delete": id, "read": ...}, {"delete_from": ..., "delete_to": ..., "read": ...},
-- {"looked": true}, {"say": outcome, ...}, {"there": source, "kind": ...}. Each is played in the order given and in the opposite one: both must agree.
-- Longer than most: a law that is seen beside its neighbours is worth a long table.
BEGIN;

CREATE TEMPORARY TABLE situation (number integer GENERATED ALWAYS AS IDENTITY, metric text, statements jsonb, cell text, sentence text);
INSERT INTO situation (metric, statements, cell, sentence) VALUES
  -- E6: one value out of many records
  ('steps', '[{"record": "a", "value": 3000}, {"record": "b", "value": 5000}]', 'measured 8000 by 1, final', 'records of one source add up'),
  ('steps', '[{"record": "a", "value": 9000, "from": "2026-11-28 08:00Z", "to": "2026-11-28 20:00Z"}, {"record": "b", "value": 120, "from": "2026-11-28 21:00Z", "to": "2026-11-28 21:05Z", "read": "2026-12-01 07:00Z"}]',
   'measured 9120 by 1, final', 'a late record joins the others'),
  ('steps', '[{"record": "a", "value": 4157, "source": "watch", "from": "2026-11-28 07:00Z", "to": "2026-11-28 09:00Z"}, {"record": "b", "value": 9922, "source": "phone", "from": "2026-11-28 10:00Z", "to": "2026-11-28 18:00Z"}]',
   'measured 14079 by 2, final', 'sources that alternate make a union'),
  ('steps', '[{"record": "a", "value": 7639, "source": "watch", "from": "2026-11-28 08:00Z", "to": "2026-11-28 20:00Z"}, {"record": "b", "value": 9766, "source": "phone", "from": "2026-11-28 08:00Z", "to": "2026-11-28 20:00Z"}, {"there": "watch"}]',
   'measured 7639 by 2, final', 'where they overlap the worn one counts, not the sum'),
  ('steps', '[{"record": "a", "value": 7639, "source": "watch", "from": "2026-11-28 08:00Z", "to": "2026-11-28 20:00Z"}, {"record": "b", "value": 9766, "source": "phone", "from": "2026-11-28 08:00Z", "to": "2026-11-28 20:00Z"}]',
   'measured 9766 by 2, final', 'of equal ranks the larger total'),
  ('steps', '[{"record": "a", "value": 100, "source": "watch", "from": "2026-11-28 08:00Z", "to": "2026-11-28 09:00Z"}, {"record": "b", "value": 60, "source": "phone", "from": "2026-11-28 08:20Z", "to": "2026-11-28 10:20Z"}, {"there": "watch"}]',
   'measured 140 by 2, final', 'what earlier sources leave uncovered counts in proportion'),
  ('steps', '[{"record": "a", "value": 1, "source": "watch", "from": "2026-11-28 08:00Z", "to": "2026-11-28 08:01Z"}, {"record": "b", "value": 1, "source": "phone", "from": "2026-11-28 08:00Z", "to": "2026-11-28 08:03Z"}, {"record": "c", "value": 1, "source": "band", "from": "2026-11-28 08:01Z", "to": "2026-11-28 08:04Z"}, {"there": "watch"}, {"there": "phone", "kind": "carry"}]',
   'measured 2 by 3, final', 'a third and two thirds are a whole'),
  ('steps', '[{"record": "a", "value": 4000, "source": "watch"}, {"record": "b", "value": 5000, "source": "phone"}]', 'measured 5000 by 2, final', 'without intervals the largest source counts'),
  ('steps', '[{"record": "a", "value": 4000, "source": "watch", "from": "2026-11-28 08:00Z", "to": "2026-11-28 09:00Z"}, {"record": "b", "value": 5000, "source": "phone"}]', 'measured 5000 by 2, final',
   'also where only some have one'),
  ('steps', '[{"record": "a", "value": 4000, "source": "watch"}, {"record": "b", "value": 500, "source": "me", "manual": true}]', 'measured 4500 by 1, final', 'manual entries are added, and are no source beside a device'),
  ('steps', '[{"record": "b", "value": 500, "source": "me", "manual": true}]', 'measured 500 by 1, final', 'a value of manual entries alone has its source'),
  ('heart_rate_avg', '[{"record": "a", "value": 60, "from": "2026-11-28 08:00Z", "to": "2026-11-28 09:00Z"}, {"record": "b", "value": 90, "from": "2026-11-28 09:00Z", "to": "2026-11-28 09:30Z"}]', 'measured 70 by 1, final',
   'an average is weighted by time'),
  ('heart_rate_avg', '[{"record": "a", "value": 60, "from": "2026-11-28 08:00Z", "to": "2026-11-28 09:00Z"}, {"record": "b", "value": 90}]', 'measured 75 by 1, final', 'or plain, where times are missing'),
  ('weight', '[{"record": "a", "value": 81, "from": "2026-11-28 08:00Z"}, {"record": "b", "value": 80, "from": "2026-11-28 07:00Z"}]', 'measured 81 by 1, final', 'the last of a day is the last by its end'),
  ('workout_count', '[{"record": "a"}, {"record": "b", "value": 2}]', 'measured 3 by 1, final', 'a record without a number counts as one'),
  ('steps', '[{"record": "a"}]', 'unknown not_yet_synced by 0', 'a record without a number says nothing of a sum'),
  ('steps', '[{"record": "a", "value": 3000}, {"say": "value", "value": 2500}]', 'measured 2500 by 1, final', 'records do not count beside a day entry of their origin'),
  ('steps', '[{"record": "a", "value": 3000}, {"say": "value", "value": 0}]', 'measured 3000 by 1, final', 'but before a zero'),
  ('steps', '[{"record": "a", "value": 999999}]', 'unknown invalid_reading/out_of_range by 1', 'a sum out of range is an invalid reading'),
  ('heart_rate_avg', '[{"record": "a", "value": 0}]', 'unknown invalid_reading/impossible_zero by 0', 'so is an impossible zero'),
  ('steps', '[{"record": "a", "value": 0}]', 'unknown no_source_coverage by 0, final', 'a record of zero has no licence of itself'),
  ('steps', '[{"record": "a", "value": 0}, {"there": "watch"}]', 'measured 0 by 1, final', 'beside a worn watch it is a measured zero'),

  -- C1: records are evidence
  ('flights_climbed', '[{"say": "empty"}, {"record": "a", "metric": "steps", "value": 10, "source": "phone"}]', 'measured 0 by 1, final', 'a record of steps shows that the phone was carried'),
  ('flights_climbed', '[{"say": "empty"}, {"record": "a", "metric": "steps", "value": 10, "source": "me", "manual": true}]', 'unknown no_source_coverage by 0, final', 'unless it was entered by hand'),
  ('flights_climbed', '[{"say": "empty"}, {"record": "a", "metric": "steps", "value": 10, "source": "phone"}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'unknown no_source_coverage by 0, final', 'or is no more'),

  -- F2: read when
  ('steps', '[{"record": "a", "value": 4000, "read": "2026-11-28 20:00Z"}]', 'measured 4000 by 1', 'records of an open day are a lower bound'),
  ('steps', '[{"record": "a", "value": 4000, "read": "2026-11-28 20:00Z"}, {"looked": true, "read": "2026-11-29 07:00Z"}]', 'measured 4000 by 1, final', 'a later look at the day makes them final'),
  ('steps', '[{"record": "a", "value": 4000, "read": "2026-11-28 20:00Z"}, {"record": "b", "value": 500, "read": "2026-11-29 07:00Z"}]', 'measured 4500 by 1, final', 'so does a later record'),

  -- E1, E3: deletions by id
  ('steps', '[{"record": "a", "value": 3000}, {"record": "b", "value": 5000}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'measured 5000 by 1, final', 'a deleted record does not count'),
  ('steps', '[{"record": "5C6C1A52-6A31-4C1C-9F3E-0B7F51B1D001", "value": 3000}, {"record": "b", "value": 5000}, {"delete": "5c6c1a52-6a31-4c1c-9f3e-0b7f51b1d001", "read": "2026-11-30 07:00Z"}]', 'measured 5000 by 1, final', 'whatever the case of its UUID'),
  ('steps', '[{"record": "a", "value": 3000, "read": "2026-11-30 08:00Z"}, {"record": "b", "value": 5000, "read": "2026-11-30 08:00Z"}, {"delete": "a", "read": "2026-11-29 07:00Z"}]', 'measured 5000 by 1, final', 'also where it is read again later'),
  ('steps', '[{"record": "a", "value": 3000}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'unknown deleted_at_source by 0', 'the last one leaves an absence'),
  ('steps', '[{"record": "a", "value": 3000}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"say": "empty", "read": "2026-11-30 08:00Z"}]', 'unknown no_source_coverage by 0, final', 'until the origin looks again'),
  ('steps', '[{"record": "a", "value": 3000}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"say": "failed", "code": "HKError.6", "read": "2026-11-30 08:00Z"}]', 'unknown not_yet_synced/device_locked by 0', 'or tries to'),
  ('steps', '[{"record": "a", "value": 3000}, {"delete": "zzz", "read": "2026-11-30 07:00Z"}]', 'measured 3000 by 1, final', 'an unknown id changes nothing'),
  ('steps', '[{"record": "a", "value": 3000}, {"delete": "a", "read": "2026-11-30 07:00Z", "store": "second"}]', 'measured 3000 by 1, final', 'nor one of another store'),
  ('steps', '[{"record": "a", "value": 3000}, {"say": "value", "value": 2000, "platform": "garmin"}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'measured 2000 by 1, final', 'other origins'' values stand'),

  -- E2, E4: totals that are no longer true
  ('steps', '[{"say": "value", "value": 8123}, {"record": "a", "value": 742}, {"record": "b", "value": 900}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'unknown not_yet_synced by 1', 'a total that contained a deleted record waits for its next read'),
  ('steps', '[{"say": "value", "value": 1642}, {"record": "a", "value": 742}, {"record": "b", "value": 900}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'measured 900 by 1, final', 'unless its records account for it'),
  ('steps', '[{"say": "value", "value": 8123}, {"record": "a", "value": 742}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'unknown deleted_at_source by 0', 'with the last record goes the total'),
  ('steps', '[{"say": "value", "value": 8123}, {"record": "a", "value": 742}, {"record": "b", "value": 900}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"say": "value", "value": 7381, "read": "2026-11-30 08:00Z"}]', 'measured 7381 by 1, final', 'a later total speaks again'),
  ('steps', '[{"say": "value", "value": 8123}, {"record": "a", "value": 742}, {"record": "b", "value": 900}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"say": "empty", "read": "2026-11-30 08:00Z"}, {"there": "watch"}]', 'measured 900 by 1, final', 'after a later look the records that are left count, and no zero'),
  ('steps', '[{"say": "value", "value": 8123}, {"record": "a", "value": 742}, {"record": "b", "value": 900}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"looked": true, "read": "2026-11-30 08:00Z"}]', 'measured 900 by 1, final', 'a look at the range does too'),
  ('steps', '[{"say": "value", "value": 8123}, {"record": "a", "value": 742}, {"record": "b", "value": 900}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"record": "c", "value": 5, "read": "2026-11-30 08:00Z"}]', 'unknown not_yet_synced by 1', 'new records alone do not end the wait'),

  -- Deletions by interval
  ('steps', '[{"say": "value", "value": 6000}, {"delete_from": "2026-11-28 00:00Z", "delete_to": "2026-11-29 00:00Z", "read": "2026-11-30 07:00Z"}]', 'unknown deleted_at_source by 0', 'a deleted day is an absence'),
  ('steps', '[{"say": "value", "value": 6000}, {"delete_from": "2026-11-28 08:00Z", "delete_to": "2026-11-28 09:00Z", "read": "2026-11-30 07:00Z"}]', 'unknown not_yet_synced by 0', 'a deleted hour makes the total untrue'),
  ('steps', '[{"say": "value", "value": 6000}, {"delete_from": "2026-11-27 00:00Z", "delete_to": "2026-11-28 00:00Z", "read": "2026-11-30 07:00Z"}]', 'measured 6000 by 1, final', 'the day before is another day'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"delete_from": "2026-11-28 08:00Z", "delete_to": "2026-11-28 09:00Z", "read": "2026-11-30 07:00Z"}]', 'measured 0 by 1, final', 'a deletion that removes nothing changes nothing'),
  ('steps', '[{"say": "failed", "code": "http.500"}, {"delete_from": "2026-11-28 00:00Z", "delete_to": "2026-11-29 00:00Z", "read": "2026-11-30 07:00Z"}]', 'unknown provider_error/http.500 by 0', 'nor does it explain a failure away'),
  ('steps', '[{"record": "a", "value": 100, "from": "2026-11-28 08:00Z", "to": "2026-11-28 09:00Z"}, {"record": "b", "value": 50, "from": "2026-11-28 08:30Z", "to": "2026-11-28 09:30Z"}, {"delete_from": "2026-11-28 08:00Z", "delete_to": "2026-11-28 09:00Z", "read": "2026-11-30 07:00Z"}]', 'measured 50 by 1, final',
   'records that lie wholly inside are deleted'),
  ('steps', '[{"record": "a", "value": 100, "from": "2026-11-28 08:00Z", "to": "2026-11-28 09:00Z", "read": "2026-11-30 08:00Z"}, {"delete_from": "2026-11-28 08:00Z", "delete_to": "2026-11-28 09:00Z", "read": "2026-11-30 07:00Z"}]', 'measured 100 by 1, final', 'what is read later is new'),
  ('steps', '[{"record": "a", "value": 3000}, {"there": "watch"}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"say": "empty", "read": "2026-11-30 08:00Z"}, {"delete_from": "2026-11-28 00:00Z", "delete_to": "2026-11-29 00:00Z", "read": "2026-11-30 09:00Z"}]', 'measured 0 by 1, final',
   'where a record was deleted before, an interval that takes nothing more changes nothing'),
  ('steps', '[{"say": "value", "value": 6000}, {"there": "watch"}, {"delete_from": "2026-11-28 08:00Z", "delete_to": "2026-11-28 09:00Z", "read": "2026-11-30 07:00Z"}, {"say": "empty", "read": "2026-11-30 08:00Z"}, {"delete_from": "2026-11-28 00:00Z", "delete_to": "2026-11-29 00:00Z", "read": "2026-11-30 09:00Z"}]', 'measured 0 by 1, final',
   'nor where a total was'),
  ('steps', '[{"say": "value", "value": 6000}, {"there": "watch"}, {"say": "empty", "read": "2026-11-30 08:00Z"}, {"delete_from": "2026-11-28 00:00Z", "delete_to": "2026-11-29 00:00Z", "read": "2026-11-30 09:00Z"}]', 'unknown deleted_at_source by 1',
   'the one that takes the total takes the look before it too'),

  -- E2: an id is in one place
  ('steps', '[{"record": "a", "value": 100}, {"record": "a", "value": 70, "read": "2026-11-30 07:00Z"}]', 'measured 70 by 1, final', 'the latest read of an id counts'),
  ('steps', '[{"record": "a", "value": 100}, {"record": "a", "value": 100, "day": "2026-11-27", "read": "2026-11-30 07:00Z"}]', 'unknown not_yet_synced by 0', 'the day that it left has nothing'),
  ('steps', '[{"say": "value", "value": 5817}, {"record": "a", "value": 700}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"record": "a", "value": 700, "day": "2026-11-27", "read": "2026-11-30 08:00Z"}]', 'unknown deleted_at_source by 0', 'a deleted one that is read again elsewhere was deleted where it was'),
  ('steps', '[{"say": "value", "value": 4000}, {"record": "a", "value": 700, "day": "2026-11-27"}, {"delete": "a", "read": "2026-11-30 07:00Z"}, {"record": "a", "value": 700, "read": "2026-11-30 08:00Z"}]', 'measured 4000 by 1, final', 'and is taken from nothing else'),
  ('steps', '[{"say": "value", "value": 4000}, {"record": "a", "value": 700, "metric": "flights_climbed"}, {"record": "a", "value": 700, "read": "2026-11-30 06:00Z"}, {"delete": "a", "read": "2026-11-30 07:00Z"}]', 'unknown deleted_at_source by 0', 'one that had moved before is deleted where it had moved to'),
  ('steps', '[{"record": "a", "value": 100}, {"record": "a", "value": 100, "metric": "flights_climbed", "read": "2026-11-30 07:00Z"}]', 'unknown not_yet_synced by 1', 'so has the metric');

CREATE FUNCTION pg_temp.replay(person uuid, main_metric text, s jsonb, number integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  users uuid[] := ARRAY[person];
  platforms smallint[];
  stores text[] := ARRAY[COALESCE(s ->> 'store', '')];
  metrics smallint[];
  reads timestamptz[] := ARRAY[COALESCE(s ->> 'read', '2026-11-29 07:00Z')];
  payloads uuid[] := ARRAY[md5(number::text)::uuid];
  days date[] := ARRAY[COALESCE(s ->> 'day', '2026-11-28')];
  now constant timestamptz := '2026-12-02 00:00Z';
BEGIN
  SELECT ARRAY[p.platform_id] INTO platforms FROM public.platform p WHERE p.platform = COALESCE(s ->> 'platform', 'health_connect');
  SELECT ARRAY[m.metric_id] INTO metrics FROM public.metric m WHERE m.metric = COALESCE(s ->> 'metric', main_metric);
  PERFORM evidence.note_origins(users, platforms, stores, reads, '{true}', '{NULL}', now);
  IF s ? 'say' OR s ? 'looked' THEN
    PERFORM evidence.merge_readings(users, platforms, stores, payloads, reads, '{1}', metrics, days, '{0}', ARRAY[COALESCE(s ->> 'say', 'looked')], ARRAY[s ->> 'value'],
      ARRAY[CASE WHEN s ->> 'say' = 'value' THEN '{watch}' ELSE '{}' END], ARRAY[s ->> 'code'], '{NULL}', '{true}', now);
  ELSIF s ? 'record' THEN
    PERFORM evidence.merge_records(users, platforms, stores, payloads, reads, '{1}', ARRAY[s ->> 'record'], metrics, days, '{0}', ARRAY[s ->> 'value'],
      ARRAY[COALESCE(s ->> 'source', 'watch')], ARRAY[(s ->> 'from')::timestamptz], ARRAY[(s ->> 'to')::timestamptz], ARRAY[s ? 'manual'], '{true}', now);
  ELSIF s ? 'there' THEN
    PERFORM evidence.note_presence(users, days, platforms, stores, ARRAY[s ->> 'there'], ARRAY[COALESCE(s ->> 'kind', 'wear')], '{NULL}');
  ELSE
    PERFORM evidence.merge_deletions(users, platforms, stores, payloads, reads, '{1}', ARRAY[s ->> 'delete'], CASE WHEN s ? 'delete' THEN '{NULL}' ELSE metrics END,
      ARRAY[(s ->> 'delete_from')::timestamptz], ARRAY[(s ->> 'delete_to')::timestamptz], now);
  END IF;
END $$;

-- What becomes of a situation, told forwards or backwards.
CREATE FUNCTION pg_temp.play(person uuid, metric text, statements jsonb, direction integer) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  statement record;
BEGIN
  PERFORM evidence.note_origins(ARRAY[person], '{2}', '{""}', '{2026-11-01 00:00Z}', '{true}', '{NULL}', '2026-12-01 00:00Z');
  PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2026-11-01 00:00Z}', ARRAY['00000000-0000-0000-0000-000000000000']::uuid[], '{0}', '{UTC}', '2026-12-01 00:00Z');
  FOR statement IN
    SELECT s.value, s.ordinality::integer AS number FROM jsonb_array_elements(statements) WITH ORDINALITY s ORDER BY direction * s.ordinality
  LOOP
    PERFORM pg_temp.replay(person, metric, statement.value, statement.number);
  END LOOP;
  PERFORM evidence.derive(ARRAY[person, person], '{2026-11-28,2026-11-27}', '2026-12-02 00:00Z', false);
  RETURN (
    SELECT format('%s %s%s by %s%s', d.status, COALESCE(trim_scale(d.value)::text, d.unknown_reason), '/' || d.unknown_detail, d.covering_sources,
                  CASE WHEN d.is_final THEN ', final' END)
    FROM public.daily_metric d WHERE d.user_id = person AND d.metric = play.metric AND d.local_date = '2026-11-28');
END $$;

SELECT plan((SELECT 2 * count(*)::integer FROM situation) + 2);

SELECT is(pg_temp.play(md5(number::text)::uuid, metric, statements, 1), cell, sentence) FROM situation ORDER BY number;
SELECT is(pg_temp.play(md5('again ' || number)::uuid, metric, statements, -1), cell, sentence || ', told backwards') FROM situation ORDER BY number;

SELECT is(
  (SELECT evidence.derive(array_agg(x.user_id), array_agg(x.local_date), '2026-12-02 00:01Z', false) FROM (SELECT DISTINCT d.user_id, d.local_date FROM public.daily_metric d) x),
  0, 'derived for all at once, each is what it was alone');

SELECT pg_temp.replay(md5('looked')::uuid, 'steps', '{"looked": true}', 1);
SELECT is_empty($$SELECT FROM evidence.tracking t WHERE t.user_id = md5('looked')::uuid$$,
  'that a day was looked at mentions no metric: what was seen is told by entries of its own');

SELECT * FROM finish();
ROLLBACK;
