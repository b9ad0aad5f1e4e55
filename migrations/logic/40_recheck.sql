-- 40_recheck.sql - absence is revisable: days that are due are derived again by the same function.
-- Laws: G1 (schedule and what payloads make due), G2 (silent days). Reads and writes: evidence.due_day, person; daily_metric through evidence.derive.

CREATE OR REPLACE FUNCTION evidence.leave_to_schedule(persons uuid[], days date[]) RETURNS void
LANGUAGE plpgsql
SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  UPDATE evidence.due_day q SET is_scheduled = true
  FROM unnest(persons, days) AS d (user_id, local_date) WHERE q.user_id = d.user_id AND q.local_date = d.local_date;
END $$;
COMMENT ON FUNCTION evidence.leave_to_schedule(uuid[], date[]) IS 'Leaves user-days on the work list to a re-check with the schedule, by index. Only evidence.recheck_due calls it.';

CREATE OR REPLACE FUNCTION evidence.recheck_due(as_of timestamptz, max_days integer, with_schedule boolean) RETURNS integer
LANGUAGE plpgsql SET timezone = 'UTC' SET enable_seqscan = off AS $$
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
LANGUAGE plpgsql SET timezone = 'UTC' SET enable_seqscan = off AS $$
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
