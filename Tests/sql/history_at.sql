-- history_at.sql — H1 read back: what a cell showed at an instant.
BEGIN;
SELECT plan(21);

-- States of a cell in the order of time: number, value (NULL: unknown), from when, until when (NULL: still shown).
CREATE FUNCTION pg_temp.show(number integer, shown numeric, since timestamptz, until timestamptz, deleted timestamptz DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF until IS NULL THEN
    INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at, is_final, observed_at, platform, rule_version, revision, shown_since)
    VALUES (md5('anna')::uuid, 'steps', '2026-11-01', CASE WHEN shown IS NULL THEN 'unknown' ELSE 'measured' END, shown, CASE WHEN shown IS NULL THEN 'not_yet_synced' END, 1,
      COALESCE(since, '2026-11-03 00:00Z'), true, since, 'healthkit', 1, number, since);
  ELSE
    INSERT INTO public.daily_metric_history (user_id, metric, local_date, revision, shown_since, superseded_at, status, value, unknown_reason, covering_sources, is_final, observed_at, platform, rule_version, value_deleted_at)
    VALUES (md5('anna')::uuid, 'steps', '2026-11-01', number, since, until, CASE WHEN shown IS NULL AND deleted IS NULL THEN 'unknown' ELSE 'measured' END, shown,
      CASE WHEN shown IS NULL AND deleted IS NULL THEN 'not_yet_synced' END, 1, false, since, 'healthkit', 1, deleted);
  END IF;
END $$;
CREATE FUNCTION pg_temp.at(instant timestamptz, day date DEFAULT '2026-11-01') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT concat_ws(' ', h.revision || ':', h.status, h.value, h.unknown_reason, h.suppressed_reason, COALESCE(to_char(h.shown_since, 'DD HH24'), 'ever') || '-' || COALESCE(to_char(h.shown_until, 'DD HH24'), 'now'))
          FROM public.metric_history_at(md5('anna')::uuid, 'steps', day, instant) h);
END $$;

SELECT is(pg_temp.at('2026-11-05 00:00Z'), NULL, 'an empty table has shown nothing');
DO $$ BEGIN
  PERFORM pg_temp.show(1, NULL, '2026-11-01 12:00Z', '2026-11-01 20:00Z');
  PERFORM pg_temp.show(2, 8000, '2026-11-01 20:00Z', '2026-11-02 07:00Z');
  PERFORM pg_temp.show(3, 1, '2026-11-02 07:00Z', '2026-11-02 07:00Z');
  PERFORM pg_temp.show(4, NULL, '2026-11-02 07:00Z', '2026-11-02 09:00Z', '2026-11-02 08:30Z');
  PERFORM pg_temp.show(5, 0, '2026-11-02 09:00Z', NULL);
END $$;
SELECT is(pg_temp.at('2026-11-01 11:59:59Z'), NULL, 'before the first state no row was shown');
SELECT is(pg_temp.at('2026-11-01 12:00Z'), '1: unknown not_yet_synced 01 12-01 20', 'then that it was unknown');
SELECT is(pg_temp.at('2026-11-01 19:59:59.999999Z'), '1: unknown not_yet_synced 01 12-01 20', 'until the next state began');
SELECT is(pg_temp.at('2026-11-01 20:00Z'), '2: measured 8000 01 20-02 07', 'which is shown from its first instant on');
SELECT is(pg_temp.at('2026-11-02 07:00Z'), '4: measured deleted_at_source 02 07-02 09', 'a state that nobody saw was not shown; that a number was there is said, the number is not kept');
SELECT is(pg_temp.at('2026-11-02 09:00Z'), '5: measured 0 02 09-now', 'what is shown now is found too, a measured zero as such');
SELECT is(pg_temp.at('2030-01-01 00:00Z'), '5: measured 0 02 09-now', 'for as long as it is');
SELECT is(pg_temp.at('infinity'), '5: measured 0 02 09-now', 'and at the end of time');
SELECT is(pg_temp.at('2026-11-02 09:00Z', '2026-11-02'), NULL, 'another day has its own history');
SELECT is((SELECT h.is_final FROM public.metric_history_at(md5('anna')::uuid, 'steps', '2026-11-01', '2026-11-01 20:00Z') h), false, 'that it was a lower bound is said');
SELECT is_empty($$SELECT * FROM generate_series(timestamptz '2026-11-01 00:00Z', '2026-11-03 00:00Z', '15 minutes') t
  WHERE (SELECT count(*) FROM metric_history_at(md5('anna')::uuid, 'steps', '2026-11-01', t)) <> CASE WHEN t < '2026-11-01 12:00Z' THEN 0 ELSE 1 END$$, 'at each instant there is one state');

-- Rows that went and came back, and what was shown before the history was kept.
DO $$ BEGIN
  DELETE FROM public.daily_metric; DELETE FROM public.daily_metric_history;
  PERFORM pg_temp.show(1, NULL, NULL, '2026-11-02 00:00Z');
  PERFORM pg_temp.show(1, 70, '2026-11-04 00:00Z', NULL);
END $$;
SELECT is(pg_temp.at('2026-11-01 00:00Z'), '1: unknown not_yet_synced ever-02 00', 'since before this was recorded');
SELECT is(pg_temp.at('2026-11-02 00:00Z'), NULL, 'until the instant at which the row went');
SELECT is(pg_temp.at('2026-11-03 00:00Z'), NULL, 'while the row was gone nothing was shown');
SELECT is(pg_temp.at('2026-11-04 00:00Z'), '1: measured 70 04 00-now', 'and then it was back');

SELECT throws_ok($$SELECT metric_history_at(md5('anna')::uuid, 'step', '2026-11-01', '2026-11-04 00:00Z')$$, '22023', NULL, 'a name that is wrong is no empty history');
SELECT throws_ok($$SELECT metric_history_at(NULL, 'steps', '2026-11-01', '2026-11-04 00:00Z')$$, '22004', NULL, 'nobody has none');
SELECT throws_ok($$SELECT metric_history_at(md5('anna')::uuid, 'steps', NULL, '2026-11-04 00:00Z')$$, '22004', NULL, 'a cell has a day');
SELECT throws_ok($$SELECT metric_history_at(md5('anna')::uuid, 'steps', '2026-11-01', NULL)$$, '22004', NULL, 'and the question an instant');
SELECT is((SELECT count(*) FROM public.metric_history_at(md5('nobody')::uuid, 'steps', '2026-11-01', '2026-11-04 00:00Z')), 0::bigint, 'others'' histories are others''');

SELECT * FROM finish();
ROLLBACK;
