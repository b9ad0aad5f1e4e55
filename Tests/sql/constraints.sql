-- constraints.sql — K1: a number has a source and an absence has a reason, or the row is refused by name.
-- Each situation is a row that differs from a good one in what it says; NULL as constraint: the row is taken.
BEGIN;

CREATE TEMPORARY TABLE good (kind text PRIMARY KEY, cell jsonb);
INSERT INTO good VALUES
  ('measured', '{"user_id": "7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa", "metric": "steps", "local_date": "2026-11-28",
     "status": "measured", "value": "8123", "covering_sources": 1, "computed_at": "2026-11-29T08:00:00Z",
     "is_final": true, "observed_at": "2026-11-29T07:00:00Z", "platform": "healthkit", "rule_version": 1, "revision": 1}'),
  ('unknown', '{"user_id": "7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa", "metric": "steps", "local_date": "2026-11-28",
     "status": "unknown", "unknown_reason": "not_yet_synced", "covering_sources": 0, "computed_at": "2026-11-29T08:00:00Z",
     "is_final": false, "next_check_at": "2026-11-29T09:00:00Z", "rule_version": 1, "revision": 1}');

-- The name of the constraint, or the column that may not be missing, that refuses a row; NULL: none does.
CREATE FUNCTION pg_temp.refuses(kind text, change jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  constraint_name text;
  column_name text;
BEGIN
  INSERT INTO public.daily_metric
  SELECT r.* FROM good g, jsonb_populate_record(NULL::public.daily_metric, g.cell || change) r WHERE g.kind = refuses.kind;
  DELETE FROM public.daily_metric;
  RETURN NULL;
EXCEPTION WHEN integrity_constraint_violation THEN
  GET STACKED DIAGNOSTICS constraint_name = CONSTRAINT_NAME, column_name = COLUMN_NAME;
  RETURN COALESCE(NULLIF(replace(constraint_name, 'daily_metric_', ''), ''), column_name);
END $$;

CREATE TEMPORARY TABLE situation (number integer GENERATED ALWAYS AS IDENTITY, kind text, change jsonb, refused_by text, sentence text);
INSERT INTO situation (kind, change, refused_by, sentence) VALUES
  ('measured', '{}', NULL, 'a number with a source is taken'),
  ('unknown', '{}', NULL, 'an absence with a reason is taken'),
  ('measured', '{"value": "0"}', NULL, 'a zero with a witness is a measurement'),
  ('measured', '{"value": "-3.5"}', NULL, 'a number may be negative'),
  ('unknown', '{"covering_sources": 2}', NULL, 'an absence may have sources that were there'),
  ('unknown', '{"unknown_detail": "device_locked"}', NULL, 'an absence may have a detail'),

  ('measured', '{"status": "Measured", "value": null}', 'status_is_measured_or_unknown', 'a status in another case is none'),
  ('unknown', '{"status": "estimated"}', 'status_is_measured_or_unknown', 'there is no third status'),
  ('unknown', '{"status": ""}', 'status_is_measured_or_unknown', 'an empty status is none'),
  ('unknown', '{"status": null}', 'status', 'a row without a status is refused'),

  ('measured', '{"value": null}', 'measured_if_and_only_if_it_has_a_value', 'a measurement without a number is refused'),
  ('unknown', '{"value": "0"}', 'measured_if_and_only_if_it_has_a_value', 'an absence with the number 0 is refused'),
  ('unknown', '{"value": "8123"}', 'measured_if_and_only_if_it_has_a_value', 'an absence with any other number is refused'),
  ('unknown', '{"value": "0", "covering_sources": 1}', 'measured_if_and_only_if_it_has_a_value',
   'an absence with a number is refused, whoever was there'),

  ('unknown', '{"unknown_reason": null}', 'unknown_if_and_only_if_it_has_a_reason', 'an absence without a reason is refused'),
  ('measured', '{"unknown_reason": "not_yet_synced"}', 'unknown_if_and_only_if_it_has_a_reason', 'a reason beside a number is refused'),

  ('measured', '{"value": "NaN"}', 'value_is_finite', 'NaN is no number'),
  ('measured', '{"value": "Infinity"}', 'value_is_finite', 'infinity is no number'),
  ('measured', '{"value": "-Infinity"}', 'value_is_finite', 'minus infinity is no number'),
  ('measured', '{"value": "1000000000000"}', NULL, 'a million millions is the largest number'),
  ('measured', '{"value": "1000000000000.000001"}', 'value_is_finite', 'anything larger is refused'),
  ('measured', '{"value": "-1000000000000"}', NULL, 'minus a million millions is the smallest number'),
  ('measured', '{"value": "-1000000000000.000001"}', 'value_is_finite', 'anything smaller is refused'),

  ('unknown', '{"covering_sources": -1}', 'covering_sources_is_not_negative', 'fewer than no sources cannot be'),
  ('unknown', '{"covering_sources": null}', 'covering_sources', 'the number of sources is never missing'),
  ('measured', '{"value": "0", "covering_sources": 0}', 'measured_has_a_covering_source', 'a zero without a witness is refused'),
  ('measured', '{"covering_sources": 0}', 'measured_has_a_covering_source', 'a number without a source is refused'),

  ('unknown', '{"unknown_reason": "because"}', 'reason_is_known', 'a reason that is not in the table is refused'),
  ('unknown', '{"unknown_reason": ""}', 'reason_is_known', 'an empty reason is refused'),

  ('measured', '{"unknown_detail": "device_locked"}', 'detail_goes_with_unknown', 'a number needs no detail of an absence'),

  ('measured', '{"local_date": "infinity"}', 'times_are_finite', 'a day without end is refused'),
  ('measured', '{"local_date": "-infinity"}', 'times_are_finite', 'a day before all days is refused'),
  ('measured', '{"computed_at": "infinity"}', 'times_are_finite', 'a row is computed at an instant'),
  ('measured', '{"observed_at": "-infinity"}', 'times_are_finite', 'a value is observed at an instant'),
  ('unknown', '{"next_check_at": "infinity"}', 'times_are_finite', 'a check that never comes is NULL and not infinity'),

  ('measured', '{"revision": 0}', 'revision_is_positive', 'states are counted from 1'),
  ('measured', '{"shown_since": "infinity"}', 'shown_since_is_an_instant', 'a state is shown since an instant'),

  ('measured', '{"user_id": null}', 'user_id', 'a row without a person is refused'),
  ('measured', '{"metric": null}', 'metric', 'a row without a metric is refused'),
  ('measured', '{"computed_at": null}', 'computed_at', 'a row says when it was derived'),
  ('measured', '{"is_final": null}', 'is_final', 'a row says whether it is final'),
  ('measured', '{"revision": null}', 'revision', 'a row says which of its states it is'),
  ('measured', '{"rule_version": null}', 'rule_version', 'a row says by which rules it was derived'),

  ('measured', '{"local_date": "2015-03-01", "covering_sources": 0}', 'measured_has_a_covering_source', 'years of the past have the constraints too'),
  ('measured', '{"local_date": "1950-03-01", "covering_sources": 0}', 'measured_has_a_covering_source', 'and so have days for which no partition was made');

SELECT plan((SELECT count(*)::integer FROM situation) + 6);

SELECT is(pg_temp.refuses(kind, change), refused_by, sentence) FROM situation ORDER BY number;

SELECT is_empty(
  $$SELECT replace(k.conname, 'daily_metric_', '') FROM pg_constraint k
    WHERE k.conrelid = 'public.daily_metric'::regclass AND k.contype = 'c'
    EXCEPT SELECT s.refused_by FROM situation s$$,
  'every constraint of daily_metric has refused something above');

SELECT is_empty(
  $$SELECT u.code FROM public.unknown_reason u
    WHERE pg_temp.refuses('unknown', jsonb_build_object('unknown_reason', u.code)) IS NOT NULL$$,
  'every reason of the table unknown_reason is taken');

SELECT is_empty(
  $$SELECT i.inhrelid::regclass, k.conname
    FROM pg_inherits i
    JOIN pg_constraint k ON k.conrelid = i.inhparent AND k.contype = 'c'
    WHERE i.inhparent IN ('public.daily_metric'::regclass, 'evidence.reading'::regclass)
      AND NOT EXISTS (SELECT FROM pg_constraint c
                      WHERE c.conrelid = i.inhrelid AND c.conname = k.conname AND c.convalidated
                        AND pg_get_constraintdef(c.oid) = pg_get_constraintdef(k.oid))$$,
  'no partition lacks a constraint of its table');

-- The evidence is as strict about numbers as what is derived from it.
CREATE FUNCTION pg_temp.reading_refuses(outcome text, value numeric) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  constraint_name text;
BEGIN
  INSERT INTO evidence.reading VALUES (gen_random_uuid(), '2026-11-28', 1, 1, '', 'value', '2026-11-29T07:00:00Z', gen_random_uuid(), 0,
    outcome::evidence.outcome, value, '{}', NULL, 'inside', NULL, NULL, true, true);
  RETURN NULL;
EXCEPTION WHEN check_violation THEN
  GET STACKED DIAGNOSTICS constraint_name = CONSTRAINT_NAME;
  RETURN constraint_name;
END $$;

SELECT results_eq(
  $$SELECT o.outcome, pg_temp.reading_refuses(o.outcome, NULL) IS NULL, pg_temp.reading_refuses(o.outcome, 0) IS NULL
    FROM unnest(enum_range(NULL::evidence.outcome)::text[]) AS o (outcome)$$,
  $$VALUES ('value', false, true), ('empty', true, false), ('failed', true, false), ('denied', true, false),
           ('unavailable', true, false), ('invalid', true, false), ('deleted', false, false), ('outdated', false, false)$$,
  'a reading has a number if and only if the read found a value, and what is only derived is none');

SELECT results_eq(
  $$SELECT pg_temp.reading_refuses('value', v) FROM unnest('{NaN,Infinity,-Infinity,1000000000001}'::numeric[]) v$$,
  $$SELECT 'reading_value_is_finite' FROM generate_series(1, 4)$$,
  'a reading holds neither NaN nor infinity nor anything absurd');

SELECT throws_ok(
  $$INSERT INTO public.daily_metric SELECT r.* FROM generate_series(1, 2), good g, jsonb_populate_record(NULL::public.daily_metric, g.cell) r
    WHERE g.kind = 'unknown'$$,
  '23505', NULL, 'a cell has one row');

SELECT * FROM finish();
ROLLBACK;
