-- 46_due_cells.sql - single cells that a change of the catalogue has made due are derived again, and the other cells of their days left alone.
-- Law: G3. Reads: evidence.due_cell, tracking, daily_metric. Writes: evidence.due_cell, due_day; daily_metric through evidence.derive.

CREATE OR REPLACE FUNCTION evidence.plan_again(persons uuid[], days date[]) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  WITH planned AS MATERIALIZED (
    SELECT q.user_id, q.local_date, q.due_at AS old_due_at, min(d.next_check_at) AS due_at
    FROM (SELECT DISTINCT u.user_id, u.local_date FROM unnest(persons, days) AS u (user_id, local_date)) u
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.due_day x WHERE x.user_id = u.user_id AND x.local_date = u.local_date AND x.is_scheduled OFFSET 0) q
    CROSS JOIN LATERAL (SELECT DISTINCT k.metric_id FROM evidence.tracking k WHERE k.user_id = u.user_id OFFSET 0) k
    JOIN public.metric m ON m.metric_id = k.metric_id
    LEFT JOIN LATERAL (SELECT c.next_check_at FROM public.daily_metric c
      WHERE c.user_id = u.user_id AND c.metric = m.metric AND c.local_date = u.local_date OFFSET 0) d ON true
    GROUP BY 1, 2, 3),
  ended AS (
    DELETE FROM evidence.due_day q USING planned p WHERE q.user_id = p.user_id AND q.local_date = p.local_date AND p.due_at IS NULL)
  UPDATE evidence.due_day q SET due_at = p.due_at FROM planned p
  WHERE q.user_id = p.user_id AND q.local_date = p.local_date AND p.due_at <> p.old_due_at;
END $$;
COMMENT ON FUNCTION evidence.plan_again(uuid[], date[])
  IS 'Lets the schedule of user-days say what their cells say: the earliest next check, or nothing. For when single cells have been derived again.';

CREATE OR REPLACE FUNCTION evidence.forget_cells(persons uuid[], days date[], metrics text[]) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  DELETE FROM evidence.due_cell c USING unnest(persons, days, metrics) AS u (user_id, local_date, metric)
  WHERE c.user_id = u.user_id AND c.local_date = u.local_date AND c.metric = u.metric;
END $$;
COMMENT ON FUNCTION evidence.forget_cells(uuid[], date[], text[]) IS 'Takes cells off due_cell, by index. Only evidence.recheck_cells calls it.';

CREATE OR REPLACE FUNCTION evidence.recheck_cells(as_of timestamptz, max_cells integer) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
DECLARE
  person uuid := (SELECT c.user_id FROM evidence.due_cell c ORDER BY c.user_id LIMIT 1);
  persons uuid[] := '{}';
  days date[] := '{}';
  metrics text[] := '{}';
  more_days date[];
  more_metrics text[];
BEGIN
  -- Person by person: somebody whom another session holds keeps nobody else from their turn.
  WHILE person IS NOT NULL AND cardinality(persons) < max_cells LOOP
    IF evidence.try_lock_person(person) THEN
      SELECT array_agg(c.local_date), array_agg(c.metric::text) INTO more_days, more_metrics
      FROM (SELECT x.local_date, x.metric FROM evidence.due_cell x WHERE x.user_id = person
            ORDER BY x.local_date, x.metric LIMIT max_cells - cardinality(persons)) c;
      -- Another session may have done them before it let go.
      IF more_days IS NOT NULL THEN
        persons := persons || array_fill(person, ARRAY[cardinality(more_days)]);
        days := days || more_days;
        metrics := metrics || more_metrics;
      END IF;
    END IF;
    person := (SELECT c.user_id FROM evidence.due_cell c WHERE c.user_id > person ORDER BY c.user_id LIMIT 1);
  END LOOP;
  IF cardinality(persons) = 0 THEN
    RETURN 0;
  END IF;
  PERFORM evidence.derive(persons, days, as_of, true, metrics);
  PERFORM evidence.forget_cells(persons, days, metrics);
  PERFORM evidence.plan_again(persons, days);
  RETURN (SELECT count(*) FROM (SELECT DISTINCT u.* FROM unnest(persons, days) u) d);
END $$;
COMMENT ON FUNCTION evidence.recheck_cells(timestamptz, integer)
  IS 'Derives up to max_cells cells again that a change of the catalogue has made due, and leaves the other cells of their days alone. Returns how many user-days; 0: none is due, or others work on them.';
