-- 27_workouts.sql - workouts, and the summary of each. Their count and their minutes are records like others (22): here is what is beside these.
-- Laws: B1 (order), E1 and E3 (deleted by id or by a stretch of time, for ever, in either order). The rules of the summary: docs/workouts.md.
-- Reads: evidence.deleted_record, deleted_interval, record_id. Writes: evidence.workout, deleted_record, public.workout_summary.

CREATE OR REPLACE FUNCTION evidence.workout_rules() RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 1;
END $$;
COMMENT ON FUNCTION evidence.workout_rules() IS 'Version of the rules of workout_summary. Under a new one the command rebuild makes all of them anew.';

CREATE OR REPLACE FUNCTION evidence.covered(seconds double precision, of_all double precision) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  -- A moment that was seen is not rounded to nothing.
  RETURN CASE WHEN seconds > 0 THEN LEAST(1, GREATEST(round((seconds / of_all)::numeric, 6), 0.000001)) ELSE 0 END;
END $$;
COMMENT ON FUNCTION evidence.covered(double precision, double precision) IS 'A coverage, to six decimals: above 0 if and only if anything was seen.';

CREATE OR REPLACE FUNCTION evidence.heart_rate(w evidence.workout, OUT average numeric, OUT coverage numeric)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  lasts constant integer := round(extract(epoch FROM w.ends_at - w.starts_at) * 1000);
  seen double precision;
BEGIN
  SELECT sum(h.until - h.since) / 1000.0, round((sum(b.rate::double precision * (h.until - h.since)) / sum(h.until - h.since))::numeric, 6) INTO seen, average
  FROM (SELECT x.at, x.rate, lead(x.at) OVER (ORDER BY x.n) AS next_at FROM unnest(w.beat_at, w.beats) WITH ORDINALITY AS x (at, rate, n)) b
  CROSS JOIN LATERAL (SELECT GREATEST(0, b.at) AS since, LEAST(b.next_at, b.at + 15000, lasts) AS until) h
  WHERE h.since < h.until;
  coverage := evidence.covered(seen, lasts / 1000.0);
END $$;
COMMENT ON FUNCTION evidence.heart_rate(evidence.workout) IS 'The average heart rate of a workout: each sample holds until the next one, for 15 s at most.';

CREATE OR REPLACE FUNCTION evidence.summarize(w evidence.workout) RETURNS public.workout_summary
LANGUAGE plpgsql STABLE AS $$
DECLARE
  s public.workout_summary;
  lasts constant double precision := extract(epoch FROM w.ends_at - w.starts_at);
  fix record;
  last_at integer;
  last_speed double precision;
  last_exact boolean;
  climb_at integer;
  turn double precision;
  next_turn double precision;
  step double precision;
  metres double precision := 0;
  seen double precision := 0;
  weighted double precision := 0;
  timed double precision := 0;
  bare double precision := 0;
  gain double precision := 0;
  climbed double precision := 0;
BEGIN
  FOR fix IN SELECT x.* FROM unnest(w.fix_at, w.hops, w.altitudes, w.speeds, w.is_exact) AS x (at, hop, altitude, speed, is_exact) LOOP
    step := (fix.at - last_at) / 1000.0;
    IF step <= 10 AND fix.hop IS NOT NULL THEN                                    -- No line across a gap.
      metres := metres + fix.hop;
      seen := seen + step;
      IF last_speed IS NOT NULL THEN
        weighted := weighted + last_speed * step;
        timed := timed + step;
        bare := bare + CASE WHEN last_exact THEN 0 ELSE step END;
      END IF;
    END IF;
    last_at := fix.at;
    last_speed := fix.speed;
    last_exact := fix.is_exact;
    CONTINUE WHEN fix.altitude IS NULL;
    next_turn := fix.altitude;
    step := (fix.at - climb_at) / 1000.0;
    IF step <= 10 THEN
      climbed := climbed + step;
      next_turn := CASE WHEN abs(fix.altitude - turn) < 1 THEN turn ELSE fix.altitude END;  -- Barometers waver by less than a metre.
      gain := gain + GREATEST(0, next_turn - turn);
    END IF;
    turn := next_turn;
    climb_at := fix.at;
  END LOOP;
  SELECT w.user_id, f.platform, w.store, w.id, w.local_date, w.source, w.starts_at, w.ends_at, w.is_manual INTO s
  FROM public.platform f WHERE f.platform_id = w.platform_id;
  s.distance := CASE WHEN seen > 0 THEN round(metres::numeric, 3) END;
  s.distance_coverage := evidence.covered(seen, lasts);
  s.average_speed := CASE WHEN timed > 0 THEN round((weighted / timed)::numeric, 6) END;
  s.average_speed_coverage := evidence.covered(timed, lasts);
  s.speed_without_accuracy := CASE WHEN timed > 0 THEN round((bare / timed)::numeric, 6) END;
  s.elevation_gain := CASE WHEN climbed > 0 THEN round(gain::numeric, 3) END;
  s.elevation_gain_coverage := evidence.covered(climbed, lasts);
  SELECT h.average, h.coverage INTO s.average_heart_rate, s.average_heart_rate_coverage FROM evidence.heart_rate(w) h;
  s.observed_at := w.read_at;
  s.rule_version := evidence.workout_rules();
  RETURN s;
END $$;
COMMENT ON FUNCTION evidence.summarize(evidence.workout)
  IS 'The summary of a workout, by the rules that WorkoutSummary of the library HealthPayload has too; a test compares the two.';

CREATE OR REPLACE FUNCTION evidence.with_minutes(platforms smallint[], stores text[], users uuid[], entry_payload integer[], ids text[])
RETURNS TABLE (number integer, record_id text) LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  SELECT e.number, e.record_id || ' minutes'
  FROM unnest(entry_payload, ids) AS e (number, record_id)
  CROSS JOIN LATERAL (SELECT i.id FROM evidence.record_id i
    WHERE e.record_id IS NOT NULL AND i.user_id = users[e.number] AND i.platform_id = platforms[e.number] AND i.store = stores[e.number]
      AND i.id = evidence.record_key(platforms[e.number], stores[e.number], e.record_id || ' minutes') OFFSET 0) i;
END $$;
COMMENT ON FUNCTION evidence.with_minutes(smallint[], text[], uuid[], integer[], text[])
  IS 'Of the ids that are deleted those that are workouts: the ids of the records of their minutes, which go with them.';

CREATE OR REPLACE FUNCTION evidence.is_deleted(w evidence.workout) RETURNS boolean
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM evidence.deleted_record d WHERE d.user_id = w.user_id AND d.platform_id = w.platform_id AND d.store = w.store AND d.id = w.id)
    OR EXISTS (SELECT FROM evidence.deleted_interval i JOIN public.metric m ON m.metric_id = i.metric_id AND m.metric IN ('workout_count', 'workout_minutes')
      WHERE i.user_id = w.user_id AND i.platform_id = w.platform_id AND i.store = w.store
        AND i.read_at > w.read_at AND i.starts_at <= w.starts_at AND w.ends_at <= i.ends_at);
END $$;
COMMENT ON FUNCTION evidence.is_deleted(evidence.workout) IS 'Whether the platform has deleted a workout: by its id, or with all workouts of a stretch of time that it was wholly in.';

CREATE OR REPLACE FUNCTION evidence.merge_workouts(
  users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamptz[],
  entry_payload integer[], ids text[], days date[], positions integer[], sources text[], starts timestamptz[], ends timestamptz[], manual boolean[],
  fix_times text[], hops text[], altitudes text[], speeds text[], exact text[], beat_times text[], beats text[])
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO evidence.workout AS w (user_id, platform_id, store, id, local_date, source, starts_at, ends_at, is_manual,
    fix_at, hops, altitudes, speeds, is_exact, beat_at, beats, read_at, payload_id, "position")
  SELECT DISTINCT ON (x.user_id, x.platform_id, x.store, x.id)
    x.user_id, x.platform_id, x.store, x.id, x.local_date, COALESCE(x.source, ''), x.starts_at, x.ends_at, x.is_manual,
    x.fix_at::integer[], x.hop::real[], x.altitude::real[], x.speed::real[], x.is_exact::boolean[], x.beat_at::integer[], x.beat::real[],
    x.read_at, x.payload_id, x.place_in_payload
  FROM (SELECT p.*, e.*, evidence.record_key(p.platform_id, p.store, e.record_id) AS id
        FROM unnest(entry_payload, ids, days, positions, sources, starts, ends, manual, fix_times, hops, altitudes, speeds, exact, beat_times, beats)
          AS e (number, record_id, local_date, place_in_payload, source, starts_at, ends_at, is_manual, fix_at, hop, altitude, speed, is_exact, beat_at, beat)
        JOIN unnest(users, platforms, stores, payloads, reads) WITH ORDINALITY AS p (user_id, platform_id, store, payload_id, read_at, payload_number)
          ON p.payload_number = e.number) x
  ORDER BY x.user_id, x.platform_id, x.store, x.id, x.read_at DESC, x.payload_id DESC, x.place_in_payload DESC
  ON CONFLICT ON CONSTRAINT workout_pkey DO UPDATE SET
    local_date = excluded.local_date, source = excluded.source, starts_at = excluded.starts_at, ends_at = excluded.ends_at, is_manual = excluded.is_manual,
    fix_at = excluded.fix_at, hops = excluded.hops, altitudes = excluded.altitudes, speeds = excluded.speeds, is_exact = excluded.is_exact,
    beat_at = excluded.beat_at, beats = excluded.beats, read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position"
  WHERE (w.read_at, w.payload_id, w."position") < (excluded.read_at, excluded.payload_id, excluded."position");
  -- A workout that was deleted before it was known: the record of its minutes is deleted with it.
  INSERT INTO evidence.deleted_record AS t (user_id, platform_id, store, id, read_at)
  SELECT DISTINCT users[e.number], platforms[e.number], stores[e.number],
         evidence.record_key(platforms[e.number], stores[e.number], e.record_id || ' minutes'), d.read_at
  FROM unnest(entry_payload, ids) AS e (number, record_id)
  CROSS JOIN LATERAL (SELECT x.read_at FROM evidence.deleted_record x
    WHERE x.user_id = users[e.number] AND x.platform_id = platforms[e.number] AND x.store = stores[e.number]
      AND x.id = evidence.record_key(platforms[e.number], stores[e.number], e.record_id) OFFSET 0) d
  ORDER BY 1, 2, 3, 4
  ON CONFLICT ON CONSTRAINT deleted_record_pkey DO UPDATE SET read_at = excluded.read_at WHERE excluded.read_at < t.read_at;
END $$;
COMMENT ON FUNCTION evidence.merge_workouts(uuid[], smallint[], text[], uuid[], timestamptz[], integer[], text[], date[], integer[], text[], timestamptz[], timestamptz[], boolean[], text[], text[], text[], text[], text[], text[], text[])
  IS 'Merges the workouts of a batch, before their records: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; samples: array literals). Of each workout the latest read stays.';

CREATE OR REPLACE FUNCTION evidence.derive_workouts(persons uuid[], platforms smallint[], stores text[], ids text[]) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- Of whom nobody says which workouts are meant, all are looked through.
  wholly uuid[] := ARRAY(SELECT DISTINCT u.user_id FROM unnest(persons, ids) AS u (user_id, record_id) WHERE u.record_id IS NULL);
BEGIN
  -- What the platform has deleted is not kept, not even as evidence.
  WITH meant AS MATERIALIZED (
    SELECT x.row_address
    FROM (SELECT DISTINCT u.user_id, u.platform_id, u.store, evidence.record_key(u.platform_id, u.store, u.record_id) AS id
          FROM unnest(persons, platforms, stores, ids) AS u (user_id, platform_id, store, record_id) WHERE u.record_id IS NOT NULL) k
    CROSS JOIN LATERAL (SELECT w.ctid AS row_address FROM evidence.workout w
      WHERE w.user_id = k.user_id AND w.platform_id = k.platform_id AND w.store = k.store AND w.id = k.id OFFSET 0) x
    UNION
    SELECT x.row_address FROM unnest(wholly) AS p (user_id)
    CROSS JOIN LATERAL (SELECT w.ctid AS row_address FROM evidence.workout w WHERE w.user_id = p.user_id OFFSET 0) x),
  gone AS (
    DELETE FROM evidence.workout w USING meant m WHERE w.ctid = m.row_address AND evidence.is_deleted(w)
    RETURNING w.user_id, w.platform_id, w.store, w.id)
  DELETE FROM public.workout_summary s USING gone g, public.platform f
  WHERE f.platform_id = g.platform_id AND s.user_id = g.user_id AND s.platform = f.platform AND s.store = g.store AND s.id = g.id;
  DELETE FROM public.workout_summary s USING unnest(wholly) AS p (user_id), public.platform f
  WHERE s.user_id = p.user_id AND f.platform = s.platform
    AND NOT EXISTS (SELECT FROM evidence.workout w WHERE w.user_id = s.user_id AND w.platform_id = f.platform_id AND w.store = s.store AND w.id = s.id);
  PERFORM evidence.write_summaries(array_agg(w.workout))
  FROM (SELECT DISTINCT u.user_id, u.platform_id, u.store, evidence.record_key(u.platform_id, u.store, u.record_id) AS id
        FROM unnest(persons, platforms, stores, ids) AS u (user_id, platform_id, store, record_id) WHERE u.record_id IS NOT NULL) k
  CROSS JOIN LATERAL (SELECT x AS workout FROM evidence.workout x
    WHERE x.user_id = k.user_id AND x.platform_id = k.platform_id AND x.store = k.store AND x.id = k.id OFFSET 0) w;
END $$;
COMMENT ON FUNCTION evidence.derive_workouts(uuid[], smallint[], text[], text[])
  IS 'Removes of these workouts (id NULL: of all of the person''s) what its platform has deleted, and makes the summaries of those that are named and left.';

CREATE OR REPLACE FUNCTION evidence.write_summaries(workouts evidence.workout[]) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off AS $$
BEGIN
  INSERT INTO public.workout_summary AS o
  SELECT s.* FROM unnest(workouts) w CROSS JOIN LATERAL evidence.summarize(w) s ORDER BY s.user_id, s.platform, s.store, s.id
  ON CONFLICT ON CONSTRAINT workout_summary_pkey DO UPDATE SET
    local_date = excluded.local_date, source = excluded.source, starts_at = excluded.starts_at, ends_at = excluded.ends_at, is_manual = excluded.is_manual,
    distance = excluded.distance, distance_coverage = excluded.distance_coverage,
    average_speed = excluded.average_speed, average_speed_coverage = excluded.average_speed_coverage, speed_without_accuracy = excluded.speed_without_accuracy,
    elevation_gain = excluded.elevation_gain, elevation_gain_coverage = excluded.elevation_gain_coverage,
    average_heart_rate = excluded.average_heart_rate, average_heart_rate_coverage = excluded.average_heart_rate_coverage,
    observed_at = excluded.observed_at, rule_version = excluded.rule_version
  WHERE o IS DISTINCT FROM excluded;
END $$;
COMMENT ON FUNCTION evidence.write_summaries(evidence.workout[]) IS 'Writes the summaries of workouts, where they are not what is there.';

CREATE OR REPLACE FUNCTION evidence.compare_workouts(person uuid, of_days date[]) RETURNS TABLE (metric text, local_date date, finding text)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT 'workout_summary', COALESCE(w.local_date, s.local_date), format('%s workouts', count(*))
  FROM (SELECT y.* FROM evidence.workout x CROSS JOIN LATERAL evidence.summarize(x) y
        WHERE x.user_id = person AND x.local_date = ANY (of_days) AND NOT evidence.is_deleted(x)) w
  FULL JOIN (SELECT t.* FROM public.workout_summary t WHERE t.user_id = person AND t.local_date = ANY (of_days)) s
    ON s.platform = w.platform AND s.store = w.store AND s.id = w.id
  WHERE w IS DISTINCT FROM s
  GROUP BY 1, 2;
END $$;
COMMENT ON FUNCTION evidence.compare_workouts(uuid, date[])
  IS 'Days of a person of which public.workout_summary is not what evidence.workout amounts to, and of how many workouts. Never a value. Changes nothing.';

CREATE OR REPLACE FUNCTION evidence.repair_workouts(person uuid, of_days date[]) RETURNS void
LANGUAGE plpgsql SET timezone = 'UTC' SET jit = off SET enable_seqscan = off AS $$
BEGIN
  PERFORM evidence.derive_workouts(ARRAY[person], '{NULL}', '{NULL}', '{NULL}');
  PERFORM evidence.write_summaries(ARRAY(SELECT x FROM evidence.workout x WHERE x.user_id = person AND x.local_date = ANY (of_days)));
END $$;
COMMENT ON FUNCTION evidence.repair_workouts(uuid, date[]) IS 'Makes public.workout_summary of these days what evidence.workout amounts to, removals included.';
