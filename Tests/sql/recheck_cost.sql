-- recheck_cost.sql — G1: what a re-check reads and writes is proportional to what is due, not to what there is.
-- Counted, not timed: the server counts the rows that a transaction reads. 100 persons, 100 days, 3 metrics: 30,000 cells, of which 10 days are due.
BEGIN;
SELECT plan(13);

CREATE TEMPORARY TABLE who AS SELECT ('00000000-0000-8000-8000-' || lpad(to_hex(n), 12, '0'))::uuid AS user_id, n FROM generate_series(1, 100) n;
CREATE TEMPORARY TABLE what AS SELECT metric, metric_id FROM public.metric WHERE metric IN ('steps', 'resting_heart_rate', 'sleep_duration');
CREATE TEMPORARY TABLE whenever AS SELECT d::date AS day FROM generate_series(date '2026-08-20', date '2026-11-27', interval '1 day') d;
INSERT INTO evidence.person SELECT user_id, '{-infinity}', '{UTC}', '2026-12-01', '2026-12-02 00:00Z' FROM who;
INSERT INTO evidence.origin SELECT user_id, 2, '', '2026-11-28 07:00Z', '2026-11-28 07:00Z' FROM who;
INSERT INTO evidence.tracking SELECT user_id, metric_id, 2, '', date '2026-08-20' FROM who, what;
INSERT INTO evidence.reading SELECT user_id, day, metric_id, 2, '', 'non_look', (day + 1)::timestamptz + interval '7 hours', user_id, 0, 'failed', NULL, '{}', 'http.429', 'inside', NULL, NULL, true, true
  FROM who, whenever, what;
INSERT INTO public.daily_metric (user_id, metric, local_date, status, unknown_reason, covering_sources, computed_at, unknown_detail, is_final, next_check_at, rule_version)
  SELECT user_id, metric, day, 'unknown', 'provider_error', 0, '2026-11-28 08:00Z', 'rate_limited', false, '2026-12-20 08:00Z', evidence.rule_version() FROM who, what, whenever;
INSERT INTO evidence.due_day SELECT user_id, day, '2026-12-20 08:00Z', true FROM who, whenever;
UPDATE evidence.due_day SET due_at = '2026-11-28 09:00Z' WHERE local_date = '2026-11-20' AND user_id IN (SELECT user_id FROM who WHERE n % 10 = 0);
ANALYZE;

-- Rows read by this transaction so far, and sequential scans, of the tables that grow.
CREATE FUNCTION pg_temp.reads(OUT scans bigint, OUT tuples bigint, OUT writes bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT sum(s.seq_scan), sum(s.seq_tup_read) + sum(s.idx_tup_fetch), sum(s.n_tup_ins + s.n_tup_upd + s.n_tup_del) INTO scans, tuples, writes
  FROM pg_stat_xact_user_tables s
  WHERE s.relname ~ '^(daily_metric|reading|record_day|record_id|deleted_interval|deleted_record|due_day|due_cell|tracking|presence|person|origin|read_window|permission)';
END $$;
CREATE TEMPORARY TABLE mark AS SELECT * FROM pg_temp.reads();
CREATE FUNCTION pg_temp.since(OUT scans bigint, OUT tuples bigint, OUT writes bigint) LANGUAGE plpgsql AS $$
BEGIN
  SELECT r.scans - m.scans, r.tuples - m.tuples, r.writes - m.writes INTO scans, tuples, writes FROM pg_temp.reads() r, mark m;
  UPDATE mark SET (scans, tuples, writes) = (SELECT r.scans, r.tuples, r.writes FROM pg_temp.reads() r);
END $$;

SELECT is(evidence.recheck_due('2026-11-28 12:00Z', 500, true), 10, 'ten of ten thousand days are due');
CREATE TEMPORARY TABLE cost AS SELECT * FROM pg_temp.since();
SELECT is((SELECT scans FROM cost), 0::bigint, 'no table is read from end to end');
SELECT cmp_ok((SELECT tuples FROM cost), '<', 1000::bigint, 'of more than 80,000 rows some dozens for each due day are read');
SELECT cmp_ok((SELECT writes FROM cost), '<', 100::bigint, 'and what is due is written: three cells for each day, and their next check');

SELECT is(evidence.recheck_due('2026-11-28 12:00Z', 500, true) + evidence.spread_changes('2026-11-28 12:00Z', 500)
        + evidence.recheck_cells('2026-11-28 12:00Z', 500) + evidence.recheck_silent('2026-11-28 12:00Z', 500), 0, 'then nothing is due');
DELETE FROM cost;
INSERT INTO cost SELECT * FROM pg_temp.since();
SELECT cmp_ok((SELECT tuples FROM cost), '<', 200::bigint, 'and to see that takes hardly a row');

-- Everything due at one instant, as after an incident: a step takes the first of them and does not look at the rest.
UPDATE evidence.due_day SET due_at = '2026-11-28 12:00Z';
DO $$ BEGIN PERFORM pg_temp.since(); END $$;
SELECT is(evidence.recheck_due('2026-11-28 12:00Z', 10, true), 10, 'ten of ten thousand that are due are taken');
DELETE FROM cost;
INSERT INTO cost SELECT * FROM pg_temp.since();
SELECT cmp_ok((SELECT tuples FROM cost), '<', 1000::bigint, 'for the price of ten');

-- A person whose client moves a boundary by a day, each day.
DO $$ BEGIN
  PERFORM evidence.note_windows((SELECT array_agg(user_id) FROM who WHERE n = 1), '{2}', '{""}', '{0}', '{platform_floor}', '{2026-11-26 00:00Z}', ARRAY[md5('1')::uuid], '{0}', '{2026-09-10 00:00Z}', '2026-11-28 12:00Z');
  DELETE FROM evidence.due_day WHERE NOT is_scheduled;
  PERFORM pg_temp.since();
  PERFORM evidence.note_windows((SELECT array_agg(user_id) FROM who WHERE n = 1), '{2}', '{""}', '{0}', '{platform_floor}', '{2026-11-27 00:00Z}', ARRAY[md5('2')::uuid], '{0}', '{2026-09-11 00:00Z}', '2026-11-28 12:00Z');
END $$;
DELETE FROM cost;
INSERT INTO cost SELECT * FROM pg_temp.since();
SELECT results_eq($$SELECT min(local_date), max(local_date) FROM evidence.due_day WHERE NOT is_scheduled$$, $$VALUES (date '2026-09-08', date '2026-09-11')$$,
  'only the days are due that it passed, with the hours by which zones may differ');
SELECT is((SELECT scans FROM cost), 0::bigint, 'they are found by index');
SELECT cmp_ok((SELECT tuples FROM cost), '<', 200::bigint, 'without a look at the others');

-- Of somebody who was silent for a year nearly no row is there that could be removed.
CREATE FUNCTION pg_temp.looks() RETURNS bigint LANGUAGE sql AS $$
  SELECT sum(s.seq_scan + s.idx_scan)::bigint FROM pg_stat_xact_user_tables s WHERE s.relname ~ '^daily_metric' $$;
CREATE TEMPORARY TABLE before AS SELECT pg_temp.looks() AS looks;
SELECT is((SELECT evidence.remove_cells(array_agg(w.user_id), array_agg(m.metric), array_agg(d::date))
           FROM who w, what m, generate_series(date '2025-07-01', date '2026-08-19', interval '1 day') d WHERE w.n = 1), NULL, 'of a silent year nothing is removed');
SELECT cmp_ok(pg_temp.looks() - (SELECT looks FROM before), '<', 200::bigint, 'and its 1,200 cells are not looked for one by one');

SELECT * FROM finish();
ROLLBACK;
