-- 40_recheck.sql - absence is revisable: days that are due are derived again by the same function.
-- Laws: G1 (schedule and what payloads make due), G2 (silent days). What a change of the catalogues makes due is in 45. Reads and writes: evidence.due_day, person; daily_metric through evidence.derive.

CREATE OR REPLACE FUNCTION evidence.ask_again(persons uuid[]) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE evidence.person p SET silent_from = t.since, silent_due_at = (t.since + 1)::timestamp AT TIME ZONE 'UTC' - interval '14 hours'
  FROM (SELECT k.user_id, min(k.since) AS since FROM evidence.tracking k WHERE k.user_id = ANY (persons) GROUP BY 1) t
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.person x WHERE x.user_id = t.user_id OFFSET 0) o
  WHERE p.ctid = o.ctid;
END $$;
COMMENT ON FUNCTION evidence.ask_again(uuid[]) IS 'Lets a re-check go through the silent days of these persons once more, from the first day that any origin mentioned on.';

-- What a statement can change: a reading was judged when it was merged, so a measured and final cell stays what it is. Two exceptions are made
-- due below: which records an interval deletes depends on the days' lengths, and so on the zones.
CREATE OR REPLACE FUNCTION evidence.mark_unsettled(persons uuid[], since date[], as_of timestamptz) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  -- Of whom nobody has said anything yet, as of nearly everybody whose first zone this is, no day is there.
  SELECT array_agg(u.user_id), array_agg(u.since) INTO persons, since
  FROM unnest(persons, since) AS u (user_id, since)
  CROSS JOIN LATERAL (SELECT FROM evidence.tracking x WHERE x.user_id = u.user_id LIMIT 1) t;
  IF persons IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO evidence.due_day AS due (user_id, local_date, due_at, is_scheduled)
  SELECT d.user_id, d.local_date, as_of, false
  FROM (SELECT u.user_id, c.local_date FROM unnest(persons, since) AS u (user_id, since)
        CROSS JOIN LATERAL (SELECT x.local_date FROM public.daily_metric x
          WHERE x.user_id = u.user_id AND x.local_date >= u.since AND NOT (x.status = 'measured' AND x.is_final) OFFSET 0) c
        UNION
        SELECT u.user_id, c.local_date FROM unnest(persons, since) AS u (user_id, since)
        CROSS JOIN LATERAL (SELECT i.metric_id, i.starts_at, i.ends_at FROM evidence.deleted_interval i WHERE i.user_id = u.user_id OFFSET 0) i
        JOIN public.metric m ON m.metric_id = i.metric_id
        CROSS JOIN LATERAL (SELECT x.local_date FROM public.daily_metric x
          WHERE x.user_id = u.user_id AND x.metric = m.metric AND x.local_date >= u.since
            AND x.local_date BETWEEN (i.starts_at - interval '36 hours')::date AND (i.ends_at + interval '14 hours')::date OFFSET 0) c) d
  ORDER BY 1, 2
  ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE
    SET due_at = LEAST(due.due_at, excluded.due_at), is_scheduled = false;
  -- Other days may be closed now, or asked about.
  UPDATE evidence.person p
  SET silent_from = LEAST(p.silent_from, t.since), silent_due_at = LEAST(p.silent_due_at, (t.since + 1)::timestamp AT TIME ZONE 'UTC' - interval '14 hours')
  FROM (SELECT u.user_id, GREATEST(min(k.since), u.since) AS since FROM unnest(persons, since) AS u (user_id, since)
        CROSS JOIN LATERAL (SELECT x.since FROM evidence.tracking x WHERE x.user_id = u.user_id OFFSET 0) k GROUP BY u.user_id, u.since) t
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.person x WHERE x.user_id = t.user_id OFFSET 0) o
  WHERE p.ctid = o.ctid;
END $$;
COMMENT ON FUNCTION evidence.mark_unsettled(uuid[], date[], timestamptz)
  IS 'Makes the days of these persons due, each from a date on, that have a cell which is not measured and final, or one that a deletion by interval touches; silent days too. For a changed zone, and for origins that speak again after a long time.';

CREATE OR REPLACE FUNCTION evidence.mark_asked(persons uuid[], metrics smallint[], since date[], until date[], as_of timestamptz) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO evidence.due_day AS due (user_id, local_date, due_at, is_scheduled)
  SELECT DISTINCT u.user_id, d.local_date, as_of, false
  FROM unnest(persons, metrics, since, until) AS u (user_id, metric_id, since, until)
  JOIN public.metric m ON m.metric_id = u.metric_id
  CROSS JOIN LATERAL (SELECT x.local_date FROM public.daily_metric x
    WHERE x.user_id = u.user_id AND x.metric = m.metric AND x.local_date BETWEEN u.since AND u.until AND NOT (x.status = 'measured' AND x.is_final) OFFSET 0) d
  ORDER BY 1, 2
  ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE
    SET due_at = LEAST(due.due_at, excluded.due_at), is_scheduled = false;
END $$;
COMMENT ON FUNCTION evidence.mark_asked(uuid[], smallint[], date[], date[], timestamptz)
  IS 'Makes days of these persons due on which one metric is not measured and final, within a range each. For windows and permissions that have changed.';

CREATE OR REPLACE FUNCTION evidence.leave_to_schedule(persons uuid[], days date[]) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  UPDATE evidence.due_day q SET is_scheduled = true
  FROM unnest(persons, days) AS d (user_id, local_date)
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.due_day x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) f
  WHERE q.ctid = f.ctid;
END $$;
COMMENT ON FUNCTION evidence.leave_to_schedule(uuid[], date[]) IS 'Leaves user-days on the work list to a re-check with the schedule, by index. Only evidence.recheck_due calls it.';

CREATE OR REPLACE FUNCTION evidence.recheck_due(as_of timestamptz, max_days integer, with_schedule boolean) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
DECLARE
  persons uuid[];
  days date[];
BEGIN
  -- In order of due time. Persons that another session works on are left for the next time, and keep nobody else from their turn: the lock is
  -- tried row by row, until there are enough.
  SELECT array_agg(d.user_id), array_agg(d.local_date) INTO persons, days
  FROM (SELECT o.user_id, o.local_date
        FROM (SELECT q.user_id, q.local_date FROM evidence.due_day q
              WHERE q.due_at <= as_of AND (with_schedule OR NOT q.is_scheduled) ORDER BY q.due_at, q.user_id, q.local_date OFFSET 0) o
        WHERE evidence.try_lock_person(o.user_id) LIMIT max_days) d;
  IF persons IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM evidence.derive(persons, days, as_of, with_schedule);
  IF NOT with_schedule THEN                    -- Silent days of it are left to a re-check.
    PERFORM evidence.leave_to_schedule(persons, days);
  END IF;
  RETURN cardinality(persons);
END $$;
COMMENT ON FUNCTION evidence.recheck_due(timestamptz, integer, boolean)
  IS 'Derives up to max_days user-days again that are due as of an instant; without with_schedule only those that a payload made due, and adds no silent days. Returns how many; 0: nothing is due, or others work on it.';

CREATE OR REPLACE FUNCTION evidence.recheck_silent(as_of timestamptz, max_days integer) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
DECLARE
  person evidence.person;
  closed date[];
  waiting date;
  waiting_until timestamptz;
  filled integer := 0;
BEGIN
  FOR person IN
    SELECT p.* FROM evidence.person p WHERE p.silent_due_at <= as_of ORDER BY p.silent_due_at LIMIT max_days
  LOOP
    EXIT WHEN filled >= max_days;
    CONTINUE WHEN NOT evidence.try_lock_person(person.user_id);
    -- Read again under the lock: what another session wrote before it let go would be lost, and its days with it.
    SELECT p.* INTO person FROM evidence.person p WHERE p.user_id = person.user_id AND p.silent_due_at <= as_of;
    CONTINUE WHEN NOT FOUND;
    SELECT array_agg(d.day ORDER BY d.day) FILTER (WHERE d.over_at <= as_of), min(d.day) FILTER (WHERE d.over_at > as_of),
           min(d.over_at) FILTER (WHERE d.over_at > as_of)
    INTO closed, waiting, waiting_until
    FROM (SELECT g::date AS day, s.over_at
          FROM generate_series(GREATEST(person.silent_from, (as_of - make_interval(days => (SELECT b.filled_days FROM evidence.setting b)))::date)::timestamp,
                               GREATEST(person.silent_from, as_of::date)::timestamp + interval '3 days', interval '1 day') g
          CROSS JOIN LATERAL evidence.day_span(g::date, person.zone_from, person.zone_name) s) d;
    -- Some persons' years would outlast any time-out, and be begun anew for ever. What is too much stays due.
    IF cardinality(closed) > max_days - filled THEN
      waiting := LEAST(waiting, closed[max_days - filled + 1]);
      waiting_until := person.silent_due_at;
      closed := closed[:max_days - filled];
    END IF;
    IF closed IS NOT NULL THEN
      PERFORM evidence.derive(array_fill(person.user_id, ARRAY[cardinality(closed)]), closed, as_of, true);
      filled := filled + cardinality(closed);
    END IF;
    UPDATE evidence.person p SET silent_from = waiting, silent_due_at = waiting_until WHERE p.user_id = person.user_id;
  END LOOP;
  RETURN filled;
END $$;
COMMENT ON FUNCTION evidence.recheck_silent(timestamptz, integer)
  IS 'Derives up to max_days user-days that have closed since the last time, so that days which no payload mentioned become unknown. At most evidence.setting.filled_days back. Returns how many; 0: none has closed, or others work on it.';
