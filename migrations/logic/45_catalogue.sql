-- 45_catalogue.sql - reasons, schedules, metrics and platforms are data: a changed row makes exactly the affected cells due.
-- Law: G3. Reads: catalogues, evidence.*, daily_metric. Writes: evidence.derived_under, catalogue_change, due_cell, person. What is found is
-- derived in 46. Called by the re-check, and by migrate, which remembers what a new database begins with.
-- No triggers (they do not run on Citus) and no index for it: a change is rare, and looked for once, person by person.

CREATE OR REPLACE VIEW evidence.catalogue_facts AS
  SELECT 'metric' COLLATE "C" AS catalogue, m.metric AS key, jsonb_build_object(
      'aggregation', m.aggregation, 'combine', m.combine, 'zero_policy', m.zero_policy, 'parent', m.parent, 'licence', m.licence,
      'evidence', m.evidence, 'low', m.low, 'high', m.high, 'intermittent', m.intermittent) AS facts
  FROM public.metric m
  UNION ALL
  SELECT 'unknown_reason', r.code, jsonb_build_object(
      'rank', r.rank, 'first_check', r.first_check, 'check_growth', r.check_growth, 'check_until', r.check_until)
  FROM public.unknown_reason r
  UNION ALL
  SELECT 'platform', p.platform, jsonb_build_object('is_manual', p.is_manual, 'preference', p.preference) FROM public.platform p
  UNION ALL
  SELECT 'platform_error', e.code, jsonb_build_object('reason', e.reason, 'detail', e.detail) FROM public.platform_error e
  UNION ALL
  SELECT 'setting', '', jsonb_build_object('asked_days', s.asked_days, 'filled_days', s.filled_days) FROM evidence.setting s
  UNION ALL
  SELECT 'rule', '', jsonb_build_object('version', evidence.rule_version());
COMMENT ON VIEW evidence.catalogue_facts IS 'What the derivation depends on, row by row as it is now. Units, needs_source, hides_denial and day_rule are left out: they judge what arrives, once.';
COMMENT ON COLUMN evidence.catalogue_facts.catalogue IS 'As evidence.derived_under.catalogue.';
COMMENT ON COLUMN evidence.catalogue_facts.key IS 'As evidence.derived_under.key.';
COMMENT ON COLUMN evidence.catalogue_facts.facts IS 'As evidence.derived_under.facts.';

CREATE OR REPLACE FUNCTION evidence.notice_changes(as_of timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  is_new boolean;
  change record;
  noticed integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(4712, 2) THEN
    RETURN 0;
  END IF;
  is_new := NOT EXISTS (SELECT FROM evidence.derived_under);
  -- A loop is one snapshot: what is edited meanwhile is noticed the next time, and never taken for known.
  FOR change IN
    SELECT COALESCE(n.catalogue, u.catalogue) AS catalogue, COALESCE(n.key, u.key) AS key, u.facts AS before, n.facts AS after
    FROM evidence.catalogue_facts n FULL JOIN evidence.derived_under u ON u.catalogue = n.catalogue AND u.key = n.key
    WHERE n.facts IS DISTINCT FROM u.facts ORDER BY 1, 2
  LOOP
    IF change.after IS NULL THEN
      DELETE FROM evidence.derived_under u WHERE u.catalogue = change.catalogue AND u.key = change.key;
    ELSE
      INSERT INTO evidence.derived_under AS u (catalogue, key, facts) VALUES (change.catalogue, change.key, change.after)
      ON CONFLICT ON CONSTRAINT derived_under_pkey DO UPDATE SET facts = excluded.facts;
    END IF;
    -- Nothing can have been derived under a row that was not there, other than a failed read: its code had no meaning yet.
    IF NOT is_new AND (change.catalogue = 'platform_error' OR (change.before IS NOT NULL AND change.after IS NOT NULL)) THEN
      INSERT INTO evidence.catalogue_change (catalogue, key, before, after, noticed_at)
      VALUES (change.catalogue, change.key, change.before, change.after, as_of);
      noticed := noticed + 1;
    END IF;
  END LOOP;
  RETURN noticed;
END $$;
COMMENT ON FUNCTION evidence.notice_changes(timestamptz)
  IS 'Compares catalogues, settings and rules with those that daily_metric was derived under, and records what has changed. Returns how many changes; of a new database everything is known.';

CREATE OR REPLACE FUNCTION evidence.changed(change evidence.catalogue_change, fact text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN change.before -> fact IS DISTINCT FROM change.after -> fact;
END $$;
COMMENT ON FUNCTION evidence.changed(evidence.catalogue_change, text) IS 'Whether a change is about this fact, among others.';

CREATE OR REPLACE FUNCTION evidence.spoken_by(person uuid, speaker smallint) RETURNS TABLE (local_date date, metric_id smallint)
LANGUAGE plpgsql STABLE ROWS 1000
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM evidence.origin o WHERE o.user_id = person AND o.platform_id = speaker) THEN
    RETURN QUERY
    SELECT r.local_date, r.metric_id FROM evidence.reading r WHERE r.user_id = person AND r.platform_id = speaker
    UNION
    SELECT r.local_date, r.metric_id FROM evidence.record_day r WHERE r.user_id = person AND r.platform_id = speaker;
  END IF;
END $$;
COMMENT ON FUNCTION evidence.spoken_by(uuid, smallint) IS 'The cells of a person that a platform (public.platform.platform_id) has said anything about.';

CREATE OR REPLACE FUNCTION evidence.cells_under(change evidence.catalogue_change, person uuid) RETURNS TABLE (local_date date, metric text)
LANGUAGE plpgsql STABLE ROWS 1000
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  metrics text[];
  reasons text[];
  kinds text[];
  bounds smallint[];
BEGIN
  CASE change.catalogue
  WHEN 'metric' THEN
    -- A child follows its parent's origin, and its zero the parent's value.
    metrics := ARRAY(SELECT m.metric FROM public.metric m WHERE change.key IN (m.metric, m.parent));
    RETURN QUERY SELECT d.local_date, d.metric FROM public.daily_metric d WHERE d.user_id = person AND d.metric = ANY (metrics);
    IF evidence.changed(change, 'evidence') THEN          -- C1: its numbers are witnesses of another kind.
      kinds := ARRAY[change.before ->> 'evidence', change.after ->> 'evidence'];
      metrics := ARRAY(SELECT m.metric FROM public.metric m WHERE m.licence && kinds);
      RETURN QUERY
      SELECT d.local_date, d.metric FROM public.daily_metric w
      CROSS JOIN LATERAL (SELECT x.local_date, x.metric FROM public.daily_metric x
        WHERE x.user_id = person AND x.metric = ANY (metrics) AND x.local_date = w.local_date OFFSET 0) d
      WHERE w.user_id = person AND w.metric = change.key AND w.status = 'measured';
    END IF;
  WHEN 'unknown_reason' THEN
    IF evidence.changed(change, 'first_check') OR evidence.changed(change, 'check_growth') OR evidence.changed(change, 'check_until') THEN
      RETURN QUERY SELECT d.local_date, d.metric FROM public.daily_metric d
      WHERE d.user_id = person AND (d.unknown_reason = change.key
        OR (change.key = 'not_yet_synced' AND d.status = 'measured' AND NOT d.is_final));   -- G1: an open day has its schedule.
    END IF;
    IF evidence.changed(change, 'rank') THEN
      -- Another reason can only come to light where several origins are asked, and only if the two have changed places.
      bounds := ARRAY[LEAST((change.before ->> 'rank')::smallint, (change.after ->> 'rank')::smallint),
                      GREATEST((change.before ->> 'rank')::smallint, (change.after ->> 'rank')::smallint)];
      reasons := change.key || ARRAY(SELECT r.code::text FROM public.unknown_reason r WHERE r.rank BETWEEN bounds[1] AND bounds[2]);
      RETURN QUERY SELECT d.local_date, d.metric FROM public.daily_metric d
      WHERE d.user_id = person AND d.unknown_reason = ANY (reasons)
        AND (SELECT count(*) > 1 FROM evidence.tracking t JOIN public.metric m ON m.metric_id = t.metric_id
             WHERE t.user_id = person AND m.metric = d.metric AND t.since <= d.local_date);
    END IF;
  WHEN 'platform' THEN
    RETURN QUERY
    SELECT d.local_date, d.metric FROM public.platform f
    CROSS JOIN LATERAL evidence.spoken_by(person, f.platform_id) s
    JOIN public.metric m ON m.metric_id = s.metric_id
    -- By preference only metrics that combine by newest choose, and their children; a hand is no witness for others.
    JOIN public.metric x ON (m.metric IN (x.metric, x.parent) AND (m.combine = 'newest' OR evidence.changed(change, 'is_manual')))
                         OR (m.evidence = ANY (x.licence) AND evidence.changed(change, 'is_manual'))
    CROSS JOIN LATERAL (SELECT c.local_date, c.metric FROM public.daily_metric c
      WHERE c.user_id = person AND c.metric = x.metric AND c.local_date = s.local_date OFFSET 0) d
    WHERE f.platform = change.key;
  WHEN 'platform_error' THEN
    RETURN QUERY
    SELECT d.local_date, d.metric FROM evidence.reading r
    JOIN public.metric m ON m.metric_id = r.metric_id
    CROSS JOIN LATERAL (SELECT c.local_date, c.metric FROM public.daily_metric c
      WHERE c.user_id = person AND c.metric = m.metric AND c.local_date = r.local_date AND c.status = 'unknown' OFFSET 0) d
    WHERE r.user_id = person AND r.outcome = 'failed' AND r.code = change.key;
  WHEN 'setting' THEN
    IF evidence.changed(change, 'asked_days') THEN        -- G2: rows that nothing speaks for but the question itself.
      RETURN QUERY SELECT d.local_date, d.metric FROM public.daily_metric d JOIN public.metric m ON m.metric = d.metric
      WHERE d.user_id = person AND d.status = 'unknown'
        AND NOT EXISTS (SELECT FROM evidence.reading r WHERE r.user_id = person AND r.local_date = d.local_date AND r.metric_id = m.metric_id)
        AND NOT EXISTS (SELECT FROM evidence.record_day r WHERE r.user_id = person AND r.local_date = d.local_date AND r.metric_id = m.metric_id);
    END IF;
  WHEN 'rule' THEN
    RETURN QUERY SELECT d.local_date, d.metric FROM public.daily_metric d
    WHERE d.user_id = person AND d.rule_version <> (change.after ->> 'version')::integer;
  END CASE;
END $$;
COMMENT ON FUNCTION evidence.cells_under(evidence.catalogue_change, uuid)
  IS 'The cells of a person that a change of the catalogue may change. Reads no more than this person''s rows.';

CREATE OR REPLACE FUNCTION evidence.asks_again(change evidence.catalogue_change, person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  RETURN (change.catalogue = 'setting' AND ((change.after ->> 'asked_days')::integer > (change.before ->> 'asked_days')::integer
                                        OR (change.after ->> 'filled_days')::integer > (change.before ->> 'filled_days')::integer))
      OR (change.catalogue = 'metric' AND evidence.changed(change, 'intermittent') AND NOT (change.after -> 'intermittent')::boolean AND EXISTS (
            SELECT FROM evidence.tracking t JOIN public.metric m ON m.metric_id = t.metric_id WHERE t.user_id = person AND m.metric = change.key));
END $$;
COMMENT ON FUNCTION evidence.asks_again(evidence.catalogue_change, uuid) IS 'Whether a change may call for rows of this person that do not exist yet: silent days.';

CREATE OR REPLACE FUNCTION evidence.spread_changes(as_of timestamptz, max_cells integer) RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  change evidence.catalogue_change;
  person uuid;
  goes_on uuid;
  looked integer := 0;
  found_here integer;
  found_cells integer := 0;
BEGIN
  PERFORM evidence.notice_changes(as_of);
  -- One session at a time looks for cells; all of them derive what is found.
  IF NOT pg_try_advisory_xact_lock(4712, 2) THEN
    RETURN 0;
  END IF;
  SELECT * INTO change FROM evidence.catalogue_change c ORDER BY c.change_id LIMIT 1;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  FOR person IN SELECT p.user_id FROM evidence.person p WHERE p.user_id >= change.next_user ORDER BY p.user_id LIMIT 201 LOOP
    -- The lock: a derivation under the old catalogue that is not committed yet would be passed over.
    IF looked = 200 OR found_cells >= max_cells OR NOT evidence.try_lock_person(person) THEN
      goes_on := person;
      EXIT;
    END IF;
    INSERT INTO evidence.due_cell (user_id, local_date, metric)
    SELECT DISTINCT person, c.local_date, c.metric FROM evidence.cells_under(change, person) c ORDER BY 2, 3 ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS found_here = ROW_COUNT;
    IF evidence.asks_again(change, person) THEN
      PERFORM evidence.ask_again(ARRAY[person]);
    END IF;
    found_cells := found_cells + found_here;
    looked := looked + 1;
  END LOOP;
  IF goes_on IS NOT NULL THEN
    UPDATE evidence.catalogue_change c SET next_user = goes_on WHERE c.change_id = change.change_id;
    RETURN looked;
  END IF;
  DELETE FROM evidence.catalogue_change c WHERE c.change_id = change.change_id;
  RETURN looked + 1;
END $$;
COMMENT ON FUNCTION evidence.spread_changes(timestamptz, integer)
  IS 'Notices changes of the catalogues, and takes the oldest a step further: puts the affected cells of up to 200 persons on due_cell, fewer once max_cells are found. Returns how many persons it looked at, and 1 more at the end of a change; 0: no change is left, or others are at it.';
