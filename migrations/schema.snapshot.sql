-- The schema that the migrations make. Written by make snapshot, compared by make test.
-- Longer than other files, because nobody writes it by hand.

CREATE SCHEMA evidence;

COMMENT ON SCHEMA evidence IS 'What each data store last said, and what else is known about a day. daily_metric is derived from it and from nothing else.';

CREATE SCHEMA intake;

COMMENT ON SCHEMA intake IS 'What arrives: the queue, receipts, dead letters and quarantine. Written by producers and by dailymetricd.';

CREATE TYPE evidence.outcome AS ENUM (
    'value',
    'empty',
    'failed',
    'denied',
    'unavailable',
    'invalid',
    'deleted',
    'outdated'
);

COMMENT ON TYPE evidence.outcome IS 'What a read found out. value and empty are looks; invalid is a value that the boundary refused. deleted and outdated are what a deletion leaves: nothing, or a total that is no longer true; no reading has them.';

CREATE TYPE evidence.permission_state AS ENUM (
    'granted',
    'denied',
    'not_asked',
    'not_connected'
);

COMMENT ON TYPE evidence.permission_state IS 'What a platform said about access.';

CREATE TYPE evidence.place AS ENUM (
    'inside',
    'boundary',
    'outside'
);

COMMENT ON TYPE evidence.place IS 'Where a day lay relative to the windows of what could be read.';

CREATE TYPE evidence.presence_kind AS ENUM (
    'wear',
    'carry',
    'activity_sync'
);

COMMENT ON TYPE evidence.presence_kind IS 'Kinds of evidence that a source was there on a day.';

CREATE TYPE evidence.slot AS ENUM (
    'value',
    'licensing_zero',
    'other_zero',
    'boundary_zero',
    'licensing_empty',
    'other_empty',
    'boundary_empty',
    'non_look',
    'boundary_non_look',
    'outside',
    'looked',
    'records',
    'deletion'
);

COMMENT ON TYPE evidence.slot IS 'What kind of statement a reading row remembers. Of each kind an origin''s latest is kept; the choice among them is made when deriving. records and deletion are what the records of a day amount to; no row has them.';

CREATE TYPE evidence.window_kind AS ENUM (
    'platform_floor',
    'authorized_from',
    'history_window',
    'counting_since'
);

COMMENT ON TYPE evidence.window_kind IS 'Kinds of boundaries. A day before several of them gets the reason of the first in this order.';

CREATE FUNCTION evidence.admit_daemon() RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  part record;
BEGIN
  IF to_regrole('dailymetric_daemon') IS NULL THEN RETURN; END IF;
  FOR part IN
    SELECT COALESCE(tree.relid, rights.relation::regclass) AS relation, rights.writes
    FROM (VALUES
      ('evidence.backfill', 'INSERT, UPDATE, DELETE'), ('evidence.catalogue_change', 'INSERT, UPDATE, DELETE'),
      ('evidence.cell_change', 'INSERT, UPDATE, DELETE'), ('evidence.deleted_interval', 'INSERT, DELETE'),
      ('evidence.deleted_record', 'INSERT, UPDATE, DELETE'), ('evidence.derived_under', 'INSERT, UPDATE, DELETE'),
      ('evidence.due_cell', 'INSERT, DELETE'), ('evidence.due_day', 'INSERT, UPDATE, DELETE'),
      ('evidence.former_record', 'INSERT, UPDATE, DELETE'), ('evidence.hour', 'INSERT, UPDATE, DELETE'), ('evidence.origin', 'INSERT, UPDATE, DELETE'),
      ('evidence.permission', 'INSERT, DELETE'), ('evidence.person', 'INSERT, UPDATE, DELETE'),
      ('evidence.presence', 'INSERT, UPDATE, DELETE'), ('evidence.read_window', 'INSERT, DELETE'),
      ('evidence.reading', 'INSERT, UPDATE, DELETE'), ('evidence.record_day', 'INSERT, UPDATE, DELETE'),
      ('evidence.record_id', 'INSERT, UPDATE, DELETE'), ('evidence.time_zone', 'INSERT, DELETE'),
      ('evidence.tracking', 'INSERT, UPDATE, DELETE'), ('intake.batch_in_hand', 'INSERT, UPDATE, DELETE'),
      ('intake.control', 'UPDATE'), ('intake.dead_letter', 'INSERT, DELETE'), ('intake.forgotten_person', 'INSERT, UPDATE'),
      ('intake.load', 'INSERT, UPDATE, DELETE'), ('intake.load_page', 'INSERT, DELETE'), ('intake.quarantined_entry', 'INSERT, DELETE'),
      ('intake.receipt', 'INSERT, UPDATE, DELETE'), ('intake.slow_payload', 'INSERT, UPDATE, DELETE'),
      ('intake.suspect', 'INSERT, UPDATE, DELETE'), ('intake.sync_payload', 'INSERT, DELETE'),
      ('public.coverage_day', 'INSERT, UPDATE'), ('public.coverage_sum', 'INSERT, DELETE'),
      ('public.daily_metric', 'INSERT, UPDATE, DELETE'), ('public.daily_metric_history', 'INSERT, UPDATE, DELETE'),
      ('evidence.workout', 'INSERT, UPDATE, DELETE'),
      ('public.feed_horizon', 'UPDATE'), ('public.hourly_metric', 'INSERT, UPDATE, DELETE'),
      ('public.workout_summary', 'INSERT, UPDATE, DELETE')
    ) AS rights (relation, writes)
    -- Forgetting a person goes from partition to partition; a right on the whole does not reach them one by one.
    LEFT JOIN LATERAL pg_partition_tree(rights.relation::regclass) tree ON true
  LOOP
    EXECUTE format('GRANT SELECT, %s ON %s TO dailymetric_daemon', part.writes, part.relation);
  END LOOP;
END $$;

COMMENT ON FUNCTION evidence.admit_daemon() IS 'Grants the role dailymetric_daemon what it may write, partitions included; whoever makes a partition calls it. Nothing if there is no such role.';

CREATE FUNCTION evidence.all_holdings(person uuid, OUT cells bigint, OUT hours bigint, OUT workouts bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  SELECT count(*) INTO cells FROM public.daily_metric d WHERE d.user_id = person AND d.status = 'measured';
  SELECT count(*) INTO hours FROM public.hourly_metric h WHERE h.user_id = person AND h.value IS NOT NULL;
  SELECT count(*) INTO workouts FROM public.workout_summary w WHERE w.user_id = person;
END $$;

COMMENT ON FUNCTION evidence.all_holdings(person uuid, OUT cells bigint, OUT hours bigint, OUT workouts bigint) IS 'How many measured cells, hours with a value, and workouts a person has in all.';

CREATE FUNCTION evidence.ask_again(persons uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  UPDATE evidence.person p SET silent_from = t.since, silent_due_at = (t.since + 1)::timestamp AT TIME ZONE 'UTC' - interval '14 hours'
  FROM (SELECT k.user_id, min(k.since) AS since FROM evidence.tracking k WHERE k.user_id = ANY (persons) GROUP BY 1) t
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.person x WHERE x.user_id = t.user_id OFFSET 0) o
  WHERE p.ctid = o.ctid;
END $$;

COMMENT ON FUNCTION evidence.ask_again(persons uuid[]) IS 'Lets a re-check go through the silent days of these persons once more, from the first day that any origin mentioned on.';

CREATE TABLE evidence.catalogue_change (
    change_id bigint NOT NULL,
    catalogue text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    before jsonb,
    after jsonb,
    noticed_at timestamp with time zone NOT NULL,
    next_user uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    CONSTRAINT catalogue_change_changes_something CHECK ((before IS DISTINCT FROM after)),
    CONSTRAINT catalogue_change_time_is_finite CHECK (isfinite(noticed_at))
);

COMMENT ON TABLE evidence.catalogue_change IS 'Changes of the catalogues whose cells are still being looked for, person by person. Empty: every affected cell is on due_cell or derived.';

COMMENT ON COLUMN evidence.catalogue_change.change_id IS 'In order of notice.';

COMMENT ON COLUMN evidence.catalogue_change.catalogue IS 'As derived_under.catalogue.';

COMMENT ON COLUMN evidence.catalogue_change.key IS 'As derived_under.key.';

COMMENT ON COLUMN evidence.catalogue_change.before IS 'derived_under.facts until then; NULL: there was no such row.';

COMMENT ON COLUMN evidence.catalogue_change.after IS 'derived_under.facts from then on; NULL: the row is gone.';

COMMENT ON COLUMN evidence.catalogue_change.noticed_at IS 'When a re-check noticed it.';

COMMENT ON COLUMN evidence.catalogue_change.next_user IS 'The person to go on with; all before have been looked at.';

COMMENT ON CONSTRAINT catalogue_change_changes_something ON evidence.catalogue_change IS 'Something is different.';

COMMENT ON CONSTRAINT catalogue_change_time_is_finite ON evidence.catalogue_change IS 'Times are instants, not infinity.';

CREATE FUNCTION evidence.asks_again(change evidence.catalogue_change, person uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN (change.catalogue = 'setting' AND ((change.after ->> 'asked_days')::integer > (change.before ->> 'asked_days')::integer
                                        OR (change.after ->> 'filled_days')::integer > (change.before ->> 'filled_days')::integer))
      OR (change.catalogue = 'metric' AND evidence.changed(change, 'intermittent') AND NOT (change.after -> 'intermittent')::boolean AND EXISTS (
            SELECT FROM evidence.tracking t JOIN public.metric m ON m.metric_id = t.metric_id WHERE t.user_id = person AND m.metric = change.key));
END $$;

COMMENT ON FUNCTION evidence.asks_again(change evidence.catalogue_change, person uuid) IS 'Whether a change may call for rows of this person that do not exist yet: silent days.';

CREATE FUNCTION evidence.at(instant timestamp with time zone) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
END $$;

COMMENT ON FUNCTION evidence.at(instant timestamp with time zone) IS 'An instant as sentences have it, in UTC.';

CREATE FUNCTION evidence.cells_under(change evidence.catalogue_change, person uuid) RETURNS TABLE(local_date date, metric text)
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.cells_under(change evidence.catalogue_change, person uuid) IS 'The cells of a person that a change of the catalogue may change. Reads no more than this person''s rows.';

CREATE FUNCTION evidence.changed(change evidence.catalogue_change, fact text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN change.before -> fact IS DISTINCT FROM change.after -> fact;
END $$;

COMMENT ON FUNCTION evidence.changed(change evidence.catalogue_change, fact text) IS 'Whether a change is about this fact, among others.';

CREATE TABLE public.hourly_metric (
    user_id uuid NOT NULL,
    metric text NOT NULL COLLATE pg_catalog."C",
    local_date date NOT NULL,
    local_hour smallint NOT NULL,
    value numeric,
    covered_minutes smallint NOT NULL,
    minutes smallint NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    observed_at timestamp with time zone NOT NULL,
    CONSTRAINT hourly_metric_covers_no_more_than_it_lasted CHECK ((((covered_minutes >= 0) AND (covered_minutes <= minutes)) AND ((minutes >= 1) AND (minutes <= 1500)))),
    CONSTRAINT hourly_metric_has_a_value_if_and_only_if_it_was_seen CHECK (((value IS NOT NULL) = (covered_minutes > 0))),
    CONSTRAINT hourly_metric_hour_is_one_of_a_clock CHECK (((local_hour >= 0) AND (local_hour <= 23))),
    CONSTRAINT hourly_metric_times_are_finite CHECK ((isfinite(local_date) AND isfinite(observed_at))),
    CONSTRAINT hourly_metric_value_is_finite CHECK ((abs(value) <= ('1000000000000'::bigint)::numeric))
);

COMMENT ON TABLE public.hourly_metric IS 'What was seen of single hours of a metric: a value together with the minutes that it covers. A missing row means that nothing was ever said about the hour. Of several platforms one counts, never the sum.';

COMMENT ON COLUMN public.hourly_metric.user_id IS 'The person.';

COMMENT ON COLUMN public.hourly_metric.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.hourly_metric.local_date IS 'The local calendar day, as the client wrote it.';

COMMENT ON COLUMN public.hourly_metric.local_hour IS 'The hour that the clock showed, 0 to 23. An hour that the clock showed twice is one row with more minutes; one that it left out has none.';

COMMENT ON COLUMN public.hourly_metric.value IS 'Value over the covered minutes, in metric.unit; of a sum a lower bound of the hour unless all of its minutes are covered. 0 is a measured zero. NULL: nothing was seen.';

COMMENT ON COLUMN public.hourly_metric.covered_minutes IS 'How many minutes of the hour were seen; 0: none.';

COMMENT ON COLUMN public.hourly_metric.minutes IS 'How many minutes the hour lasted.';

COMMENT ON COLUMN public.hourly_metric.platform IS 'The platform that said so, as in the table platform.';

COMMENT ON COLUMN public.hourly_metric.observed_at IS 'When it was read there.';

COMMENT ON CONSTRAINT hourly_metric_covers_no_more_than_it_lasted ON public.hourly_metric IS 'Nobody sees more of an hour than there is.';

COMMENT ON CONSTRAINT hourly_metric_has_a_value_if_and_only_if_it_was_seen ON public.hourly_metric IS 'No value without coverage, no coverage without a value.';

COMMENT ON CONSTRAINT hourly_metric_hour_is_one_of_a_clock ON public.hourly_metric IS 'Clocks show no other hours, whatever the length of the day.';

COMMENT ON CONSTRAINT hourly_metric_times_are_finite ON public.hourly_metric IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT hourly_metric_value_is_finite ON public.hourly_metric IS 'No NaN, no infinity, nothing absurd.';

CREATE FUNCTION evidence.chosen_hours(persons uuid[], days date[]) RETURNS SETOF public.hourly_metric
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  WITH said AS MATERIALIZED (
    SELECT h.* FROM (SELECT DISTINCT u.* FROM unnest(persons, days) AS u (user_id, local_date)) d
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.hour x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) h),
  part AS MATERIALIZED (
    SELECT p.*, evidence.deleted_at(p.user_id, p.local_date, p.metric_id, p.platform_id, p.store) AS cut
    FROM (SELECT DISTINCT s.user_id, s.local_date, s.metric_id, s.platform_id, s.store FROM said s) p)
  SELECT DISTINCT ON (s.user_id, m.metric, s.local_date, s.local_hour)
    s.user_id, m.metric, s.local_date, s.local_hour, s.value, s.covered_minutes, s.minutes, f.platform, s.read_at
  FROM said s
  JOIN part p ON p.user_id = s.user_id AND p.local_date = s.local_date AND p.metric_id = s.metric_id AND p.platform_id = s.platform_id AND p.store = s.store
  JOIN public.metric m ON m.metric_id = s.metric_id
  JOIN public.platform f ON f.platform_id = s.platform_id
  WHERE p.cut IS NULL OR s.read_at >= p.cut
  ORDER BY s.user_id, m.metric, s.local_date, s.local_hour, s.kind DESC, CASE m.combine WHEN 'max' THEN s.value ELSE f.preference END DESC NULLS LAST,
    s.covered_minutes DESC, s.read_at DESC, s.payload_id DESC, s.platform_id, s.store;
END $$;

COMMENT ON FUNCTION evidence.chosen_hours(persons uuid[], days date[]) IS 'What the hours of these user-days amount to: of several platforms the larger value where the metric''s days combine so, else the preferred one; then what covers more, then the latest read. Never the sum. What was read before a deletion of the day does not count.';

CREATE FUNCTION evidence.compare_cells(person uuid, days date[], as_of timestamp with time zone) RETURNS TABLE(metric text, local_date date, finding text)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH day AS MATERIALIZED (
    -- What waits for a re-check that a payload made due is not wrong yet; a silent day's cell not before any re-check of it.
    SELECT u.day, q.user_id IS NOT NULL AS is_due, q.user_id IS NOT NULL AND NOT q.is_scheduled AS is_waiting
    FROM unnest(days) AS u (day)
    LEFT JOIN LATERAL (SELECT x.user_id, x.is_scheduled FROM evidence.due_day x WHERE x.user_id = person AND x.local_date = u.day AND x.due_at <= as_of OFFSET 0) q ON true),
  wanted AS MATERIALIZED (
    SELECT c.*, evidence.rule_version() AS rule_version
    FROM evidence.weighed_cells(array_fill(person, ARRAY[cardinality(days)]), days, as_of, true) c),
  shown AS MATERIALIZED (
    SELECT d.* FROM public.daily_metric d WHERE d.user_id = person AND d.local_date = ANY (days)),
  compared AS (
    SELECT COALESCE(w.metric, s.metric) AS metric, COALESCE(w.local_date, s.local_date) AS local_date, w.metric IS NOT NULL AS is_wanted, s.metric IS NOT NULL AS is_shown,
           concat_ws(', ',
             CASE WHEN w.status IS DISTINCT FROM s.status THEN 'status' END, CASE WHEN w.value IS DISTINCT FROM s.value THEN 'value' END,
             CASE WHEN w.unknown_reason IS DISTINCT FROM s.unknown_reason THEN 'unknown_reason' END,
             CASE WHEN w.covering_sources IS DISTINCT FROM s.covering_sources THEN 'covering_sources' END,
             CASE WHEN w.unknown_detail IS DISTINCT FROM s.unknown_detail THEN 'unknown_detail' END,
             CASE WHEN w.is_final IS DISTINCT FROM s.is_final THEN 'is_final' END,
             CASE WHEN w.observed_at IS DISTINCT FROM s.observed_at THEN 'observed_at' END,
             CASE WHEN w.platform IS DISTINCT FROM s.platform THEN 'platform' END,
             CASE WHEN w.rule_version IS DISTINCT FROM s.rule_version THEN 'rule_version' END) AS columns
    FROM wanted w FULL JOIN shown s ON s.metric = w.metric AND s.local_date = w.local_date),
  differing AS (
    SELECT c.*, d.is_due, k.metric_id IS NOT NULL AND (
             EXISTS (SELECT FROM evidence.reading r WHERE r.user_id = person AND r.local_date = c.local_date AND r.metric_id = k.metric_id)
             OR EXISTS (SELECT FROM evidence.record_day r WHERE r.user_id = person AND r.local_date = c.local_date AND r.metric_id = k.metric_id)) AS is_spoken_of
    FROM compared c JOIN day d ON d.day = c.local_date LEFT JOIN public.metric k ON k.metric = c.metric
    WHERE NOT d.is_waiting AND c.columns <> ''
      AND NOT EXISTS (SELECT FROM evidence.due_cell q WHERE q.user_id = person AND q.local_date = c.local_date AND q.metric = c.metric))
  SELECT f.metric, f.local_date, CASE WHEN NOT f.is_shown THEN 'is missing' WHEN NOT f.is_wanted THEN 'should not be there' ELSE f.columns END
  FROM differing f
  CROSS JOIN evidence.setting b
  LEFT JOIN evidence.person p ON p.user_id = person
  -- G2. Only a re-check fills a silent day, and only so far back.
  WHERE f.is_spoken_of OR (NOT f.is_due AND (f.is_shown OR (f.local_date < p.silent_from AND f.local_date > as_of::date - b.filled_days)))
  ORDER BY f.local_date, f.metric;
END $$;

COMMENT ON FUNCTION evidence.compare_cells(person uuid, days date[], as_of timestamp with time zone) IS 'The cells of these days that are not what their evidence amounts to, and how: the names of the columns that differ, that the row is missing, or that it should not be there. Never a value. When a row was computed and when it is checked next is no difference, nor is what still waits for a re-check. Changes nothing.';

CREATE FUNCTION evidence.compare_hours(person uuid, days date[]) RETURNS TABLE(metric text, local_date date, finding text)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN QUERY
  SELECT COALESCE(w.metric, s.metric), COALESCE(w.local_date, s.local_date),
         format('hours %s', string_agg(COALESCE(w.local_hour, s.local_hour)::text, ', ' ORDER BY COALESCE(w.local_hour, s.local_hour)))
  FROM evidence.chosen_hours(array_fill(person, ARRAY[cardinality(days)]), days) w
  FULL JOIN (SELECT h.* FROM public.hourly_metric h WHERE h.user_id = person AND h.local_date = ANY (days)) s
    ON s.metric = w.metric AND s.local_date = w.local_date AND s.local_hour = w.local_hour
  WHERE w IS DISTINCT FROM s
  GROUP BY 1, 2;
END $$;

COMMENT ON FUNCTION evidence.compare_hours(person uuid, days date[]) IS 'Days of a person of which public.hourly_metric is not what evidence.hour amounts to, and which hours. Never a value. Changes nothing.';

CREATE FUNCTION evidence.compare_shown(person uuid, days date[], as_of timestamp with time zone) RETURNS TABLE(metric text, local_date date, finding text)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN QUERY
  SELECT c.* FROM evidence.compare_cells(person, days, as_of) c
  UNION ALL
  SELECT h.* FROM evidence.compare_hours(person, days) h
  UNION ALL
  SELECT w.* FROM evidence.compare_workouts(person, days) w;
END $$;

COMMENT ON FUNCTION evidence.compare_shown(person uuid, days date[], as_of timestamp with time zone) IS 'All that is shown of these days and is not what its evidence amounts to: cells, hours and workouts. Never a value. Changes nothing.';

CREATE FUNCTION evidence.compare_workouts(person uuid, of_days date[]) RETURNS TABLE(metric text, local_date date, finding text)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.compare_workouts(person uuid, of_days date[]) IS 'Days of a person of which public.workout_summary is not what evidence.workout amounts to, and of how many workouts. Never a value. Changes nothing.';

CREATE FUNCTION evidence.covered(seconds double precision, of_all double precision) RETURNS numeric
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  -- A moment that was seen is not rounded to nothing.
  RETURN CASE WHEN seconds > 0 THEN LEAST(1, GREATEST(round((seconds / of_all)::numeric, 6), 0.000001)) ELSE 0 END;
END $$;

COMMENT ON FUNCTION evidence.covered(seconds double precision, of_all double precision) IS 'A coverage, to six decimals: above 0 if and only if anything was seen.';

CREATE FUNCTION evidence.day_span(day date, zone_from timestamp with time zone[], zone_name text[], OUT starts_at timestamp with time zone, OUT over_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
DECLARE
  begins timestamptz;
  ends timestamptz;
  until timestamptz;
BEGIN
  FOR i IN 1 .. COALESCE(cardinality(zone_name), 0) LOOP
    begins := public.day_begins(day, zone_name[i]);
    ends := public.day_begins(day + 1, zone_name[i]);
    until := COALESCE(zone_from[i + 1], 'infinity');
    IF (begins < until AND ends > zone_from[i]) OR (begins = ends AND zone_from[i] <= begins AND begins < until) THEN
      starts_at := LEAST(starts_at, begins);
      over_at := GREATEST(over_at, ends);
    END IF;
  END LOOP;
  IF over_at IS NULL THEN                      -- No zone is known for the day: it may begin at UTC+14 and end at UTC-12.
    starts_at := (day::timestamp AT TIME ZONE 'UTC') - interval '14 hours';
    over_at := (day::timestamp AT TIME ZONE 'UTC') + interval '36 hours';
  END IF;
END $$;

COMMENT ON FUNCTION evidence.day_span(day date, zone_from timestamp with time zone[], zone_name text[], OUT starts_at timestamp with time zone, OUT over_at timestamp with time zone) IS 'Earliest beginning and latest end of a local date over the zones that are known for it (zone_from ascending): a day is over when it is over in the westernmost of them.';

CREATE FUNCTION evidence.days_of_hours_between(users uuid[], platforms smallint[], stores text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[]) RETURNS TABLE(user_id uuid, local_date date)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN QUERY
  SELECT DISTINCT h.user_id, h.local_date
  FROM unnest(users, platforms, stores, metrics, starts, ends) AS i (user_id, platform_id, store, metric_id, starts_at, ends_at)
  CROSS JOIN LATERAL (SELECT x.user_id, x.local_date FROM evidence.hour x
    WHERE x.user_id = i.user_id AND x.local_date BETWEEN i.starts_at::date - 2 AND i.ends_at::date + 2
      AND x.metric_id = i.metric_id AND x.platform_id = i.platform_id AND x.store = i.store OFFSET 0) h;
END $$;

COMMENT ON FUNCTION evidence.days_of_hours_between(users uuid[], platforms smallint[], stores text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[]) IS 'The user-days that have hours of an origin''s metric which a stretch of time may touch, in whatever zone.';

CREATE FUNCTION evidence.days_to_compare(person uuid, after date, max_days integer, as_of timestamp with time zone) RETURNS SETOF date
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN QUERY
  SELECT x.day FROM (
    SELECT r.local_date AS day FROM evidence.reading r WHERE r.user_id = person
    UNION
    SELECT r.local_date FROM evidence.record_day r WHERE r.user_id = person
    UNION
    SELECT d.local_date FROM public.daily_metric d WHERE d.user_id = person
    UNION
    SELECT h.local_date FROM evidence.hour h WHERE h.user_id = person
    UNION
    SELECT h.local_date FROM public.hourly_metric h WHERE h.user_id = person
    UNION
    SELECT w.local_date FROM evidence.workout w WHERE w.user_id = person
    UNION
    SELECT w.local_date FROM public.workout_summary w WHERE w.user_id = person
    UNION
    SELECT s.day::date FROM evidence.person p, evidence.setting b
    CROSS JOIN LATERAL generate_series(
      GREATEST((SELECT min(t.since) FROM evidence.tracking t WHERE t.user_id = person), as_of::date - b.filled_days)::timestamp,
      LEAST(p.silent_from, as_of::date)::timestamp - interval '1 day', interval '1 day') AS s (day)
    WHERE p.user_id = person) x
  WHERE after IS NULL OR x.day > after
  ORDER BY x.day LIMIT max_days;
END $$;

COMMENT ON FUNCTION evidence.days_to_compare(person uuid, after date, max_days integer, as_of timestamp with time zone) IS 'The next days of a person, after a day, that have evidence or cells, or that a re-check has filled.';

CREATE FUNCTION evidence.deleted_at(person uuid, day date, of_metric smallint, platform smallint, of_store text) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  by_id timestamptz;
  moved timestamptz;
  by_time timestamptz;
BEGIN
  SELECT max(r.deleted_at) INTO by_id FROM evidence.record r
  WHERE r.user_id = person AND r.local_date = day AND r.metric_id = of_metric AND r.platform_id = platform AND r.store = of_store;
  SELECT max(d.read_at) INTO moved FROM evidence.former_record f
  JOIN evidence.deleted_record d ON d.user_id = f.user_id AND d.platform_id = f.platform_id AND d.store = f.store AND d.id = f.id
  WHERE f.user_id = person AND f.platform_id = platform AND f.store = of_store AND f.local_date = day AND f.metric_id = of_metric;
  SELECT max(i.read_at) INTO by_time FROM evidence.deleted_interval i
  CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = person) z
  CROSS JOIN LATERAL evidence.day_span(day, z.zone_from, z.zone_name) s
  WHERE i.user_id = person AND i.platform_id = platform AND i.store = of_store AND i.metric_id = of_metric
    AND i.starts_at < s.over_at AND i.ends_at > s.starts_at;
  RETURN GREATEST(by_id, moved, by_time);
END $$;

COMMENT ON FUNCTION evidence.deleted_at(person uuid, day date, of_metric smallint, platform smallint, of_store text) IS 'Read time of the latest deletion that touches a day of an origin''s metric: of a record that is or was in it, or of a stretch of time. What was said of the day''s hours before does not count. NULL: there is none.';

CREATE FUNCTION evidence.derive(persons uuid[], days date[], as_of timestamp with time zone, is_recheck boolean, only_metrics text[] DEFAULT NULL::text[]) RETURNS integer
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  written integer;
  gone_persons uuid[];
  gone_metrics text[];
  gone_days date[];
  superseded public.daily_metric[];
  deletions timestamptz[];
  new_persons uuid[];
  new_metrics text[];
  new_days date[];
  plain_persons uuid[];
  plain_days date[];
  lone boolean[];
  other_persons uuid[] := persons;
  other_days date[] := days;
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  IF is_recheck AND only_metrics IS NULL THEN
    PERFORM evidence.forget_due(persons, days);
  END IF;
  IF NOT is_recheck THEN
    SELECT array_agg(p.user_id) FILTER (WHERE p.is_plain), array_agg(p.local_date) FILTER (WHERE p.is_plain), array_agg(p.is_lone) FILTER (WHERE p.is_plain),
           array_agg(p.user_id) FILTER (WHERE p.is_plain IS NOT TRUE), array_agg(p.local_date) FILTER (WHERE p.is_plain IS NOT TRUE)
    INTO plain_persons, plain_days, lone, other_persons, other_days
    FROM evidence.plain_days(persons, days) p;
  END IF;

  -- G3. Where single cells are meant, the others of their days are neither written nor removed.
  WITH meant AS MATERIALIZED (
    SELECT DISTINCT u.* FROM unnest(persons, days, only_metrics) AS u (user_id, local_date, metric) WHERE u.metric IS NOT NULL),
  found AS MATERIALIZED (
    -- What is measured and final has no next check, and need not ask.
    SELECT c.*, CASE WHEN r.first_check IS NOT NULL
      THEN evidence.next_check(r.first_check, r.check_growth, r.check_until, c.over_at, as_of) END AS next_check_at
    FROM (SELECT * FROM evidence.plain_cells(plain_persons, plain_days, lone)
          UNION ALL
          SELECT * FROM evidence.weighed_cells(other_persons, other_days, as_of, is_recheck)) c
    LEFT JOIN public.unknown_reason r ON r.code = COALESCE(c.unknown_reason, CASE WHEN NOT c.is_final THEN 'not_yet_synced' END)
    LEFT JOIN meant o ON o.user_id = c.user_id AND o.local_date = c.local_date AND o.metric = c.metric
    WHERE only_metrics IS NULL OR o.metric IS NOT NULL),
  stored AS (
    INSERT INTO public.daily_metric AS d (user_id, metric, local_date, status, value, unknown_reason, covering_sources, computed_at,
      unknown_detail, is_final, observed_at, platform, next_check_at, rule_version, revision, shown_since)
    SELECT f.user_id, f.metric, f.local_date, f.status, f.value, f.unknown_reason, f.covering_sources, as_of,
      f.unknown_detail, f.is_final, f.observed_at, f.platform, f.next_check_at, evidence.rule_version(), 1, as_of
    FROM found f
    ON CONFLICT (user_id, metric, local_date) DO UPDATE SET
      status = excluded.status, value = excluded.value, unknown_reason = excluded.unknown_reason, covering_sources = excluded.covering_sources,
      computed_at = excluded.computed_at, unknown_detail = excluded.unknown_detail, is_final = excluded.is_final,
      observed_at = excluded.observed_at, platform = excluded.platform, next_check_at = excluded.next_check_at, rule_version = excluded.rule_version,
      (revision, shown_since) = ROW(
        CASE WHEN (d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final)
          IS DISTINCT FROM (excluded.status, excluded.value, excluded.unknown_reason, excluded.covering_sources, excluded.is_final)
          THEN d.revision + 1 ELSE d.revision END,
        CASE WHEN (d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final)
          IS DISTINCT FROM (excluded.status, excluded.value, excluded.unknown_reason, excluded.covering_sources, excluded.is_final)
          THEN as_of ELSE d.shown_since END)
    -- A re-check of an unsettled cell is itself a fact; one of a final measurement is none.
    WHERE (is_recheck AND NOT (excluded.status = 'measured' AND excluded.is_final)) OR d.next_check_at <= as_of
       OR (d.status, d.value, d.unknown_reason, d.covering_sources, d.unknown_detail, d.is_final, d.observed_at, d.platform, d.rule_version)
          IS DISTINCT FROM (excluded.status, excluded.value, excluded.unknown_reason, excluded.covering_sources, excluded.unknown_detail,
                            excluded.is_final, excluded.observed_at, excluded.platform, excluded.rule_version)
    -- H1. The statement's snapshot still has the row as it was. Only rows that may have changed pay for a look; new ones do not.
    RETURNING d.user_id, d.metric, d.local_date, d.revision, d.shown_since, CASE WHEN d.revision > 1 AND d.shown_since = as_of THEN (
        SELECT o FROM public.daily_metric o WHERE o.user_id = d.user_id AND o.metric = d.metric AND o.local_date = d.local_date
          AND o.local_date BETWEEN first_day AND last_day) END AS before),
  -- Ingest does not see a day's silent cells. Those that an earlier re-check has written are due at once: what was merged may cover them.
  unseen AS (
    SELECT u.user_id, u.local_date
    FROM (SELECT DISTINCT x.user_id, x.local_date FROM unnest(persons, days) AS x (user_id, local_date) WHERE NOT is_recheck) u
    CROSS JOIN LATERAL (SELECT FROM evidence.person p WHERE p.user_id = u.user_id AND p.silent_from > u.local_date OFFSET 0) p
    CROSS JOIN LATERAL (SELECT k.metric_id FROM evidence.tracking k WHERE k.user_id = u.user_id OFFSET 0) k
    JOIN public.metric t ON t.metric_id = k.metric_id
    CROSS JOIN LATERAL (SELECT FROM public.daily_metric d
      WHERE d.user_id = u.user_id AND d.metric = t.metric AND d.local_date = u.local_date AND d.local_date BETWEEN first_day AND last_day
        AND d.status = 'unknown' OFFSET 0) d
    LEFT JOIN found f ON f.user_id = u.user_id AND f.metric = t.metric AND f.local_date = u.local_date
    WHERE f.user_id IS NULL),
  -- The work list: the earliest next check of a day's cells. Ingest only brings it forward.
  planned AS (
    INSERT INTO evidence.due_day AS due (user_id, local_date, due_at, is_scheduled)
    SELECT x.user_id, x.local_date, min(x.due_at), true
    FROM (SELECT f.user_id, f.local_date, f.next_check_at AS due_at FROM found f WHERE f.next_check_at IS NOT NULL
          UNION ALL
          SELECT u.user_id, u.local_date, as_of FROM unseen u) x
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE SET due_at = excluded.due_at WHERE excluded.due_at < due.due_at),
  -- Rows without evidence that would not be written now.
  unspoken AS (
    SELECT u.user_id, t.metric, u.local_date
    FROM (SELECT DISTINCT x.user_id, x.local_date FROM unnest(persons, days) AS x (user_id, local_date) WHERE is_recheck) u
    CROSS JOIN LATERAL (SELECT k.metric_id FROM evidence.tracking k WHERE k.user_id = u.user_id OFFSET 0) k
    JOIN public.metric t ON t.metric_id = k.metric_id
    LEFT JOIN meant o ON o.user_id = u.user_id AND o.local_date = u.local_date AND o.metric = t.metric
    WHERE only_metrics IS NULL OR o.metric IS NOT NULL
    EXCEPT
    SELECT f.user_id, f.metric, f.local_date FROM found f WHERE is_recheck)
  SELECT (SELECT count(*) FROM stored), w.before, w.deletions, g.persons, g.metrics, g.days, n.persons, n.metrics, n.days
  INTO written, superseded, deletions, gone_persons, gone_metrics, gone_days, new_persons, new_metrics, new_days
  FROM (SELECT array_agg(s.before) AS before, array_agg(f.deleted_at) AS deletions
        FROM (SELECT x.* FROM stored x WHERE (x.before).revision < x.revision) s
        JOIN found f ON f.user_id = (s.before).user_id AND f.metric = (s.before).metric AND f.local_date = (s.before).local_date) w
  CROSS JOIN (SELECT array_agg(u.user_id) AS persons, array_agg(u.metric) AS metrics, array_agg(u.local_date) AS days FROM unspoken u) g
  CROSS JOIN (SELECT array_agg(s.user_id) AS persons, array_agg(s.metric) AS metrics, array_agg(s.local_date) AS days
              FROM stored s WHERE s.revision = 1 AND s.shown_since = as_of) n;
  IF gone_persons IS NOT NULL THEN
    superseded := superseded || evidence.remove_cells(gone_persons, gone_metrics, gone_days);
  END IF;
  IF superseded IS NOT NULL THEN
    PERFORM evidence.keep_history(superseded, deletions, as_of);
  END IF;
  IF new_persons IS NOT NULL OR superseded IS NOT NULL THEN
    PERFORM evidence.note_changes(new_persons, new_metrics, new_days, superseded, as_of);
  END IF;
  RETURN written;
END $$;

COMMENT ON FUNCTION evidence.derive(persons uuid[], days date[], as_of timestamp with time zone, is_recheck boolean, only_metrics text[]) IS 'Derives these user-days (pairs of persons and days) again and writes what changed; a re-check also moves computed_at of what is not settled, adds silent days and removes rows that nothing speaks for any more. Returns the number of rows written. With only_metrics (one element per pair) a re-check of these cells alone. The persons must be locked.';

CREATE FUNCTION evidence.derive_hours(persons uuid[], days date[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  wanted public.hourly_metric[];
BEGIN
  SELECT array_agg(c) INTO wanted FROM evidence.chosen_hours(persons, days) c;
  INSERT INTO public.hourly_metric AS h (user_id, metric, local_date, local_hour, value, covered_minutes, minutes, platform, observed_at)
  SELECT w.user_id, w.metric, w.local_date, w.local_hour, w.value, w.covered_minutes, w.minutes, w.platform, w.observed_at FROM unnest(wanted) w
  ORDER BY w.user_id, w.metric, w.local_date, w.local_hour
  ON CONFLICT ON CONSTRAINT hourly_metric_pkey DO UPDATE SET
    value = excluded.value, covered_minutes = excluded.covered_minutes, minutes = excluded.minutes, platform = excluded.platform,
    observed_at = excluded.observed_at
  WHERE (h.value, h.covered_minutes, h.minutes, h.platform, h.observed_at)
    IS DISTINCT FROM (excluded.value, excluded.covered_minutes, excluded.minutes, excluded.platform, excluded.observed_at);
  -- Key by key: the days of a metric are one stretch of the index, all days of a person are not.
  DELETE FROM public.hourly_metric h
  USING (SELECT DISTINCT u.* FROM unnest(persons, days) AS u (user_id, local_date)) d, public.metric m
  WHERE h.user_id = d.user_id AND h.metric = m.metric AND h.local_date = d.local_date
    AND NOT EXISTS (SELECT FROM unnest(wanted) w
      WHERE w.user_id = h.user_id AND w.metric = h.metric AND w.local_date = h.local_date AND w.local_hour = h.local_hour);
END $$;

COMMENT ON FUNCTION evidence.derive_hours(persons uuid[], days date[]) IS 'Makes public.hourly_metric of these user-days what evidence.hour amounts to, removals included.';

CREATE FUNCTION evidence.derive_workouts(persons uuid[], platforms smallint[], stores text[], ids text[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

COMMENT ON FUNCTION evidence.derive_workouts(persons uuid[], platforms smallint[], stores text[], ids text[]) IS 'Removes of these workouts (id NULL: of all of the person''s) what its platform has deleted, and makes the summaries of those that are named and left.';

CREATE FUNCTION evidence.edge_of(instant timestamp with time zone, floor_at timestamp with time zone, authorized_at timestamp with time zone, history_at timestamp with time zone, counting_at timestamp with time zone) RETURNS evidence.window_kind
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN CASE WHEN instant <= floor_at THEN 'platform_floor'::evidence.window_kind WHEN instant <= authorized_at THEN 'authorized_from'
              WHEN instant <= history_at THEN 'history_window' WHEN instant <= counting_at THEN 'counting_since' END;
END $$;

COMMENT ON FUNCTION evidence.edge_of(instant timestamp with time zone, floor_at timestamp with time zone, authorized_at timestamp with time zone, history_at timestamp with time zone, counting_at timestamp with time zone) IS 'The first window, in the order of their reasons, that begins at or after an instant; NULL: none. Of the end of a day: the day lies wholly before it.';

CREATE FUNCTION evidence.ensure_partition(parent text, first_day date, end_day date, options text) RETURNS integer
    LANGUAGE plpgsql
    AS $_$
DECLARE
  child text := format('%s_%s', parent, to_char(first_day, CASE WHEN end_day - first_day > 31 THEN 'YYYY' ELSE 'YYYY_MM' END));
  stray boolean;
BEGIN
  IF to_regclass(child) IS NOT NULL THEN
    RETURN 0;
  END IF;
  EXECUTE format('CREATE TABLE %s (LIKE %s INCLUDING ALL) WITH (%s)', child, parent, options);
  EXECUTE format('SELECT EXISTS (SELECT FROM %s_default WHERE local_date >= %L AND local_date < %L)', parent, first_day, end_day)
    INTO stray;
  IF stray THEN                                -- Days that came before their partition was there are moved into it.
    EXECUTE format('WITH moved AS (DELETE FROM %1$s_default WHERE local_date >= %3$L AND local_date < %4$L RETURNING *)'
                   ' INSERT INTO %2$s SELECT * FROM moved', parent, child, first_day, end_day);
  END IF;
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent, child, first_day, end_day);
  RETURN 1;
END $_$;

COMMENT ON FUNCTION evidence.ensure_partition(parent text, first_day date, end_day date, options text) IS 'Creates the partition of a table for the days from first_day up to before end_day, if it is not there. Returns 1 if it was created.';

CREATE FUNCTION evidence.ensure_partitions(as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $_$
DECLARE
  parents constant text[] := ARRAY['public.daily_metric', 'public.daily_metric_history', 'evidence.reading', 'evidence.record_day'];
  options constant text := 'fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02';
  -- The days of a running month are read again with each sync: with half of a page free a whole batch of changes stays beside what it changes
  -- (HOT) and touches no index. Of the past each day is mostly written once.
  running constant text := replace(options, 'fillfactor = 85', 'fillfactor = 50');
  parent text;
  monthly_from date;
  created integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(4712, 1);
  FOREACH parent IN ARRAY parents LOOP
    IF to_regclass(parent || '_default') IS NULL THEN
      EXECUTE format('CREATE TABLE %1$s_default PARTITION OF %1$s DEFAULT WITH (%2$s)', parent, options);
      created := created + 1;
    END IF;
    -- Yearly up to the year before the installation, monthly from then on.
    SELECT COALESCE(min(to_date(right(c.relname, 7), 'YYYY_MM')), date_trunc('year', as_of)::date) INTO monthly_from
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = parent::regclass AND c.relname ~ '_[0-9]{4}_[0-9]{2}$';
    SELECT created + COALESCE(sum(evidence.ensure_partition(parent, make_date(y, 1, 1), make_date(y + 1, 1, 1), options)), 0) INTO created
    FROM generate_series(2014, extract(year FROM monthly_from)::integer - 1) y;
    SELECT created + COALESCE(sum(evidence.ensure_partition(parent, m::date, (m + interval '1 month')::date,
      CASE WHEN parent IN ('public.daily_metric', 'evidence.reading') AND m >= date_trunc('month', as_of) - interval '1 month' THEN running ELSE options END)), 0)
    INTO created
    FROM generate_series(monthly_from::timestamptz, date_trunc('month', as_of) + interval '3 months', interval '1 month') m;
  END LOOP;
  IF created > 0 THEN PERFORM evidence.admit_daemon(); END IF;
  RETURN created;
END $_$;

COMMENT ON FUNCTION evidence.ensure_partitions(as_of timestamp with time zone) IS 'Creates the partitions of daily_metric, evidence.reading and evidence.record_day up to three months after as_of: yearly for the past, monthly from the year of installation on, and one for everything else. Returns how many it created.';

CREATE FUNCTION evidence.explain_readings(person uuid, metric_number smallint, day date, unit text) RETURNS TABLE(section text, line text)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH span AS (SELECT s.* FROM evidence.person p CROSS JOIN LATERAL evidence.day_span(day, p.zone_from, p.zone_name) s WHERE p.user_id = person),
  said AS (SELECT r.* FROM span s CROSS JOIN LATERAL evidence.record_says('{1}', ARRAY[person], ARRAY[day], ARRAY[s.starts_at], ARRAY[s.over_at]) r WHERE r.metric_id = metric_number),
  all_said AS (
    SELECT r.platform_id, r.store, r.slot, r.read_at, r.outcome, r.value, r.sources, r.code, r.place, r.edge, r.permission, r.is_over, r.is_proven, false AS is_of_records
    FROM evidence.reading r WHERE r.user_id = person AND r.local_date = day AND r.metric_id = metric_number
    UNION ALL
    SELECT r.platform_id, r.store, r.slot, r.read_at, r.outcome, r.value, r.sources, r.code, r.place, r.edge, r.permission, r.is_over, r.is_proven, true
    FROM said r WHERE r.slot NOT IN ('records', 'deletion'))
  SELECT CASE WHEN r.is_of_records THEN 'records' ELSE 'reading' END, format('%s%s, read %s: %s%s%s', f.name, COALESCE(' ' || NULLIF(r.store, ''), ''), evidence.at(r.read_at),
    CASE WHEN r.slot = 'looked' THEN 'looked at a whole range of days, this one among them'
         WHEN r.outcome = 'value' THEN CASE WHEN r.is_of_records THEN 'its records make ' ELSE '' END || format('%s %s', trim_scale(r.value), unit)
           || COALESCE(' from ' || NULLIF(array_to_string(r.sources, ', '), ''), ', naming no source')
         WHEN r.outcome = 'empty' THEN 'found nothing' || COALESCE(' (' || r.code || ')', '')
         WHEN r.outcome = 'failed' THEN 'the read failed' || COALESCE(', ' || r.code, '')
         WHEN r.outcome = 'denied' THEN 'access was denied' WHEN r.outcome = 'unavailable' THEN 'cannot measure it'
         ELSE 'a number that cannot be right' || COALESCE(', ' || r.code, '') END,
    CASE WHEN r.is_over THEN '; the day was over' ELSE '; the day was not over, or was cut short' END
      || CASE r.place WHEN 'boundary' THEN '; on the day of a boundary, ' || r.edge WHEN 'outside' THEN '; before a boundary, ' || r.edge ELSE '' END
      || COALESCE('; permission then: ' || r.permission, '')
      || CASE WHEN r.outcome IN ('value', 'empty') AND NOT r.is_proven THEN '; nothing in that read shows that it could be read' ELSE '' END,
    CASE WHEN d.read_at > r.read_at AND r.slot <> 'outside' AND NOT r.is_of_records THEN format('. Does not count: a deletion of %s took away what it was true of.', evidence.at(d.read_at))
         WHEN r.slot = 'outside' THEN '. No evidence: the day could not be read.'
         WHEN r.slot::text LIKE 'licensing%' THEN '. May be a zero, where the metric''s policy finds a licence.'
         WHEN r.slot::text LIKE '%zero' OR r.slot::text LIKE '%empty' THEN '. Cannot be a zero.' ELSE '.' END)
  FROM all_said r JOIN public.platform f ON f.platform_id = r.platform_id
  LEFT JOIN said d ON d.slot = 'deletion' AND d.platform_id = r.platform_id AND d.store = r.store
  ORDER BY r.is_of_records, r.read_at, r.slot;
END $$;

COMMENT ON FUNCTION evidence.explain_readings(person uuid, metric_number smallint, day date, unit text) IS 'Part of explain_cell: what each origin said, and what its records make.';

CREATE FUNCTION evidence.explain_records(person uuid, metric_number smallint, day date, unit text) RETURNS TABLE(section text, line text)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT 'record', format('%s%s, %s: %s from %s%s%s, read %s.%s', f.name, COALESCE(' ' || NULLIF(r.store, ''), ''), r.id, COALESCE(trim_scale(r.value) || ' ' || unit, 'no value'),
    COALESCE(NULLIF(r.source, ''), 'no named source'), COALESCE(', ' || evidence.at(r.starts_at) || ' to ' || evidence.at(COALESCE(r.ends_at, r.starts_at)), ''),
    CASE WHEN r.is_manual THEN ', entered by hand' ELSE '' END, evidence.at(r.read_at), COALESCE(' Deleted by its id, read ' || evidence.at(r.deleted_at) || '.', ''))
  FROM evidence.record r JOIN public.platform f ON f.platform_id = r.platform_id
  WHERE r.user_id = person AND r.local_date = day AND r.metric_id = metric_number
  ORDER BY r.starts_at, r.read_at, r.id;
  RETURN QUERY
  SELECT 'deletion', format('%s%s: everything from %s to %s was deleted, read %s.', f.name, COALESCE(' ' || NULLIF(i.store, ''), ''),
    evidence.at(i.starts_at), evidence.at(i.ends_at), evidence.at(i.read_at))
  FROM evidence.person p CROSS JOIN LATERAL evidence.day_span(day, p.zone_from, p.zone_name) s
  JOIN evidence.deleted_interval i ON i.user_id = p.user_id AND i.metric_id = metric_number AND i.starts_at < s.over_at AND i.ends_at > s.starts_at
  JOIN public.platform f ON f.platform_id = i.platform_id
  WHERE p.user_id = person ORDER BY i.read_at;
END $$;

COMMENT ON FUNCTION evidence.explain_records(person uuid, metric_number smallint, day date, unit text) IS 'Part of explain_cell: the records of the day and the deletions that touch it.';

CREATE TABLE public.daily_metric (
    user_id uuid NOT NULL,
    metric text NOT NULL COLLATE pg_catalog."C",
    local_date date NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    value numeric,
    unknown_reason text COLLATE pg_catalog."C",
    covering_sources integer DEFAULT 0 NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    unknown_detail text,
    is_final boolean NOT NULL,
    observed_at timestamp with time zone,
    platform text COLLATE pg_catalog."C",
    next_check_at timestamp with time zone,
    rule_version integer NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    shown_since timestamp with time zone,
    CONSTRAINT daily_metric_covering_sources_is_not_negative CHECK ((covering_sources >= 0)),
    CONSTRAINT daily_metric_detail_goes_with_unknown CHECK (((unknown_detail IS NULL) OR (status = 'unknown'::text))),
    CONSTRAINT daily_metric_measured_has_a_covering_source CHECK (((status <> 'measured'::text) OR (covering_sources >= 1))),
    CONSTRAINT daily_metric_measured_if_and_only_if_it_has_a_value CHECK (((status = 'measured'::text) = (value IS NOT NULL))),
    CONSTRAINT daily_metric_reason_is_known CHECK ((unknown_reason = ANY (ARRAY['deleted_at_source'::text, 'provider_error'::text, 'not_yet_synced'::text, 'invalid_reading'::text, 'not_authorized'::text, 'before_authorized_history'::text, 'outside_history_window'::text, 'not_authorized_or_no_data'::text, 'no_source_coverage'::text, 'metric_unavailable'::text, 'not_connected'::text]))),
    CONSTRAINT daily_metric_revision_is_positive CHECK ((revision >= 1)),
    CONSTRAINT daily_metric_shown_since_is_an_instant CHECK (isfinite(shown_since)),
    CONSTRAINT daily_metric_status_is_measured_or_unknown CHECK ((status = ANY (ARRAY['measured'::text, 'unknown'::text]))),
    CONSTRAINT daily_metric_times_are_finite CHECK ((isfinite(local_date) AND isfinite(computed_at) AND isfinite(observed_at) AND isfinite(next_check_at))),
    CONSTRAINT daily_metric_unknown_if_and_only_if_it_has_a_reason CHECK (((status = 'unknown'::text) = (unknown_reason IS NOT NULL))),
    CONSTRAINT daily_metric_value_is_finite CHECK ((abs(value) <= ('1000000000000'::bigint)::numeric))
)
PARTITION BY RANGE (local_date);

COMMENT ON TABLE public.daily_metric IS 'Every (person, metric, local day): measured, measured zero (value 0), or unknown with a reason. A missing row means that nothing was ever said about the cell.';

COMMENT ON COLUMN public.daily_metric.user_id IS 'The person.';

COMMENT ON COLUMN public.daily_metric.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.daily_metric.local_date IS 'The local calendar day as the client wrote it. Never computed from an instant.';

COMMENT ON COLUMN public.daily_metric.status IS 'measured or unknown.';

COMMENT ON COLUMN public.daily_metric.value IS 'Value of the day in metric.unit. NULL: unknown. 0 is a measured zero.';

COMMENT ON COLUMN public.daily_metric.unknown_reason IS 'Why it is unknown, as in the table unknown_reason. NULL: measured.';

COMMENT ON COLUMN public.daily_metric.covering_sources IS 'Number of distinct devices and apps that are known to have been there. An inference and a measure of confidence, not of wear time.';

COMMENT ON COLUMN public.daily_metric.computed_at IS 'When this row was last derived.';

COMMENT ON COLUMN public.daily_metric.unknown_detail IS 'A word more about the reason, such as device_locked. NULL: none.';

COMMENT ON COLUMN public.daily_metric.is_final IS 'Measured: the day had ended when it was read and lies inside every window; false: a lower bound. Unknown: someone looked after the day had ended.';

COMMENT ON COLUMN public.daily_metric.observed_at IS 'When the reading behind the value was taken. NULL: unknown.';

COMMENT ON COLUMN public.daily_metric.platform IS 'The platform whose reading is shown, as in the table platform. NULL: unknown.';

COMMENT ON COLUMN public.daily_metric.next_check_at IS 'When it is looked at again by itself. NULL: only when something arrives.';

COMMENT ON COLUMN public.daily_metric.rule_version IS 'Version of the rules that derived it.';

COMMENT ON COLUMN public.daily_metric.revision IS 'Number of the state that is shown, from 1. A new state is another status, value, reason, number of sources or is_final; those before it are in daily_metric_history.';

COMMENT ON COLUMN public.daily_metric.shown_since IS 'Since when this state is shown. Re-checks that find nothing new leave it alone. NULL: since before this was recorded.';

COMMENT ON CONSTRAINT daily_metric_covering_sources_is_not_negative ON public.daily_metric IS 'A count.';

COMMENT ON CONSTRAINT daily_metric_detail_goes_with_unknown ON public.daily_metric IS 'Only an absence needs a detail.';

COMMENT ON CONSTRAINT daily_metric_measured_has_a_covering_source ON public.daily_metric IS 'A number has a source: a zero without a witness cannot be stored, not even by hand.';

COMMENT ON CONSTRAINT daily_metric_measured_if_and_only_if_it_has_a_value ON public.daily_metric IS 'No measurement without a number, no number without a measurement.';

COMMENT ON CONSTRAINT daily_metric_reason_is_known ON public.daily_metric IS 'The reason is one of the table unknown_reason. A list and no foreign key: a key would double the cost of writing.';

COMMENT ON CONSTRAINT daily_metric_revision_is_positive ON public.daily_metric IS 'A number that counts from 1.';

COMMENT ON CONSTRAINT daily_metric_shown_since_is_an_instant ON public.daily_metric IS 'Times are instants, not infinity.';

COMMENT ON CONSTRAINT daily_metric_status_is_measured_or_unknown ON public.daily_metric IS 'There is no third status.';

COMMENT ON CONSTRAINT daily_metric_times_are_finite ON public.daily_metric IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT daily_metric_unknown_if_and_only_if_it_has_a_reason ON public.daily_metric IS 'No absence without a reason, no reason beside a number.';

COMMENT ON CONSTRAINT daily_metric_value_is_finite ON public.daily_metric IS 'No NaN, no infinity, nothing absurd.';

CREATE TABLE public.metric (
    metric text NOT NULL COLLATE pg_catalog."C",
    metric_id smallint NOT NULL,
    name text NOT NULL,
    unit text NOT NULL,
    aggregation text NOT NULL,
    combine text NOT NULL,
    zero_policy text NOT NULL,
    parent text COLLATE pg_catalog."C",
    licence text[] NOT NULL,
    evidence text,
    low numeric NOT NULL,
    high numeric NOT NULL,
    late_days integer NOT NULL,
    day_rule text NOT NULL,
    noun text NOT NULL,
    absence_message text NOT NULL,
    healthkit text,
    health_connect text,
    loinc text,
    best text NOT NULL,
    intermittent boolean NOT NULL,
    needs_source boolean NOT NULL,
    as_shipped text NOT NULL,
    CONSTRAINT metric_aggregation_is_known CHECK ((aggregation = ANY (ARRAY['sum'::text, 'avg'::text, 'min'::text, 'max'::text, 'last'::text, 'count'::text]))),
    CONSTRAINT metric_best_is_known CHECK ((best = ANY (ARRAY['max'::text, 'none'::text]))),
    CONSTRAINT metric_combine_is_known CHECK ((combine = ANY (ARRAY['max'::text, 'newest'::text]))),
    CONSTRAINT metric_covered_needs_a_licence CHECK (((zero_policy <> 'covered'::text) OR (cardinality(licence) > 0))),
    CONSTRAINT metric_evidence_is_known CHECK ((evidence = ANY (ARRAY['wear'::text, 'carry'::text, 'activity_sync'::text]))),
    CONSTRAINT metric_licence_is_known CHECK ((licence <@ ARRAY['wear'::text, 'carry'::text, 'activity_sync'::text])),
    CONSTRAINT metric_parent_goes_with_its_policy CHECK (((parent IS NOT NULL) = (zero_policy = 'parent'::text))),
    CONSTRAINT metric_range_is_ordered CHECK ((low <= high)),
    CONSTRAINT metric_zero_policy_is_known CHECK ((zero_policy = ANY (ARRAY['covered'::text, 'explicit'::text, 'parent'::text, 'ordinary'::text, 'never'::text])))
);

COMMENT ON TABLE public.metric IS 'Every metric that a day can have, and what zero and absence mean for it. One row per metric; filled from catalogue/metrics.csv.';

COMMENT ON COLUMN public.metric.metric IS 'The metric''s name in payloads and in daily_metric.';

COMMENT ON COLUMN public.metric.metric_id IS 'Small number that internal tables use for the metric. Given once, never reused.';

COMMENT ON COLUMN public.metric.name IS 'Name for people.';

COMMENT ON COLUMN public.metric.unit IS 'UCUM unit of every stored value of the metric.';

COMMENT ON COLUMN public.metric.aggregation IS 'How records of a day become its value: sum, avg, min, max, last or count.';

COMMENT ON COLUMN public.metric.combine IS 'Which of several origins counts: max takes the largest value, newest the latest read. Never the sum.';

COMMENT ON COLUMN public.metric.zero_policy IS 'When a day without a non-zero value is a measured zero: covered (a witness was there), explicit (a named source said 0), parent (inside a measured parent), ordinary (0 is a value like any other), never (0 is impossible).';

COMMENT ON COLUMN public.metric.parent IS 'Policy parent: the metric whose measured value licenses a zero of this one. NULL otherwise.';

COMMENT ON COLUMN public.metric.licence IS 'Policy covered: kinds of evidence of which any one witness licenses a zero.';

COMMENT ON COLUMN public.metric.evidence IS 'Kind of evidence that a non-zero value of this metric is for its day; NULL: none.';

COMMENT ON COLUMN public.metric.low IS 'Smallest possible value of a day, in unit.';

COMMENT ON COLUMN public.metric.high IS 'Largest possible value of a day, in unit.';

COMMENT ON COLUMN public.metric.late_days IS 'Number of days within which late data of a day usually still arrives.';

COMMENT ON COLUMN public.metric.day_rule IS 'To which local day a record belongs: overlap, start, wake, or as the provider says.';

COMMENT ON COLUMN public.metric.noun IS 'Noun or unit for sentences.';

COMMENT ON COLUMN public.metric.absence_message IS 'What to tell the person when no source covered the day; {day} is the date.';

COMMENT ON COLUMN public.metric.healthkit IS 'HealthKit type; NULL: none.';

COMMENT ON COLUMN public.metric.health_connect IS 'Health Connect record type; NULL: none.';

COMMENT ON COLUMN public.metric.loinc IS 'LOINC code; NULL: none.';

COMMENT ON COLUMN public.metric.best IS 'max: more is better and a personal best makes sense; none: it does not.';

COMMENT ON COLUMN public.metric.intermittent IS 'True: days without an entry are normal (weight) and are not stored as unknown by themselves.';

COMMENT ON COLUMN public.metric.needs_source IS 'True: platforms compute it for bodies they have never seen, so only a named source is believed.';

COMMENT ON COLUMN public.metric.as_shipped IS 'The row as the CSV file last filled it; a row that differs was edited by an operator and is left alone.';

COMMENT ON CONSTRAINT metric_aggregation_is_known ON public.metric IS 'The aggregation is one that the derivation knows.';

COMMENT ON CONSTRAINT metric_best_is_known ON public.metric IS 'best is max or none.';

COMMENT ON CONSTRAINT metric_combine_is_known ON public.metric IS 'The rule for several origins is one that the derivation knows.';

COMMENT ON CONSTRAINT metric_covered_needs_a_licence ON public.metric IS 'A covered metric says which kinds of evidence license its zero.';

COMMENT ON CONSTRAINT metric_evidence_is_known ON public.metric IS 'The kind of evidence is a known one.';

COMMENT ON CONSTRAINT metric_licence_is_known ON public.metric IS 'Licences are kinds of evidence.';

COMMENT ON CONSTRAINT metric_parent_goes_with_its_policy ON public.metric IS 'A parent is named if and only if the policy is parent.';

COMMENT ON CONSTRAINT metric_range_is_ordered ON public.metric IS 'The lower end of the range is not above the upper.';

COMMENT ON CONSTRAINT metric_zero_policy_is_known ON public.metric IS 'The policy is one that the derivation knows: a metric without a policy would be judged by none.';

CREATE FUNCTION evidence.explain_rule(cell public.daily_metric, rules public.metric) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  values_said integer;
  meaning text;
BEGIN
  IF cell.status = 'unknown' THEN
    SELECT r.meaning INTO meaning FROM public.unknown_reason r WHERE r.code = cell.unknown_reason;
    RETURN format('No admissible number and no licence for a zero (%s). Of the reasons of all who are asked the first of the catalogue is shown: %s', rules.zero_policy, meaning);
  END IF;
  SELECT count(*) INTO values_said FROM evidence.reading r
  WHERE r.user_id = cell.user_id AND r.local_date = cell.local_date AND r.metric_id = rules.metric_id AND r.slot = 'value';
  RETURN CASE
    WHEN cell.value = 0 AND rules.zero_policy = 'covered' THEN format('Somebody looked after the day was over and found nothing or 0, and a source was there that would have counted (%s): a measured zero.', array_to_string(rules.licence, ' or '))
    WHEN cell.value = 0 AND rules.zero_policy = 'explicit' THEN 'A named source said 0 after the day was over: a measured zero.'
    WHEN cell.value = 0 AND rules.zero_policy = 'parent' THEN format('The same origin has %s above 0 that day and none of this: a measured zero.', rules.parent)
    WHEN cell.value = 0 THEN 'For this metric 0 is a number like any other.'
    WHEN values_said > 1 AND rules.combine = 'max' THEN 'Several origins have a number: the largest is shown, never the sum.'
    WHEN values_said > 1 THEN 'Several origins have a number: the preferred platform''s, then the latest read is shown, never the sum.'
    ELSE 'An origin has a number, and a number outlasts every silence, failure and zero.' END
    || CASE WHEN cell.is_final THEN '' ELSE ' It was read before the day was over, or the day lies on a boundary: a lower bound.' END;
END $$;

COMMENT ON FUNCTION evidence.explain_rule(cell public.daily_metric, rules public.metric) IS 'Part of explain_cell: the rule by which the cell is what it is.';

CREATE FUNCTION evidence.explain_surroundings(person uuid, metric_number smallint, day date) RETURNS TABLE(section text, line text)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT 'day', format('begins %s and is over %s%s.', evidence.at(s.starts_at), evidence.at(s.over_at),
    CASE WHEN p.zone_name = '{}' THEN '; no time zone is known, so it may be anywhere' ELSE ', by the zones known now: ' || array_to_string(p.zone_name, ', ') END)
  FROM evidence.person p CROSS JOIN LATERAL evidence.day_span(day, p.zone_from, p.zone_name) s WHERE p.user_id = person;
  RETURN QUERY
  SELECT 'origin', format('%s%s reports the metric since %s; its latest read was %s.', f.name, COALESCE(' ' || NULLIF(t.store, ''), ''), t.since, evidence.at(o.last_read_at))
  FROM evidence.tracking t JOIN public.platform f ON f.platform_id = t.platform_id
  JOIN evidence.origin o ON o.user_id = t.user_id AND o.platform_id = t.platform_id AND o.store = t.store
  WHERE t.user_id = person AND t.metric_id = metric_number ORDER BY f.name, t.store;
  RETURN QUERY
  SELECT 'window', format('%s%s: %s %s, stated %s.', f.name, COALESCE(' ' || NULLIF(w.store, ''), ''), w.kind,
    COALESCE('is ' || evidence.at(w.boundary), 'is lifted'), evidence.at(w.read_at))
  FROM evidence.read_window w JOIN public.platform f ON f.platform_id = w.platform_id
  WHERE w.user_id = person AND w.metric_id IN (0, metric_number) ORDER BY w.read_at, w.kind;
  RETURN QUERY
  SELECT 'permission', format('%s%s: %s%s, stated %s.', f.name, COALESCE(' ' || NULLIF(g.store, ''), ''), g.state, COALESCE(' since ' || evidence.at(g.since), ''), evidence.at(g.read_at))
  FROM evidence.permission g JOIN public.platform f ON f.platform_id = g.platform_id
  WHERE g.user_id = person AND g.metric_id IN (0, metric_number) ORDER BY g.read_at;
  RETURN QUERY
  SELECT 'witness', format('%s of %s%s: %s%s%s.', x.source, f.name, COALESCE(' ' || NULLIF(x.store, ''), ''), x.kind, COALESCE(', ' || x.minutes || ' minutes', ''),
    CASE WHEN x.kind::text = ANY (m.licence) THEN '; licenses a zero of this metric' ELSE '; licenses no zero of this metric' END)
  FROM evidence.presence x JOIN public.platform f ON f.platform_id = x.platform_id JOIN public.metric m ON m.metric_id = metric_number
  WHERE x.user_id = person AND x.local_date = day ORDER BY x.kind, x.source;
  RETURN QUERY
  SELECT DISTINCT 'witness', format('%s of %s: has %s that day, which is evidence of %s; licenses a zero of this metric.', COALESCE(NULLIF(source, ''), 'an unnamed source'), f.name, o.name, o.evidence)
  FROM evidence.reading r JOIN public.metric o ON o.metric_id = r.metric_id JOIN public.platform f ON f.platform_id = r.platform_id AND NOT f.is_manual
  JOIN public.metric m ON m.metric_id = metric_number AND o.evidence = ANY (m.licence)
  CROSS JOIN LATERAL unnest(CASE WHEN r.sources = '{}' THEN ARRAY[''] ELSE r.sources END) source
  WHERE r.user_id = person AND r.local_date = day AND r.slot = 'value' AND r.value <> 0 AND r.metric_id <> metric_number;
END $$;

COMMENT ON FUNCTION evidence.explain_surroundings(person uuid, metric_number smallint, day date) IS 'Part of explain_cell: the day''s bounds, who is asked, windows, permissions and witnesses.';

CREATE TABLE evidence.record_day (
    user_id uuid NOT NULL,
    local_date date NOT NULL,
    metric_id smallint NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    chunk integer NOT NULL,
    ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    "values" numeric[] DEFAULT '{}'::numeric[] NOT NULL,
    sources text[] DEFAULT '{}'::text[] NOT NULL,
    starts timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    ends timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    is_manual boolean[] DEFAULT '{}'::boolean[] NOT NULL,
    reads timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    payloads uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    positions integer[] DEFAULT '{}'::integer[] NOT NULL,
    places evidence.place[] DEFAULT '{}'::evidence.place[] NOT NULL,
    edges evidence.window_kind[] DEFAULT '{}'::evidence.window_kind[] NOT NULL,
    is_over boolean[] DEFAULT '{}'::boolean[] NOT NULL,
    is_proven boolean[] DEFAULT '{}'::boolean[] NOT NULL,
    deleted timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    CONSTRAINT record_day_arrays_are_parallel CHECK ((cardinality(ids) = ALL (ARRAY[cardinality("values"), cardinality(sources), cardinality(starts), cardinality(ends), cardinality(is_manual), cardinality(reads), cardinality(payloads), cardinality(positions), cardinality(places), cardinality(edges), cardinality(is_over), cardinality(is_proven), cardinality(deleted)]))),
    CONSTRAINT record_day_chunk_is_bounded CHECK (((chunk >= 0) AND (cardinality(ids) <= 64))),
    CONSTRAINT record_day_times_are_finite CHECK ((isfinite(local_date) AND ('infinity'::timestamp with time zone > ALL (reads)) AND ('-infinity'::timestamp with time zone < ALL (reads)) AND ('infinity'::timestamp with time zone > ALL (deleted)) AND ('-infinity'::timestamp with time zone < ALL (deleted)))),
    CONSTRAINT record_day_values_are_finite CHECK (((('1000000000000'::bigint)::numeric >= ALL ("values")) AND (('-1000000000000'::bigint)::numeric <= ALL ("values"))))
)
PARTITION BY RANGE (local_date);

COMMENT ON TABLE evidence.record_day IS 'The records of a person''s day, metric and origin, packed into parallel arrays, one element per record, ordered by id. A record is where its latest read put it, and nowhere else. A row without records says that the origin once had one here.';

COMMENT ON COLUMN evidence.record_day.user_id IS 'The person.';

COMMENT ON COLUMN evidence.record_day.local_date IS 'The local calendar day, as the client wrote it.';

COMMENT ON COLUMN evidence.record_day.metric_id IS 'public.metric.metric_id.';

COMMENT ON COLUMN evidence.record_day.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.record_day.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.record_day.chunk IS 'Number of the row within its day, from 0: a day with many records has several rows. Which record is in which says nothing.';

COMMENT ON COLUMN evidence.record_day.ids IS 'The records: evidence.record_key of the platform''s id.';

COMMENT ON COLUMN evidence.record_day."values" IS 'Values in the metric''s unit; NULL: the record has none.';

COMMENT ON COLUMN evidence.record_day.sources IS 'The device or app that each record names; empty: none.';

COMMENT ON COLUMN evidence.record_day.starts IS 'When what was recorded began; NULL: not stated.';

COMMENT ON COLUMN evidence.record_day.ends IS 'When what was recorded ended; NULL: not stated.';

COMMENT ON COLUMN evidence.record_day.is_manual IS 'True: entered by hand.';

COMMENT ON COLUMN evidence.record_day.reads IS 'When the store was read, never later than its arrival. Orders the reads of a record, with payloads and positions.';

COMMENT ON COLUMN evidence.record_day.payloads IS 'The payload that each record came with.';

COMMENT ON COLUMN evidence.record_day.positions IS 'Position of the entry in its payload, from 0.';

COMMENT ON COLUMN evidence.record_day.places IS 'Where the day lay relative to the windows known to the read.';

COMMENT ON COLUMN evidence.record_day.edges IS 'Which window the day was not wholly inside of; NULL: inside.';

COMMENT ON COLUMN evidence.record_day.is_over IS 'True: the day was over everywhere that the person may have been when it was read.';

COMMENT ON COLUMN evidence.record_day.is_proven IS 'True: the same read shows that the metric could be read, or the platform does not hide denials.';

COMMENT ON COLUMN evidence.record_day.deleted IS 'Read time of the earliest deletion of the record by its id, as in evidence.deleted_record; NULL: none is known.';

COMMENT ON CONSTRAINT record_day_arrays_are_parallel ON evidence.record_day IS 'Every array has one element for each record.';

COMMENT ON CONSTRAINT record_day_chunk_is_bounded ON evidence.record_day IS 'At most 64 records in a row, so that one more rewrites little.';

COMMENT ON CONSTRAINT record_day_times_are_finite ON evidence.record_day IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT record_day_values_are_finite ON evidence.record_day IS 'No NaN, no infinity, nothing absurd.';

CREATE VIEW evidence.record AS
 SELECT d.user_id,
    d.local_date,
    d.metric_id,
    d.platform_id,
    d.store,
    d.chunk,
    r.id,
    r.value,
    r.source,
    r.starts_at,
    r.ends_at,
    r.is_manual,
    r.read_at,
    r.payload_id,
    r."position",
    r.place,
    r.edge,
    r.is_over,
    r.is_proven,
    r.deleted_at
   FROM (evidence.record_day d
     CROSS JOIN LATERAL UNNEST(d.ids, d."values", d.sources, d.starts, d.ends, d.is_manual, d.reads, d.payloads, d.positions, d.places, d.edges, d.is_over, d.is_proven, d.deleted) r(id, value, source, starts_at, ends_at, is_manual, read_at, payload_id, "position", place, edge, is_over, is_proven, deleted_at));

COMMENT ON VIEW evidence.record IS 'evidence.record_day with one row per record.';

CREATE FUNCTION evidence.find_records(users uuid[], platforms smallint[], stores text[], keys uuid[]) RETURNS SETOF evidence.record
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  WITH sought AS MATERIALIZED (
    SELECT s.user_id, s.platform_id, s.store, s.id, p.local_date, p.metric_id, p.chunk
    FROM unnest(users, platforms, stores, keys) AS s (user_id, platform_id, store, id)
    CROSS JOIN LATERAL (SELECT i.local_date, i.metric_id, i.chunk FROM evidence.record_id i
      WHERE i.user_id = s.user_id AND i.platform_id = s.platform_id AND i.store = s.store AND i.id = s.id OFFSET 0) p)
  SELECT r.*
  FROM (SELECT s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.chunk, array_agg(s.id) AS ids FROM sought s GROUP BY 1, 2, 3, 4, 5, 6) c
  CROSS JOIN LATERAL (SELECT x.* FROM evidence.record x
    WHERE x.user_id = c.user_id AND x.local_date = c.local_date AND x.metric_id = c.metric_id AND x.platform_id = c.platform_id
      AND x.store = c.store AND x.chunk = c.chunk OFFSET 0) r
  WHERE r.id = ANY (c.ids);
END $$;

COMMENT ON FUNCTION evidence.find_records(users uuid[], platforms smallint[], stores text[], keys uuid[]) IS 'The known ones of these records, each where it is now.';

CREATE FUNCTION evidence.forget_cells(persons uuid[], days date[], metrics text[]) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  DELETE FROM evidence.due_cell c USING unnest(persons, days, metrics) AS u (user_id, local_date, metric)
  WHERE c.user_id = u.user_id AND c.local_date = u.local_date AND c.metric = u.metric;
END $$;

COMMENT ON FUNCTION evidence.forget_cells(persons uuid[], days date[], metrics text[]) IS 'Takes cells off due_cell, by index. Only evidence.recheck_cells calls it.';

CREATE FUNCTION evidence.forget_changes(as_of timestamp with time zone, max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  now_over constant xid8 := pg_snapshot_xmin(pg_current_snapshot());
  horizon public.feed_horizon;
  first evidence.cell_change;
  newest xid8;
  came_with_restore boolean;
  last evidence.cell_change;
  forgotten integer;
BEGIN
  SELECT h.* INTO horizon FROM public.feed_horizon h;
  SELECT c.* INTO first FROM evidence.cell_change c ORDER BY c.transaction_id, c.change_id LIMIT 1;
  -- In one statement: what it sees was numbered below the end of its snapshot, or elsewhere.
  SELECT c.transaction_id, c.transaction_id > GREATEST(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned()) INTO newest, came_with_restore
  FROM evidence.cell_change c ORDER BY c.transaction_id DESC, c.change_id DESC LIMIT 1;
  -- Most looks find nothing, and write nothing.
  IF horizon.era = public.feed_era() AND (first.changed_at < as_of - horizon.kept_for) IS NOT TRUE AND came_with_restore IS NOT TRUE THEN
    RETURN 0;
  END IF;
  PERFORM FROM public.feed_horizon h FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN                            -- Another session is at it.
    RETURN 0;
  END IF;
  IF horizon.era IS DISTINCT FROM public.feed_era() THEN
    -- What another cluster or timeline numbered has no place in the order from here on. Whoever follows the feed starts again.
    UPDATE public.feed_horizon h SET era = public.feed_era(), nonce = gen_random_uuid(), transaction_id = CASE WHEN newest IS NOT NULL THEN pg_current_xact_id() END,
      change_id = CASE WHEN newest IS NOT NULL THEN 0 END, cells = CASE WHEN newest IS NOT NULL THEN 0 END;
    RETURN 1;
  END IF;
  -- Again in one statement: others number theirs meanwhile.
  DELETE FROM evidence.cell_change c
  USING (SELECT x.user_id, x.change_id FROM evidence.cell_change x WHERE x.transaction_id > GREATEST(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
         ORDER BY x.transaction_id DESC, x.change_id DESC LIMIT max_rows) f
  WHERE c.user_id = f.user_id AND c.change_id = f.change_id;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  -- From the beginning up to the first that is still kept, and never into what is not over yet.
  SELECT c.* INTO last FROM (
    SELECT x.*, bool_and(x.changed_at < as_of - horizon.kept_for) OVER (ORDER BY x.transaction_id, x.change_id) AS is_old
    FROM (SELECT y.* FROM evidence.cell_change y WHERE y.transaction_id < now_over ORDER BY y.transaction_id, y.change_id LIMIT max_rows) x) c
  WHERE c.is_old ORDER BY c.transaction_id DESC, c.change_id DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN forgotten;
  END IF;
  DELETE FROM evidence.cell_change c WHERE (c.transaction_id, c.change_id) <= (last.transaction_id, last.change_id);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  -- Rows that came with a restore may lie before the beginning of the era.
  UPDATE public.feed_horizon h SET transaction_id = last.transaction_id, change_id = last.change_id, cells = cardinality(last.days), nonce = last.nonce
  WHERE (h.transaction_id, h.change_id, h.cells) < (last.transaction_id, last.change_id, cardinality(last.days)) IS NOT FALSE;
  RETURN forgotten;
END $$;

COMMENT ON FUNCTION evidence.forget_changes(as_of timestamp with time zone, max_rows integer) IS 'Lets go of up to max_rows rows of the feed that are older than feed_horizon.kept_for, and notes how far; in a new era notes that it begins. Returns for how many rows there was something to do; 0: nothing is old enough, or another session is at it.';

CREATE FUNCTION evidence.forget_deleted(persons uuid[], metrics text[], days date[], platforms text[], deletions timestamp with time zone[], held boolean[]) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
DECLARE
  cell record;
BEGIN
  IF (SELECT s.keep_deleted_values FROM evidence.setting s) THEN
    RETURN;
  END IF;
  -- One by one, for the reason that evidence.remove_cells (35) has.
  FOR cell IN
    SELECT x.user_id, x.metric, x.local_date, x.platform, max(x.deleted_at) AS deleted_at, max(CASE WHEN x.held THEN 'infinity' ELSE x.deleted_at END) AS before
    FROM unnest(persons, metrics, days, platforms, deletions, held) AS x (user_id, metric, local_date, platform, deleted_at, held) GROUP BY 1, 2, 3, 4
  LOOP
    UPDATE public.daily_metric_history h SET value = NULL, value_deleted_at = cell.deleted_at
    WHERE h.user_id = cell.user_id AND h.metric = cell.metric AND h.local_date = cell.local_date
      AND h.value IS NOT NULL AND h.platform = cell.platform AND h.observed_at < cell.before;
  END LOOP;
END $$;

COMMENT ON FUNCTION evidence.forget_deleted(persons uuid[], metrics text[], days date[], platforms text[], deletions timestamp with time zone[], held boolean[]) IS 'Takes out of the history of these cells the values that a platform''s deletion may have taken back (deletions: when it was read): those that were read before it, and where the cell held a record that is deleted all that the cell has shown until now. That there was a value stays. Does nothing where the operator keeps deleted values (evidence.setting).';

CREATE FUNCTION evidence.forget_due(persons uuid[], days date[]) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  DELETE FROM evidence.due_day due
  USING unnest(persons, days) AS u (user_id, local_date)
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.due_day x WHERE x.user_id = u.user_id AND x.local_date = u.local_date OFFSET 0) f
  WHERE due.ctid = f.ctid;
END $$;

COMMENT ON FUNCTION evidence.forget_due(persons uuid[], days date[]) IS 'Takes user-days off the work list, by index. Only evidence.derive calls it, which puts them back with their next check.';

CREATE FUNCTION evidence.forget_elsewhere(person uuid, max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  changed integer;
  erased integer := 0;
BEGIN
  UPDATE intake.batch_in_hand b
  SET user_ids = ARRAY(SELECT u.user_id FROM unnest(b.user_ids, b.ids) WITH ORDINALITY AS u (user_id, id, n) WHERE u.user_id <> person ORDER BY u.n),
      ids = ARRAY(SELECT u.id FROM unnest(b.user_ids, b.ids) WITH ORDINALITY AS u (user_id, id, n) WHERE u.user_id <> person ORDER BY u.n)
  WHERE person = ANY (b.user_ids);
  GET DIAGNOSTICS erased = ROW_COUNT;
  -- Whoever looks for cells goes on with the next person. The last id of all is as good as nobody.
  UPDATE evidence.catalogue_change c SET next_user = COALESCE(evidence.next_person(person), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  WHERE c.next_user = person;
  GET DIAGNOSTICS changed = ROW_COUNT;
  erased := erased + changed;
  -- The rows of the feed stay without what they say: cursors are recognised by them.
  UPDATE evidence.cell_change c
  SET user_id = '00000000-0000-0000-0000-000000000000', metric_ids = '{}', days = '{}'
  WHERE c.user_id = person AND c.change_id = ANY (ARRAY(
    SELECT x.change_id FROM evidence.cell_change x
    WHERE x.user_id = person AND cardinality(x.days) > 0 ORDER BY x.change_id LIMIT max_rows));
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN erased + changed;
END $$;

COMMENT ON FUNCTION evidence.forget_elsewhere(person uuid, max_rows integer) IS 'Takes a person out of the tables where a row is not theirs alone: the notes of batches in hand, the place of a change of the catalogue, the feed, of which up to max_rows rows are emptied. Returns how many rows were changed.';

CREATE FUNCTION evidence.former_reads(records evidence.record[]) RETURNS SETOF evidence.record
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT f.user_id, f.local_date, f.metric_id, f.platform_id, f.store, NULL::integer, f.id, f.value, f.source, f.starts_at, f.ends_at, f.is_manual,
    f.read_at, f.payload_id, f."position", f.place, f.edge, f.is_over, f.is_proven, r.deleted_at
  FROM unnest(records) r
  CROSS JOIN LATERAL (SELECT x.* FROM evidence.former_record x
    WHERE x.user_id = r.user_id AND x.platform_id = r.platform_id AND x.store = r.store AND x.id = r.id OFFSET 0) f;
END $$;

COMMENT ON FUNCTION evidence.former_reads(records evidence.record[]) IS 'What else was read of these records: each in the cells where it is not, with the deletion that is given for it.';

CREATE FUNCTION evidence.has_records(persons uuid[], days date[]) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN EXISTS (SELECT FROM (SELECT DISTINCT u FROM unnest(persons) u) AS p (user_id) CROSS JOIN LATERAL (
                   SELECT FROM evidence.deleted_interval i WHERE i.user_id = p.user_id LIMIT 1) i)
      OR EXISTS (SELECT FROM unnest(persons, days) AS d (user_id, local_date) CROSS JOIN LATERAL (
                   SELECT FROM evidence.record_day r
                   WHERE r.user_id = d.user_id AND r.local_date = d.local_date AND r.local_date BETWEEN first_day AND last_day LIMIT 1) r);
END $$;

COMMENT ON FUNCTION evidence.has_records(persons uuid[], days date[]) IS 'Whether any of these user-days has records, or any of these persons a deletion by interval: where nobody has, readings are all there is.';

CREATE TABLE evidence.workout (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    local_date date NOT NULL,
    source text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    is_manual boolean NOT NULL,
    fix_at integer[] NOT NULL,
    hops real[] NOT NULL,
    altitudes real[] NOT NULL,
    speeds real[] NOT NULL,
    is_exact boolean[] NOT NULL,
    beat_at integer[] NOT NULL,
    beats real[] NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    CONSTRAINT workout_arrays_are_parallel CHECK (((cardinality(fix_at) = ALL (ARRAY[cardinality(hops), cardinality(altitudes), cardinality(speeds), cardinality(is_exact)])) AND (cardinality(beat_at) = cardinality(beats)))),
    CONSTRAINT workout_ends_after_it_starts CHECK ((starts_at < ends_at)),
    CONSTRAINT workout_times_are_finite CHECK ((isfinite(local_date) AND isfinite(starts_at) AND isfinite(ends_at) AND isfinite(read_at)))
);
ALTER TABLE ONLY evidence.workout ALTER COLUMN fix_at SET COMPRESSION lz4;
ALTER TABLE ONLY evidence.workout ALTER COLUMN hops SET COMPRESSION lz4;
ALTER TABLE ONLY evidence.workout ALTER COLUMN altitudes SET COMPRESSION lz4;
ALTER TABLE ONLY evidence.workout ALTER COLUMN speeds SET COMPRESSION lz4;
ALTER TABLE ONLY evidence.workout ALTER COLUMN is_exact SET COMPRESSION lz4;
ALTER TABLE ONLY evidence.workout ALTER COLUMN beat_at SET COMPRESSION lz4;
ALTER TABLE ONLY evidence.workout ALTER COLUMN beats SET COMPRESSION lz4;

COMMENT ON TABLE evidence.workout IS 'The latest read of each workout: its samples in parallel arrays, in the order of time, without the places. One that its platform has deleted is not kept.';

COMMENT ON COLUMN evidence.workout.user_id IS 'The person.';

COMMENT ON COLUMN evidence.workout.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.workout.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.workout.id IS 'The workout: evidence.record_key of the platform''s id.';

COMMENT ON COLUMN evidence.workout.local_date IS 'The local calendar day to which it counts, as the client wrote it.';

COMMENT ON COLUMN evidence.workout.source IS 'The device or app that wrote it; empty: none is named.';

COMMENT ON COLUMN evidence.workout.starts_at IS 'When it began.';

COMMENT ON COLUMN evidence.workout.ends_at IS 'When it ended.';

COMMENT ON COLUMN evidence.workout.is_manual IS 'True: entered by hand.';

COMMENT ON COLUMN evidence.workout.fix_at IS 'Fixes: milliseconds since the start, no two alike.';

COMMENT ON COLUMN evidence.workout.hops IS 'Metres from the fix before; NULL: it is the first.';

COMMENT ON COLUMN evidence.workout.altitudes IS 'Metres above sea level; NULL: unknown.';

COMMENT ON COLUMN evidence.workout.speeds IS 'Metres per second; NULL: unknown, 0: standing still.';

COMMENT ON COLUMN evidence.workout.is_exact IS 'Whether the speed came with an accuracy.';

COMMENT ON COLUMN evidence.workout.beat_at IS 'Heart rates: milliseconds since the start; negative: before it.';

COMMENT ON COLUMN evidence.workout.beats IS 'Beats per minute.';

COMMENT ON COLUMN evidence.workout.read_at IS 'When the store was read. Orders the reads of a workout, with payload_id and position.';

COMMENT ON COLUMN evidence.workout.payload_id IS 'The payload that it came with.';

COMMENT ON COLUMN evidence.workout."position" IS 'Position of the entry in its payload, from 0.';

COMMENT ON CONSTRAINT workout_arrays_are_parallel ON evidence.workout IS 'Every array has one element for each fix, or for each heart rate.';

COMMENT ON CONSTRAINT workout_ends_after_it_starts ON evidence.workout IS 'A workout lasts.';

COMMENT ON CONSTRAINT workout_times_are_finite ON evidence.workout IS 'Days and instants are real ones.';

CREATE FUNCTION evidence.heart_rate(w evidence.workout, OUT average numeric, OUT coverage numeric) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
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

COMMENT ON FUNCTION evidence.heart_rate(w evidence.workout, OUT average numeric, OUT coverage numeric) IS 'The average heart rate of a workout: each sample holds until the next one, for 15 s at most.';

CREATE FUNCTION evidence.hidden_time(covered tstzmultirange, starts timestamp with time zone[], ends timestamp with time zone[]) RETURNS TABLE(number bigint, hidden numeric)
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  IF isempty(covered) OR cardinality(starts) <= 4 THEN
    RETURN QUERY
    SELECT r.number, COALESCE((SELECT sum(extract(epoch FROM upper(o)) - extract(epoch FROM lower(o)))
      FROM unnest(covered * CASE WHEN r.e > r.s THEN tstzmultirange(tstzrange(r.s, r.e)) END) o), 0)
    FROM unnest(starts, ends) WITH ORDINALITY AS r (s, e, number);
    RETURN;
  END IF;
  -- Once through all stretches and all ends of records in the order of time: the covered time before each.
  RETURN QUERY
  WITH stretch AS (
    SELECT x.s, x.e, sum(x.e - x.s) OVER (ORDER BY x.s) - (x.e - x.s) AS before
    FROM (SELECT extract(epoch FROM lower(c)) AS s, extract(epoch FROM upper(c)) AS e FROM unnest(covered) c) x),
  point AS (
    SELECT r.number, p.sign, extract(epoch FROM p.at) AS at FROM unnest(starts, ends) WITH ORDINALITY AS r (s, e, number)
    CROSS JOIN LATERAL (VALUES (r.s, -1), (GREATEST(r.s, r.e), 1)) p (at, sign)),
  line AS (
    SELECT x.number, x.sign, x.at, max(x.s) OVER w AS s, max(x.e) OVER w AS e, max(x.before) OVER w AS before
    FROM (SELECT NULL::bigint AS number, NULL::integer AS sign, t.s AS at, t.s, t.e, t.before FROM stretch t
          UNION ALL SELECT p.number, p.sign, p.at, NULL, NULL, NULL FROM point p) x
    WINDOW w AS (ORDER BY x.at, x.number NULLS FIRST ROWS UNBOUNDED PRECEDING))
  SELECT l.number, sum(l.sign * COALESCE(l.before + LEAST(l.at, l.e) - l.s, 0)) FROM line l WHERE l.number IS NOT NULL GROUP BY l.number;
END $$;

COMMENT ON FUNCTION evidence.hidden_time(covered tstzmultirange, starts timestamp with time zone[], ends timestamp with time zone[]) IS 'Of each interval (number: from 1) how many seconds are covered.';

CREATE FUNCTION evidence.holdings(person uuid, days date[], OUT cells bigint, OUT records bigint, OUT hours bigint, OUT workouts bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  SELECT count(*) INTO cells FROM public.daily_metric d
  WHERE d.user_id = person AND d.local_date = ANY (days) AND d.status = 'measured';
  SELECT count(*) INTO records
  FROM (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = person) z
  CROSS JOIN (SELECT DISTINCT u AS local_date FROM unnest(days) u) d
  CROSS JOIN LATERAL evidence.day_span(d.local_date, z.zone_from, z.zone_name) s
  CROSS JOIN LATERAL (SELECT r.* FROM evidence.record r WHERE r.user_id = person AND r.local_date = d.local_date OFFSET 0) r
  WHERE r.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM evidence.deleted_interval i
    WHERE i.user_id = person AND i.platform_id = r.platform_id AND i.store = r.store AND i.metric_id = r.metric_id
      AND evidence.is_cleared(i, r.read_at, r.starts_at, r.ends_at, s.starts_at, s.over_at));
  -- Metric by metric: the days of a metric are one stretch of the index, all days of a person are not.
  SELECT count(*) INTO hours FROM public.metric m
  CROSS JOIN LATERAL (SELECT FROM public.hourly_metric x
    WHERE x.user_id = person AND x.metric = m.metric AND x.local_date = ANY (days) AND x.value IS NOT NULL OFFSET 0) h;
  -- Which days the workouts are of that a deletion takes, nobody has noted: all are counted, there are few.
  SELECT count(*) INTO workouts FROM public.workout_summary w WHERE w.user_id = person;
END $$;

COMMENT ON FUNCTION evidence.holdings(person uuid, days date[], OUT cells bigint, OUT records bigint, OUT hours bigint, OUT workouts bigint) IS 'How many measured cells, records that are not deleted, and hours with a value a person has on these days; and how many workouts on all days.';

CREATE TABLE evidence.deleted_interval (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    metric_id smallint NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    read_at timestamp with time zone NOT NULL,
    CONSTRAINT deleted_interval_ends_after_it_starts CHECK ((starts_at <= ends_at)),
    CONSTRAINT deleted_interval_times_are_finite CHECK ((isfinite(starts_at) AND isfinite(ends_at) AND isfinite(read_at)))
);

COMMENT ON TABLE evidence.deleted_interval IS 'Stretches of time of which a platform has deleted everything of a metric, as it was at read_at.';

COMMENT ON COLUMN evidence.deleted_interval.user_id IS 'The person.';

COMMENT ON COLUMN evidence.deleted_interval.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.deleted_interval.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.deleted_interval.metric_id IS 'public.metric.metric_id.';

COMMENT ON COLUMN evidence.deleted_interval.starts_at IS 'Beginning of the stretch.';

COMMENT ON COLUMN evidence.deleted_interval.ends_at IS 'End of the stretch.';

COMMENT ON COLUMN evidence.deleted_interval.read_at IS 'Read time of the payload that says so. What was read later stands.';

COMMENT ON CONSTRAINT deleted_interval_ends_after_it_starts ON evidence.deleted_interval IS 'A stretch may be an instant, but not the other way round.';

COMMENT ON CONSTRAINT deleted_interval_times_are_finite ON evidence.deleted_interval IS 'Times are instants, not infinity.';

CREATE FUNCTION evidence.is_cleared(cleared evidence.deleted_interval, read_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone, day_starts_at timestamp with time zone, day_over_at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  -- A record without times lasts all day; one without an end is a moment.
  begins constant timestamptz := COALESCE(starts_at, day_starts_at);
  finishes constant timestamptz := CASE WHEN starts_at IS NULL THEN day_over_at ELSE COALESCE(ends_at, starts_at) END;
BEGIN
  RETURN read_at < cleared.read_at AND cleared.starts_at <= begins AND finishes <= cleared.ends_at AND begins < cleared.ends_at;
END $$;

COMMENT ON FUNCTION evidence.is_cleared(cleared evidence.deleted_interval, read_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone, day_starts_at timestamp with time zone, day_over_at timestamp with time zone) IS 'Whether a deletion by interval takes a record of its origin and metric: what lies wholly inside it and was read before (E1).';

CREATE FUNCTION evidence.is_deleted(w evidence.workout) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN EXISTS (SELECT FROM evidence.deleted_record d WHERE d.user_id = w.user_id AND d.platform_id = w.platform_id AND d.store = w.store AND d.id = w.id)
    OR EXISTS (SELECT FROM evidence.deleted_interval i JOIN public.metric m ON m.metric_id = i.metric_id AND m.metric IN ('workout_count', 'workout_minutes')
      WHERE i.user_id = w.user_id AND i.platform_id = w.platform_id AND i.store = w.store
        AND i.read_at > w.read_at AND i.starts_at <= w.starts_at AND w.ends_at <= i.ends_at);
END $$;

COMMENT ON FUNCTION evidence.is_deleted(w evidence.workout) IS 'Whether the platform has deleted a workout: by its id, or with all workouts of a stretch of time that it was wholly in.';

CREATE FUNCTION evidence.judge(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[]) RETURNS TABLE(ordinal bigint, place evidence.place, edge evidence.window_kind, permission evidence.permission_state, over_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  WITH payload AS MATERIALIZED (
    SELECT p.*, z.zone_from, z.zone_name, COALESCE(w.is_own, g.is_own, false) AS has_own
    FROM unnest(users, platforms, stores, payloads, reads) WITH ORDINALITY AS p (user_id, platform_id, store, payload_id, read_at, number)
    CROSS JOIN LATERAL (
      -- The payload's own zones lie over those observed before it: its order is the latest of all that count.
      SELECT array_agg(l.valid_from ORDER BY l.valid_from) AS zone_from, array_agg(l.zone_name ORDER BY l.valid_from) AS zone_name
      FROM (SELECT DISTINCT ON (t.valid_from) t.valid_from, t.zone_name FROM evidence.time_zone t
            WHERE t.user_id = p.user_id AND (t.read_at, t.payload_id) <= (p.read_at, p.payload_id)
            ORDER BY t.valid_from, t.read_at DESC, t.payload_id DESC, t."position" DESC) l) z
    LEFT JOIN LATERAL (SELECT true AS is_own FROM evidence.read_window x
      WHERE x.user_id = p.user_id AND x.platform_id = p.platform_id AND x.store = p.store AND x.metric_id > 0 LIMIT 1) w ON true
    LEFT JOIN LATERAL (SELECT true AS is_own FROM evidence.permission x
      WHERE x.user_id = p.user_id AND x.platform_id = p.platform_id AND x.store = p.store AND x.metric_id > 0 LIMIT 1) g ON true),
  -- Where nothing was ever stated for single metrics, what holds for all of them (metric 0) is looked up once for all.
  entry AS MATERIALIZED (
    SELECT e.ordinal, e.number, e.local_date, CASE WHEN p.has_own THEN e.metric_id ELSE 0 END AS asked_id
    FROM unnest(entry_payload, metrics, days) WITH ORDINALITY AS e (number, metric_id, local_date, ordinal) JOIN payload p ON p.number = e.number),
  dated AS MATERIALIZED (
    SELECT d.number, d.local_date, COALESCE(p.zone_from, '{}') AS zone_from, COALESCE(p.zone_name, '{}') AS zone_name
    FROM (SELECT DISTINCT e.number, e.local_date FROM entry e) d JOIN payload p ON p.number = d.number),
  -- People who live in one zone share its days: each is asked for once.
  span AS MATERIALIZED (
    SELECT d.number, d.local_date, z.starts_at, z.over_at
    FROM dated d
    JOIN (SELECT q.*, s.* FROM (SELECT DISTINCT x.local_date, x.zone_from, x.zone_name FROM dated x) q
          CROSS JOIN LATERAL evidence.day_span(q.local_date, q.zone_from, q.zone_name) s OFFSET 0) z
      ON (z.local_date, z.zone_from, z.zone_name) = (d.local_date, d.zone_from, d.zone_name)),
  -- One look at windows and permissions for each payload and metric, however many days it has.
  question AS MATERIALIZED (
    SELECT q.number, q.asked_id, p.user_id, p.platform_id, p.store, p.read_at, p.payload_id, row_number() OVER () AS ordinal
    FROM (SELECT DISTINCT e.number, e.asked_id FROM entry e) q JOIN payload p ON p.number = q.number),
  stood AS MATERIALIZED (
    SELECT q.number, q.asked_id, t.*,
           COALESCE(t.floor_at, t.authorized_at, t.history_at, t.counting_at) IS NOT NULL AS has_window
    FROM (SELECT array_agg(x.user_id ORDER BY x.ordinal) AS u, array_agg(x.platform_id ORDER BY x.ordinal) AS f, array_agg(x.store ORDER BY x.ordinal) AS s,
                 array_agg(x.asked_id::smallint ORDER BY x.ordinal) AS m, array_agg(x.read_at ORDER BY x.ordinal) AS r, array_agg(x.payload_id ORDER BY x.ordinal) AS p
          FROM question x) a
    CROSS JOIN LATERAL evidence.standing(a.u, a.f, a.s, a.m, a.r, a.p) t
    JOIN question q ON q.ordinal = t.ordinal)
  SELECT e.ordinal, CASE WHEN j.before_edge IS NOT NULL THEN 'outside' WHEN j.edge IS NOT NULL THEN 'boundary' ELSE 'inside' END::evidence.place,
         j.edge, j.permission, s.over_at
  FROM entry e
  JOIN span s ON s.number = e.number AND s.local_date = e.local_date
  JOIN stood t ON t.number = e.number AND t.asked_id = e.asked_id
  CROSS JOIN LATERAL (
    SELECT k.before_edge,
           -- A day on a boundary begins before it: an instant less than the boundary is one that is at most a microsecond before it.
           COALESCE(k.before_edge, CASE WHEN t.has_window THEN evidence.edge_of(
             s.starts_at + interval '1 microsecond', t.floor_at, t.authorized_at, t.history_at, t.counting_at) END) AS edge,
           CASE WHEN t.sinces[1] IS NULL THEN t.states[1] ELSE evidence.permission_on(s.over_at, t.states, t.sinces) END AS permission
    FROM (SELECT CASE WHEN t.has_window THEN evidence.edge_of(s.over_at, t.floor_at, t.authorized_at, t.history_at, t.counting_at) END AS before_edge) k) j;
END $$;

COMMENT ON FUNCTION evidence.judge(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[]) IS 'What days of metrics were to the payloads that speak of them (entry_payload: number of the payload, from 1): where they lay relative to the windows, what access there was, and when they are over; by the zones, windows and permissions that the payload states, else by those observed before it.';

CREATE FUNCTION evidence.judge_hours_again(persons uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  users uuid[];
  days date[];
BEGIN
  SELECT array_agg(t.user_id), array_agg(t.local_date) INTO users, days
  FROM (SELECT array_agg(i.user_id) AS u, array_agg(i.platform_id) AS p, array_agg(i.store) AS s, array_agg(i.metric_id) AS m,
               array_agg(i.starts_at) AS f, array_agg(i.ends_at) AS t
        FROM evidence.deleted_interval i WHERE i.user_id = ANY (persons)) a
  CROSS JOIN LATERAL evidence.days_of_hours_between(a.u, a.p, a.s, a.m, a.f, a.t) t;
  IF users IS NOT NULL THEN
    PERFORM evidence.derive_hours(users, days);
  END IF;
END $$;

COMMENT ON FUNCTION evidence.judge_hours_again(persons uuid[]) IS 'Derives the hours of these persons again that a deletion by time may touch: which days it touches follows from the zones, and these have changed.';

CREATE FUNCTION evidence.keep_history(shown public.daily_metric[], deletions timestamp with time zone[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  INSERT INTO public.daily_metric_history (user_id, metric, local_date, revision, shown_since, superseded_at, status, value, unknown_reason,
    covering_sources, unknown_detail, is_final, observed_at, platform, rule_version)
  SELECT s.user_id, s.metric, s.local_date, s.revision, s.shown_since, as_of, s.status, s.value,
    s.unknown_reason, s.covering_sources, s.unknown_detail, s.is_final, s.observed_at, s.platform, s.rule_version
  FROM unnest(shown) s ORDER BY s.user_id, s.metric, s.local_date
  ON CONFLICT DO NOTHING;
  -- Which of several deletions a change is due to is not known, so in doubt the value goes.
  PERFORM evidence.forget_deleted(array_agg(s.user_id), array_agg(s.metric), array_agg(s.local_date), array_agg(s.platform), array_agg(s."unnest"),
    array_agg(false))
  FROM unnest(shown, deletions) s               -- The columns of daily_metric, and "unnest": the deletion.
  WHERE s.value IS NOT NULL AND s."unnest" > s.observed_at HAVING count(*) > 0;
END $$;

COMMENT ON FUNCTION evidence.keep_history(shown public.daily_metric[], deletions timestamp with time zone[], as_of timestamp with time zone) IS 'Adds states that were shown until as_of to the history. deletions: for each state when the latest deletion behind its cell was read; NULL: there is none. A value that was read before its deletion is not kept (forget_deleted).';

CREATE FUNCTION evidence.keep_up(as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN intake.forget_unfinished(as_of, 5000) + evidence.summarize_due(as_of) + LEAST(evidence.forget_changes(as_of, 5000), 1);
END $$;

COMMENT ON FUNCTION evidence.keep_up(as_of timestamp with time zone) IS 'What the service does beside its work, in small steps: goes on with an erasure that was ended in the middle, sums the coverage of a day, lets go of old changes of the feed. Returns how many of these there was something to do for; 0: nothing for now.';

CREATE FUNCTION evidence.leave_to_schedule(persons uuid[], days date[]) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  UPDATE evidence.due_day q SET is_scheduled = true
  FROM unnest(persons, days) AS d (user_id, local_date)
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.due_day x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) f
  WHERE q.ctid = f.ctid;
END $$;

COMMENT ON FUNCTION evidence.leave_to_schedule(persons uuid[], days date[]) IS 'Leaves user-days on the work list to a re-check with the schedule, by index. Only evidence.recheck_due calls it.';

CREATE FUNCTION evidence.lock_person(person uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(4711, hashtext(person::text));
END $$;

COMMENT ON FUNCTION evidence.lock_person(person uuid) IS 'Like try_lock_person, but waits.';

CREATE FUNCTION evidence.mark_asked(persons uuid[], metrics smallint[], since date[], until date[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

COMMENT ON FUNCTION evidence.mark_asked(persons uuid[], metrics smallint[], since date[], until date[], as_of timestamp with time zone) IS 'Makes days of these persons due on which one metric is not measured and final, within a range each. For windows and permissions that have changed.';

CREATE FUNCTION evidence.mark_unsettled(persons uuid[], since date[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

COMMENT ON FUNCTION evidence.mark_unsettled(persons uuid[], since date[], as_of timestamp with time zone) IS 'Makes the days of these persons due, each from a date on, that have a cell which is not measured and final, or one that a deletion by interval touches; silent days too. For a changed zone, and for origins that speak again after a long time.';

CREATE FUNCTION evidence.merge_deletions(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[], as_of timestamp with time zone) RETURNS TABLE(user_id uuid, local_date date, metric text, platform text, deleted_at timestamp with time zone, held boolean)
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  buried evidence.deleted_record[];
  cleared evidence.deleted_interval[];
  known evidence.record[];
  changed evidence.record[];
BEGIN
  -- The record of a workout's minutes goes with the workout.
  SELECT entry_payload || COALESCE(array_agg(m.number), '{}'), ids || COALESCE(array_agg(m.record_id), '{}') INTO entry_payload, ids
  FROM evidence.with_minutes(platforms, stores, users, entry_payload, ids) m;
  WITH told AS (
    INSERT INTO evidence.deleted_record AS t (user_id, platform_id, store, id, read_at)
    SELECT x.user_id, x.platform_id, x.store, x.id, min(x.read_at)
    FROM (SELECT p.*, evidence.record_key(p.platform_id, p.store, e.record_id) AS id
          FROM unnest(entry_payload, ids) AS e (number, record_id)
          JOIN unnest(users, platforms, stores, reads) WITH ORDINALITY AS p (user_id, platform_id, store, read_at, number) ON p.number = e.number
          WHERE e.record_id IS NOT NULL) x
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT ON CONSTRAINT deleted_record_pkey DO UPDATE SET read_at = excluded.read_at WHERE excluded.read_at < t.read_at
    RETURNING t.*)
  SELECT array_agg(t::evidence.deleted_record) INTO buried FROM told t;
  WITH told AS (
    INSERT INTO evidence.deleted_interval AS t (user_id, platform_id, store, metric_id, starts_at, ends_at, read_at)
    SELECT p.user_id, p.platform_id, p.store, e.metric_id, e.starts_at, e.ends_at, p.read_at
    FROM unnest(entry_payload, ids, metrics, starts, ends) AS e (number, record_id, metric_id, starts_at, ends_at)  -- ids of minutes have no interval
    JOIN unnest(users, platforms, stores, reads) WITH ORDINALITY AS p (user_id, platform_id, store, read_at, number) ON p.number = e.number
    WHERE e.record_id IS NULL
    ORDER BY 1, 2, 3, 4, 5, 6, 7 ON CONFLICT DO NOTHING
    RETURNING t.*)
  SELECT array_agg(t::evidence.deleted_interval) INTO cleared FROM told t;

  SELECT array_agg(f) INTO known
  FROM (SELECT array_agg(b.user_id) AS u, array_agg(b.platform_id) AS p, array_agg(b.store) AS s, array_agg(b.id) AS i FROM unnest(buried) b) a
  CROSS JOIN LATERAL evidence.find_records(a.u, a.p, a.s, a.i) f;
  SELECT array_agg(ROW(k.user_id, k.local_date, k.metric_id, k.platform_id, k.store, k.chunk, k.id, k.value, k.source, k.starts_at, k.ends_at,
    k.is_manual, k.read_at, k.payload_id, k."position", k.place, k.edge, k.is_over, k.is_proven, b.read_at)::evidence.record)
  INTO changed
  FROM unnest(known) k
  JOIN unnest(buried) b ON b.user_id = k.user_id AND b.platform_id = k.platform_id AND b.store = k.store AND b.id = k.id;
  -- Where it was when it was deleted, whatever was read of it since.
  changed := evidence.settle_records(changed || (SELECT array_agg(f) FROM evidence.former_reads(changed) f), known);

  RETURN QUERY
  WITH span AS MATERIALIZED (
    -- The rows that a stretch may have to do with: of the days that it touches, and records that happened at another time than their day says.
    SELECT c.*, d.local_date, s.starts_at AS day_starts_at, s.over_at,
           ROW(c.user_id, c.platform_id, c.store, c.metric_id, c.starts_at, c.ends_at, c.read_at)::evidence.deleted_interval AS told
    FROM unnest(cleared) c
    CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = c.user_id OFFSET 0) z
    CROSS JOIN LATERAL (
      SELECT r.local_date, false AS has_inside FROM evidence.reading r
      WHERE r.user_id = c.user_id AND r.local_date BETWEEN c.starts_at::date - 2 AND c.ends_at::date + 2
        AND r.metric_id = c.metric_id AND r.platform_id = c.platform_id AND r.store = c.store
      UNION
      SELECT r.local_date, EXISTS (SELECT FROM unnest(r.starts, r.ends) AS e (starts_at, ends_at)
        WHERE e.starts_at >= c.starts_at AND COALESCE(e.ends_at, e.starts_at) <= c.ends_at) FROM evidence.record_day r
      WHERE r.user_id = c.user_id AND r.metric_id = c.metric_id AND r.platform_id = c.platform_id AND r.store = c.store OFFSET 0) d
    CROSS JOIN LATERAL evidence.day_span(d.local_date, z.zone_from, z.zone_name) s
    WHERE d.has_inside OR (d.local_date BETWEEN c.starts_at::date - 2 AND c.ends_at::date + 2 AND c.starts_at < s.over_at AND c.ends_at > s.starts_at)),
  taken AS MATERIALIZED (
    SELECT s.user_id, s.platform_id, s.store, s.metric_id, s.local_date, s.read_at, r.id
    FROM span s
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.record x WHERE x.user_id = s.user_id AND x.local_date = s.local_date AND x.metric_id = s.metric_id
        AND x.platform_id = s.platform_id AND x.store = s.store OFFSET 0) r
    WHERE evidence.is_cleared(s.told, r.read_at, r.starts_at, r.ends_at, s.day_starts_at, s.over_at)),
  gone AS MATERIALIZED (
    SELECT b.user_id, b.platform_id, b.store, b.id, b.read_at FROM unnest(buried) b
    UNION ALL
    SELECT t.user_id, t.platform_id, t.store, t.id, t.read_at FROM taken t),
  -- held: the cell has, or had, a record that is deleted. Else it is only told that something of its day is.
  cell AS (
    SELECT k.user_id, k.local_date, k.metric_id, k.platform_id, b.read_at, true AS held
    FROM unnest(known || changed) k JOIN unnest(buried) b ON b.user_id = k.user_id AND b.platform_id = k.platform_id AND b.store = k.store AND b.id = k.id
    UNION ALL
    SELECT f.user_id, f.local_date, f.metric_id, f.platform_id, g.read_at, true
    FROM gone g CROSS JOIN LATERAL (SELECT x.user_id, x.local_date, x.metric_id, x.platform_id FROM evidence.former_record x
      WHERE x.user_id = g.user_id AND x.platform_id = g.platform_id AND x.store = g.store AND x.id = g.id OFFSET 0) f
    UNION ALL
    SELECT t.user_id, t.local_date, t.metric_id, t.platform_id, t.read_at, true FROM taken t
    UNION ALL
    SELECT s.user_id, s.local_date, s.metric_id, s.platform_id, s.read_at, false FROM span s)
  SELECT d.*, NULL::text, NULL::text, NULL::timestamptz, NULL::boolean
  FROM (SELECT k.user_id, k.local_date FROM unnest(known || changed) k UNION SELECT s.user_id, s.local_date FROM span s) d
  UNION ALL
  SELECT c.user_id, c.local_date, m.metric, f.platform, max(c.read_at), c.held
  FROM cell c JOIN public.metric m ON m.metric_id = c.metric_id JOIN public.platform f ON f.platform_id = c.platform_id
  GROUP BY 1, 2, 3, 4, 6
  ORDER BY 1, 2;
END $$;

COMMENT ON FUNCTION evidence.merge_deletions(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[], as_of timestamp with time zone) IS 'Merges the deletions of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; ids NULL: by metric and interval). Deletions that were known change nothing. Returns the days to derive (metric NULL), by the zones of the person as known now, and the cells whose history it takes back; deleted_at: when the deletion was read; held: a record of the cell, or one that was in it before, is deleted.';

CREATE FUNCTION evidence.merge_hours(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], hours smallint[], positions integer[], "values" text[], covered smallint[], lengths smallint[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  INSERT INTO evidence.hour AS h (user_id, local_date, metric_id, local_hour, platform_id, store, kind, value, covered_minutes, minutes,
    read_at, payload_id, "position")
  SELECT DISTINCT ON (x.user_id, x.local_date, x.metric_id, x.local_hour, x.platform_id, x.store, x.kind)
    x.user_id, x.local_date, x.metric_id, x.local_hour, x.platform_id, x.store, x.kind, x.value, x.covered_minutes, x.minutes,
    x.read_at, x.payload_id, x.place_in_payload
  FROM (SELECT p.*, e.metric_id, e.local_date, e.local_hour, e.place_in_payload, e.value::numeric AS value, e.covered_minutes, e.minutes,
               CASE WHEN e.value IS NULL THEN 0 WHEN e.value::numeric = 0 THEN 1 ELSE 2 END::smallint AS kind
        FROM unnest(entry_payload, metrics, days, hours, positions, "values", covered, lengths)
          AS e (number, metric_id, local_date, local_hour, place_in_payload, value, covered_minutes, minutes)
        JOIN unnest(users, platforms, stores, payloads, reads) WITH ORDINALITY AS p (user_id, platform_id, store, payload_id, read_at, number)
          ON p.number = e.number) x
  ORDER BY x.user_id, x.local_date, x.metric_id, x.local_hour, x.platform_id, x.store, x.kind, x.read_at DESC, x.payload_id DESC, x.place_in_payload DESC
  ON CONFLICT ON CONSTRAINT hour_pkey DO UPDATE SET
    value = excluded.value, covered_minutes = excluded.covered_minutes, minutes = excluded.minutes,
    read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position"
  WHERE (h.read_at, h.payload_id, h."position") < (excluded.read_at, excluded.payload_id, excluded."position");
END $$;

COMMENT ON FUNCTION evidence.merge_hours(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], hours smallint[], positions integer[], "values" text[], covered smallint[], lengths smallint[]) IS 'Merges the hours of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; values: number tokens, NULL: nothing was seen; lengths: minutes of the hour). Of each kind of statement the latest stays, in whatever order they come.';

CREATE FUNCTION evidence.merge_readings(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], positions integer[], outcomes text[], "values" text[], sources text[], codes text[], complete boolean[], proven boolean[], as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  written integer;
BEGIN
  -- By subscripts: what is unnested goes row by row through a store for each column, and what is joined through a hash table.
  WITH judged AS (
    SELECT users[n.p] AS user_id, platforms[n.p] AS platform_id, stores[n.p] AS store, payloads[n.p] AS payload_id, reads[n.p] AS read_at,
           days[n.e] AS local_date, metrics[n.e] AS metric_id, positions[n.e] AS place_in_payload, outcomes[n.e] AS outcome, codes[n.e] AS code,
           proven[n.e] AS is_proven, "values"[n.e]::numeric AS number_value, sources[n.e]::text[] AS source_names, m.zero_policy,
           j.place, j.edge, j.permission, reads[n.p] >= j.over_at AND complete[n.e] IS NOT FALSE AS is_over
    FROM evidence.judge(users, platforms, stores, payloads, reads, entry_payload, metrics, days) j
    CROSS JOIN LATERAL (SELECT j.ordinal::integer AS e, entry_payload[j.ordinal::integer] AS p) n
    JOIN public.metric m ON m.metric_id = metrics[j.ordinal::integer]),
  slotted AS (
    SELECT j.*, CASE
      WHEN j.outcome = 'looked' THEN 'looked'
      WHEN j.outcome = 'value' AND (j.number_value <> 0 OR (j.zero_policy = 'ordinary' AND j.place = 'inside')) THEN 'value'
      WHEN j.place = 'outside' THEN 'outside'
      WHEN j.outcome NOT IN ('value', 'empty') OR j.permission IN ('denied', 'not_asked', 'not_connected') THEN CASE j.place WHEN 'boundary' THEN 'boundary_non_look' ELSE 'non_look' END
      WHEN j.place = 'boundary' THEN CASE j.outcome WHEN 'value' THEN 'boundary_zero' ELSE 'boundary_empty' END
      WHEN j.is_over AND (j.is_proven OR j.zero_policy <> 'covered')
        AND (j.zero_policy <> 'explicit' OR j.outcome = 'empty' OR cardinality(j.source_names) > 0)
        THEN CASE j.outcome WHEN 'value' THEN 'licensing_zero' ELSE 'licensing_empty' END
      ELSE CASE j.outcome WHEN 'value' THEN 'other_zero' ELSE 'other_empty' END END::evidence.slot AS slot
    FROM judged j)
  INSERT INTO evidence.reading AS r (user_id, local_date, metric_id, platform_id, store, slot, read_at, payload_id, "position",
    outcome, value, sources, code, place, edge, permission, is_over, is_proven)
  SELECT DISTINCT ON (s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.slot)
    s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.slot, s.read_at, s.payload_id, s.place_in_payload,
    CASE s.outcome WHEN 'looked' THEN 'empty' ELSE s.outcome END::evidence.outcome, s.number_value, s.source_names, s.code, s.place, s.edge, s.permission, s.is_over, s.is_proven
  FROM slotted s
  ORDER BY s.user_id, s.local_date, s.metric_id, s.platform_id, s.store, s.slot, s.read_at DESC, s.payload_id DESC, s.place_in_payload DESC
  ON CONFLICT (user_id, local_date, metric_id, platform_id, store, slot) DO UPDATE SET
    read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position", outcome = excluded.outcome,
    value = excluded.value, sources = excluded.sources, code = excluded.code, place = excluded.place, edge = excluded.edge,
    permission = excluded.permission, is_over = excluded.is_over, is_proven = excluded.is_proven
  WHERE (r.read_at, r.payload_id, r."position") < (excluded.read_at, excluded.payload_id, excluded."position");
  GET DIAGNOSTICS written = ROW_COUNT;

  PERFORM evidence.note_tracking(
    array_agg(users[e.number]), array_agg(e.metric_id), array_agg(platforms[e.number]), array_agg(stores[e.number]), array_agg(e.local_date), as_of)
  FROM (SELECT x.number, x.metric_id, min(x.local_date) AS local_date
        FROM unnest(entry_payload, metrics, days, outcomes) AS x (number, metric_id, local_date, outcome)
        WHERE x.outcome <> 'looked' GROUP BY 1, 2) e;  -- What a look found is told by other entries; a refused one is no word about its day.
  RETURN written;
END $$;

COMMENT ON FUNCTION evidence.merge_readings(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], positions integer[], outcomes text[], "values" text[], sources text[], codes text[], complete boolean[], proven boolean[], as_of timestamp with time zone) IS 'Merges the day entries of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; values: number tokens; sources: array literals). In each slot the latest read stays, so that neither order of arrival nor repetition matters, and a zero or a silence never removes a value. Returns how many readings changed.';

CREATE FUNCTION evidence.merge_records(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], days date[], positions integer[], "values" text[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], proven boolean[], as_of timestamp with time zone) RETURNS TABLE(user_id uuid, local_date date, metric text, platform text, deleted_at timestamp with time zone, held boolean)
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  latest evidence.record[];
  known evidence.record[];
  changed evidence.record[];
BEGIN
  -- Of several reads of a record in one cell the latest counts, in one batch as in many.
  WITH entry AS (
    SELECT DISTINCT ON (x.user_id, x.platform_id, x.store, x.id, x.local_date, x.metric_id) x.*
    FROM (SELECT p.*, e.*, evidence.record_key(p.platform_id, p.store, e.record_id) AS id
          FROM unnest(entry_payload, ids, metrics, days, positions, "values", sources, starts, ends, manual, proven)
            AS e (number, record_id, metric_id, local_date, place_in_payload, value, source, starts_at, ends_at, is_manual, is_proven)
          JOIN unnest(users, platforms, stores, payloads, reads) WITH ORDINALITY AS p (user_id, platform_id, store, payload_id, read_at, payload_number)
            ON p.payload_number = e.number) x
    ORDER BY x.user_id, x.platform_id, x.store, x.id, x.local_date, x.metric_id, x.read_at DESC, x.payload_id DESC, x.place_in_payload DESC),
  cell AS MATERIALIZED (
    SELECT c.number, c.metric_id, c.local_date, row_number() OVER () AS ordinal
    FROM (SELECT DISTINCT u.number, u.metric_id, u.local_date FROM unnest(entry_payload, metrics, days) AS u (number, metric_id, local_date)) c),
  judged AS (
    SELECT c.number, c.metric_id, c.local_date, j.place, j.edge, j.over_at
    FROM (SELECT array_agg(x.number ORDER BY x.ordinal) AS n, array_agg(x.metric_id ORDER BY x.ordinal) AS m, array_agg(x.local_date ORDER BY x.ordinal) AS d
          FROM cell x) a
    CROSS JOIN LATERAL evidence.judge(users, platforms, stores, payloads, reads, a.n, a.m, a.d) j
    JOIN cell c ON c.ordinal = j.ordinal)
  SELECT array_agg(ROW(e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, NULL, e.id, e.value::numeric, COALESCE(e.source, ''), e.starts_at, e.ends_at,
    e.is_manual, e.read_at, e.payload_id, e.place_in_payload, j.place, j.edge, e.read_at >= j.over_at, e.is_proven, NULL)::evidence.record)
  INTO latest
  FROM entry e JOIN judged j ON j.number = e.number AND j.metric_id = e.metric_id AND j.local_date = e.local_date;

  SELECT array_agg(f) INTO known
  FROM (SELECT array_agg(l.user_id) AS u, array_agg(l.platform_id) AS p, array_agg(l.store) AS s, array_agg(l.id) AS i
        FROM (SELECT DISTINCT x.user_id, x.platform_id, x.store, x.id FROM unnest(latest) x) l) a
  CROSS JOIN LATERAL evidence.find_records(a.u, a.p, a.s, a.i) f;

  -- A known record has its deletion with it.
  SELECT array_agg(ROW(l.user_id, l.local_date, l.metric_id, l.platform_id, l.store, NULL, l.id, l.value, l.source, l.starts_at, l.ends_at,
    l.is_manual, l.read_at, l.payload_id, l."position", l.place, l.edge, l.is_over, l.is_proven, CASE WHEN o.id IS NULL THEN t.read_at ELSE o.deleted_at END)::evidence.record)
  INTO latest
  FROM unnest(latest) l
  LEFT JOIN unnest(known) o ON o.user_id = l.user_id AND o.platform_id = l.platform_id AND o.store = l.store AND o.id = l.id
  LEFT JOIN LATERAL (SELECT d.read_at FROM evidence.deleted_record d
    WHERE o.id IS NULL AND d.user_id = l.user_id AND d.platform_id = l.platform_id AND d.store = l.store AND d.id = l.id OFFSET 0) t ON true;
  changed := evidence.settle_records(latest || known
    || (SELECT array_agg(f) FROM evidence.former_reads((SELECT array_agg(k) FROM unnest(known) k WHERE k.deleted_at IS NOT NULL)) f), known);

  PERFORM evidence.note_tracking(array_agg(users[e.number]), array_agg(e.metric_id), array_agg(platforms[e.number]), array_agg(stores[e.number]),
    array_agg(e.local_date), as_of)
  FROM (SELECT x.number, x.metric_id, min(x.local_date) AS local_date
        FROM unnest(entry_payload, metrics, days) AS x (number, metric_id, local_date) GROUP BY 1, 2) e;

  RETURN QUERY
  SELECT DISTINCT m.user_id, m.local_date, NULL::text, NULL::text, NULL::timestamptz, NULL::boolean
  FROM (SELECT l.user_id, l.local_date FROM unnest(latest) l
        UNION ALL
        SELECT k.user_id, k.local_date FROM unnest(known) k
        JOIN unnest(changed) n ON n.user_id = k.user_id AND n.platform_id = k.platform_id AND n.store = k.store AND n.id = k.id) m
  UNION ALL
  -- Totals that were read before the deletion of a record that is only known now.
  SELECT n.user_id, n.local_date, c.metric, f.platform, max(n.deleted_at), false
  FROM unnest(changed) n JOIN public.metric c ON c.metric_id = n.metric_id JOIN public.platform f ON f.platform_id = n.platform_id
  WHERE n.deleted_at IS NOT NULL GROUP BY 1, 2, 3, 4
  ORDER BY 1, 2;
END $$;

COMMENT ON FUNCTION evidence.merge_records(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], days date[], positions integer[], "values" text[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], proven boolean[], as_of timestamp with time zone) IS 'Merges the records of a batch: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; values: number tokens, NULL: none; sources NULL or empty: none). Of each record the latest read stays. Returns the days to derive (metric NULL): those of the records and those that records have left; and the cells of records whose deletion was known before they were: deleted_at, when it was read; held false.';

CREATE FUNCTION evidence.merge_workouts(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], days date[], positions integer[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], fix_times text[], hops text[], altitudes text[], speeds text[], exact text[], beat_times text[], beats text[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

COMMENT ON FUNCTION evidence.merge_workouts(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], days date[], positions integer[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], fix_times text[], hops text[], altitudes text[], speeds text[], exact text[], beat_times text[], beats text[]) IS 'Merges the workouts of a batch, before their records: payload arrays (one element per payload), entry arrays (entry_payload: number of its payload, from 1; samples: array literals). Of each workout the latest read stays.';

CREATE FUNCTION evidence.next_check(first_check interval, check_growth numeric, check_until interval, over_at timestamp with time zone, as_of timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $$
DECLARE
  age interval := GREATEST(as_of - over_at, interval '0');
BEGIN
  IF first_check IS NULL OR age > check_until THEN
    RETURN NULL;
  END IF;
  RETURN as_of + GREATEST(first_check, age * (check_growth - 1)::double precision);
END $$;

COMMENT ON FUNCTION evidence.next_check(first_check interval, check_growth numeric, check_until interval, over_at timestamp with time zone, as_of timestamp with time zone) IS 'When a cell whose reason has this schedule is looked at again by itself: after first_check, then whenever the day is check_growth times as old, until check_until. NULL: never. Asked for each cell, so it looks nothing up; days are those of the caller''s time zone, which is UTC.';

CREATE FUNCTION evidence.next_person(after uuid) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  -- A row that somebody put into daily_metric by hand may be of a person whom no payload has named.
  RETURN (SELECT p.user_id FROM (
    (SELECT p.user_id FROM evidence.person p WHERE after IS NULL OR p.user_id > after ORDER BY p.user_id LIMIT 1)
    UNION ALL
    (SELECT d.user_id FROM public.daily_metric d WHERE after IS NULL OR d.user_id > after ORDER BY d.user_id LIMIT 1)) p
    ORDER BY p.user_id LIMIT 1);
END $$;

COMMENT ON FUNCTION evidence.next_person(after uuid) IS 'The next person after this one in the order of keys who has evidence or cells; after NULL: the first. NULL: there is none.';

CREATE FUNCTION evidence.note_backfills(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], running boolean[], reached date[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  INSERT INTO evidence.backfill AS b (user_id, platform_id, store, metric_id, read_at, payload_id, "position", is_running, reached)
  SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.metric_id) n.*
  FROM unnest(users, platforms, stores, metrics, reads, payloads, positions, running, reached)
    AS n (user_id, platform_id, store, metric_id, read_at, payload_id, place, is_running, reached)
  ORDER BY 1, 2, 3, 4, n.read_at DESC, n.payload_id DESC, n.place DESC
  ON CONFLICT ON CONSTRAINT backfill_pkey DO UPDATE SET
    read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position",
    is_running = excluded.is_running, reached = excluded.reached
  WHERE (b.read_at, b.payload_id, b."position") < (excluded.read_at, excluded.payload_id, excluded."position");
END $$;

COMMENT ON FUNCTION evidence.note_backfills(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], running boolean[], reached date[]) IS 'Keeps the latest statement about a running or complete history load of each metric (0: all).';

CREATE FUNCTION evidence.note_changes(persons uuid[], metrics text[], days date[], superseded public.daily_metric[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  -- First the number, then a look at who else is running: nobody with a lower one is missed.
  own constant xid8 := pg_current_xact_id();
BEGIN
  INSERT INTO evidence.cell_change (user_id, transaction_id, seen, changed_at, metric_ids, days)
  SELECT c.user_id, own, pg_current_snapshot(), as_of, array_agg(c.metric_id), array_agg(c.local_date)
  FROM (SELECT x.user_id, m.metric_id, x.local_date
        FROM (SELECT n.user_id, n.metric, n.local_date FROM unnest(persons, metrics, days) AS n (user_id, metric, local_date)
              UNION ALL
              SELECT s.user_id, s.metric, s.local_date FROM unnest(superseded) s) x
        JOIN public.metric m ON m.metric = x.metric
        ORDER BY x.user_id, m.metric_id, x.local_date) c
  GROUP BY c.user_id ORDER BY c.user_id;
END $$;

COMMENT ON FUNCTION evidence.note_changes(persons uuid[], metrics text[], days date[], superseded public.daily_metric[], as_of timestamp with time zone) IS 'Notes in the feed which cells are new, and which ones show something else than before (superseded: what that was) or nothing any more; one row per person. Only evidence.derive and evidence.repair_cells call it.';

CREATE FUNCTION evidence.note_origins(users uuid[], platforms smallint[], stores text[], reads timestamp with time zone[], looked boolean[], os_majors integer[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  returned uuid[];
  returned_from date[];
BEGIN
  INSERT INTO evidence.person (user_id) SELECT DISTINCT u FROM unnest(users) u ORDER BY u ON CONFLICT DO NOTHING;
  -- Whose silent days were filled up to the end of an origin's old claim is asked again about the days that a later read adds to it.
  SELECT array_agg(x.user_id), array_agg(x.since) INTO returned, returned_from
  FROM (SELECT n.user_id, min((o.last_read_at + b.claim)::date - 2) AS since
  FROM unnest(users, platforms, stores, reads) AS n (user_id, platform_id, store, read_at)
  CROSS JOIN LATERAL (SELECT o.last_read_at FROM evidence.origin o
    WHERE o.user_id = n.user_id AND o.platform_id = n.platform_id AND o.store = n.store OFFSET 0) o
  CROSS JOIN LATERAL (SELECT p.silent_from FROM evidence.person p WHERE p.user_id = n.user_id OFFSET 0) p
  CROSS JOIN (SELECT make_interval(days => s.asked_days) AS claim FROM evidence.setting s) b
  WHERE n.read_at > o.last_read_at AND o.last_read_at + b.claim < p.silent_from::timestamp + interval '12 hours'
  GROUP BY n.user_id) x;
  INSERT INTO evidence.origin AS o (user_id, platform_id, store, last_read_at, last_success_at, os_major, os_read_at)
  SELECT n.user_id, n.platform_id, n.store, max(n.read_at), max(n.read_at) FILTER (WHERE n.looked),
         (array_agg(n.os_major ORDER BY n.read_at DESC, n.os_major DESC) FILTER (WHERE n.os_major IS NOT NULL))[1],
         max(n.read_at) FILTER (WHERE n.os_major IS NOT NULL)
  FROM unnest(users, platforms, stores, reads, looked, os_majors) AS n (user_id, platform_id, store, read_at, looked, os_major)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ON CONSTRAINT origin_pkey DO UPDATE SET
    last_read_at = GREATEST(o.last_read_at, excluded.last_read_at),
    last_success_at = GREATEST(o.last_success_at, excluded.last_success_at),
    -- Not by the time of the origin: a later read that says no version takes none away, in whatever order they come.
    os_major = CASE WHEN o.os_major IS NULL OR (excluded.os_read_at, excluded.os_major) > (o.os_read_at, o.os_major)
                    THEN excluded.os_major ELSE o.os_major END,
    os_read_at = GREATEST(o.os_read_at, excluded.os_read_at);
  IF returned IS NOT NULL THEN
    PERFORM evidence.mark_unsettled(returned, returned_from, as_of);
  END IF;
END $$;

COMMENT ON FUNCTION evidence.note_origins(users uuid[], platforms smallint[], stores text[], reads timestamp with time zone[], looked boolean[], os_majors integer[], as_of timestamp with time zone) IS 'Registers the persons and origins of a batch of payloads, one array element per payload.';

CREATE FUNCTION evidence.note_permissions(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], states text[], sinces timestamp with time zone[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  persons uuid[];
  asked smallint[];
  since date[];
  until date[];
  reconnected uuid[];
BEGIN
  -- As with windows. A state holds for the days that end after it began; who was not connected, or is not now, is asked about other days.
  SELECT array_agg(c.user_id), array_agg(c.metric_id), array_agg(COALESCE((c.since - interval '36 hours')::date, '-infinity')),
         array_fill(date 'infinity', ARRAY[count(*)::integer]), array_agg(DISTINCT c.user_id) FILTER (WHERE 'not_connected' IN (c.state, c.old_state))
  INTO persons, asked, since, until, reconnected
  FROM (SELECT x.user_id, x.metric_id, x.state, x.since, k.state::text AS old_state, k.since AS old_since
        FROM (SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.payload_id, t.metric_id) n.user_id, n.platform_id, n.store, t.metric_id, n.read_at, n.payload_id, n.state, n.since
              FROM unnest(users, platforms, stores, metrics, reads, payloads, positions, states, sinces)
                AS n (user_id, platform_id, store, metric_id, read_at, payload_id, place, state, since)
              LEFT JOIN LATERAL (
                SELECT w.metric_id, w.state, w.since FROM evidence.permission w
                WHERE w.user_id = n.user_id AND w.platform_id = n.platform_id AND w.store = n.store
                ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) same ON n.metric_id = 0
              CROSS JOIN LATERAL (SELECT y.metric_id FROM evidence.tracking y
                WHERE y.user_id = n.user_id AND y.metric_id = COALESCE(NULLIF(n.metric_id, 0), y.metric_id) AND y.platform_id = n.platform_id AND y.store = n.store OFFSET 0) t
              WHERE (same.metric_id = 0 AND (same.state::text, same.since) IS NOT DISTINCT FROM (n.state, n.since)) IS NOT TRUE
              ORDER BY 1, 2, 3, n.payload_id, t.metric_id, n.metric_id = 0, n.place DESC) x
        LEFT JOIN LATERAL (
          SELECT w.read_at, w.payload_id, w.state, w.since FROM evidence.permission w
          WHERE w.user_id = x.user_id AND w.platform_id = x.platform_id AND w.store = x.store AND w.metric_id IN (0, x.metric_id)
          ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) k ON true
        WHERE k.read_at IS NULL OR (x.read_at, x.payload_id) > (k.read_at, k.payload_id)) c
  WHERE (c.state, c.since) IS DISTINCT FROM (COALESCE(c.old_state, 'granted'), c.old_since);
  INSERT INTO evidence.permission (user_id, platform_id, store, metric_id, read_at, payload_id, "position", state, since)
  SELECT n.user_id, n.platform_id, n.store, n.metric_id, n.read_at, n.payload_id, n.place, n.state::evidence.permission_state, n.since
  FROM unnest(users, platforms, stores, metrics, reads, payloads, positions, states, sinces)
    AS n (user_id, platform_id, store, metric_id, read_at, payload_id, place, state, since)
  ORDER BY 1, 2, 3, 4, 5, 6, 7 ON CONFLICT DO NOTHING;
  DELETE FROM evidence.permission g                                            -- As with windows.
  USING (SELECT p.*, lag(p.said) OVER w AS before, lead(p.said) OVER w AS after
         FROM (SELECT t.user_id, t.platform_id, t.store, t.read_at, t.payload_id,
                      array_agg(ROW(t.metric_id, t.state, t.since)::text ORDER BY t.metric_id, t."position") AS said, array_agg(t.ctid) AS row_addresses
               FROM evidence.permission t WHERE t.user_id = ANY (users) GROUP BY 1, 2, 3, 4, 5) p
         WINDOW w AS (PARTITION BY p.user_id, p.platform_id, p.store ORDER BY p.read_at, p.payload_id)) x
  CROSS JOIN LATERAL unnest(x.row_addresses) AS f (row_address)
  WHERE x.before = x.said AND x.after = x.said AND g.ctid = f.row_address;
  IF persons IS NOT NULL THEN
    PERFORM evidence.mark_asked(persons, asked, since, until, as_of);
  END IF;
  IF reconnected IS NOT NULL THEN
    PERFORM evidence.ask_again(reconnected);
  END IF;
END $$;

COMMENT ON FUNCTION evidence.note_permissions(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], states text[], sinces timestamp with time zone[], as_of timestamp with time zone) IS 'Keeps statements about access (metric 0: all); days for which the state changed and that are not settled become due.';

CREATE FUNCTION evidence.note_presence(users uuid[], days date[], platforms smallint[], stores text[], sources text[], kinds text[], minutes integer[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  INSERT INTO evidence.presence AS p (user_id, local_date, platform_id, store, source, kind, minutes)
  SELECT n.user_id, n.local_date, n.platform_id, n.store, n.source, n.kind::evidence.presence_kind, max(n.minutes)
  FROM unnest(users, days, platforms, stores, sources, kinds, minutes) AS n (user_id, local_date, platform_id, store, source, kind, minutes)
  WHERE n.minutes IS DISTINCT FROM 0
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT ON CONSTRAINT presence_pkey DO UPDATE SET minutes = excluded.minutes WHERE p.minutes IS NULL OR p.minutes < excluded.minutes;
END $$;

COMMENT ON FUNCTION evidence.note_presence(users uuid[], days date[], platforms smallint[], stores text[], sources text[], kinds text[], minutes integer[]) IS 'Keeps evidence that a source was worn or carried. Presence only grows: the longest stated time counts, 0 minutes are nothing.';

CREATE FUNCTION evidence.note_time_zones(users uuid[], valid timestamp with time zone[], reads timestamp with time zone[], payloads uuid[], positions integer[], zones text[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  changed uuid[];
  changed_from date[];
BEGIN
  -- A zone that this server does not know would fail every later payload of the person; so it fails the one that names it.
  PERFORM timestamptz 'epoch' AT TIME ZONE z.zone_name FROM (SELECT DISTINCT u.zone_name FROM unnest(zones) AS u (zone_name)) z;
  INSERT INTO evidence.time_zone (user_id, valid_from, read_at, payload_id, "position", zone_name)
  SELECT n.user_id, COALESCE(n.valid_from, '-infinity'), n.read_at, n.payload_id, n.place,
         -- PostgreSQL takes these four for abbreviations, without summer time; the zones that they are links to have it.
         CASE n.zone_name WHEN 'CET' THEN 'Europe/Brussels' WHEN 'MET' THEN 'Europe/Brussels' WHEN 'EET' THEN 'Europe/Athens'
                          WHEN 'WET' THEN 'Europe/Lisbon' ELSE n.zone_name END
  FROM unnest(users, valid, reads, payloads, positions, zones) AS n (user_id, valid_from, read_at, payload_id, place, zone_name)
  ORDER BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING;
  -- Of a run of equal statements the first and the last say all, whether they repeat one instant or go on from a later one; so a client may
  -- state its zone with every payload.
  DELETE FROM evidence.time_zone z
  USING (SELECT t.ctid AS row_address,
           (lag(t.zone_name) OVER same = t.zone_name AND lead(t.zone_name) OVER same = t.zone_name)
           OR (lag(t.zone_name) OVER later = t.zone_name AND lead(t.zone_name) OVER later = t.zone_name
               AND lag(t.valid_from) OVER later <= t.valid_from AND lead(t.valid_from) OVER later >= t.valid_from
               -- unless another zone would come to light in between
               AND NOT EXISTS (SELECT FROM evidence.time_zone o WHERE o.user_id = t.user_id AND o.valid_from <= t.valid_from AND o.zone_name <> t.zone_name)) AS is_between
         FROM evidence.time_zone t WHERE t.user_id = ANY (users)
         WINDOW same AS (PARTITION BY t.user_id, t.valid_from ORDER BY t.read_at, t.payload_id, t."position"),
                later AS (PARTITION BY t.user_id ORDER BY t.read_at, t.payload_id, t."position")) x
  WHERE x.is_between AND z.ctid = x.row_address;
  WITH line AS (
    SELECT l.user_id, array_agg(l.valid_from ORDER BY l.valid_from) AS zone_from, array_agg(l.zone_name ORDER BY l.valid_from) AS zone_name
    FROM (SELECT DISTINCT ON (t.user_id, t.valid_from) t.user_id, t.valid_from, t.zone_name
          FROM evidence.time_zone t WHERE t.user_id = ANY (users)
          ORDER BY t.user_id, t.valid_from, t.read_at DESC, t.payload_id DESC, t."position" DESC) l
    GROUP BY l.user_id),
  moved AS (
    UPDATE evidence.person p SET zone_from = l.zone_from, zone_name = l.zone_name
    FROM line l CROSS JOIN LATERAL (SELECT x.ctid, x.zone_from, x.zone_name FROM evidence.person x WHERE x.user_id = l.user_id OFFSET 0) o
    WHERE p.ctid = o.ctid AND (p.zone_from, p.zone_name) IS DISTINCT FROM (l.zone_from, l.zone_name)
    RETURNING p.user_id, o.zone_from AS old_from, o.zone_name AS old_name, l.zone_from AS new_from, l.zone_name AS new_name)
  -- The earliest instant at which the two lines differ; the local day that contains it began up to 26 hours before.
  SELECT array_agg(m.user_id), array_agg(m.since) INTO changed, changed_from
  FROM (SELECT v.user_id, (SELECT min(z.valid_from) FROM (
            (SELECT * FROM unnest(v.old_from, v.old_name) AS o (valid_from, zone_name) EXCEPT SELECT * FROM unnest(v.new_from, v.new_name))
            UNION ALL
            (SELECT * FROM unnest(v.new_from, v.new_name) AS n (valid_from, zone_name) EXCEPT SELECT * FROM unnest(v.old_from, v.old_name))) z)::date - 2 AS since
        FROM moved v) m;
  IF changed IS NOT NULL THEN
    PERFORM evidence.mark_unsettled(changed, changed_from, as_of);
    PERFORM evidence.judge_hours_again(changed);
  END IF;
END $$;

COMMENT ON FUNCTION evidence.note_time_zones(users uuid[], valid timestamp with time zone[], reads timestamp with time zone[], payloads uuid[], positions integer[], zones text[], as_of timestamp with time zone) IS 'Keeps statements about time zones (valid NULL: always) and merges them into evidence.person; days from the change on that are not settled become due.';

CREATE FUNCTION evidence.note_tracking(users uuid[], metrics smallint[], platforms smallint[], stores text[], days date[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  known date[];
BEGIN
  -- Nearly always there is nothing new in it, and a look is all that it costs.
  SELECT array_agg(n.user_id), array_agg(n.metric_id), array_agg(n.platform_id), array_agg(n.store), array_agg(n.since), array_agg(t.since)
  INTO users, metrics, platforms, stores, days, known
  FROM (SELECT u.user_id, u.metric_id, u.platform_id, u.store, min(u.local_date) AS since
        FROM unnest(users, metrics, platforms, stores, days) AS u (user_id, metric_id, platform_id, store, local_date)
        GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4) n
  LEFT JOIN LATERAL (SELECT t.since FROM evidence.tracking t
    WHERE t.user_id = n.user_id AND t.metric_id = n.metric_id AND t.platform_id = n.platform_id AND t.store = n.store OFFSET 0) t ON true
  WHERE t.since IS NULL OR n.since < t.since;
  IF users IS NULL THEN
    RETURN;
  END IF;
  -- Whoever asks about a metric for the first time, or from an earlier day on, may give its unknown days another reason. Where nobody has asked
  -- about it yet, as in a person's first payload, there are none.
  IF EXISTS (SELECT FROM unnest(users, metrics) AS n (user_id, metric_id)
    CROSS JOIN LATERAL (SELECT FROM evidence.tracking t WHERE t.user_id = n.user_id AND t.metric_id = n.metric_id LIMIT 1) t)
  THEN
    INSERT INTO evidence.due_day AS due (user_id, local_date, due_at, is_scheduled)
    SELECT DISTINCT n.user_id, d.local_date, as_of, false
    FROM unnest(users, metrics, days, known) AS n (user_id, metric_id, since, known_since)
    JOIN public.metric m ON m.metric_id = n.metric_id AND NOT m.intermittent
    CROSS JOIN LATERAL (SELECT c.local_date FROM public.daily_metric c
      WHERE c.user_id = n.user_id AND c.metric = m.metric AND c.local_date >= n.since AND (n.known_since IS NULL OR c.local_date < n.known_since)
        AND c.status = 'unknown' OFFSET 0) d
    ORDER BY 1, 2
    ON CONFLICT ON CONSTRAINT due_day_pkey DO UPDATE SET due_at = LEAST(due.due_at, excluded.due_at), is_scheduled = false;
  END IF;

  WITH moved AS (
    INSERT INTO evidence.tracking AS t (user_id, metric_id, platform_id, store, since)
    SELECT u.user_id, u.metric_id, u.platform_id, u.store, u.local_date
    FROM unnest(users, metrics, platforms, stores, days) AS u (user_id, metric_id, platform_id, store, local_date)
    ON CONFLICT ON CONSTRAINT tracking_pkey DO UPDATE SET since = excluded.since WHERE excluded.since < t.since
    RETURNING t.user_id, t.metric_id, t.since)
  UPDATE evidence.person p SET silent_from = LEAST(p.silent_from, f.since),
    silent_due_at = LEAST(p.silent_due_at, (f.since + 1)::timestamp AT TIME ZONE 'UTC' - interval '14 hours')
  FROM (SELECT v.user_id, min(v.since) AS since FROM moved v JOIN public.metric m ON m.metric_id = v.metric_id
        WHERE NOT m.intermittent GROUP BY 1) f
  CROSS JOIN LATERAL (SELECT x.ctid FROM evidence.person x WHERE x.user_id = f.user_id OFFSET 0) o
  WHERE p.ctid = o.ctid;
END $$;

COMMENT ON FUNCTION evidence.note_tracking(users uuid[], metrics smallint[], platforms smallint[], stores text[], days date[], as_of timestamp with time zone) IS 'Keeps the first day on which each origin mentioned each metric, and makes due what that changes.';

CREATE FUNCTION evidence.note_windows(users uuid[], platforms smallint[], stores text[], metrics smallint[], kinds text[], reads timestamp with time zone[], payloads uuid[], positions integer[], boundaries timestamp with time zone[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  persons uuid[];
  asked smallint[];
  since date[];
  until date[];
BEGIN
  -- What judged each metric of the origin until now, and what will: in one payload the statement for the metric comes before the one for all.
  -- A boundary that moves changes the days in between, and no others.
  SELECT array_agg(c.user_id), array_agg(c.metric_id), array_agg((LEAST(c.old_boundary, c.boundary) - interval '36 hours')::date),
         array_agg((GREATEST(c.old_boundary, c.boundary) + interval '14 hours')::date)
  INTO persons, asked, since, until
  FROM (SELECT x.user_id, x.metric_id, COALESCE(x.boundary, '-infinity') AS boundary, COALESCE(k.boundary, '-infinity') AS old_boundary
        FROM (SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.payload_id, n.kind, t.metric_id) n.user_id, n.platform_id, n.store, t.metric_id, n.kind, n.read_at, n.payload_id, n.boundary
              FROM unnest(users, platforms, stores, metrics, kinds, reads, payloads, positions, boundaries)
                AS n (user_id, platform_id, store, metric_id, kind, read_at, payload_id, place, boundary)
              LEFT JOIN LATERAL (
                SELECT w.metric_id, w.boundary FROM evidence.read_window w
                WHERE w.user_id = n.user_id AND w.platform_id = n.platform_id AND w.store = n.store AND w.kind = n.kind::evidence.window_kind
                ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) same ON n.metric_id = 0
              CROSS JOIN LATERAL (SELECT y.metric_id FROM evidence.tracking y
                WHERE y.user_id = n.user_id AND y.metric_id = COALESCE(NULLIF(n.metric_id, 0), y.metric_id) AND y.platform_id = n.platform_id AND y.store = n.store OFFSET 0) t
              -- Most clients repeat themselves; then one look is enough.
              WHERE (same.metric_id = 0 AND same.boundary IS NOT DISTINCT FROM n.boundary) IS NOT TRUE
              ORDER BY 1, 2, 3, n.payload_id, n.kind, t.metric_id, n.metric_id = 0, n.place DESC) x
        LEFT JOIN LATERAL (
          SELECT w.read_at, w.payload_id, w.boundary FROM evidence.read_window w
          WHERE w.user_id = x.user_id AND w.platform_id = x.platform_id AND w.store = x.store AND w.metric_id IN (0, x.metric_id)
            AND w.kind = x.kind::evidence.window_kind
          ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) k ON true
        WHERE k.read_at IS NULL OR (x.read_at, x.payload_id) > (k.read_at, k.payload_id)) c
  WHERE c.boundary <> c.old_boundary;
  INSERT INTO evidence.read_window (user_id, platform_id, store, metric_id, kind, read_at, payload_id, "position", boundary)
  SELECT n.user_id, n.platform_id, n.store, n.metric_id, n.kind::evidence.window_kind, n.read_at, n.payload_id, n.place, n.boundary
  FROM unnest(users, platforms, stores, metrics, kinds, reads, payloads, positions, boundaries)
    AS n (user_id, platform_id, store, metric_id, kind, read_at, payload_id, place, boundary)
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8 ON CONFLICT DO NOTHING;
  -- Of a run of payloads that state the same the first and the last say all. The whole payload counts: a statement for all metrics and one for a
  -- single metric judge together.
  DELETE FROM evidence.read_window g
  USING (SELECT p.*, lag(p.said) OVER w AS before, lead(p.said) OVER w AS after
         FROM (SELECT t.user_id, t.platform_id, t.store, t.read_at, t.payload_id,
                      array_agg(ROW(t.metric_id, t.kind, t.boundary)::text ORDER BY t.metric_id, t.kind, t."position") AS said, array_agg(t.ctid) AS row_addresses
               FROM evidence.read_window t WHERE t.user_id = ANY (users) GROUP BY 1, 2, 3, 4, 5) p
         WINDOW w AS (PARTITION BY p.user_id, p.platform_id, p.store ORDER BY p.read_at, p.payload_id)) x
  CROSS JOIN LATERAL unnest(x.row_addresses) AS f (row_address)
  WHERE x.before = x.said AND x.after = x.said AND g.ctid = f.row_address;
  IF persons IS NOT NULL THEN
    PERFORM evidence.mark_asked(persons, asked, since, until, as_of);
  END IF;
END $$;

COMMENT ON FUNCTION evidence.note_windows(users uuid[], platforms smallint[], stores text[], metrics smallint[], kinds text[], reads timestamp with time zone[], payloads uuid[], positions integer[], boundaries timestamp with time zone[], as_of timestamp with time zone) IS 'Keeps statements about what can be read (metric 0: all; boundary NULL: lifted); days between the old and the new boundary that are not settled become due.';

CREATE FUNCTION evidence.notice_changes(as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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

COMMENT ON FUNCTION evidence.notice_changes(as_of timestamp with time zone) IS 'Compares catalogues, settings and rules with those that daily_metric was derived under, and records what has changed. Returns how many changes; of a new database everything is known.';

CREATE FUNCTION evidence.permission_on(over_at timestamp with time zone, states evidence.permission_state[], sinces timestamp with time zone[]) RETURNS evidence.permission_state
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  FOR i IN 1 .. COALESCE(cardinality(states), 0) LOOP
    IF sinces[i] IS NULL OR over_at > sinces[i] THEN
      RETURN states[i];
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

COMMENT ON FUNCTION evidence.permission_on(over_at timestamp with time zone, states evidence.permission_state[], sinces timestamp with time zone[]) IS 'The permission that holds for a day that ends at over_at: the first of the statements that does not begin later. NULL: nothing was stated.';

CREATE FUNCTION evidence.plain_cells(persons uuid[], days date[], lone boolean[]) RETURNS TABLE(user_id uuid, metric text, local_date date, over_at timestamp with time zone, status text, value numeric, unknown_reason text, covering_sources integer, unknown_detail text, is_final boolean, observed_at timestamp with time zone, platform text, deleted_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  IF persons IS NULL THEN                       -- Where no day is plain there is nothing to plan or to run.
    RETURN;
  END IF;
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN QUERY
  WITH dated AS MATERIALIZED (
    SELECT d.number, d.user_id, d.local_date, d.is_lone, COALESCE(p.zone_from, '{}') AS zone_from, COALESCE(p.zone_name, '{}') AS zone_name
    FROM unnest(persons, days, lone) WITH ORDINALITY AS d (user_id, local_date, is_lone, number)
    CROSS JOIN LATERAL (SELECT x.zone_from, x.zone_name FROM evidence.person x WHERE x.user_id = d.user_id OFFSET 0) p),
  -- People who live in one zone share its days: each is asked for once.
  day AS MATERIALIZED (
    SELECT d.number, d.user_id, d.local_date, d.is_lone, z.over_at
    FROM dated d
    JOIN (SELECT q.*, s.over_at FROM (SELECT DISTINCT x.local_date, x.zone_from, x.zone_name FROM dated x) q
          CROSS JOIN LATERAL evidence.day_span(q.local_date, q.zone_from, q.zone_name) s OFFSET 0) z
      ON (z.local_date, z.zone_from, z.zone_name) = (d.local_date, d.zone_from, d.zone_name)),
  cell AS MATERIALIZED (
    SELECT d.number, d.user_id, d.local_date, d.over_at, d.is_lone, x.*, m.metric, m.evidence, m.licence, f.platform
    FROM day d
    CROSS JOIN LATERAL (
      SELECT y.metric_id, y.platform_id, y.value, y.read_at, y.is_over AND y.place = 'inside' AS is_final,
             CASE WHEN y.sources = '{}' THEN ARRAY[''] ELSE y.sources END AS sources
      FROM evidence.reading y
      WHERE y.user_id = d.user_id AND y.local_date = d.local_date AND y.local_date BETWEEN first_day AND last_day AND y.slot = 'value' OFFSET 0) x
    JOIN public.metric m ON m.metric_id = x.metric_id
    JOIN public.platform f ON f.platform_id = x.platform_id),
  -- C1. As in 30, for the days with more than one source.
  witness AS MATERIALIZED (
    SELECT d.number, p.kind::text AS kind, p.source
    FROM day d CROSS JOIN LATERAL (
      SELECT x.kind, x.source FROM evidence.presence x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) p
    WHERE d.is_lone IS NOT TRUE
    UNION
    SELECT c.number, c.evidence, source FROM cell c CROSS JOIN LATERAL unnest(c.sources) source
    WHERE c.is_lone IS NOT TRUE AND c.value <> 0 AND c.evidence IS NOT NULL),
  -- C2, A8.
  counted AS MATERIALIZED (
    SELECT k.number, k.metric_id, count(*)::integer AS sources
    FROM (SELECT c.number, c.metric_id, source FROM cell c CROSS JOIN LATERAL unnest(c.sources) source WHERE c.is_lone IS NOT TRUE
          UNION
          SELECT c.number, c.metric_id, w.source FROM cell c JOIN witness w ON w.number = c.number AND w.kind = ANY (c.licence)) k
    GROUP BY k.number, k.metric_id)
  SELECT c.user_id, c.metric, c.local_date, c.over_at, 'measured', c.value, NULL::text, CASE WHEN c.is_lone THEN 1 ELSE n.sources END,
    NULL::text, c.is_final, c.read_at, c.platform, NULL::timestamptz
  FROM cell c
  LEFT JOIN counted n ON n.number = c.number AND n.metric_id = c.metric_id;
END $$;

COMMENT ON FUNCTION evidence.plain_cells(persons uuid[], days date[], lone boolean[]) IS 'The cells of user-days that are plain (evidence.plain_days; lone: as is_lone there): each a value. The same rows as those of evidence.weighed_cells, without weighing what does not occur.';

CREATE FUNCTION evidence.plain_days(persons uuid[], days date[]) RETURNS TABLE(user_id uuid, local_date date, is_plain boolean, is_lone boolean)
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
  manual constant smallint[] := ARRAY(SELECT f.platform_id FROM public.platform f WHERE f.is_manual);
BEGIN
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  RETURN QUERY
  -- What is rarely there is looked for once for each person, not for each day. Not by EXISTS, which may be answered by hashing all persons' rows.
  WITH person AS MATERIALIZED (
    SELECT p.user_id, p.dates, i.user_id IS NOT NULL AS has_intervals, r.user_id IS NOT NULL AS has_records
    FROM (SELECT u.user_id, array_agg(DISTINCT u.local_date) AS dates FROM unnest(persons, days) AS u (user_id, local_date) GROUP BY u.user_id) p
    LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.deleted_interval x WHERE x.user_id = p.user_id LIMIT 1) i ON true
    LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.record_day x
      WHERE x.user_id = p.user_id AND x.local_date BETWEEN first_day AND last_day LIMIT 1) r ON true),
  seen AS MATERIALIZED (
    SELECT x.user_id, x.local_date, min(x.platform_id) AS first_platform, max(x.platform_id) AS last_platform, min(x.store) AS first_store,
           max(x.store) AS last_store, min(x.source) AS first_source, max(x.source) AS last_source, bool_or(x.source = 'android') AS has_android
    FROM person p
    CROSS JOIN LATERAL (SELECT y.* FROM evidence.presence y WHERE y.user_id = p.user_id AND y.local_date = ANY (p.dates) OFFSET 0) x
    GROUP BY x.user_id, x.local_date)
  SELECT p.user_id, d.local_date,
    s.has_values AND s.others <@ s.valued IS NOT FALSE AND s.first_platform = s.last_platform AND s.first_store = s.last_store AND NOT s.has_android AND NOT s.first_platform = ANY (manual)
      AND (n.user_id IS NULL OR NOT n.has_android AND (n.first_platform, n.last_platform, n.first_store, n.last_store)
        = (s.first_platform, s.first_platform, s.first_store, s.first_store))
      AND NOT p.has_intervals AND r.user_id IS NULL,
    s.are_single AND s.first_source = s.last_source
      AND (n.user_id IS NULL OR (n.first_source, n.last_source) = (s.first_source, s.first_source))
  FROM person p
  CROSS JOIN LATERAL unnest(p.dates) AS d (local_date)
  CROSS JOIN LATERAL (
    SELECT bool_or(x.slot = 'value') AS has_values, array_agg(x.metric_id) FILTER (WHERE x.slot = 'value') AS valued,
           array_agg(x.metric_id) FILTER (WHERE x.slot <> 'value') AS others,
           min(x.platform_id) AS first_platform, max(x.platform_id) AS last_platform, min(x.store) AS first_store, max(x.store) AS last_store,
           bool_and(cardinality(x.sources) = 1) AS are_single, min(x.sources[1] COLLATE "C") AS first_source, max(x.sources[1] COLLATE "C") AS last_source,
           -- Which of two names of one phone counts (A8) is said in 30 alone.
           bool_or('android' = ANY (x.sources)) AS has_android
    FROM evidence.reading x
    WHERE x.user_id = p.user_id AND x.local_date = d.local_date AND x.local_date BETWEEN first_day AND last_day AND x.slot <> 'looked') s
  LEFT JOIN LATERAL (SELECT x.user_id FROM evidence.record_day x
    WHERE p.has_records AND x.user_id = p.user_id AND x.local_date = d.local_date AND x.local_date BETWEEN first_day AND last_day LIMIT 1) r ON true
  LEFT JOIN seen n ON n.user_id = p.user_id AND n.local_date = d.local_date;
END $$;

COMMENT ON FUNCTION evidence.plain_days(persons uuid[], days date[]) IS 'Of each of these user-days (pairs of persons and days) whether it is plain: all that was said of it are values of one origin, nobody else was there, and it has no records and nothing deleted. is_lone: and everything is from one source. NULL counts as false.';

CREATE FUNCTION evidence.plan_again(persons uuid[], days date[]) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.plan_again(persons uuid[], days date[]) IS 'Lets the schedule of user-days say what their cells say: the earliest next check, or nothing. For when single cells have been derived again.';

CREATE FUNCTION evidence.recheck_cells(as_of timestamp with time zone, max_cells integer) RETURNS integer
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.recheck_cells(as_of timestamp with time zone, max_cells integer) IS 'Derives up to max_cells cells again that a change of the catalogue has made due, and leaves the other cells of their days alone. Returns how many user-days; 0: none is due, or others work on them.';

CREATE FUNCTION evidence.recheck_due(as_of timestamp with time zone, max_days integer, with_schedule boolean) RETURNS integer
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.recheck_due(as_of timestamp with time zone, max_days integer, with_schedule boolean) IS 'Derives up to max_days user-days again that are due as of an instant; without with_schedule only those that a payload made due, and adds no silent days. Returns how many; 0: nothing is due, or others work on it.';

CREATE FUNCTION evidence.recheck_silent(as_of timestamp with time zone, max_days integer) RETURNS integer
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.recheck_silent(as_of timestamp with time zone, max_days integer) IS 'Derives up to max_days user-days that have closed since the last time, so that days which no payload mentioned become unknown. At most evidence.setting.filled_days back. Returns how many; 0: none has closed, or others work on it.';

CREATE FUNCTION evidence.record_key(platform smallint, store text, id text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $_$
BEGIN
  IF id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
    RETURN id::uuid;
  END IF;
  RETURN encode(substr(sha256(convert_to(format('%s %s %s %s', platform, length(store), store, id), 'UTF8')), 1, 16), 'hex')::uuid;
END $_$;

COMMENT ON FUNCTION evidence.record_key(platform smallint, store text, id text) IS 'A platform''s id of a record as a UUID: one that is a UUID, in any case, as it is; of any other text a hash with its platform and store.';

CREATE FUNCTION evidence.record_says(numbers bigint[], persons uuid[], days date[], starts timestamp with time zone[], overs timestamp with time zone[]) RETURNS TABLE(number bigint, metric_id smallint, platform_id smallint, store text, slot evidence.slot, read_at timestamp with time zone, payload_id uuid, "position" integer, outcome evidence.outcome, value numeric, sources text[], code text, place evidence.place, edge evidence.window_kind, permission evidence.permission_state, is_over boolean, is_proven boolean, is_manual boolean)
    LANGUAGE plpgsql STABLE ROWS 100
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
  IF NOT evidence.has_records(persons, days) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH day AS MATERIALIZED (
    SELECT * FROM unnest(numbers, persons, days, starts, overs) AS d (number, user_id, local_date, starts_at, over_at)),
  chunk AS MATERIALIZED (
    SELECT d.number, c.* FROM day d
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.record_day x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) c),
  told AS MATERIALIZED (
    SELECT i.* FROM (SELECT DISTINCT d.user_id FROM day d) p
    CROSS JOIN LATERAL (SELECT x.*, x AS cleared FROM evidence.deleted_interval x WHERE x.user_id = p.user_id OFFSET 0) i),
  touched AS MATERIALIZED (
    SELECT d.number, i.metric_id, i.platform_id, i.store, array_agg(i.read_at) AS told_at,
           bool_or(i.starts_at <= d.starts_at AND d.over_at <= i.ends_at) AS whole_day
    FROM day d JOIN told i ON i.user_id = d.user_id
    WHERE i.starts_at < d.over_at AND i.ends_at > d.starts_at
    GROUP BY 1, 2, 3, 4),
  -- A part is what one origin says about one cell. It has a number, because most of the work is to group and join by it.
  part AS MATERIALIZED (
    SELECT row_number() OVER () AS part, x.*, m.aggregation, m.zero_policy, m.low, m.high
    FROM (SELECT c.number, c.metric_id, c.platform_id, c.store, true AS has_rows FROM chunk c
          UNION SELECT t.number, t.metric_id, t.platform_id, t.store, false FROM touched t
            LEFT JOIN chunk c ON c.number = t.number AND c.metric_id = t.metric_id AND c.platform_id = t.platform_id AND c.store = t.store WHERE c.number IS NULL) x
    JOIN public.metric m ON m.metric_id = x.metric_id),
  -- A row without records says only that there once was one: nothing comes out of it here.
  record AS MATERIALIZED (
    SELECT p.part, p.number, p.aggregation, r.*, CASE WHEN p.aggregation = 'count' THEN COALESCE(r.amount, 1) ELSE r.amount END AS size
    FROM chunk c JOIN part p ON p.number = c.number AND p.metric_id = c.metric_id AND p.platform_id = c.platform_id AND p.store = c.store
    CROSS JOIN LATERAL unnest(c.ids, c."values", c.sources, c.starts, c.ends, c.is_manual, c.reads, c.payloads, c.positions,
      c.places, c.edges, c.is_over, c.is_proven, c.deleted)
      AS r (id, amount, source, starts_at, ends_at, is_manual, read_at, payload_id, place_in_payload, place, edge, is_over, is_proven, deleted_at)),
  -- E1. Those that a deletion by interval takes.
  inside AS MATERIALIZED (
    SELECT r.part, r.id, min(i.read_at) AS deleted_at
    FROM told i JOIN day d ON d.user_id = i.user_id
    JOIN part p ON p.number = d.number AND p.metric_id = i.metric_id AND p.platform_id = i.platform_id AND p.store = i.store
    JOIN record r ON r.part = p.part
    WHERE evidence.is_cleared(i.cleared, r.read_at, r.starts_at, r.ends_at, d.starts_at, d.over_at)
    GROUP BY 1, 2),
  known AS MATERIALIZED (
    SELECT r.*, LEAST(r.deleted_at, i.deleted_at) AS gone_at FROM record r LEFT JOIN inside i ON i.part = r.part AND i.id = r.id),
  gone AS (
    SELECT k.part, bool_or(k.deleted_at IS NOT NULL) AS by_id, max(k.gone_at) AS cut_at FROM known k WHERE k.gone_at IS NOT NULL GROUP BY 1),
  said AS MATERIALIZED (
    SELECT p.part, s.* FROM part p JOIN day d ON d.number = p.number
    CROSS JOIN LATERAL (SELECT x.slot, x.read_at, x.payload_id, x."position", x.value, x.place, x.edge, x.is_over FROM evidence.reading x
      WHERE x.user_id = d.user_id AND x.local_date = d.local_date AND x.metric_id = p.metric_id
        AND x.platform_id = p.platform_id AND x.store = p.store AND x.slot <> 'outside' OFFSET 0) s),
  -- E4. Day entries read before a deletion do not count. Only one that takes something cuts: a record, or a value that no earlier one took.
  cut AS MATERIALIZED (
    SELECT p.part, g.part IS NOT NULL AS has_gone, COALESCE(g.by_id, false) AS by_id, COALESCE(t.whole_day, false) AS whole_day,
           GREATEST(g.cut_at, CASE WHEN (s.read_at < g.cut_at) IS NOT TRUE THEN (SELECT min(u) FROM unnest(t.told_at) u WHERE u > s.read_at) END) AS cut_at
    FROM part p LEFT JOIN gone g ON g.part = p.part
    LEFT JOIN touched t ON t.number = p.number AND t.metric_id = p.metric_id AND t.platform_id = p.platform_id AND t.store = p.store
    LEFT JOIN said s ON s.part = p.part AND s.slot = 'value' AND s.value <> 0),
  heard AS MATERIALIZED (
    SELECT c.part,
           COALESCE(bool_or(s.read_at < c.cut_at), false) AS has_dead,
           max(s.value) FILTER (WHERE s.slot = 'value' AND s.read_at < c.cut_at AND s.value <> 0) AS broken_total,
           bool_or(s.slot = 'value') FILTER (WHERE (s.read_at < c.cut_at) IS NOT TRUE) AS has_value,
           bool_or(s.slot BETWEEN 'licensing_zero' AND 'boundary_empty') FILTER (WHERE (s.read_at < c.cut_at) IS NOT TRUE) AS has_silence,
           bool_or(true) FILTER (WHERE (s.read_at < c.cut_at) IS NOT TRUE) AS has_any
    FROM cut c JOIN said s ON s.part = c.part WHERE s.slot <> 'looked' GROUP BY 1),
  -- E6. Records make a value: those that are left, and for a broken total (is_all) all that there ever were.
  counted AS MATERIALIZED (
    SELECT k.*, false AS is_all FROM known k WHERE k.size IS NOT NULL AND k.gone_at IS NULL
    UNION ALL
    SELECT k.*, true FROM known k JOIN heard h ON h.part = k.part WHERE k.size IS NOT NULL AND h.broken_total IS NOT NULL),
  source_total AS (
    SELECT c.is_all, c.part, c.is_manual, c.source, sum(c.size) AS total, bool_and(c.starts_at IS NOT NULL AND c.ends_at IS NOT NULL) AS is_timed
    FROM counted c WHERE c.aggregation IN ('sum', 'count') GROUP BY 1, 2, 3, 4),
  total AS (
    SELECT t.is_all, t.part,
           COALESCE(max(t.total) FILTER (WHERE NOT t.is_manual), 0) AS largest, COALESCE(sum(t.total) FILTER (WHERE t.is_manual), 0) AS manual,
           count(*) FILTER (WHERE NOT t.is_manual) > 1 AND bool_and(t.is_timed) FILTER (WHERE NOT t.is_manual) AS is_union
    FROM source_total t GROUP BY 1, 2),
  joint AS (
    SELECT t.is_all, t.part, evidence.union_of_sources(d.user_id, d.local_date, p.platform_id, r.amounts, r.names, r.starts, r.ends) AS total
    FROM total t JOIN part p ON p.part = t.part AND p.aggregation = 'sum' JOIN day d ON d.number = p.number
    JOIN (SELECT c.is_all, c.part, array_agg(c.amount) AS amounts, array_agg(c.source) AS names, array_agg(c.starts_at) AS starts, array_agg(c.ends_at) AS ends
          FROM counted c WHERE NOT c.is_manual GROUP BY 1, 2) r ON r.is_all = t.is_all AND r.part = t.part
    WHERE t.is_union),
  weighed AS (
    SELECT c.*, CASE WHEN bool_and(c.starts_at IS NOT NULL AND c.ends_at IS NOT NULL) OVER (PARTITION BY c.is_all, c.part)
                     THEN extract(epoch FROM c.ends_at) - extract(epoch FROM c.starts_at) ELSE 1 END AS weight
    FROM counted c WHERE c.aggregation NOT IN ('sum', 'count')),
  made AS MATERIALIZED (
    SELECT t.is_all, t.part, trim_scale(round(t.manual + COALESCE(j.total, t.largest), 6)) AS value
    FROM total t LEFT JOIN joint j ON j.is_all = t.is_all AND j.part = t.part
    UNION ALL
    SELECT w.is_all, w.part, trim_scale(round(CASE min(w.aggregation)
             WHEN 'avg' THEN CASE WHEN sum(w.weight) = 0 THEN avg(w.amount * 1.000000000000000000000000000000)
                             ELSE sum(w.amount * w.weight * 1.000000000000000000000000000000) / sum(w.weight) END
             WHEN 'min' THEN min(w.amount) WHEN 'max' THEN max(w.amount)
             ELSE (array_agg(w.amount ORDER BY COALESCE(w.ends_at, w.starts_at, '-infinity') DESC, w.read_at DESC, w.payload_id DESC, w.place_in_payload DESC))[1] END, 6))
    FROM weighed w GROUP BY 1, 2),
  -- E2, E4. What the deletion leaves: a value of records, or an absence that waits for the origin's next look.
  verdict AS MATERIALIZED (
    SELECT c.part, c.cut_at, v.value, x.is_stale, COALESCE(h.has_value, false) AS has_value,
           CASE WHEN h.has_any THEN NULL
                WHEN x.is_stale THEN 'outdated'
                WHEN v.part IS NULL AND (c.has_gone OR h.has_dead) THEN CASE WHEN c.by_id OR c.whole_day THEN 'deleted' ELSE 'outdated' END
           END::evidence.outcome AS mark
    FROM cut c
    LEFT JOIN heard h ON h.part = c.part
    LEFT JOIN said l ON l.part = c.part AND l.slot = 'looked'
    LEFT JOIN made v ON NOT v.is_all AND v.part = c.part
    LEFT JOIN made a ON a.is_all AND a.part = c.part
    CROSS JOIN LATERAL (SELECT COALESCE(v.part IS NOT NULL AND h.broken_total <> a.value AND NOT COALESCE(h.has_silence, false)
      AND NOT COALESCE(l.read_at >= c.cut_at, false), false) AS is_stale) x),
  -- F2. A value of records was read with the later of the latest look at the day and the latest record.
  latest AS (
    SELECT DISTINCT ON (c.part) c.part, c.read_at, c.payload_id, c.place_in_payload, c.place, c.edge, c.is_over, c.is_proven
    FROM counted c WHERE NOT c.is_all ORDER BY c.part, c.read_at DESC, c.payload_id DESC, c.place_in_payload DESC),
  people AS (
    SELECT x.part, bool_and(x.is_manual) AS is_manual, array_agg(x.source) FILTER (WHERE NOT x.is_manual AND x.is_active) AS active_sensors,
           array_agg(x.source) FILTER (WHERE NOT x.is_manual) AS sensors, array_agg(x.source) FILTER (WHERE x.is_active) AS active, array_agg(x.source) AS everyone
    FROM (SELECT c.part, c.source, c.is_manual, bool_or(c.size <> 0) AS is_active FROM counted c WHERE NOT c.is_all GROUP BY 1, 2, 3) x GROUP BY 1),
  worth AS (
    SELECT p.*, v.value, t.*, r.is_proven, COALESCE(n.active_sensors, n.sensors, n.active, n.everyone) AS sources, n.is_manual,
           CASE WHEN v.value = 0 AND p.zero_policy = 'never' THEN 'impossible_zero' WHEN NOT v.value BETWEEN p.low AND p.high THEN 'out_of_range' END AS refused
    FROM verdict v JOIN part p ON p.part = v.part JOIN latest r ON r.part = v.part JOIN people n ON n.part = v.part
    LEFT JOIN said l ON l.part = v.part AND l.slot = 'looked' AND (l.read_at, l.payload_id, l."position") > (r.read_at, r.payload_id, r.place_in_payload)
    CROSS JOIN LATERAL (SELECT COALESCE(l.read_at, r.read_at) AS read_at, COALESCE(l.payload_id, r.payload_id) AS payload_id,
      COALESCE(l."position", r.place_in_payload) AS place_in_payload, COALESCE(l.place, r.place) AS place,
      CASE WHEN l.part IS NULL THEN r.edge ELSE l.edge END AS edge, COALESCE(l.is_over, r.is_over) AS is_over) t
    WHERE v.value IS NOT NULL AND NOT v.has_value AND NOT v.is_stale)
  SELECT w.number, w.metric_id, w.platform_id, w.store, CASE
           WHEN w.refused IS NOT NULL THEN CASE w.place WHEN 'inside' THEN 'non_look' WHEN 'boundary' THEN 'boundary_non_look' ELSE 'outside' END
           WHEN w.value <> 0 OR (w.zero_policy = 'ordinary' AND w.place = 'inside') THEN 'value'
           WHEN w.place = 'outside' THEN 'outside' WHEN w.place = 'boundary' THEN 'boundary_zero'
           WHEN w.is_over AND (w.is_proven OR w.zero_policy <> 'covered') AND (w.zero_policy <> 'explicit' OR w.sources <> '{""}') THEN 'licensing_zero'
           ELSE 'other_zero' END::evidence.slot,
         w.read_at, w.payload_id, w.place_in_payload, CASE WHEN w.refused IS NULL THEN 'value' ELSE 'invalid' END::evidence.outcome,
         CASE WHEN w.refused IS NULL THEN w.value END, w.sources, w.refused, w.place, w.edge, NULL::evidence.permission_state, w.is_over, w.is_proven, w.is_manual
  FROM worth w
  UNION ALL
  -- The records themselves: that the cell was spoken of, and by which devices that were there (C1).
  SELECT p.number, p.metric_id, p.platform_id, p.store, 'records', NULL, NULL, NULL, NULL, NULL, COALESCE(n.sources, '{}'), NULL, 'inside', NULL, NULL, false, false, false
  FROM part p LEFT JOIN (
    SELECT x.part, array_agg(x.source) AS sources
    FROM (SELECT DISTINCT k.part, k.source FROM known k WHERE k.amount <> 0 AND NOT k.is_manual AND k.gone_at IS NULL) x GROUP BY 1) n ON n.part = p.part
  WHERE p.has_rows
  UNION ALL
  -- The deletion: which readings it makes inadmissible, and what it leaves where the origin has said nothing since.
  SELECT p.number, p.metric_id, p.platform_id, p.store, 'deletion', v.cut_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', -1,
         v.mark, NULL, '{}', NULL, j.place, j.edge, j.permission, false, false, false
  FROM verdict v JOIN part p ON p.part = v.part JOIN day d ON d.number = p.number
  CROSS JOIN LATERAL evidence.standing(ARRAY[d.user_id], ARRAY[p.platform_id], ARRAY[p.store], ARRAY[p.metric_id], ARRAY[v.cut_at],
    ARRAY['ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid]) t
  CROSS JOIN LATERAL (
    SELECT CASE WHEN b.outer_edge IS NOT NULL THEN 'outside' WHEN b.inner_edge IS NOT NULL THEN 'boundary' ELSE 'inside' END::evidence.place AS place,
           COALESCE(b.outer_edge, b.inner_edge) AS edge, evidence.permission_on(d.over_at, t.states, t.sinces) AS permission
    FROM (SELECT evidence.edge_of(d.over_at, t.floor_at, t.authorized_at, t.history_at, t.counting_at) AS outer_edge,
                 evidence.edge_of(d.starts_at + interval '1 microsecond', t.floor_at, t.authorized_at, t.history_at, t.counting_at) AS inner_edge) b) j
  WHERE v.cut_at IS NOT NULL;
END $$;

COMMENT ON FUNCTION evidence.record_says(numbers bigint[], persons uuid[], days date[], starts timestamp with time zone[], overs timestamp with time zone[]) IS 'What records and deletions say about numbered user-days (with their beginnings and ends): per origin and metric the statement that its records amount to, a row of slot records (sources: who was there), and of slot deletion (readings before its read_at are inadmissible; outcome: what is left, NULL: the origin has spoken since). Changes nothing.';

CREATE FUNCTION evidence.remove_cells(persons uuid[], metrics text[], days date[]) RETURNS public.daily_metric[]
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
DECLARE
  cell record;
  row_there public.daily_metric;
  removed public.daily_metric[];
  first_day constant date := (SELECT min(u) FROM unnest(days) u);
  last_day constant date := (SELECT max(u) FROM unnest(days) u);
BEGIN
  -- Of a silent year nearly none is there. So the rows that are there are looked for first, metric by metric, and not each by itself.
  FOR cell IN
    SELECT d.* FROM (SELECT u.user_id, u.metric, array_agg(u.local_date) AS days FROM unnest(persons, metrics, days) AS u (user_id, metric, local_date)
                     GROUP BY 1, 2) m
    CROSS JOIN LATERAL (SELECT x.user_id, x.metric, x.local_date FROM public.daily_metric x
      WHERE x.user_id = m.user_id AND x.metric = m.metric AND x.local_date BETWEEN first_day AND last_day AND m.days @> ARRAY[x.local_date] OFFSET 0) d
  LOOP
    -- One by one: a join to the table that is deleted from may begin with any of the two, and rows of several partitions have no common address.
    DELETE FROM public.daily_metric d WHERE d.user_id = cell.user_id AND d.metric = cell.metric AND d.local_date = cell.local_date
    RETURNING d.* INTO row_there;
    removed := removed || row_there;
  END LOOP;
  RETURN removed;
END $$;

COMMENT ON FUNCTION evidence.remove_cells(persons uuid[], metrics text[], days date[]) IS 'Removes these rows of daily_metric, by index, and returns those that there were; NULL: none. Only evidence.derive calls it, for silent days that are not asked about any more.';

CREATE FUNCTION evidence.repair_cells(person uuid, metrics text[], days date[], as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    AS $$
DECLARE
  stray public.daily_metric[];
  left_metrics text[];
  left_days date[];
BEGIN
  PERFORM evidence.derive_hours(array_fill(person, ARRAY[cardinality(days)]), days);
  PERFORM evidence.repair_workouts(person, days);
  PERFORM evidence.derive(array_fill(person, ARRAY[cardinality(days)]), days, as_of, true, metrics);
  -- What nobody tracks no re-check removes: rows that were put there by hand.
  SELECT array_agg(c.metric), array_agg(c.local_date) INTO left_metrics, left_days
  FROM evidence.compare_cells(person, ARRAY(SELECT DISTINCT d FROM unnest(days) d), as_of) c WHERE c.finding = 'should not be there';
  IF left_days IS NOT NULL THEN
    stray := evidence.remove_cells(array_fill(person, ARRAY[cardinality(left_days)]), left_metrics, left_days);
    PERFORM evidence.keep_history(stray, NULL, as_of);
    PERFORM evidence.note_changes(NULL, NULL, NULL, stray, as_of);
  END IF;
  RETURN cardinality(days);
END $$;

COMMENT ON FUNCTION evidence.repair_cells(person uuid, metrics text[], days date[], as_of timestamp with time zone) IS 'Makes these cells (pairs of metrics and days) of a person, and all hours and workouts of these days, what their evidence amounts to; what was shown of cells goes to the history. Returns how many.';

CREATE FUNCTION evidence.repair_workouts(person uuid, of_days date[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  PERFORM evidence.derive_workouts(ARRAY[person], '{NULL}', '{NULL}', '{NULL}');
  PERFORM evidence.write_summaries(ARRAY(SELECT x FROM evidence.workout x WHERE x.user_id = person AND x.local_date = ANY (of_days)));
END $$;

COMMENT ON FUNCTION evidence.repair_workouts(person uuid, of_days date[]) IS 'Makes public.workout_summary of these days what evidence.workout amounts to, removals included.';

CREATE FUNCTION evidence.rule_version() RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 1;
END $$;

COMMENT ON FUNCTION evidence.rule_version() IS 'Version of the rules in this schema; daily_metric.rule_version says by which a row was derived.';

CREATE FUNCTION evidence.settle_records(reads evidence.record[], known evidence.record[]) RETURNS evidence.record[]
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  changed evidence.record[];
BEGIN
  WITH said AS MATERIALIZED (
    SELECT DISTINCT ON (r.user_id, r.platform_id, r.store, r.id, r.local_date, r.metric_id) r.* FROM unnest(reads) r
    ORDER BY r.user_id, r.platform_id, r.store, r.id, r.local_date, r.metric_id, r.read_at DESC, r.payload_id DESC, r."position" DESC),
  winner AS MATERIALIZED (
    -- E2: a record is where its latest read put it. E3: once deleted it never counts again, so that what is read of it later moves it nowhere.
    SELECT DISTINCT ON (r.user_id, r.platform_id, r.store, r.id) r.* FROM said r
    ORDER BY r.user_id, r.platform_id, r.store, r.id, (r.read_at < r.deleted_at) IS TRUE DESC, r.read_at DESC, r.payload_id DESC, r."position" DESC),
  later AS MATERIALIZED (
    SELECT w.*, k.chunk AS known_chunk
    FROM winner w
    LEFT JOIN unnest(known) o ON o.user_id = w.user_id AND o.platform_id = w.platform_id AND o.store = w.store AND o.id = w.id
    -- In the cell where it was it keeps its row.
    LEFT JOIN LATERAL (SELECT o.chunk WHERE o.local_date = w.local_date AND o.metric_id = w.metric_id) k ON true
    WHERE o.id IS NULL OR (o.read_at, o.payload_id, o."position", o.local_date, o.metric_id, o.deleted_at)
      IS DISTINCT FROM (w.read_at, w.payload_id, w."position", w.local_date, w.metric_id, w.deleted_at)),
  room AS (
    SELECT c.user_id, c.local_date, c.metric_id, c.platform_id, c.store, COALESCE(r.taken, 0) AS taken
    FROM (SELECT DISTINCT n.user_id, n.local_date, n.metric_id, n.platform_id, n.store FROM later n WHERE n.known_chunk IS NULL) c
    LEFT JOIN LATERAL (SELECT d.chunk * 64 + cardinality(d.ids) AS taken FROM evidence.record_day d
      WHERE d.user_id = c.user_id AND d.local_date = c.local_date AND d.metric_id = c.metric_id AND d.platform_id = c.platform_id AND d.store = c.store
      ORDER BY d.chunk DESC LIMIT 1) r ON true),
  placed AS (
    SELECT n.*, COALESCE(n.known_chunk, (r.taken - 1 + row_number() OVER (
        PARTITION BY n.user_id, n.local_date, n.metric_id, n.platform_id, n.store, n.known_chunk IS NULL ORDER BY n.id)) / 64) AS new_chunk
    FROM later n LEFT JOIN room r ON r.user_id = n.user_id AND r.local_date = n.local_date AND r.metric_id = n.metric_id
      AND r.platform_id = n.platform_id AND r.store = n.store),
  -- The cells where they are not.
  left_behind AS (
    INSERT INTO evidence.former_record AS f (user_id, local_date, metric_id, platform_id, store, id, value, source, starts_at, ends_at, is_manual,
      read_at, payload_id, "position", place, edge, is_over, is_proven)
    SELECT r.user_id, r.local_date, r.metric_id, r.platform_id, r.store, r.id,
      r.value, r.source, r.starts_at, r.ends_at, r.is_manual, r.read_at, r.payload_id, r."position", r.place, r.edge, r.is_over, r.is_proven
    FROM said r
    JOIN winner w ON w.user_id = r.user_id AND w.platform_id = r.platform_id AND w.store = r.store AND w.id = r.id
      AND (w.local_date <> r.local_date OR w.metric_id <> r.metric_id)
    ORDER BY r.user_id, r.platform_id, r.store, r.id, r.local_date, r.metric_id
    ON CONFLICT ON CONSTRAINT former_record_pkey DO UPDATE SET value = excluded.value, source = excluded.source, starts_at = excluded.starts_at,
      ends_at = excluded.ends_at, is_manual = excluded.is_manual, read_at = excluded.read_at, payload_id = excluded.payload_id,
      "position" = excluded."position", place = excluded.place, edge = excluded.edge, is_over = excluded.is_over, is_proven = excluded.is_proven
    WHERE (excluded.read_at, excluded.payload_id, excluded."position") > (f.read_at, f.payload_id, f."position"))
  SELECT array_agg(ROW(n.user_id, n.local_date, n.metric_id, n.platform_id, n.store, n.new_chunk, n.id, n.value, n.source, n.starts_at, n.ends_at,
    n.is_manual, n.read_at, n.payload_id, n."position", n.place, n.edge, n.is_over, n.is_proven, n.deleted_at)::evidence.record)
  INTO changed
  FROM placed n;
  PERFORM evidence.store_records(changed, known);
  -- A cell of which something was read stays mentioned, also without records.
  INSERT INTO evidence.record_day (user_id, local_date, metric_id, platform_id, store, chunk)
  SELECT r.user_id, r.local_date, r.metric_id, r.platform_id, r.store, 0
  FROM (SELECT DISTINCT x.user_id, x.local_date, x.metric_id, x.platform_id, x.store FROM unnest(reads) x) r
  LEFT JOIN LATERAL (SELECT true AS is_there FROM evidence.record_day d
    WHERE d.user_id = r.user_id AND d.local_date = r.local_date AND d.metric_id = r.metric_id AND d.platform_id = r.platform_id AND d.store = r.store
    LIMIT 1) d ON true
  WHERE d.is_there IS NULL ORDER BY 1, 2, 3, 4, 5;
  RETURN changed;
END $$;

COMMENT ON FUNCTION evidence.settle_records(reads evidence.record[], known evidence.record[]) IS 'Puts records where they belong. reads: all that is known of each, one element per read and cell, with its deletion (deleted_at); their cells stay mentioned; known: where they are now (find_records), which must be among the reads. Returns those that have changed.';

CREATE FUNCTION evidence.spoken_by(person uuid, speaker smallint) RETURNS TABLE(local_date date, metric_id smallint)
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  IF EXISTS (SELECT FROM evidence.origin o WHERE o.user_id = person AND o.platform_id = speaker) THEN
    RETURN QUERY
    SELECT r.local_date, r.metric_id FROM evidence.reading r WHERE r.user_id = person AND r.platform_id = speaker
    UNION
    SELECT r.local_date, r.metric_id FROM evidence.record_day r WHERE r.user_id = person AND r.platform_id = speaker;
  END IF;
END $$;

COMMENT ON FUNCTION evidence.spoken_by(person uuid, speaker smallint) IS 'The cells of a person that a platform (public.platform.platform_id) has said anything about.';

CREATE FUNCTION evidence.spread_changes(as_of timestamp with time zone, max_cells integer) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.spread_changes(as_of timestamp with time zone, max_cells integer) IS 'Notices changes of the catalogues, and takes the oldest a step further: puts the affected cells of up to 200 persons on due_cell, fewer once max_cells are found. Returns how many persons it looked at, and 1 more at the end of a change; 0: no change is left, or others are at it.';

CREATE FUNCTION evidence.standing(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[]) RETURNS TABLE(ordinal bigint, floor_at timestamp with time zone, authorized_at timestamp with time zone, history_at timestamp with time zone, counting_at timestamp with time zone, states evidence.permission_state[], sinces timestamp with time zone[])
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT a.ordinal, b.floor_at, b.authorized_at, b.history_at, b.counting_at, g.states, g.sinces
  FROM unnest(users, platforms, stores, metrics, reads, payloads) WITH ORDINALITY
    AS a (user_id, platform_id, store, metric_id, read_at, payload_id, ordinal)
  CROSS JOIN LATERAL (
    SELECT max(l.boundary) FILTER (WHERE l.kind = 'platform_floor') AS floor_at,
           max(l.boundary) FILTER (WHERE l.kind = 'authorized_from') AS authorized_at,
           max(l.boundary) FILTER (WHERE l.kind = 'history_window') AS history_at,
           max(l.boundary) FILTER (WHERE l.kind = 'counting_since') AS counting_at
    FROM (SELECT DISTINCT ON (w.kind) w.kind, w.boundary FROM evidence.read_window w
          WHERE w.user_id = a.user_id AND w.platform_id = a.platform_id AND w.store = a.store AND w.metric_id IN (0, a.metric_id)
            AND (a.read_at IS NULL OR (w.read_at, w.payload_id) <= (a.read_at, a.payload_id))
          ORDER BY w.kind, w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC) l) b
  CROSS JOIN LATERAL (
    SELECT array_agg(p.state ORDER BY p.read_at DESC, p.payload_id DESC, p.metric_id = 0, p."position" DESC) AS states,
           array_agg(p.since ORDER BY p.read_at DESC, p.payload_id DESC, p.metric_id = 0, p."position" DESC) AS sinces
    FROM evidence.permission p
    WHERE p.user_id = a.user_id AND p.platform_id = a.platform_id AND p.store = a.store AND p.metric_id IN (0, a.metric_id)
      AND (a.read_at IS NULL OR (p.read_at, p.payload_id) <= (a.read_at, a.payload_id))) g;
END $$;

COMMENT ON FUNCTION evidence.standing(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[]) IS 'The windows and permissions of an origin''s metric as a read (read time, payload) knew them; read time NULL: as known now. Of each window the latest statement counts, in one payload the one for the metric before the one for all; permissions come in that order.';

CREATE FUNCTION evidence.state_in_words(status text, value numeric, unit text, reason text, detail text, is_final boolean, sources integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN CASE WHEN status = 'unknown' THEN format('unknown, %s%s', reason, COALESCE(' (' || detail || ')', ''))
      WHEN value IS NULL THEN 'a number that was deleted at its source since, and is not kept'
      WHEN value = 0 THEN 'a measured zero' ELSE format('%s %s', trim_scale(value), unit) END
    || CASE WHEN is_final THEN ', final' WHEN status = 'unknown' THEN ', no look after the end of the day counts' ELSE ', a lower bound' END
    || format(', %s covering %s', sources, CASE sources WHEN 1 THEN 'source' ELSE 'sources' END);
END $$;

COMMENT ON FUNCTION evidence.state_in_words(status text, value numeric, unit text, reason text, detail text, is_final boolean, sources integer) IS 'What a cell says, as part of a sentence.';

CREATE FUNCTION evidence.store_records(changed evidence.record[], known evidence.record[]) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET enable_hashagg TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  emptied record;
BEGIN
  WITH moved AS MATERIALIZED (
    SELECT n.* FROM unnest(changed) n),
  touched AS (
    SELECT n.user_id, n.local_date, n.metric_id, n.platform_id, n.store, n.chunk FROM moved n
    UNION
    SELECT k.user_id, k.local_date, k.metric_id, k.platform_id, k.store, k.chunk FROM unnest(known) k
    JOIN moved n ON n.user_id = k.user_id AND n.platform_id = k.platform_id AND n.store = k.store AND n.id = k.id),
  element AS (
    SELECT n.* FROM moved n
    UNION ALL
    SELECT r.*
    FROM touched t
    CROSS JOIN LATERAL (SELECT x.* FROM evidence.record x
      WHERE x.user_id = t.user_id AND x.local_date = t.local_date AND x.metric_id = t.metric_id AND x.platform_id = t.platform_id
        AND x.store = t.store AND x.chunk = t.chunk OFFSET 0) r
    LEFT JOIN moved n ON n.user_id = t.user_id AND n.platform_id = t.platform_id AND n.store = t.store AND n.id = r.id
    WHERE n.id IS NULL)
  INSERT INTO evidence.record_day AS d (user_id, local_date, metric_id, platform_id, store, chunk, ids, "values", sources, starts, ends, is_manual,
    reads, payloads, positions, places, edges, is_over, is_proven, deleted)
  SELECT e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, e.chunk, array_agg(e.id), array_agg(e.value), array_agg(e.source),
    array_agg(e.starts_at), array_agg(e.ends_at), array_agg(e.is_manual), array_agg(e.read_at), array_agg(e.payload_id), array_agg(e."position"),
    array_agg(e.place), array_agg(e.edge), array_agg(e.is_over), array_agg(e.is_proven), array_agg(e.deleted_at)
  FROM (SELECT x.* FROM element x ORDER BY x.user_id, x.local_date, x.metric_id, x.platform_id, x.store, x.chunk, x.id) e
  GROUP BY e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, e.chunk
  ORDER BY e.user_id, e.local_date, e.metric_id, e.platform_id, e.store, e.chunk
  ON CONFLICT ON CONSTRAINT record_day_pkey DO UPDATE SET
    ids = excluded.ids, "values" = excluded."values", sources = excluded.sources, starts = excluded.starts, ends = excluded.ends,
    is_manual = excluded.is_manual, reads = excluded.reads, payloads = excluded.payloads, positions = excluded.positions, places = excluded.places,
    edges = excluded.edges, is_over = excluded.is_over, is_proven = excluded.is_proven, deleted = excluded.deleted;

  -- Rows that lost all of their records got no elements above.
  FOR emptied IN
    SELECT k.user_id, k.local_date, k.metric_id, k.platform_id, k.store, k.chunk, array_agg(k.id) AS ids
    FROM unnest(known) k
    JOIN unnest(changed) n ON n.user_id = k.user_id AND n.platform_id = k.platform_id AND n.store = k.store AND n.id = k.id
      AND (n.local_date, n.metric_id, n.chunk) <> (k.local_date, k.metric_id, k.chunk)
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  LOOP
    DELETE FROM evidence.record_day d
    WHERE d.user_id = emptied.user_id AND d.local_date = emptied.local_date AND d.metric_id = emptied.metric_id
      AND d.platform_id = emptied.platform_id AND d.store = emptied.store AND d.chunk = emptied.chunk AND d.ids <@ emptied.ids;
  END LOOP;

  INSERT INTO evidence.record_id AS i (user_id, platform_id, store, id, local_date, metric_id, chunk)
  SELECT n.user_id, n.platform_id, n.store, n.id, n.local_date, n.metric_id, n.chunk FROM unnest(changed) n ORDER BY 1, 2, 3, 4
  ON CONFLICT ON CONSTRAINT record_id_pkey DO UPDATE SET local_date = excluded.local_date, metric_id = excluded.metric_id, chunk = excluded.chunk
  WHERE (i.local_date, i.metric_id, i.chunk) <> (excluded.local_date, excluded.metric_id, excluded.chunk);
END $$;

COMMENT ON FUNCTION evidence.store_records(changed evidence.record[], known evidence.record[]) IS 'Writes records into the rows that they name, in place of what was known of them and where it was (find_records). Other records of these rows stay.';

CREATE TABLE public.workout_summary (
    user_id uuid NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    store text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    local_date date NOT NULL,
    source text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    is_manual boolean NOT NULL,
    distance numeric,
    distance_coverage numeric NOT NULL,
    average_speed numeric,
    average_speed_coverage numeric NOT NULL,
    speed_without_accuracy numeric,
    elevation_gain numeric,
    elevation_gain_coverage numeric NOT NULL,
    average_heart_rate numeric,
    average_heart_rate_coverage numeric NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    rule_version integer NOT NULL,
    CONSTRAINT workout_summary_coverage_is_a_fraction CHECK ((((distance_coverage >= (0)::numeric) AND (distance_coverage <= (1)::numeric)) AND ((average_speed_coverage >= (0)::numeric) AND (average_speed_coverage <= (1)::numeric)) AND ((elevation_gain_coverage >= (0)::numeric) AND (elevation_gain_coverage <= (1)::numeric)) AND ((average_heart_rate_coverage >= (0)::numeric) AND (average_heart_rate_coverage <= (1)::numeric)) AND ((speed_without_accuracy >= (0)::numeric) AND (speed_without_accuracy <= (1)::numeric)))),
    CONSTRAINT workout_summary_ends_after_it_starts CHECK ((starts_at < ends_at)),
    CONSTRAINT workout_summary_has_a_distance_if_and_only_if_it_was_seen CHECK (((distance IS NOT NULL) = (distance_coverage > (0)::numeric))),
    CONSTRAINT workout_summary_has_a_gain_if_and_only_if_it_was_seen CHECK (((elevation_gain IS NOT NULL) = (elevation_gain_coverage > (0)::numeric))),
    CONSTRAINT workout_summary_has_a_heart_rate_if_and_only_if_it_was_seen CHECK (((average_heart_rate IS NOT NULL) = (average_heart_rate_coverage > (0)::numeric))),
    CONSTRAINT workout_summary_has_a_speed_if_and_only_if_it_was_seen CHECK (((average_speed IS NOT NULL) = (average_speed_coverage > (0)::numeric))),
    CONSTRAINT workout_summary_heart_beats CHECK ((average_heart_rate > (0)::numeric)),
    CONSTRAINT workout_summary_says_how_exact_a_speed_is CHECK (((speed_without_accuracy IS NOT NULL) = (average_speed IS NOT NULL))),
    CONSTRAINT workout_summary_times_are_finite CHECK ((isfinite(local_date) AND isfinite(starts_at) AND isfinite(ends_at) AND isfinite(observed_at))),
    CONSTRAINT workout_summary_values_are_finite CHECK ((((distance >= (0)::numeric) AND (distance <= ('1000000000000'::bigint)::numeric)) AND ((average_speed >= (0)::numeric) AND (average_speed <= ('1000000000000'::bigint)::numeric)) AND ((elevation_gain >= (0)::numeric) AND (elevation_gain <= ('1000000000000'::bigint)::numeric)) AND ((average_heart_rate >= (0)::numeric) AND (average_heart_rate <= ('1000000000000'::bigint)::numeric))))
);

COMMENT ON TABLE public.workout_summary IS 'Workouts, each quantity together with its coverage: the fraction of the workout''s seconds that it was computed from. Two devices that recorded one workout are two rows; workout_count and workout_minutes in daily_metric count it once.';

COMMENT ON COLUMN public.workout_summary.user_id IS 'The person.';

COMMENT ON COLUMN public.workout_summary.platform IS 'The platform, as in the table platform.';

COMMENT ON COLUMN public.workout_summary.store IS 'Which data store of the platform; empty: it has one.';

COMMENT ON COLUMN public.workout_summary.id IS 'The workout: the platform''s id if that is a UUID, else a hash of it.';

COMMENT ON COLUMN public.workout_summary.local_date IS 'The local calendar day to which it counts, as the client wrote it.';

COMMENT ON COLUMN public.workout_summary.source IS 'The device or app that wrote it; empty: none is named.';

COMMENT ON COLUMN public.workout_summary.starts_at IS 'When it began.';

COMMENT ON COLUMN public.workout_summary.ends_at IS 'When it ended.';

COMMENT ON COLUMN public.workout_summary.is_manual IS 'True: entered by hand.';

COMMENT ON COLUMN public.workout_summary.distance IS 'Metres; a lower bound where the coverage is below 1. NULL: no distance data. 0: seen, and did not move.';

COMMENT ON COLUMN public.workout_summary.distance_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';

COMMENT ON COLUMN public.workout_summary.average_speed IS 'Metres per second over the covered time. NULL: no speed data.';

COMMENT ON COLUMN public.workout_summary.average_speed_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';

COMMENT ON COLUMN public.workout_summary.speed_without_accuracy IS 'Fraction of the time behind the average speed in which speeds came without an accuracy. NULL: no speed data.';

COMMENT ON COLUMN public.workout_summary.elevation_gain IS 'Metres up; a lower bound where the coverage is below 1. NULL: no elevation data. 0: seen, and flat.';

COMMENT ON COLUMN public.workout_summary.elevation_gain_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';

COMMENT ON COLUMN public.workout_summary.average_heart_rate IS 'Beats per minute over the covered time. NULL: no heart rate data.';

COMMENT ON COLUMN public.workout_summary.average_heart_rate_coverage IS 'Fraction of the workout''s seconds behind it, 0 to 1.';

COMMENT ON COLUMN public.workout_summary.observed_at IS 'When it was read.';

COMMENT ON COLUMN public.workout_summary.rule_version IS 'Version of the rules of docs/workouts.md that made it.';

COMMENT ON CONSTRAINT workout_summary_coverage_is_a_fraction ON public.workout_summary IS 'Nobody sees more of a workout than there is.';

COMMENT ON CONSTRAINT workout_summary_ends_after_it_starts ON public.workout_summary IS 'A workout lasts.';

COMMENT ON CONSTRAINT workout_summary_has_a_distance_if_and_only_if_it_was_seen ON public.workout_summary IS 'No value without coverage, no coverage without a value.';

COMMENT ON CONSTRAINT workout_summary_has_a_gain_if_and_only_if_it_was_seen ON public.workout_summary IS 'No elevation data is not 0 m.';

COMMENT ON CONSTRAINT workout_summary_has_a_heart_rate_if_and_only_if_it_was_seen ON public.workout_summary IS 'No value without coverage, no coverage without a value.';

COMMENT ON CONSTRAINT workout_summary_has_a_speed_if_and_only_if_it_was_seen ON public.workout_summary IS 'No value without coverage, no coverage without a value.';

COMMENT ON CONSTRAINT workout_summary_heart_beats ON public.workout_summary IS 'No pulse is no measurement.';

COMMENT ON CONSTRAINT workout_summary_says_how_exact_a_speed_is ON public.workout_summary IS 'A speed without an accuracy counts, and its share is reported.';

COMMENT ON CONSTRAINT workout_summary_times_are_finite ON public.workout_summary IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT workout_summary_values_are_finite ON public.workout_summary IS 'No NaN, no infinity, nothing below zero.';

CREATE FUNCTION evidence.summarize(w evidence.workout) RETURNS public.workout_summary
    LANGUAGE plpgsql STABLE
    AS $$
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

COMMENT ON FUNCTION evidence.summarize(w evidence.workout) IS 'The summary of a workout, by the rules that WorkoutSummary of the library HealthPayload has too; a test compares the two.';

CREATE FUNCTION evidence.summarize_coverage(from_date date, to_date date, as_of timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  cells bigint;
BEGIN
  IF (to_date - from_date BETWEEN 0 AND 36524) IS NOT TRUE THEN
    RAISE EXCEPTION 'Coverage is summed from a day to a day not before it, within 100 years.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  DELETE FROM public.coverage_sum s WHERE s.local_date BETWEEN from_date AND to_date;
  WITH cell AS (
    SELECT d.user_id, d.metric, d.local_date, d.platform, d.unknown_reason, d.covering_sources, d.value = 0 AS is_zero
    FROM public.daily_metric d
    WHERE d.local_date BETWEEN from_date AND to_date AND d.local_date + 0 BETWEEN from_date AND to_date),       -- The partitions, and daily_metric_day.
  -- Of the few millions of cells there are few kinds. An unknown cell belongs to each platform that reports the metric.
  kind AS (
    SELECT c.local_date, c.platform, c.metric, c.unknown_reason, count(*) AS users, sum(c.covering_sources)::bigint AS sources, count(*) FILTER (WHERE c.is_zero) AS zero
    FROM cell c WHERE c.platform IS NOT NULL GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT c.local_date, COALESCE(f.platform, ''), c.metric, c.unknown_reason, count(*), sum(c.covering_sources)::bigint, 0
    FROM cell c
    JOIN public.metric m ON m.metric = c.metric
    LEFT JOIN (SELECT t.user_id, t.metric_id, t.platform_id, min(t.since) AS since FROM evidence.tracking t GROUP BY 1, 2, 3) t
      ON t.user_id = c.user_id AND t.metric_id = m.metric_id AND t.since <= c.local_date
    LEFT JOIN public.platform f ON f.platform_id = t.platform_id
    WHERE c.platform IS NULL GROUP BY 1, 2, 3, 4),
  added AS (
    INSERT INTO public.coverage_sum (local_date, platform, metric, users, sources, heard, heard_sources, measured, zero, unknown, summed_at)
    SELECT k.local_date, k.platform, k.metric, sum(k.users), sum(k.sources),
      COALESCE(sum(k.users) FILTER (WHERE k.unknown_reason IS DISTINCT FROM 'not_yet_synced'), 0),
      COALESCE(sum(k.sources) FILTER (WHERE k.unknown_reason IS DISTINCT FROM 'not_yet_synced'), 0),
      COALESCE(sum(k.users) FILTER (WHERE k.unknown_reason IS NULL), 0), sum(k.zero),
      COALESCE(jsonb_object_agg(k.unknown_reason, k.users) FILTER (WHERE k.unknown_reason IS NOT NULL), '{}'), as_of
    FROM kind k GROUP BY 1, 2, 3
    RETURNING users)
  SELECT COALESCE(sum(a.users), 0) INTO cells FROM added a;
  INSERT INTO public.coverage_day (local_date, summed_at)
  SELECT g::date, as_of FROM generate_series(from_date::timestamp, to_date::timestamp, interval '1 day') g
  ON CONFLICT ON CONSTRAINT coverage_day_pkey DO UPDATE SET summed_at = excluded.summed_at;
  RETURN cells;
END $$;

COMMENT ON FUNCTION evidence.summarize_coverage(from_date date, to_date date, as_of timestamp with time zone) IS 'Sums the coverage of these days anew, in one pass over their cells. as_of is noted as the time of the sums. Returns the number of cells, each once per platform; 0: there are none. An operator calls it for days older than monitoring_setting.summed_days.';

CREATE FUNCTION evidence.summarize_due(as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    AS $$
DECLARE
  due date;
BEGIN
  SELECT g::date INTO due
  FROM public.monitoring_setting b
  CROSS JOIN LATERAL generate_series(as_of::date + 1 - b.summed_days, as_of::date + 1, interval '1 day') g
  LEFT JOIN public.coverage_day s ON s.local_date = g::date
  WHERE s.summed_at IS NULL OR s.summed_at + b.summed_every * GREATEST(as_of::date - g::date, 1) <= as_of
  ORDER BY g DESC LIMIT 1;
  -- One session is enough; the lock is advisory, so that an idle service writes nothing.
  IF due IS NULL OR NOT pg_try_advisory_xact_lock(4711003) THEN
    RETURN 0;
  END IF;
  PERFORM evidence.summarize_coverage(due, due, as_of);
  RETURN 1;
END $$;

COMMENT ON FUNCTION evidence.summarize_due(as_of timestamp with time zone) IS 'Sums the coverage of the latest day whose sums are missing or older than they should be (monitoring_setting). Returns 1; 0: none is due, or another session is at it.';

CREATE FUNCTION evidence.try_lock_person(person uuid) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN pg_try_advisory_xact_lock(4711, hashtext(person::text));
END $$;

COMMENT ON FUNCTION evidence.try_lock_person(person uuid) IS 'Locks a person until the end of the transaction, or returns false at once. Ingest and re-check both take it: two derivations of one person at a time could each miss what the other has seen.';

CREATE FUNCTION evidence.union_of_sources(person uuid, day date, platform smallint, amounts numeric[], names text[], starts timestamp with time zone[], ends timestamp with time zone[]) RETURNS numeric
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_nestloop TO 'off'
    AS $$
DECLARE
  source record;
  covered tstzmultirange := '{}';
  total numeric := 0;
  part numeric;
BEGIN
  FOR source IN
    SELECT array_agg(r.amount) AS amounts, array_agg(r.starts_at) AS starts, array_agg(r.ends_at) AS ends,
           range_agg(tstzrange(r.starts_at, r.ends_at)) FILTER (WHERE r.ends_at > r.starts_at) AS own
    FROM unnest(amounts, names, starts, ends) AS r (amount, name, starts_at, ends_at)
    LEFT JOIN (SELECT p.source, min(CASE p.kind WHEN 'wear' THEN 0 WHEN 'carry' THEN 1 ELSE 2 END) AS rank FROM evidence.presence p
               WHERE p.user_id = person AND p.local_date = day AND p.platform_id = platform GROUP BY 1) k ON k.source = r.name
    GROUP BY r.name, k.rank ORDER BY COALESCE(k.rank, 2), sum(r.amount) DESC, r.name COLLATE "C"
  LOOP
    -- Thirty decimals: a third and two thirds are a whole again when they are rounded.
    SELECT sum(CASE WHEN r.ends_at > r.starts_at THEN r.amount * 1.000000000000000000000000000000 * (l.length - h.hidden) / l.length
                    WHEN covered @> r.starts_at THEN 0 ELSE r.amount END)
    INTO part
    FROM unnest(source.amounts, source.starts, source.ends) WITH ORDINALITY AS r (amount, starts_at, ends_at, number)
    CROSS JOIN LATERAL (SELECT extract(epoch FROM r.ends_at) - extract(epoch FROM r.starts_at) AS length) l
    JOIN evidence.hidden_time(covered, source.starts, source.ends) h ON h.number = r.number;
    total := total + part;
    covered := covered + COALESCE(source.own, '{}');
  END LOOP;
  RETURN round(total, 24);
END $$;

COMMENT ON FUNCTION evidence.union_of_sources(person uuid, day date, platform smallint, amounts numeric[], names text[], starts timestamp with time zone[], ends timestamp with time zone[]) IS 'Total of records with intervals from several sources (one array element per record): sources in order of their rank that day, worn before carried before others, equal ranks by the larger total; each adds of its records, in proportion, the time that earlier ones do not cover. Never the sum over devices.';

CREATE FUNCTION evidence.weighed_cells(persons uuid[], days date[], as_of timestamp with time zone, with_silent boolean) RETURNS TABLE(user_id uuid, metric text, local_date date, over_at timestamp with time zone, status text, value numeric, unknown_reason text, covering_sources integer, unknown_detail text, is_final boolean, observed_at timestamp with time zone, platform text, deleted_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_nestloop TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
  -- A plan that is kept looks only into the partitions between these.
  first_day date;
  last_day date;
BEGIN
  IF persons IS NULL THEN                       -- Where all days are plain there is nothing to plan or to run.
    RETURN;
  END IF;
  SELECT min(u), max(u) INTO first_day, last_day FROM unnest(days) u;
  -- Tables are reached by LATERAL ... OFFSET 0, which is always an index scan per row; what was found is joined by hashing, never row by row:
  -- the planner cannot know how many rows the arrays bring, and a wrong guess would make the work quadratic.
  RETURN QUERY
  WITH day AS MATERIALIZED (
    SELECT row_number() OVER () AS number, d.user_id, d.local_date, s.starts_at, s.over_at
    FROM (SELECT DISTINCT u.user_id, u.local_date FROM unnest(persons, days) AS u (user_id, local_date)) d
    CROSS JOIN LATERAL (SELECT p.zone_from, p.zone_name FROM evidence.person p WHERE p.user_id = d.user_id OFFSET 0) p
    CROSS JOIN LATERAL evidence.day_span(d.local_date, p.zone_from, p.zone_name) s),

  -- E, F2. What the records of these days amount to, and what was deleted.
  record AS MATERIALIZED (
    SELECT s.* FROM (SELECT array_agg(d.number) AS n, array_agg(d.user_id) AS u, array_agg(d.local_date) AS l, array_agg(d.starts_at) AS s, array_agg(d.over_at) AS o FROM day d) a
    CROSS JOIN LATERAL evidence.record_says(a.n, a.u, a.l, a.s, a.o) s),

  -- Everything that was last said about these days. B2 has chosen what is remembered; what counts is chosen below.
  -- A cell is one number here, day and metric in one, because most of the work is to group and join by it.
  say AS MATERIALIZED (
    SELECT r.number, r.number * 65536 + r.metric_id AS cell, r.metric_id, r.platform_id, r.store, r.slot, r.read_at, r.payload_id, r."position",
           r.outcome, r.value, r.sources, r.code, r.place, r.edge, r.permission, r.is_over, r.is_proven,
           m.zero_policy, m.evidence, m.parents_id IS NOT NULL AS has_parent, r.number * 65536 + m.parents_id AS parent_cell, m.is_parent, f.platform,
           f.is_manual OR r.is_manual AS is_manual, CASE m.combine WHEN 'max' THEN r.value ELSE f.preference END AS precedence,
           r.slot BETWEEN 'licensing_zero' AND 'boundary_empty' AS is_silent
    FROM (
      SELECT d.number, x.metric_id, x.platform_id, x.store, x.slot, x.read_at, x.payload_id, x."position", x.outcome, x.value,
             CASE WHEN x.sources = '{}' THEN ARRAY[''] ELSE x.sources END AS sources, x.code, x.place, x.edge, x.permission, x.is_over, x.is_proven, false AS is_manual
      FROM day d
      CROSS JOIN LATERAL (SELECT y.* FROM evidence.reading y
        WHERE y.user_id = d.user_id AND y.local_date = d.local_date AND y.local_date BETWEEN first_day AND last_day OFFSET 0) x
      -- E4. What was read before a deletion that touches the cell does not count.
      LEFT JOIN record e ON e.slot = 'deletion' AND e.number = d.number AND e.metric_id = x.metric_id AND e.platform_id = x.platform_id AND e.store = x.store
      WHERE x.slot <> 'looked' AND (e.number IS NULL OR x.slot = 'outside' OR x.read_at >= e.read_at)
      UNION ALL
      SELECT r.* FROM record r) r
    JOIN (SELECT k.metric_id, k.combine, k.zero_policy, k.evidence, u.metric_id AS parents_id, k.metric IN (SELECT c.parent FROM public.metric c) AS is_parent
          FROM public.metric k LEFT JOIN public.metric u ON u.metric = k.parent) m ON m.metric_id = r.metric_id
    JOIN public.platform f ON f.platform_id = r.platform_id),

  -- C1. Who was there: presence, and every device behind a non-zero value. Manual entries and zeros are no evidence.
  witness AS MATERIALIZED (
    SELECT d.number, p.kind::text AS kind, p.platform_id, p.store, p.source
    FROM day d CROSS JOIN LATERAL (
      SELECT x.* FROM evidence.presence x WHERE x.user_id = d.user_id AND x.local_date = d.local_date OFFSET 0) p
    UNION
    SELECT s.number, s.evidence, s.platform_id, s.store, source
    FROM say s CROSS JOIN LATERAL unnest(s.sources) source
    WHERE (s.slot = 'records' OR (s.slot = 'value' AND s.value <> 0)) AND s.evidence IS NOT NULL AND NOT s.is_manual),
  day_kinds AS MATERIALIZED (
    SELECT w.number, array_agg(DISTINCT w.kind) AS kinds FROM witness w GROUP BY w.number),

  -- D1, D2. The value, by the metric's rule for several origins; a metric with a parent follows its parent's origin.
  leader AS MATERIALIZED (
    SELECT DISTINCT ON (s.cell) s.cell, s.platform_id, s.store
    FROM say s WHERE s.slot = 'value' AND s.is_parent
    ORDER BY s.cell, s.precedence DESC, s.read_at DESC, s.payload_id DESC, s."position" DESC),
  chosen AS MATERIALIZED (
    SELECT DISTINCT ON (s.cell) s.cell, s.value, s.read_at, s.platform, s.is_over AND s.place = 'inside' AS is_final
    FROM say s LEFT JOIN leader l ON l.cell = s.parent_cell
    WHERE s.slot = 'value'
    ORDER BY s.cell, (l.platform_id = s.platform_id AND l.store = s.store) IS TRUE DESC,
             s.precedence DESC, s.read_at DESC, s.payload_id DESC, s."position" DESC),

  -- C3. Without a value: who licenses a zero. Only what was read after the day, inside the windows and proven is in these slots.
  licence AS MATERIALIZED (
    SELECT s.cell, s.platform_id, s.store, s.platform, s.read_at, s.payload_id, s."position", s.zero_policy,
           CASE WHEN s.has_parent AND s.sources = '{""}' THEN p.sources ELSE array_remove(s.sources, '') END AS sources
    FROM say s
    JOIN public.metric m ON m.metric_id = s.metric_id
    LEFT JOIN chosen c ON c.cell = s.cell
    LEFT JOIN day_kinds k ON k.number = s.number
    LEFT JOIN say p ON p.cell = s.parent_cell AND p.platform_id = s.platform_id AND p.store = s.store AND p.slot = 'value' AND p.value > 0
    WHERE s.slot IN ('licensing_zero', 'licensing_empty') AND c.cell IS NULL
      AND CASE s.zero_policy
        WHEN 'covered' THEN COALESCE(k.kinds && m.licence, false)
        WHEN 'explicit' THEN s.slot = 'licensing_zero'
        WHEN 'parent' THEN p.cell IS NOT NULL
        ELSE false END),
  zero AS MATERIALIZED (
    SELECT DISTINCT ON (l.cell) l.cell, l.read_at, l.platform
    FROM licence l ORDER BY l.cell, l.read_at DESC, l.payload_id DESC, l."position" DESC),

  spoken_of AS MATERIALIZED (
    SELECT s.cell, s.number, s.metric_id, bool_or(s.slot = 'value') AS has_value,
           bool_or(s.slot = 'value' AND NOT s.is_manual) AS has_sensor, bool_or(s.is_silent AND s.is_over) AS was_looked_at,
           max(s.read_at) FILTER (WHERE s.slot = 'deletion') AS deleted_at
    FROM say s GROUP BY s.cell, s.number, s.metric_id),
  -- G2. Who is asked about a metric although it said nothing: from the first day it mentioned until some days (evidence.setting) after its last read or its disconnection.
  tracked AS MATERIALIZED (
    SELECT d.number, d.number * 65536 + t.metric_id AS cell, t.metric_id, t.platform_id, t.store
    FROM day d
    JOIN (SELECT c.number FROM spoken_of c WHERE NOT c.has_value
          UNION
          SELECT n.number FROM day n WHERE with_silent) o ON o.number = d.number
    CROSS JOIN LATERAL (
      SELECT k.metric_id, k.platform_id, k.store, k.user_id FROM evidence.tracking k
      WHERE k.user_id = d.user_id AND k.since <= d.local_date OFFSET 0) t
    JOIN public.metric m ON m.metric_id = t.metric_id AND NOT m.intermittent
    CROSS JOIN LATERAL (SELECT x.last_read_at FROM evidence.origin x
      WHERE x.user_id = t.user_id AND x.platform_id = t.platform_id AND x.store = t.store OFFSET 0) r
    LEFT JOIN LATERAL (
      SELECT g.state, COALESCE(g.since, g.read_at) AS gone_at FROM evidence.permission g
      WHERE g.user_id = t.user_id AND g.platform_id = t.platform_id AND g.store = t.store AND g.metric_id IN (0, t.metric_id)
      ORDER BY g.read_at DESC, g.payload_id DESC, g.metric_id = 0, g."position" DESC LIMIT 1) g ON true
    WHERE d.over_at <= LEAST(r.last_read_at, CASE WHEN g.state = 'not_connected' THEN g.gone_at END)
      + (SELECT make_interval(days => b.asked_days) FROM evidence.setting b)),
  -- Cells without a value or a zero, with every origin that is asked about them.
  asked AS MATERIALIZED (
    SELECT DISTINCT x.cell, x.number, d.user_id, x.metric_id, x.platform_id, x.store
    FROM (SELECT s.cell, s.number, s.metric_id, s.platform_id, s.store FROM say s
          UNION ALL
          SELECT t.cell, t.number, t.metric_id, t.platform_id, t.store FROM tracked t) x
    JOIN day d ON d.number = x.number
    LEFT JOIN spoken_of c ON c.cell = x.cell
    LEFT JOIN zero z ON z.cell = x.cell
    WHERE z.cell IS NULL AND NOT COALESCE(c.has_value, false) AND (c.cell IS NOT NULL OR (with_silent AND d.over_at <= as_of AND d.over_at > d.starts_at))),
  -- D5, last sentence. An origin's reason comes from its look if one was taken after the day was over, else from the later of look and non-look.
  -- What was said on a boundary day does not displace what was said inside.
  spoken AS MATERIALIZED (
    SELECT DISTINCT ON (v.cell, v.platform_id, v.store) v.*
    FROM (SELECT s.*, bool_or(s.place = 'inside') OVER (PARTITION BY s.cell, s.platform_id, s.store, s.is_silent) AS inside_exists
          FROM say s JOIN (SELECT DISTINCT a.cell FROM asked a) a ON a.cell = s.cell WHERE s.slot <> 'outside' AND s.outcome IS NOT NULL) v
    WHERE v.place = 'inside' OR NOT v.inside_exists
    ORDER BY v.cell, v.platform_id, v.store, (v.is_silent AND v.is_over) DESC, v.read_at DESC, v.payload_id DESC, v."position" DESC),
  -- D3. How things stand now: for origins that said nothing that counts, and for boundaries that may have moved.
  question AS MATERIALIZED (
    SELECT q.*, row_number() OVER () AS ordinal
    FROM (SELECT DISTINCT a.user_id, a.platform_id, a.store, a.metric_id FROM asked a) q),
  now_standing AS MATERIALIZED (
    SELECT q.user_id, q.platform_id, q.store, q.metric_id, t.*
    FROM (SELECT array_agg(x.user_id ORDER BY x.ordinal) AS u, array_agg(x.platform_id ORDER BY x.ordinal) AS f, array_agg(x.store ORDER BY x.ordinal) AS s,
                 array_agg(x.metric_id ORDER BY x.ordinal) AS m FROM question x) a
    CROSS JOIN LATERAL evidence.standing(a.u, a.f, a.s, a.m, array_fill(NULL::timestamptz, ARRAY[cardinality(a.u)]),
      array_fill(NULL::uuid, ARRAY[cardinality(a.u)])) t
    JOIN question q ON q.ordinal = t.ordinal
    WHERE a.u IS NOT NULL),
  judged AS (
    SELECT a.cell, a.number, a.metric_id, a.platform_id, a.store, s.read_at, s.payload_id, s."position", s.outcome, s.code, s.is_over, s.is_proven,
      s.cell IS NOT NULL AS has_spoken, e.reason AS error_reason, e.detail AS error_detail,
      CASE WHEN s.cell IS NULL THEN evidence.permission_on(d.over_at, t.states, t.sinces) ELSE s.permission END AS permission,
      CASE WHEN s.cell IS NULL THEN n.edge WHEN q.is_quiet_edge AND n.edge IS NOT NULL THEN s.edge END AS edge,
      q.is_quiet_edge AND n.edge IS NULL AS has_widened
    FROM asked a JOIN day d ON d.number = a.number
    JOIN now_standing t ON t.user_id = a.user_id AND t.platform_id = a.platform_id AND t.store = a.store AND t.metric_id = a.metric_id
    LEFT JOIN spoken s ON s.cell = a.cell AND s.platform_id = a.platform_id AND s.store = a.store
    LEFT JOIN public.platform_error e ON s.outcome = 'failed' AND e.code = s.code
    CROSS JOIN LATERAL (SELECT COALESCE(s.place = 'outside' OR (s.place = 'boundary' AND s.outcome IN ('value', 'empty')), false) AS is_quiet_edge) q
    CROSS JOIN LATERAL (SELECT COALESCE(
      evidence.edge_of(d.over_at, t.floor_at, t.authorized_at, t.history_at, t.counting_at),
      evidence.edge_of(d.starts_at + interval '1 microsecond', t.floor_at, t.authorized_at, t.history_at, t.counting_at)) AS edge) n),
  -- D4, D5. One reason per origin: window, permission, latest outcome, not_yet_synced.
  reasoned AS (
    SELECT j.*, CASE
      WHEN j.has_widened THEN 'not_yet_synced'
      WHEN j.edge = 'authorized_from' THEN 'before_authorized_history'
      WHEN j.edge = 'counting_since' THEN 'metric_unavailable'
      WHEN j.edge IS NOT NULL THEN 'outside_history_window'
      WHEN j.permission IN ('denied', 'not_asked') THEN 'not_authorized'
      WHEN j.permission = 'not_connected' THEN 'not_connected'
      WHEN NOT j.has_spoken OR j.outcome = 'outdated' THEN 'not_yet_synced'
      WHEN j.outcome = 'deleted' THEN 'deleted_at_source'
      WHEN j.outcome = 'failed' THEN COALESCE(j.error_reason, 'provider_error')
      WHEN j.outcome = 'denied' THEN 'not_authorized'
      WHEN j.outcome = 'unavailable' THEN 'metric_unavailable'
      WHEN j.outcome = 'invalid' THEN 'invalid_reading'
      WHEN NOT j.is_over THEN 'not_yet_synced'
      WHEN NOT j.is_proven AND j.code IS DISTINCT FROM 'derived_default' THEN 'not_authorized_or_no_data'
      ELSE 'no_source_coverage' END AS reason
    FROM judged j),
  reason AS MATERIALIZED (
    SELECT DISTINCT ON (r.cell) r.cell, r.number, r.metric_id, r.reason, CASE
      WHEN r.edge = 'counting_since' THEN 'not_counting_yet'
      WHEN r.edge IN ('platform_floor', 'history_window') THEN r.edge::text
      WHEN r.has_widened OR r.edge IS NOT NULL THEN NULL
      WHEN r.permission = 'not_asked' THEN 'not_asked'
      WHEN r.permission IN ('denied', 'not_connected') OR NOT r.has_spoken THEN NULL
      WHEN r.outcome = 'failed' THEN CASE WHEN r.error_reason IS NULL THEN r.code ELSE r.error_detail END
      WHEN r.outcome = 'invalid' THEN r.code
      WHEN r.reason = 'no_source_coverage' AND r.code = 'derived_default' THEN r.code END AS detail
    FROM reasoned r JOIN public.unknown_reason u ON u.code = r.reason
    ORDER BY r.cell, u.rank, r.read_at DESC NULLS LAST, r.payload_id DESC, r."position" DESC, r.platform_id, r.store),
  every AS MATERIALIZED (
    SELECT c.cell, c.number, c.metric_id, c.has_sensor, c.was_looked_at, c.deleted_at FROM spoken_of c
    UNION ALL
    SELECT r.cell, r.number, r.metric_id, false, false, NULL
    FROM reason r LEFT JOIN spoken_of c ON c.cell = r.cell WHERE c.cell IS NULL),

  -- C2, A8. Distinct sources: of the cell's own values (manual ones only where there is no other), of its licence, and the witnesses that license it.
  covering AS MATERIALIZED (
    SELECT s.cell, s.platform_id, s.store, source
    FROM say s JOIN spoken_of c ON c.cell = s.cell CROSS JOIN LATERAL unnest(s.sources) source
    WHERE s.slot = 'value' AND NOT (s.is_manual AND c.has_sensor)
    UNION
    SELECT l.cell, l.platform_id, l.store, source
    FROM licence l CROSS JOIN LATERAL unnest(l.sources) source WHERE l.zero_policy IN ('explicit', 'parent')
    UNION
    SELECT v.cell, w.platform_id, w.store, w.source
    FROM every v JOIN public.metric m ON m.metric_id = v.metric_id JOIN witness w ON w.number = v.number AND w.kind = ANY (m.licence)),
  counted AS MATERIALIZED (
    SELECT k.cell, count(*)::integer AS sources
    FROM (SELECT DISTINCT v.cell, v.platform_id, v.source, CASE v.source WHEN '' THEN v.store END AS anonymous_store
          FROM covering v JOIN public.platform f ON f.platform_id = v.platform_id
          LEFT JOIN (SELECT DISTINCT y.cell, y.platform_id, y.store FROM covering y WHERE starts_with(y.source, 'com.android.healthconnect.phone.')) y
            ON v.source = 'android' AND f.platform = 'health_connect' AND y.cell = v.cell AND y.platform_id = v.platform_id AND y.store = v.store
          WHERE y.cell IS NULL) k
    GROUP BY k.cell)

  SELECT d.user_id, m.metric, d.local_date, d.over_at,
    CASE WHEN c.cell IS NOT NULL OR z.cell IS NOT NULL THEN 'measured' ELSE 'unknown' END,
    CASE WHEN c.cell IS NOT NULL THEN c.value WHEN z.cell IS NOT NULL THEN 0 END,
    r.reason, COALESCE(n.sources, 0)::integer, r.detail,
    CASE WHEN c.cell IS NOT NULL THEN c.is_final WHEN z.cell IS NOT NULL THEN true ELSE v.was_looked_at END,
    COALESCE(c.read_at, z.read_at), COALESCE(c.platform, z.platform), v.deleted_at
  FROM every v
  JOIN day d ON d.number = v.number
  JOIN public.metric m ON m.metric_id = v.metric_id
  LEFT JOIN chosen c ON c.cell = v.cell
  LEFT JOIN zero z ON z.cell = v.cell
  LEFT JOIN reason r ON r.cell = v.cell
  LEFT JOIN counted n ON n.cell = v.cell;
END $$;

COMMENT ON FUNCTION evidence.weighed_cells(persons uuid[], days date[], as_of timestamp with time zone, with_silent boolean) IS 'What the evidence of these user-days (pairs of persons and days) amounts to as of an instant: one row per cell that anything is known about, and with_silent one for each closed day that a tracked metric is silent on. deleted_at: read time of the latest deletion that took something from the cell. Changes nothing.';

CREATE FUNCTION evidence.with_minutes(platforms smallint[], stores text[], users uuid[], entry_payload integer[], ids text[]) RETURNS TABLE(number integer, record_id text)
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  RETURN QUERY
  SELECT e.number, e.record_id || ' minutes'
  FROM unnest(entry_payload, ids) AS e (number, record_id)
  CROSS JOIN LATERAL (SELECT i.id FROM evidence.record_id i
    WHERE e.record_id IS NOT NULL AND i.user_id = users[e.number] AND i.platform_id = platforms[e.number] AND i.store = stores[e.number]
      AND i.id = evidence.record_key(platforms[e.number], stores[e.number], e.record_id || ' minutes') OFFSET 0) i;
END $$;

COMMENT ON FUNCTION evidence.with_minutes(platforms smallint[], stores text[], users uuid[], entry_payload integer[], ids text[]) IS 'Of the ids that are deleted those that are workouts: the ids of the records of their minutes, which go with them.';

CREATE FUNCTION evidence.workout_rules() RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 1;
END $$;

COMMENT ON FUNCTION evidence.workout_rules() IS 'Version of the rules of workout_summary. Under a new one the command rebuild makes all of them anew.';

CREATE FUNCTION evidence.write_summaries(workouts evidence.workout[]) RETURNS void
    LANGUAGE plpgsql
    SET "TimeZone" TO 'UTC'
    SET jit TO 'off'
    AS $$
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

COMMENT ON FUNCTION evidence.write_summaries(workouts evidence.workout[]) IS 'Writes the summaries of workouts, where they are not what is there.';

CREATE FUNCTION intake.allow_again(person uuid, as_of timestamp with time zone) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
  proof intake.forgotten_person;
BEGIN
  PERFORM evidence.lock_person(person);
  SELECT f.* INTO proof FROM intake.forgotten_person f WHERE f.user_id = person;
  IF proof.user_id IS NULL THEN
    RETURN 'not_forgotten';
  ELSIF proof.allowed_again_at IS NOT NULL THEN
    RETURN 'allowed_before';
  ELSIF proof.erased_at IS NULL THEN
    RETURN 'being_erased';
  END IF;
  UPDATE intake.forgotten_person f SET allowed_again_at = as_of WHERE f.user_id = person;
  RETURN 'allowed';
END $$;

COMMENT ON FUNCTION intake.allow_again(person uuid, as_of timestamp with time zone) IS 'Takes payloads about a forgotten person again; what was erased stays erased, and the proof says both. Returns allowed; or not_forgotten, allowed_before, or being_erased (nothing has changed).';

CREATE FUNCTION intake.attempts_until_parked() RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 5;
END $$;

COMMENT ON FUNCTION intake.attempts_until_parked() IS 'After how many attempts alone, with others merged in between, a payload that takes too long is parked as timed_out.';

CREATE FUNCTION intake.batches_between_attempts() RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 20;
END $$;

COMMENT ON FUNCTION intake.batches_between_attempts() IS 'How many batches of others come before a payload that takes too long is tried again, while others wait: each attempt holds a worker until its deadline.';

CREATE FUNCTION intake.bury(users uuid[], payload_ids uuid[], codes text[], pointers text[], byte_offsets bigint[], details text[], payloads text[], received timestamp with time zone[], as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  refused uuid[];
BEGIN
  -- Shared first and asked then: a letter under another name is not under the lock of the person whom it names.
  PERFORM pg_advisory_xact_lock_shared(intake.letter_key());
  WITH letter AS MATERIALIZED (
    SELECT n.*, CASE WHEN intake.is_forgotten(n.user_id) THEN n.user_id ELSE intake.named_forgotten(n.payload) END AS forgotten
    FROM unnest(users, payload_ids, codes, pointers, byte_offsets, details, payloads, received)
      AS n (user_id, payload_id, code, pointer, byte_offset, detail, payload, received_at)),
  buried AS (
    INSERT INTO intake.dead_letter (user_id, payload_id, code, pointer, byte_offset, detail, payload, received_at, died_at)
    SELECT l.user_id, l.payload_id, l.code, l.pointer, l.byte_offset, l.detail, l.payload, l.received_at, as_of
    FROM letter l WHERE l.forgotten IS NULL)
  SELECT array_agg(l.forgotten) INTO refused FROM letter l WHERE l.forgotten IS NOT NULL;
  IF refused IS NULL THEN
    RETURN 0;
  END IF;
  PERFORM intake.note_refused(refused, as_of);
  RETURN cardinality(refused);
END $$;

COMMENT ON FUNCTION intake.bury(users uuid[], payload_ids uuid[], codes text[], pointers text[], byte_offsets bigint[], details text[], payloads text[], received timestamp with time zone[], as_of timestamp with time zone) IS 'Parks payloads as dead letters, but for those of somebody who is forgotten, and those that came under another name and name one who is: these are let go of. Returns how many were.';

CREATE FUNCTION intake.claim(after_user uuid, max_payloads integer, max_per_user integer, max_users integer, max_bytes bigint) RETURNS TABLE(user_id uuid, id bigint, received_at timestamp with time zone, is_retry boolean, is_consented boolean, payload text, is_forgotten boolean)
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  suspected uuid[];
  slow uuid[] := intake.slow_persons();
  forgotten uuid[];
  people uuid[] := '{}';
  first_ids bigint[] := '{}';
  weight bigint := 0;
  -- One comparison of rows is one place in the index; after_user IS NULL OR ... would walk over everybody before it.
  person uuid := COALESCE(after_user, '00000000-0000-0000-0000-000000000000');
  place bigint := CASE WHEN after_user IS NULL THEN 0 ELSE 9223372036854775807 END;
  first_id bigint;
  bytes bigint;
BEGIN
  IF EXISTS (SELECT FROM intake.control c WHERE c.paused_at IS NOT NULL) THEN RETURN; END IF;
  suspected := ARRAY(SELECT DISTINCT s.user_id FROM intake.suspect s);
  IF cardinality(suspected) > 0 AND pg_try_advisory_xact_lock(intake.suspect_key()) THEN
    RETURN QUERY SELECT * FROM intake.claim_suspects(max_payloads, max_bytes);
    IF FOUND THEN RETURN; END IF;
  END IF;
  IF cardinality(slow) > 0 THEN
    RETURN QUERY SELECT * FROM intake.claim_slow(intake.batches_between_attempts());
    IF FOUND THEN RETURN; END IF;
    suspected := suspected || slow;
  END IF;
  -- A loose walk over the primary key. A user that another session holds is passed over, and nobody is locked without a payload being
  -- taken, so that the others are left to other sessions. A payload that completes a load is as heavy as all of its pages. Who is too
  -- heavy for the rest of the batch has the next one alone: nobody else's sync waits in the same transaction for a history.
  WHILE cardinality(people) < LEAST(max_users, max_payloads) LOOP
    SELECT q.user_id, q.id, octet_length(q.payload)::bigint + h.bytes INTO person, first_id, bytes
    FROM (SELECT x.user_id, x.id, x.payload FROM intake.sync_payload x WHERE (x.user_id, x.id) > (person, place)
          ORDER BY x.user_id, x.id LIMIT 1) q
    CROSS JOIN LATERAL (SELECT COALESCE(sum(octet_length(p.payload)), 0) AS bytes FROM intake.load_page p WHERE p.user_id = q.user_id) h;
    EXIT WHEN NOT FOUND;
    place := 9223372036854775807;
    CONTINUE WHEN person = ANY (suspected);
    EXIT WHEN cardinality(people) > 0 AND weight + bytes > max_bytes;
    CONTINUE WHEN NOT evidence.try_lock_person(person);
    people := people || person;
    first_ids := first_ids || first_id;
    weight := weight + bytes;
  END LOOP;
  IF cardinality(slow) > 0 THEN
    IF cardinality(people) > 0 THEN
      PERFORM intake.count_passed();
    ELSIF after_user IS NULL THEN
      RETURN QUERY SELECT * FROM intake.claim_slow(0);
      RETURN;
    END IF;
  END IF;
  -- After the locks: who forgets a person holds theirs, so that nobody is forgotten from here on.
  forgotten := ARRAY(SELECT f.user_id FROM intake.forgotten_person f WHERE f.user_id = ANY (people) AND f.allowed_again_at IS NULL);
  -- The rows are deleted by ctid = ANY(ARRAY(...)): a join to a LIMITed subquery may run that subquery once per row and claim the whole
  -- queue. A bitmap would gather all rows of a person to take the first few.
  RETURN QUERY
  WITH pick AS MATERIALIZED (
    SELECT x.row_address, x.bytes, row_number() OVER (ORDER BY x.turn, x.id) AS place
    FROM unnest(people, first_ids) AS mine (user_id, first_id) CROSS JOIN LATERAL (
      SELECT q.ctid AS row_address, octet_length(q.payload)::bigint AS bytes, q.id, row_number() OVER (ORDER BY q.id) AS turn
      FROM intake.sync_payload q WHERE q.user_id = mine.user_id AND q.id >= mine.first_id ORDER BY q.id LIMIT max_per_user) x),
  bounded AS MATERIALIZED (
    SELECT p.row_address, p.place, sum(p.bytes) OVER (ORDER BY p.place) AS bytes_so_far FROM pick p)
  DELETE FROM intake.sync_payload q
  WHERE q.ctid = ANY (ARRAY(
    SELECT b.row_address FROM bounded b WHERE b.place <= max_payloads AND (b.place = 1 OR b.bytes_so_far <= max_bytes)))
  RETURNING q.user_id, q.id, q.received_at, q.is_retry, q.is_consented, CASE WHEN q.user_id = ANY (forgotten) THEN '' ELSE q.payload END,
    q.user_id = ANY (forgotten);
END $$;

COMMENT ON FUNCTION intake.claim(after_user uuid, max_payloads integer, max_per_user integer, max_users integer, max_bytes bigint) IS 'Takes payloads out of the queue for this transaction: at most max_per_user of each of at most max_users users after after_user, no more than max_payloads and max_bytes in all, held pages of their loads included (but at least one payload). Locks the users whose payloads it takes until the end of the transaction. Rolling back puts them back. Of somebody who is forgotten (is_forgotten) the text is not given out: it goes with the row. Takes nothing while intake is paused; suspects and payloads that took too long are taken apart, and their persons passed over.';

CREATE FUNCTION intake.claim_slow(after_batches integer) RETURNS TABLE(user_id uuid, id bigint, received_at timestamp with time zone, is_retry boolean, is_consented boolean, payload text, is_forgotten boolean)
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  slow intake.slow_payload;
BEGIN
  FOR slow IN SELECT s.* FROM intake.slow_payload s WHERE s.passed >= after_batches ORDER BY s.attempts, s.tried_at, s.id LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(slow.user_id);
    -- What is remembered of it stays unlocked: while it is tried others pass, and are counted.
    DELETE FROM intake.sync_payload q WHERE q.user_id = slow.user_id AND q.id = slow.id
    RETURNING q.user_id, q.id, q.received_at, q.is_retry, q.is_consented, q.payload
    INTO user_id, id, received_at, is_retry, is_consented, payload;
    CONTINUE WHEN NOT FOUND;
    is_forgotten := intake.is_forgotten(user_id);
    IF is_forgotten THEN payload := ''; END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END $$;

COMMENT ON FUNCTION intake.claim_slow(after_batches integer) IS 'Takes one payload that took too long before out of the queue for this transaction, alone, if so many batches of others have passed since. Rolling back puts it back.';

CREATE FUNCTION intake.claim_suspects(max_payloads integer, max_bytes bigint) RETURNS TABLE(user_id uuid, id bigint, received_at timestamp with time zone, is_retry boolean, is_consented boolean, payload text, is_forgotten boolean)
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  suspect intake.suspect;
  taken integer := 0;
  bytes bigint := 0;
BEGIN
  -- The worst comes last: a process that somebody kills soon after each of its starts would else be killed with the same one in hand.
  FOR suspect IN SELECT s.* FROM intake.suspect s ORDER BY s.deaths, s.id LOOP
    EXIT WHEN taken >= LEAST(16, max_payloads) OR bytes >= max_bytes OR (taken > 0 AND suspect.deaths >= intake.deaths_until_alone());
    CONTINUE WHEN NOT evidence.try_lock_person(suspect.user_id);
    DELETE FROM intake.suspect s WHERE s.user_id = suspect.user_id AND s.id = suspect.id;
    DELETE FROM intake.sync_payload q WHERE q.user_id = suspect.user_id AND q.id = suspect.id
    RETURNING q.user_id, q.id, q.received_at, q.is_retry, q.is_consented, q.payload
    INTO user_id, id, received_at, is_retry, is_consented, payload;
    -- It may have been merged by a session that had it in hand when it was suspected.
    CONTINUE WHEN NOT FOUND;
    taken := taken + 1;
    bytes := bytes + octet_length(payload);
    is_forgotten := intake.is_forgotten(user_id);
    IF is_forgotten THEN payload := ''; END IF;
    RETURN NEXT;
    EXIT WHEN suspect.deaths >= intake.deaths_until_alone();
  END LOOP;
END $$;

COMMENT ON FUNCTION intake.claim_suspects(max_payloads integer, max_bytes bigint) IS 'Takes suspects out of the queue for this transaction, those with the fewest deaths first: up to sixteen that have seen one death each, or one alone. The caller holds suspect_key. Rolling back puts them back.';

CREATE FUNCTION intake.complete_pages(users uuid[]) RETURNS TABLE(user_id uuid, platform_id smallint, store text, load_id text, received_at timestamp with time zone, is_consented boolean, payload text)
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN QUERY
  SELECT g.user_id, g.platform_id, g.store, g.load_id, g.received_at, g.is_consented, g.payload
  FROM (SELECT DISTINCT u AS user_id FROM unnest(users) u) n
  CROSS JOIN LATERAL (
    SELECT p.*, f.last_page, count(*) FILTER (WHERE p.page <= f.last_page) OVER (PARTITION BY p.platform_id, p.store, p.load_id) AS pages_there
    FROM intake.load_page p
    JOIN (SELECT x.platform_id, x.store, x.load_id, min(x.page) AS last_page FROM intake.load_page x
          WHERE x.user_id = n.user_id AND x.is_final GROUP BY 1, 2, 3) f
      ON f.platform_id = p.platform_id AND f.store = p.store AND f.load_id = p.load_id
    WHERE p.user_id = n.user_id) g
  WHERE g.pages_there = g.last_page
  ORDER BY g.user_id, g.platform_id, g.store, g.load_id, g.page;
END $$;

COMMENT ON FUNCTION intake.complete_pages(users uuid[]) IS 'The held pages of those loads of these persons whose pages up to the final one are all there.';

CREATE FUNCTION intake.count_passed() RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  -- Who waited here would wait for another worker's whole batch; one batch more or less is not missed.
  UPDATE intake.slow_payload s SET passed = s.passed + 1
  FROM (SELECT x.user_id, x.id FROM intake.slow_payload x ORDER BY x.user_id, x.id FOR UPDATE SKIP LOCKED) free
  WHERE s.user_id = free.user_id AND s.id = free.id;
END $$;

COMMENT ON FUNCTION intake.count_passed() IS 'Counts a batch of others for all payloads that took too long. It counts if the batch is committed.';

CREATE FUNCTION intake.crashes_until_pause() RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 10;
END $$;

COMMENT ON FUNCTION intake.crashes_until_pause() IS 'How many payloads parked as crashed within an hour pause the intake: by then it is rather the build, the memory or the network than they.';

CREATE FUNCTION intake.deaths_until_alone() RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 2;
END $$;

COMMENT ON FUNCTION intake.deaths_until_alone() IS 'From how many deaths on a suspect is the only payload of its transaction. After the first one sixteen go together, because nearly all of them only had bad company.';

CREATE FUNCTION intake.deaths_until_parked() RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 8;
END $$;

COMMENT ON FUNCTION intake.deaths_until_parked() IS 'After how many deaths a suspect is parked as crashed: one in a batch, one in a small group, six alone. Of a dozen kills at the worst moments some met the same innocent payload alone three times.';

CREATE FUNCTION intake.drop_dead_letters(numbers bigint[]) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  letter intake.dead_letter;
BEGIN
  FOR letter IN
    WITH gone AS (
      DELETE FROM intake.dead_letter l WHERE l.id = ANY (ARRAY(SELECT intake.letters_together(numbers))) RETURNING l.*)
    SELECT g.* FROM gone g ORDER BY g.id
  LOOP
    -- Other receipts stay: they say what came of the payload, or are another payload's.
    UPDATE intake.receipt r SET outcome = 'dropped'
    WHERE letter.code = 'mass_deletion' AND r.user_id = letter.user_id AND r.payload_id = letter.payload_id AND r.outcome = 'mass_deletion';
    UPDATE intake.load l SET state = 'abandoned'
    WHERE l.user_id = letter.user_id AND l.platform_id = letter.platform_id AND l.store = letter.store AND l.load_id = letter.load_id
      AND l.state = 'parked';
    RETURN NEXT letter.id;
  END LOOP;
END $$;

COMMENT ON FUNCTION intake.drop_dead_letters(numbers bigint[]) IS 'Deletes dead letters for good, a load that was parked as a whole with all of its pages; the receipts of mass deletions say so. Returns their numbers.';

CREATE FUNCTION intake.drop_entries(users uuid[], payload_ids uuid[]) RETURNS TABLE(user_id uuid, payload_id uuid, entries integer)
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN QUERY
  WITH gone AS (
    DELETE FROM intake.quarantined_entry q USING (SELECT DISTINCT n.* FROM unnest(users, payload_ids) AS n (user_id, payload_id)) n
    WHERE q.user_id = n.user_id AND q.payload_id = n.payload_id
    RETURNING q.user_id, q.payload_id)
  SELECT g.user_id, g.payload_id, count(*)::integer FROM gone g GROUP BY 1, 2 ORDER BY 1, 2;
END $$;

COMMENT ON FUNCTION intake.drop_entries(users uuid[], payload_ids uuid[]) IS 'Deletes the quarantined entries of these payloads (pairs of persons and payloads) for good. Returns how many of each.';

CREATE FUNCTION intake.end_loads(users uuid[], platforms smallint[], stores text[], loads text[], states text[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  UPDATE intake.receipt r SET outcome = CASE n.state WHEN 'applied' THEN 'merged' WHEN 'parked' THEN 'mass_deletion' ELSE 'load_abandoned' END,
    cells = CASE n.state WHEN 'applied' THEN r.cells ELSE 0 END, processed_at = as_of
  -- The pages first, whatever the planner believes about the size of the tables.
  FROM (SELECT u.user_id, x.payload_id, u.state
        FROM unnest(users, platforms, stores, loads, states) AS u (user_id, platform_id, store, load_id, state)
        CROSS JOIN LATERAL (SELECT p.payload_id FROM intake.load_page p
          WHERE p.user_id = u.user_id AND p.platform_id = u.platform_id AND p.store = u.store AND p.load_id = u.load_id OFFSET 0) x) n
  WHERE r.user_id = n.user_id AND r.payload_id = n.payload_id;
  UPDATE intake.load l SET state = n.state, ended_at = as_of
  FROM unnest(users, platforms, stores, loads, states) AS n (user_id, platform_id, store, load_id, state)
  WHERE l.user_id = n.user_id AND l.platform_id = n.platform_id AND l.store = n.store AND l.load_id = n.load_id AND l.state = 'open';
  DELETE FROM intake.load_page p
  USING unnest(users, platforms, stores, loads) AS n (user_id, platform_id, store, load_id)
  CROSS JOIN LATERAL (SELECT x.ctid FROM intake.load_page x
    WHERE x.user_id = n.user_id AND x.platform_id = n.platform_id AND x.store = n.store AND x.load_id = n.load_id OFFSET 0) f
  WHERE p.ctid = f.ctid;
END $$;

COMMENT ON FUNCTION intake.end_loads(users uuid[], platforms smallint[], stores text[], loads text[], states text[], as_of timestamp with time zone) IS 'Decides loads (state applied, abandoned or parked): their pages are let go and their receipts say what became of them.';

CREATE FUNCTION intake.expired_pages(as_of timestamp with time zone) RETURNS TABLE(user_id uuid, platform_id smallint, store text, load_id text, received_at timestamp with time zone, is_consented boolean, payload text)
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  expired intake.load;
BEGIN
  FOR expired IN
    SELECT l.* FROM intake.load l WHERE l.state = 'open' AND l.began_at <= as_of - interval '168 hours' AND NOT intake.is_retried(l.user_id)
    ORDER BY l.began_at LIMIT 100
  LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(expired.user_id);
    -- What is left of it is being erased.
    CONTINUE WHEN intake.is_forgotten(expired.user_id);
    -- No pages: another session has decided it since.
    RETURN QUERY
    SELECT p.user_id, p.platform_id, p.store, p.load_id, p.received_at, p.is_consented, p.payload FROM intake.load_page p
    WHERE p.user_id = expired.user_id AND p.platform_id = expired.platform_id AND p.store = expired.store AND p.load_id = expired.load_id
    ORDER BY p.page;
    EXIT WHEN FOUND;
  END LOOP;
END $$;

COMMENT ON FUNCTION intake.expired_pages(as_of timestamp with time zone) IS 'The held pages of one load that has been incomplete for a week, and whose person is locked with this. The caller parks them, applies their deletions and ends the load.';

CREATE FUNCTION intake.export_query(of_section text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
DECLARE
  part record;
  columns text[];
  hidden text[] := '{user_id}';
  joins text := '';
  extra text[] := '{}';
BEGIN
  SELECT s.* INTO part FROM intake.export_sections() s WHERE s.section = of_section;
  IF part.section IS NULL THEN
    RAISE EXCEPTION 'An export has no section "%".', of_section USING ERRCODE = 'invalid_parameter_value';
  ELSIF of_section = 'metric' THEN
    RETURN 'SELECT jsonb_strip_nulls(jsonb_build_object(''metric'', m.metric, ''name'', m.name, ''unit'', m.unit, ''aggregation'', m.aggregation,'
      ' ''loinc'', m.loinc))::text FROM public.metric m WHERE $1 IS NOT NULL ORDER BY m.metric';
  ELSIF of_section = 'unknown_reason' THEN
    RETURN 'SELECT (jsonb_build_object(''code'', u.code, ''meaning'', u.meaning) || jsonb_build_object(''dataAbsentReason'', public.absent_reason(u.data_absent_reason, NULL)))::text'
      ' FROM public.unknown_reason u WHERE $1 IS NOT NULL ORDER BY u.rank';
  END IF;
  columns := ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = part.relation AND a.attnum > 0 AND NOT a.attisdropped);
  -- Numbers that only this database knows become the words that payloads use.
  IF 'metric_id' = ANY (columns) THEN
    joins := joins || ' LEFT JOIN public.metric m ON m.metric_id = r.metric_id';
    hidden := hidden || 'metric_id'::text;
    extra := extra || 'jsonb_build_object(''metric'', m.metric)'::text;
  END IF;
  IF 'platform_id' = ANY (columns) THEN
    joins := joins || ' LEFT JOIN public.platform f ON f.platform_id = r.platform_id';
    hidden := hidden || 'platform_id'::text;
    extra := extra || 'CASE WHEN f.platform IS NOT NULL THEN jsonb_build_object(''platform'', f.platform) ELSE ''{}'' END'::text;
  END IF;
  IF 'unknown_reason' = ANY (columns) THEN
    joins := joins || ' LEFT JOIN public.unknown_reason u ON u.code = r.unknown_reason LEFT JOIN public.metric n ON n.metric = r.metric';
    extra := extra || 'CASE WHEN r.value IS NOT NULL THEN jsonb_build_object(''unit'', n.unit) ELSE ''{}'' END'::text;
    -- A number that the person has deleted at its source is withheld.
    extra := extra || format('jsonb_build_object(''dataAbsentReason'', public.absent_reason(%s, concat_ws('': '', r.unknown_reason, r.unknown_detail)))',
      CASE WHEN 'value_deleted_at' = ANY (columns) THEN 'CASE WHEN r.value_deleted_at IS NOT NULL AND r.value IS NULL THEN ''masked'' ELSE u.data_absent_reason END'
           ELSE 'u.data_absent_reason' END)::text;
  END IF;
  IF of_section = 'dead_letter' THEN
    -- What came under one name and is about another is nobody's to read here.
    extra := extra || 'CASE WHEN r.code = ''user_mismatch'' THEN ''{"payload": null}''::jsonb ELSE ''{}'' END'::text;
  END IF;
  RETURN format('SELECT jsonb_strip_nulls(%s)::text FROM %s r%s WHERE r.user_id = $1 ORDER BY %s',
    array_to_string(format('(to_jsonb(r) - %L::text[])', hidden) || extra, ' || '),
    CASE of_section WHEN 'record' THEN 'evidence.record' ELSE part.relation::text END, joins,
    part.key || CASE of_section WHEN 'record' THEN ', r.id' ELSE '' END);
END $_$;

COMMENT ON FUNCTION intake.export_query(of_section text) IS 'The question whose answer is a section: one JSON object per row, $1 is the person. What is NULL is left out; metrics and platforms have their names; a cell without a value says why as FHIR does.';

CREATE FUNCTION intake.export_sections() RETURNS TABLE(place integer, section text, relation regclass, key text, at_once integer)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  -- What the person knows comes first, then what it is made of, then what arrived. Each in the order of its primary key. Rows that may hold a whole
  -- payload are fetched one by one.
  RETURN QUERY
  WITH held AS (
    SELECT t.relation, c.relname::text AS name, c.relnamespace::regnamespace::text AS of_schema, t.place,
           (SELECT string_agg(format('r.%I', a.attname), ', ' ORDER BY k.n)
            FROM pg_index x CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k (attnum, n)
            JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum
            WHERE x.indrelid = t.relation AND x.indisprimary) AS key,
           CASE WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.relation AND a.attname = 'payload') THEN 1 ELSE 500 END AS at_once
    FROM intake.tables_of_persons() t JOIN pg_class c ON c.oid = t.relation
    -- An index of evidence.record_day, which says no more than that.
    WHERE t.relation <> 'evidence.record_id'::regclass
    UNION ALL
    SELECT 'intake.forgotten_person'::regclass, 'forgotten_person', 'intake', 1000, 'r.user_id', 500)
  SELECT row_number() OVER (ORDER BY array_position('{public,evidence,intake}', h.of_schema), h.place)::integer + 2,
         CASE h.name WHEN 'record_day' THEN 'record' ELSE h.name END, h.relation, h.key, h.at_once
  FROM held h
  UNION ALL
  SELECT 1, 'metric', 'public.metric'::regclass, 'm.metric', 500
  UNION ALL
  SELECT 2, 'unknown_reason', 'public.unknown_reason'::regclass, 'u.rank', 500
  ORDER BY 1;
END $$;

COMMENT ON FUNCTION intake.export_sections() IS 'What an export consists of: the names of its sections in their order, the table behind each, in which order its rows come and how many are fetched at once. All tables of intake.tables_of_persons, and the catalogues that they speak of.';

CREATE FUNCTION intake.forget_begin(person uuid, as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  -- A batch that has the person in hand ends before; whoever claims after this finds the ban.
  PERFORM evidence.lock_person(person);
  INSERT INTO intake.forgotten_person AS f (user_id, forgotten_at) VALUES (person, as_of)
  ON CONFLICT ON CONSTRAINT forgotten_person_pkey DO UPDATE
    SET forgotten_at = CASE WHEN f.allowed_again_at IS NULL THEN f.forgotten_at ELSE excluded.forgotten_at END,
        times = CASE WHEN f.allowed_again_at IS NULL THEN f.times ELSE f.times + 1 END,
        erased_at = NULL, allowed_again_at = NULL, letters_read = 0;
  -- Nothing derives the person's days any more, so that no number is made of evidence that is half gone.
  DELETE FROM evidence.due_day d WHERE d.user_id = person;
  DELETE FROM evidence.due_cell d WHERE d.user_id = person;
  DELETE FROM evidence.person p WHERE p.user_id = person;
END $$;

COMMENT ON FUNCTION intake.forget_begin(person uuid, as_of timestamp with time zone) IS 'Begins to forget a person, or to look again whether anything is left: from now on payloads about them are refused, and no re-check finds them. Waits for the batch that has them in hand.';

CREATE FUNCTION intake.forget_letters(person uuid) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  seen bigint[];
  found_here integer;
BEGIN
  -- Before the first: a letter that was written without knowing of the ban is committed, or rolled back. Later ones are written by who knows.
  IF EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.letters_read = 0) THEN
    PERFORM pg_advisory_xact_lock(intake.letter_key());
  END IF;
  -- As many as are quickly read: their length is known without that.
  seen := ARRAY(SELECT n.id FROM (
    SELECT l.id, sum(l.bytes) OVER before AS bytes_before
    FROM (SELECT x.id, octet_length(x.payload)::bigint AS bytes FROM intake.dead_letter x
          WHERE x.id > (SELECT f.letters_read FROM intake.forgotten_person f WHERE f.user_id = person) ORDER BY x.id LIMIT 500) l
    WINDOW before AS (ORDER BY l.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) n
    WHERE n.bytes_before IS NULL OR n.bytes_before < 8000000 ORDER BY n.id);
  IF cardinality(seen) = 0 THEN
    RETURN NULL;
  END IF;
  DELETE FROM intake.dead_letter l WHERE l.id = ANY (seen) AND position(person::text IN lower(l.payload)) > 0;
  GET DIAGNOSTICS found_here = ROW_COUNT;
  UPDATE intake.forgotten_person f SET letters_read = seen[cardinality(seen)] WHERE f.user_id = person;
  RETURN found_here;
END $$;

COMMENT ON FUNCTION intake.forget_letters(person uuid) IS 'Looks through the next dead letters for those that came under another name and name the person, and deletes these. Waits, before the first, for whoever is writing letters and may not know that the person is forgotten: the ban must have been committed. Returns how many; NULL: all have been looked through.';

CREATE FUNCTION intake.forget_rows(person uuid, max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $_$
DECLARE
  part record;
  found_here integer;
  erased integer := 0;
BEGIN
  FOR part IN
    SELECT COALESCE(p.relid, t.relation) AS relation, LEAST(t.at_once, max_rows) AS at_once
    FROM intake.tables_of_persons() t LEFT JOIN LATERAL (SELECT x.relid FROM pg_partition_tree(t.relation) x WHERE x.isleaf) p ON true
    ORDER BY t.place, p.relid
  LOOP
    EXECUTE format('DELETE FROM ONLY %1$s t WHERE t.ctid = ANY (ARRAY(SELECT x.ctid FROM ONLY %1$s x WHERE x.user_id = $1 LIMIT $2))', part.relation)
    USING person, LEAST(part.at_once, max_rows - erased);
    GET DIAGNOSTICS found_here = ROW_COUNT;
    erased := erased + found_here;
    EXIT WHEN erased >= max_rows OR found_here >= part.at_once;
  END LOOP;
  RETURN erased;
END $_$;

COMMENT ON FUNCTION intake.forget_rows(person uuid, max_rows integer) IS 'Deletes up to max_rows rows of a person, from the first table that has any on. Returns how many; 0: none is left.';

CREATE FUNCTION intake.forget_step(person uuid, max_rows integer, as_of timestamp with time zone, OUT erased integer, OUT is_over boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
DECLARE
  more integer;
BEGIN
  PERFORM evidence.lock_person(person);
  erased := 0;
  is_over := NOT EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.erased_at IS NULL);
  IF is_over THEN                              -- Somebody else has come to the end.
    RETURN;
  END IF;
  erased := intake.forget_rows(person, max_rows);
  IF erased < max_rows THEN
    erased := erased + evidence.forget_elsewhere(person, max_rows - erased);
  END IF;
  IF erased = 0 THEN
    more := intake.forget_letters(person);
    erased := COALESCE(more, 0);
    is_over := more IS NULL;
  END IF;
  UPDATE intake.forgotten_person f
  SET rows_erased = f.rows_erased + erased, erased_at = CASE WHEN is_over THEN as_of END
  WHERE f.user_id = person AND (erased > 0 OR is_over);
  -- Not before: whoever begins to follow the feed meanwhile is told of cells that are still there, and of this behind them. What was said of an
  -- earlier erasure is said anew if there was more to erase.
  IF erased > 0 THEN
    UPDATE evidence.cell_change c SET user_id = '00000000-0000-0000-0000-000000000000', is_whole_person = false WHERE c.user_id = person AND c.is_whole_person;
  ELSIF is_over AND NOT EXISTS (SELECT FROM evidence.cell_change c WHERE c.user_id = person AND c.is_whole_person) THEN
    INSERT INTO evidence.cell_change (user_id, transaction_id, seen, changed_at, metric_ids, days, is_whole_person)
    VALUES (person, pg_current_xact_id(), pg_current_snapshot(), as_of, '{}', '{}', true);
  END IF;
END $$;

COMMENT ON FUNCTION intake.forget_step(person uuid, max_rows integer, as_of timestamp with time zone, OUT erased integer, OUT is_over boolean) IS 'Erases up to max_rows more rows of a person whom forget_begin has begun to forget, fewer of those that hold whole payloads, and mends a few that are not the person''s alone. is_over: nothing is left, the proof says so, and so does the feed.';

CREATE FUNCTION intake.forget_unfinished(as_of timestamp with time zone, max_rows integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
  person uuid;
BEGIN
  FOR person IN SELECT f.user_id FROM intake.forgotten_person f WHERE f.erased_at IS NULL ORDER BY f.forgotten_at LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(person);
    -- Whoever had the lock may have come to the end.
    CONTINUE WHEN NOT EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.erased_at IS NULL);
    PERFORM intake.forget_step(person, max_rows, as_of);
    RETURN 1;
  END LOOP;
  RETURN 0;
END $$;

COMMENT ON FUNCTION intake.forget_unfinished(as_of timestamp with time zone, max_rows integer) IS 'Goes a step on with the erasure of somebody that was ended in the middle. Returns 1; 0: there is none, or others are at it.';

CREATE FUNCTION intake.has_expired_load(as_of timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN EXISTS (SELECT FROM intake.load l WHERE l.state = 'open' AND l.began_at <= as_of - interval '168 hours' AND NOT intake.is_retried(l.user_id));
END $$;

COMMENT ON FUNCTION intake.has_expired_load(as_of timestamp with time zone) IS 'Whether a load has been incomplete for a week, also one of a person whom another session works on.';

CREATE FUNCTION intake.has_work() RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  -- Not EXISTS: it drops the order, and with it the index.
  RETURN (SELECT true FROM intake.sync_payload q ORDER BY q.user_id, q.id LIMIT 1) IS NOT NULL;
END $$;

COMMENT ON FUNCTION intake.has_work() IS 'Whether a payload waits, also one that another session has in hand.';

CREATE FUNCTION intake.hold_pages(users uuid[], platforms smallint[], stores text[], loads text[], pages integer[], finals boolean[], payload_ids uuid[], payloads text[], received timestamp with time zone[], consents boolean[]) RETURNS TABLE(ordinal bigint, is_held boolean)
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  INSERT INTO intake.load (user_id, platform_id, store, load_id, state, began_at)
  SELECT n.user_id, n.platform_id, n.store, n.load_id, 'open', min(n.received_at)
  FROM unnest(users, platforms, stores, loads, received) AS n (user_id, platform_id, store, load_id, received_at)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING;
  INSERT INTO intake.load_page (user_id, platform_id, store, load_id, page, is_final, payload_id, payload, received_at, is_consented)
  SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.load_id, n.page)
    n.user_id, n.platform_id, n.store, n.load_id, n.page, n.is_final, n.payload_id, n.payload, n.received_at, n.is_consented
  FROM unnest(users, platforms, stores, loads, pages, finals, payload_ids, payloads, received, consents) WITH ORDINALITY
    AS n (user_id, platform_id, store, load_id, page, is_final, payload_id, payload, received_at, is_consented, ordinal)
  CROSS JOIN LATERAL (SELECT l.state FROM intake.load l
    WHERE l.user_id = n.user_id AND l.platform_id = n.platform_id AND l.store = n.store AND l.load_id = n.load_id OFFSET 0) l
  WHERE l.state = 'open'
  ORDER BY 1, 2, 3, 4, 5, n.ordinal ON CONFLICT DO NOTHING;
  -- What is not held is a dead letter and does not wait.
  UPDATE intake.receipt r SET outcome = 'load_abandoned', cells = 0
  FROM unnest(users, platforms, stores, loads, pages, payload_ids) AS n (user_id, platform_id, store, load_id, page, payload_id)
  WHERE r.user_id = n.user_id AND r.payload_id = n.payload_id
    AND NOT EXISTS (SELECT FROM intake.load_page p
      WHERE p.user_id = n.user_id AND p.platform_id = n.platform_id AND p.store = n.store AND p.load_id = n.load_id AND p.page = n.page
        AND p.payload_id = n.payload_id);
  RETURN QUERY
  SELECT n.ordinal, COALESCE(p.payload_id = n.payload_id, false)
  FROM unnest(users, platforms, stores, loads, pages, payload_ids) WITH ORDINALITY
    AS n (user_id, platform_id, store, load_id, page, payload_id, ordinal)
  LEFT JOIN LATERAL (SELECT g.payload_id FROM intake.load_page g
    WHERE g.user_id = n.user_id AND g.platform_id = n.platform_id AND g.store = n.store AND g.load_id = n.load_id AND g.page = n.page OFFSET 0) p ON true
  ORDER BY n.ordinal;
END $$;

COMMENT ON FUNCTION intake.hold_pages(users uuid[], platforms smallint[], stores text[], loads text[], pages integer[], finals boolean[], payload_ids uuid[], payloads text[], received timestamp with time zone[], consents boolean[]) IS 'Keeps pages of loads that are open and says of each, in this order, whether it is held. One that is not came after its load was decided, or has the number of another; its receipt says load_abandoned.';

CREATE FUNCTION intake.is_forgotten(person uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person AND f.allowed_again_at IS NULL);
END $$;

COMMENT ON FUNCTION intake.is_forgotten(person uuid) IS 'Whether payloads about the person are refused. Whoever asks under the person''s lock has an answer that stays true.';

CREATE FUNCTION intake.is_held(person uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $_$
DECLARE
  part regclass;
  found_here boolean;
BEGIN
  FOR part IN SELECT t.relation FROM intake.tables_of_persons() t ORDER BY t.place LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s t WHERE t.user_id = $1)', part) INTO found_here USING person;
    IF found_here THEN RETURN true; END IF;
  END LOOP;
  RETURN EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person);
END $_$;

COMMENT ON FUNCTION intake.is_held(person uuid) IS 'Whether anything is held of a person, the proof of having been forgotten included.';

CREATE FUNCTION intake.is_retried(person uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  RETURN EXISTS (SELECT FROM intake.sync_payload q WHERE q.user_id = person AND q.is_retry);
END $$;

COMMENT ON FUNCTION intake.is_retried(person uuid) IS 'Whether dead letters of the person wait in the queue: pages of a load that is tried again may be among them, so none of the person''s loads is given up before they have been taken.';

CREATE FUNCTION intake.letter_key() RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 4711004;
END $$;

COMMENT ON FUNCTION intake.letter_key() IS 'Advisory lock that whoever writes dead letters shares until the end of the transaction, before asking who is forgotten. Whoever has forgotten somebody takes it alone once: then every letter that was written without knowing is there to be seen.';

CREATE FUNCTION intake.letters_together(numbers bigint[]) RETURNS SETOF bigint
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN QUERY
  SELECT l.id FROM intake.dead_letter l WHERE l.id = ANY (numbers)
  UNION
  SELECT other.id
  FROM intake.dead_letter l
  JOIN intake.dead_letter other
    ON other.user_id = l.user_id AND other.platform_id = l.platform_id AND other.store = l.store AND other.load_id = l.load_id
  WHERE l.id = ANY (numbers);
END $$;

COMMENT ON FUNCTION intake.letters_together(numbers bigint[]) IS 'The numbers of these dead letters, and of those that were parked with them as one load: what deletes too much as a whole is not let through page by page.';

CREATE FUNCTION intake.named_forgotten(text_of_payload text) RETURNS uuid
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  -- Nearly always nobody is forgotten, or few are, and the text need not be looked through.
  IF NOT EXISTS (SELECT FROM intake.forgotten_person f WHERE f.allowed_again_at IS NULL) THEN
    RETURN NULL;
  END IF;
  RETURN (SELECT f.user_id FROM intake.forgotten_person f
          WHERE f.allowed_again_at IS NULL AND f.user_id IN (
            SELECT (m.found)[1]::uuid
            FROM regexp_matches(text_of_payload, '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}', 'g') AS m (found))
          ORDER BY f.user_id LIMIT 1);
END $$;

COMMENT ON FUNCTION intake.named_forgotten(text_of_payload text) IS 'A forgotten person whose id stands somewhere in a text. NULL: none does.';

CREATE FUNCTION intake.note_deaths(as_of timestamp with time zone, OUT suspects integer, OUT crashed integer) RETURNS record
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  batch intake.batch_in_hand;
  culprit intake.suspect;
  parked intake.sync_payload;
  newest bigint := 0;
BEGIN
  suspects := 0;
  crashed := 0;
  -- backend_start is hidden from roles that may not see each other's sessions; then the number has to do.
  FOR batch IN
    SELECT b.* FROM intake.batch_in_hand b
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity a
      WHERE a.pid = b.backend_pid AND (a.backend_start IS NULL OR a.backend_start = b.backend_start))
    FOR UPDATE SKIP LOCKED
  LOOP
    -- Whoever stops the server stops all batches, and none of them is to blame.
    IF batch.backend_start >= pg_postmaster_start_time() THEN
      suspects := suspects + intake.suspect_batch(batch.user_ids, batch.ids, NULL, as_of);
    END IF;
    DELETE FROM intake.batch_in_hand b WHERE b.process = batch.process AND b.worker = batch.worker;
  END LOOP;
  FOR culprit IN SELECT s.* FROM intake.suspect s WHERE s.deaths >= intake.deaths_until_parked() ORDER BY s.user_id, s.id LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(culprit.user_id);
    DELETE FROM intake.sync_payload q WHERE q.user_id = culprit.user_id AND q.id = culprit.id RETURNING q.* INTO parked;
    IF FOUND AND 0 = intake.bury(ARRAY[parked.user_id], '{NULL}', '{crashed}', '{""}', '{NULL}',
      ARRAY[format('The process or the server died %s times with it in hand, at last alone with it.', culprit.deaths)],
      ARRAY[parked.payload], ARRAY[parked.received_at], as_of)
    THEN
      crashed := crashed + 1;
      newest := GREATEST(newest, culprit.id);
    END IF;
    DELETE FROM intake.suspect s WHERE s.user_id = culprit.user_id AND s.id = culprit.id;
  END LOOP;
  IF crashed > 0 AND intake.crashes_until_pause() <= (
    SELECT count(*) FROM intake.dead_letter l WHERE l.code = 'crashed' AND l.died_at > as_of - interval '1 hour')
  THEN
    PERFORM intake.pause('payloads keep ending the process that has them in hand; see dead list --code crashed', as_of, newest);
  END IF;
END $$;

COMMENT ON FUNCTION intake.note_deaths(as_of timestamp with time zone, OUT suspects integer, OUT crashed integer) IS 'Looks for batches whose worker is gone: their payloads that are still queued become suspects, or after too many deaths dead letters (crashed). Pauses the intake if that happens again and again. Returns how many of each.';

CREATE FUNCTION intake.note_loss(of_process uuid, of_worker integer, backend_start timestamp with time zone, began timestamp with time zone, user_ids uuid[], numbers bigint[], without_a_word boolean) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  is_counted boolean;
BEGIN
  DELETE FROM intake.batch_in_hand b WHERE b.process = of_process AND b.worker = of_worker;
  -- Somebody took the end of the connection for a death of the worker; or the server crashed before the note was safe.
  is_counted := NOT FOUND;
  IF without_a_word AND backend_start >= pg_postmaster_start_time() THEN
    -- Dated by its batch, however late it is told: what takes back the deaths since a later batch began must not take back this one.
    RETURN intake.suspect_batch(user_ids, numbers, CASE WHEN is_counted THEN began END, began);
  END IF;
  IF is_counted THEN
    DELETE FROM intake.suspect s USING unnest(user_ids, numbers) AS n (user_id, id)
    WHERE s.user_id = n.user_id AND s.id = n.id AND s.died_at >= began AND s.deaths = 1;
    UPDATE intake.suspect s SET deaths = s.deaths - 1 FROM unnest(user_ids, numbers) AS n (user_id, id)
    WHERE s.user_id = n.user_id AND s.id = n.id AND s.died_at >= began;
  END IF;
  RETURN 0;
END $$;

COMMENT ON FUNCTION intake.note_loss(of_process uuid, of_worker integer, backend_start timestamp with time zone, began timestamp with time zone, user_ids uuid[], numbers bigint[], without_a_word boolean) IS 'What a worker that lives says of the connection that it lost with a batch in hand. If the server ended it with a word, fell silent or has been started again since, the payloads are not to blame, and what somebody counted against them is taken back. If it ended without a word they may have crashed the server, and that is a death. Returns the number of new suspects.';

CREATE FUNCTION intake.note_refused(persons uuid[], as_of timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE intake.forgotten_person f
  SET payloads_refused = f.payloads_refused + n.payloads, last_refused_at = GREATEST(f.last_refused_at, as_of)
  FROM (SELECT u.user_id, count(*) AS payloads FROM unnest(persons) AS u (user_id) GROUP BY u.user_id) n
  WHERE f.user_id = n.user_id;
END $$;

COMMENT ON FUNCTION intake.note_refused(persons uuid[], as_of timestamp with time zone) IS 'Counts payloads about forgotten persons that were let go of, one element for each.';

CREATE FUNCTION intake.note_timeout(person uuid, number bigint, as_of timestamp with time zone, OUT attempts integer, OUT is_counted boolean, OUT is_parked boolean) RETURNS record
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  parked intake.sync_payload;
BEGIN
  is_parked := false;
  SELECT s.passed > 0 INTO is_counted FROM intake.slow_payload s WHERE s.user_id = person AND s.id = number FOR UPDATE;
  is_counted := COALESCE(is_counted, true);
  INSERT INTO intake.slow_payload AS s (user_id, id, attempts, tried_at)
  SELECT q.user_id, q.id, 1, as_of FROM intake.sync_payload q WHERE q.user_id = person AND q.id = number
  ON CONFLICT ON CONSTRAINT slow_payload_pkey DO UPDATE
    SET attempts = s.attempts + is_counted::integer, passed = 0, tried_at = excluded.tried_at
  RETURNING s.attempts INTO attempts;
  -- Whoever lives through a whole attempt with it has not been killed by it; as a suspect it would come before all others, again and again.
  DELETE FROM intake.suspect s WHERE s.user_id = person AND s.id = number;
  -- So many are there only if each was counted. Whoever had the person in hand at the last one leaves the parking to the next.
  IF attempts IS NULL OR attempts < intake.attempts_until_parked() OR NOT evidence.try_lock_person(person) THEN RETURN; END IF;
  DELETE FROM intake.sync_payload q WHERE q.user_id = person AND q.id = number RETURNING q.* INTO parked;
  is_parked := FOUND AND 0 = intake.bury(ARRAY[parked.user_id], '{NULL}', '{timed_out}', '{""}', '{NULL}',
    ARRAY[format('Alone it took longer than --statement-deadline allows, %s times, while others were merged.', attempts)],
    ARRAY[parked.payload], ARRAY[parked.received_at], as_of);
  DELETE FROM intake.slow_payload s WHERE s.user_id = person AND s.id = number;
  IF intake.crashes_until_pause() <= (
    SELECT count(*) FROM intake.dead_letter l WHERE l.code = 'timed_out' AND l.died_at > as_of - interval '1 hour')
  THEN
    PERFORM intake.pause('payload after payload takes longer than --statement-deadline; see dead list --code timed_out', as_of, number);
  END IF;
END $$;

COMMENT ON FUNCTION intake.note_timeout(person uuid, number bigint, as_of timestamp with time zone, OUT attempts integer, OUT is_counted boolean, OUT is_parked boolean) IS 'Notes that a payload took longer than the server allows although it was the only one of its batch; after enough attempts it is parked (timed_out). An attempt counts if it is the first or others were merged since the latest one: where everything is slow nothing is parked. Pauses the intake if too many are. attempts is NULL if the payload is not queued any more.';

CREATE FUNCTION intake.open_export(person uuid, of_section text) RETURNS void
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  export_items refcursor := 'export_items';
BEGIN
  OPEN export_items FOR EXECUTE intake.export_query(of_section) USING person;
END $$;

COMMENT ON FUNCTION intake.open_export(person uuid, of_section text) IS 'Opens the cursor export_items on a section, for this transaction. Whoever opens the next one closes it first.';

CREATE FUNCTION intake.park_load(person uuid, platform smallint, of_store text, load text, because text, as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  number integer;
BEGIN
  -- As in bury (17): a page that names somebody else who is forgotten is not kept.
  PERFORM pg_advisory_xact_lock_shared(intake.letter_key());
  INSERT INTO intake.dead_letter
    (user_id, payload_id, code, pointer, detail, payload, received_at, died_at, platform_id, store, load_id)
  SELECT p.user_id, p.payload_id, 'mass_deletion', '/deletions', because, p.payload, p.received_at, as_of, p.platform_id, p.store, p.load_id
  FROM intake.load_page p
  WHERE p.user_id = person AND p.platform_id = platform AND p.store = of_store AND p.load_id = load
    AND intake.named_forgotten(p.payload) IS NULL
  ORDER BY p.page;
  GET DIAGNOSTICS number = ROW_COUNT;
  PERFORM intake.end_loads(ARRAY[person], ARRAY[platform], ARRAY[of_store], ARRAY[load], '{parked}', as_of);
  RETURN number;
END $$;

COMMENT ON FUNCTION intake.park_load(person uuid, platform smallint, of_store text, load text, because text, as_of timestamp with time zone) IS 'Makes each held page of a load that would delete too much a dead letter, because of this, and says of the load that it is parked. Returns how many pages.';

CREATE FUNCTION intake.pause(because text, as_of timestamp with time zone, newest bigint DEFAULT NULL::bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE intake.control c SET paused_at = as_of, paused_because = because
  WHERE c.paused_at IS NULL AND (newest IS NULL OR newest > c.accepted_up_to);
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM pg_notify('dailymetricd', '');
  RETURN true;
END $$;

COMMENT ON FUNCTION intake.pause(because text, as_of timestamp with time zone, newest bigint) IS 'Stops taking payloads out of the queue, until resume; batches in hand are finished. newest: id of the newest payload that speaks for it; if all of them have been accepted since, nothing happens. Returns whether intake worked until now.';

CREATE FUNCTION intake.resume() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE intake.control c
  SET paused_at = NULL, paused_because = NULL,
      accepted_up_to = GREATEST(c.accepted_up_to, (SELECT max(q.id) FROM intake.sync_payload q))
  WHERE c.paused_at IS NOT NULL;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM pg_notify('dailymetricd', '');
  RETURN true;
END $$;

COMMENT ON FUNCTION intake.resume() IS 'Lets the workers go on. What is queued now is accepted as it is: it may die in any number without another pause. Returns whether intake was paused.';

CREATE FUNCTION intake.retry_dead_letters(numbers bigint[], consent boolean, as_of timestamp with time zone) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  letter intake.dead_letter;
  new_id bigint;
BEGIN
  FOR letter IN
    WITH gone AS (
      DELETE FROM intake.dead_letter l WHERE l.id = ANY (ARRAY(SELECT intake.letters_together(numbers))) RETURNING l.*)
    SELECT g.* FROM gone g ORDER BY g.id
  LOOP
    INSERT INTO intake.sync_payload AS q (user_id, payload, received_at, is_retry, is_consented)
    VALUES (letter.user_id, letter.payload, letter.received_at, true, consent) RETURNING q.id INTO new_id;
    -- What killed a process or took too long is not put among other payloads again.
    IF letter.code = 'crashed' THEN
      INSERT INTO intake.suspect (user_id, id, deaths, died_at) VALUES (letter.user_id, new_id, intake.deaths_until_alone(), as_of);
    ELSIF letter.code = 'timed_out' THEN
      INSERT INTO intake.slow_payload (user_id, id, attempts, tried_at) VALUES (letter.user_id, new_id, 1, as_of);
    END IF;
    UPDATE intake.load l SET state = 'open', ended_at = NULL
    WHERE l.user_id = letter.user_id AND l.platform_id = letter.platform_id AND l.store = letter.store AND l.load_id = letter.load_id
      AND l.state = 'parked';
    RETURN NEXT letter.id;
  END LOOP;
  PERFORM pg_notify('dailymetricd', '');
END $$;

COMMENT ON FUNCTION intake.retry_dead_letters(numbers bigint[], consent boolean, as_of timestamp with time zone) IS 'Puts dead letters back into the queue, with the time of their first arrival, and lets go of them; a load that was parked as a whole comes back as a whole, and is open again. With consent they may delete as much as they say. Returns their numbers.';

CREATE FUNCTION intake.retry_entries(users uuid[], payload_ids uuid[], as_of timestamp with time zone) RETURNS TABLE(user_id uuid, payload_id uuid, entries integer)
    LANGUAGE plpgsql
    AS $_$
DECLARE
  refused record;
  blocks text;
BEGIN
  FOR refused IN
    SELECT q.user_id, q.payload_id, min(q.read_at) AS read_at, min(p.platform) AS platform, min(q.store) AS store,
           -- Whose values were those of a process that had never read anything are not better now.
           bool_or(q.code = 'never_read') AS is_never_read
    FROM (SELECT DISTINCT n.* FROM unnest(users, payload_ids) AS n (user_id, payload_id)) n
    JOIN intake.quarantined_entry q ON q.user_id = n.user_id AND q.payload_id = n.payload_id
    JOIN public.platform p ON p.platform_id = q.platform_id
    LEFT JOIN intake.receipt r ON r.user_id = q.user_id AND r.payload_id = q.payload_id
    -- Of what is held, parked or abandoned as a whole no part is merged by itself.
    WHERE r.outcome IS NULL OR r.outcome = 'merged'
    GROUP BY q.user_id, q.payload_id ORDER BY q.user_id, q.payload_id
  LOOP
    -- Text beside text: numbers and keys stay as they were sent. A range that was looked at says something of the days beside it, which are merged
    -- already and not here; so it stays. So does a part of a document in another format: it is no entry of ours.
    WITH gone AS (
      DELETE FROM intake.quarantined_entry q
      WHERE q.user_id = refused.user_id AND q.payload_id = refused.payload_id AND q.pointer ~ '^/(time_zones|windows|permissions|presence|days|hours|records|workouts|deletions|backfill|readable)/[0-9]+(/|$)'
      RETURNING split_part(q.pointer, '/', 2) AS block, split_part(q.pointer, '/', 3)::integer AS place, q.entry)
    SELECT string_agg(format(',"%s":[%s]', b.block, b.list), '' ORDER BY b.block), sum(b.number) INTO blocks, entries
    FROM (SELECT g.block, string_agg(g.entry, ',' ORDER BY g.place) AS list, count(*) AS number FROM gone g GROUP BY g.block) b;
    CONTINUE WHEN blocks IS NULL;
    -- An id of its own that follows from the first one: the receipt of the payload itself stays what it is.
    INSERT INTO intake.sync_payload (user_id, payload, received_at, is_retry)
    VALUES (refused.user_id, format('{"schema":"dailymetricd.sync/1","payload_id":"%s","user_id":"%s","origin":{"platform":%s,"store":%s},"read":{"read_at":"%s"%s}%s}',
      md5('quarantine of ' || refused.payload_id)::uuid, refused.user_id, to_json(refused.platform), to_json(refused.store),
      to_char(refused.read_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      CASE WHEN refused.is_never_read THEN ',"last_successful_read_at":null' ELSE '' END, blocks), as_of, true);
    user_id := refused.user_id;
    payload_id := refused.payload_id;
    RETURN NEXT;
  END LOOP;
  PERFORM pg_notify('dailymetricd', '');
END $_$;

COMMENT ON FUNCTION intake.retry_entries(users uuid[], payload_ids uuid[], as_of timestamp with time zone) IS 'Makes a payload of the quarantined entries of each of these payloads (pairs of persons and payloads), as read then, and puts it into the queue; what is refused again is quarantined under the new payload''s id. Ranges that were looked at stay, parts of documents in other formats too, and so do the entries of payloads that are held, parked or abandoned. Returns what was put back.';

CREATE FUNCTION intake.slow_persons() RETURNS uuid[]
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  -- Nearly always there is none.
  IF NOT EXISTS (SELECT FROM intake.slow_payload) THEN
    RETURN '{}';
  END IF;
  DELETE FROM intake.slow_payload s
  USING (
    SELECT x.user_id, x.id FROM intake.slow_payload x
    WHERE NOT EXISTS (SELECT FROM intake.sync_payload q WHERE q.user_id = x.user_id AND q.id = x.id)
    ORDER BY x.user_id, x.id FOR UPDATE SKIP LOCKED) gone
  WHERE s.user_id = gone.user_id AND s.id = gone.id;
  RETURN ARRAY(SELECT DISTINCT s.user_id FROM intake.slow_payload s);
END $$;

COMMENT ON FUNCTION intake.slow_persons() IS 'Whose payloads took too long; empty: nobody''s. Forgets those that have left the queue since.';

CREATE FUNCTION intake.suspect_batch(user_ids uuid[], numbers bigint[], unless_since timestamp with time zone, as_of timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE
  number integer;
BEGIN
  INSERT INTO intake.suspect AS s (user_id, id, deaths, died_at)
  SELECT q.user_id, q.id, 1, as_of
  FROM unnest(user_ids, numbers) AS n (user_id, id)
  CROSS JOIN LATERAL (SELECT x.user_id, x.id FROM intake.sync_payload x WHERE x.user_id = n.user_id AND x.id = n.id OFFSET 0) q
  ORDER BY 1, 2
  ON CONFLICT ON CONSTRAINT suspect_pkey DO UPDATE SET deaths = s.deaths + 1, died_at = GREATEST(s.died_at, excluded.died_at)
  WHERE unless_since IS NULL OR s.died_at < unless_since;
  GET DIAGNOSTICS number = ROW_COUNT;
  RETURN number;
END $$;

COMMENT ON FUNCTION intake.suspect_batch(user_ids uuid[], numbers bigint[], unless_since timestamp with time zone, as_of timestamp with time zone) IS 'Counts a death against each of these payloads that is still queued, but not against one that has been suspected since unless_since (NULL: against all). Returns against how many.';

CREATE FUNCTION intake.suspect_key() RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 4711002;
END $$;

COMMENT ON FUNCTION intake.suspect_key() IS 'Advisory lock of the one session that has suspects in hand: of two suspects that died with one process, the innocent one would die as often as the other.';

CREATE FUNCTION intake.tables_of_persons() RETURNS TABLE(place integer, relation regclass, at_once integer)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  -- What makes others work on the person comes first, then what they would work with, then what they would have made. Rows with whole
  -- payloads are heavy, so few of them go at once. Tests/sql/forget.sql compares this list with the columns that name persons.
  RETURN QUERY
  SELECT t.n::integer, t.name::regclass, t.rows
  FROM unnest(
    ARRAY['evidence.due_day', 'evidence.due_cell', 'evidence.person', 'intake.sync_payload', 'intake.load_page', 'intake.load',
      'intake.suspect', 'intake.slow_payload', 'intake.dead_letter', 'intake.quarantined_entry', 'intake.receipt',
      'evidence.tracking', 'evidence.origin', 'evidence.time_zone', 'evidence.read_window', 'evidence.permission', 'evidence.presence',
      'evidence.backfill', 'evidence.reading', 'evidence.record_day', 'evidence.record_id', 'evidence.former_record',
      'evidence.deleted_record', 'evidence.deleted_interval', 'evidence.hour', 'evidence.workout', 'public.hourly_metric', 'public.workout_summary',
      'public.daily_metric', 'public.daily_metric_history'],
    ARRAY[10000, 10000, 10000, 100, 20, 10000, 10000, 10000, 20, 1000, 10000, 10000, 10000, 10000, 10000, 10000, 10000, 10000,
      10000, 1000, 10000, 10000, 10000, 10000, 10000, 100, 10000, 10000, 10000, 10000]) WITH ORDINALITY AS t (name, rows, n);
END $$;

COMMENT ON FUNCTION intake.tables_of_persons() IS 'The tables that have a row for a person (user_id), in the order in which a person is erased from them, and how many rows of each go in one transaction at most. Three others name persons otherwise, see evidence.forget_elsewhere.';

CREATE FUNCTION intake.take_receipts(user_ids uuid[], payload_ids uuid[], content_hashes bytea[], received timestamp with time zone[], read_times timestamp with time zone[], outcomes text[], cells integer[], quarantined integer[], retries boolean[], as_of timestamp with time zone) RETURNS TABLE(ordinal bigint, verdict text)
    LANGUAGE plpgsql
    SET jit TO 'off'
    SET enable_nestloop TO 'on'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN
  -- The persons are locked by the claim, so that nobody else writes their receipts between these statements.
  RETURN QUERY
  SELECT p.ordinal, CASE
      WHEN p.is_retry OR (r.content_hash IS NULL AND p.turn = 1) THEN 'new'
      WHEN COALESCE(r.content_hash, p.first_hash) = p.content_hash THEN 'repeated'
      ELSE 'reused' END
  FROM (SELECT u.*, row_number() OVER same AS turn, first_value(u.content_hash) OVER same AS first_hash
        FROM unnest(user_ids, payload_ids, content_hashes, retries) WITH ORDINALITY AS u (user_id, payload_id, content_hash, is_retry, ordinal)
        WINDOW same AS (PARTITION BY u.user_id, u.payload_id ORDER BY u.ordinal)) p
  LEFT JOIN LATERAL (
    SELECT x.content_hash FROM intake.receipt x
    WHERE x.user_id = p.user_id AND x.payload_id = p.payload_id OFFSET 0) r ON true
  ORDER BY p.ordinal;

  UPDATE intake.receipt r SET repetitions = r.repetitions + again.times
  FROM (SELECT u.user_id, u.payload_id, u.content_hash, count(*)::integer AS times
        FROM unnest(user_ids, payload_ids, content_hashes, retries) AS u (user_id, payload_id, content_hash, is_retry)
        WHERE NOT u.is_retry GROUP BY 1, 2, 3) again
  CROSS JOIN LATERAL (SELECT x.ctid FROM intake.receipt x
    WHERE x.user_id = again.user_id AND x.payload_id = again.payload_id AND x.content_hash = again.content_hash OFFSET 0) f
  WHERE r.ctid = f.ctid;

  -- What an operator tries again is what the receipt is about from now on; when it first arrived stays.
  IF true = ANY (retries) THEN
    UPDATE intake.receipt r
    SET read_at = n.read_time, content_hash = n.content_hash, outcome = n.outcome, cells = n.cells, quarantined = n.quarantined,
        processed_at = as_of
    FROM (SELECT DISTINCT ON (p.user_id, p.payload_id) p.*
          FROM unnest(user_ids, payload_ids, content_hashes, read_times, outcomes, cells, quarantined, retries) WITH ORDINALITY
            AS p (user_id, payload_id, content_hash, read_time, outcome, cells, quarantined, is_retry, ordinal)
          WHERE p.is_retry ORDER BY p.user_id, p.payload_id, p.ordinal DESC) n
    CROSS JOIN LATERAL (SELECT x.ctid FROM intake.receipt x WHERE x.user_id = n.user_id AND x.payload_id = n.payload_id OFFSET 0) f
    WHERE r.ctid = f.ctid;
  END IF;

  INSERT INTO intake.receipt
    (user_id, payload_id, first_seen, read_at, content_hash, outcome, cells, quarantined, repetitions, processed_at)
  SELECT DISTINCT ON (p.user_id, p.payload_id)
    p.user_id, p.payload_id, p.received, p.read_time, p.content_hash, p.outcome, p.cells, p.quarantined,
    (count(*) OVER (PARTITION BY p.user_id, p.payload_id, p.content_hash) - 1)::integer, as_of
  FROM unnest(user_ids, payload_ids, content_hashes, received, read_times, outcomes, cells, quarantined) WITH ORDINALITY
    AS p (user_id, payload_id, content_hash, received, read_time, outcome, cells, quarantined, ordinal)
  ORDER BY p.user_id, p.payload_id, p.ordinal
  ON CONFLICT ON CONSTRAINT receipt_pkey DO NOTHING;
END $$;

COMMENT ON FUNCTION intake.take_receipts(user_ids uuid[], payload_ids uuid[], content_hashes bytea[], received timestamp with time zone[], read_times timestamp with time zone[], outcomes text[], cells integer[], quarantined integer[], retries boolean[], as_of timestamp with time zone) IS 'Says of each payload of a batch, in order of arrival, whether it is new, repeated (same id and content: a no-op) or reused (same id, other content), and writes the receipts of the new ones. A retry is always new. The persons must be locked.';

CREATE FUNCTION intake.wake_key() RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN 4711001;
END $$;

COMMENT ON FUNCTION intake.wake_key() IS 'Advisory lock that a sleeping daemon holds: only then does enqueueing notify. A NOTIFY per insert would serialise all producers.';

CREATE FUNCTION public.absent_reason(p_code text, p_text text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN CASE WHEN p_code IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object(
    'coding', jsonb_build_array(jsonb_build_object('system', 'http://terminology.hl7.org/CodeSystem/data-absent-reason', 'code', p_code)),
    'text', p_text)) END;
END $$;

COMMENT ON FUNCTION public.absent_reason(p_code text, p_text text) IS 'A CodeableConcept of FHIR that says why there is no value: a code of data-absent-reason, and words of ours. NULL where there is no code: there is a value.';

CREATE FUNCTION public.changes_since(p_cursor text, p_limit integer DEFAULT 1000) RETURNS TABLE(next_cursor text, user_id uuid, metric text, local_date date, is_removed boolean, status text, value numeric, unknown_reason text, covering_sources integer, is_final boolean, revision integer, shown_since timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET "DateStyle" TO 'ISO'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_sort TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $_$
#variable_conflict use_column
DECLARE
  -- A cursor: era:proof:transaction:change:cell, and while everything is told :person:metric:day, with the place at the start.
  part text[] := string_to_array(p_cursor, ':');
  is_beginning constant boolean := p_cursor IS NULL OR part[6] IS NOT NULL;
  this_era constant text := public.feed_era();
  -- Cells are told as they are now, which may be by changes far behind the place. So it is now that must not be lost.
  proof constant text := public.newest_proof();
  oldest_running constant xid8 := pg_snapshot_xmin(pg_current_snapshot());
  horizon public.feed_horizon;
  place_transaction xid8;
  place_change bigint;
  place_cell integer;
  given integer := 0;
BEGIN
  IF (p_limit BETWEEN 1 AND 100000) IS NOT TRUE THEN
    RAISE EXCEPTION 'A page has from 1 to 100000 cells, not %.', p_limit USING ERRCODE = 'invalid_parameter_value';
  ELSIF (p_cursor COLLATE "C" ~ '^([0-9]+-){3}[0-9A-F]{8}:[0-9]{1,20}[.][0-9]{1,18}[.][0-9]{1,9}[.][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9]{1,20}:[0-9]{1,18}:[0-9]{1,9}(:[-0-9a-f]{36}:[a-z0-9_]*:[-0-9infty BC]+)?$') IS FALSE THEN
    RAISE EXCEPTION 'This is no cursor of changes_since.' USING ERRCODE = 'invalid_parameter_value', HINT = 'Give next_cursor of the last row as it was, or NULL for the beginning.';
  ELSIF part[1] <> this_era THEN
    PERFORM public.start_again('it belongs to another database, or to the time before a restore or a failover.');
  END IF;
  SELECT h.* INTO horizon FROM public.feed_horizon h WHERE h.era = this_era;
  IF p_cursor IS NULL THEN
    -- Behind the newest change, if all before it are over: a mere number of a transaction may be given again after a loss.
    part := ARRAY[this_era, proof, split_part(proof, '.', 1), split_part(proof, '.', 2), '999999999', '00000000-0000-0000-0000-000000000000', '', '-infinity'];
    IF (horizon.transaction_id, horizon.change_id, horizon.cells) > (part[3]::xid8, part[4]::bigint, part[5]::integer) THEN
      part[3:5] := ARRAY[horizon.transaction_id::text, horizon.change_id::text, horizon.cells::text];
    END IF;
    IF part[3]::xid8 >= oldest_running THEN
      part[3:5] := ARRAY[oldest_running::text, '0', '0'];
    END IF;
  END IF;
  place_transaction := part[3]::xid8;
  place_change := part[4];
  place_cell := part[5];
  IF place_transaction > oldest_running THEN
    PERFORM public.start_again('it is ahead of this database, which has lost transactions.');
  ELSIF (horizon.transaction_id, horizon.change_id, horizon.cells) > (place_transaction, place_change, place_cell) THEN
    IF p_cursor IS NULL THEN
      RAISE EXCEPTION 'The feed of this database has just begun anew, and a transaction is running that is older than it.'
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Ask again when it is over; queue_health names it.';
    END IF;
    PERFORM public.start_again('the changes behind it are not kept any more (feed_horizon).');
  ELSIF p_cursor IS NOT NULL AND NOT public.is_proven(part[2]) THEN
    PERFORM public.start_again('a change that was there when it was given is not there any more: this database has lost transactions, or somebody has deleted it.');
  END IF;

  IF is_beginning THEN
    RETURN QUERY
    SELECT concat_ws(':', this_era, proof, part[3], part[4], part[5], d.user_id, d.metric, d.local_date), d.user_id, d.metric, d.local_date, false,
      d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final, d.revision, d.shown_since
    FROM public.daily_metric d
    WHERE (d.user_id, d.metric, d.local_date) > (part[6]::uuid, part[7], part[8]::date)
    ORDER BY d.user_id, d.metric, d.local_date LIMIT p_limit;
    GET DIAGNOSTICS given = ROW_COUNT;
  END IF;
  IF given < p_limit THEN
    RETURN QUERY
    SELECT concat_ws(':', this_era, proof, c.transaction_id, c.change_id, c.n), c.user_id, c.metric, c.local_date, d.user_id IS NULL,
      d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final, d.revision, d.shown_since
    FROM (SELECT x.transaction_id, x.change_id, x.user_id, e.n, e.local_date, m.metric
          -- Each row tells something, and of the first one all may have been told.
          FROM (SELECT y.* FROM public.cell_change y
                WHERE (y.transaction_id, y.change_id) >= (place_transaction, place_change) AND y.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
                ORDER BY y.transaction_id, y.change_id LIMIT p_limit + 1) x
          CROSS JOIN LATERAL (
            SELECT u.* FROM unnest(x.metric_ids, x.days) WITH ORDINALITY AS u (metric_id, local_date, n)
            UNION ALL SELECT NULL, NULL, 1 WHERE x.is_whole_person) e
          LEFT JOIN public.metric m ON m.metric_id = e.metric_id
          WHERE (x.transaction_id, x.change_id, e.n) > (place_transaction, place_change, place_cell) AND (m.metric IS NOT NULL OR x.is_whole_person)
          ORDER BY x.transaction_id, x.change_id, e.n LIMIT p_limit - given) c
    LEFT JOIN public.daily_metric d ON d.user_id = c.user_id AND d.metric = c.metric AND d.local_date = c.local_date
    ORDER BY c.transaction_id, c.change_id, c.n;
  END IF;
END $_$;

COMMENT ON FUNCTION public.changes_since(p_cursor text, p_limit integer) IS 'Cells that were added, changed or removed behind a cursor, as they are now, in the order in which they are told; next_cursor of the last row is where to go on. NULL: everything that is known now, page by page, then the changes. A cell may be told more than once, never too seldom; what changed nothing is not told. is_removed: it has no row any more, all else is NULL; where metric and local_date are NULL too the person was forgotten, and all of their cells are gone. Does not know: no row, nothing has changed that is over (a transaction that runs for long, of any database of the server, keeps back what began after it). An error, SQLSTATE 72000: the cursor is older than feed_horizon keeps, or of another era, or what was there when it was given is lost; start again with NULL.';

CREATE FUNCTION public.check_question(p_user uuid, p_metric text, p_from date, p_to date) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  IF p_user IS NULL THEN
    RAISE EXCEPTION 'A reader was asked about nobody: the person must not be NULL.' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  PERFORM public.check_range(p_metric, p_from, p_to);
END $$;

COMMENT ON FUNCTION public.check_question(p_user uuid, p_metric text, p_from date, p_to date) IS 'Part of the readers: check_range, and there must be a person. An error, or nothing.';

CREATE FUNCTION public.check_range(p_metric text, p_from date, p_to date) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  IF num_nulls(p_metric, p_from, p_to) > 0 THEN
    RAISE EXCEPTION 'A reader was asked about nothing or no day: metric and dates must not be NULL.' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT EXISTS (SELECT FROM public.metric m WHERE m.metric = p_metric) THEN
    RAISE EXCEPTION 'There is no metric named "%".', p_metric USING ERRCODE = 'invalid_parameter_value', HINT = 'SELECT metric FROM metric lists them.';
  ELSIF LEAST(p_from, p_to) < '1900-01-01' OR GREATEST(p_from, p_to) > '2200-12-31' THEN
    RAISE EXCEPTION 'Days are of the years 1900 to 2200, as in payloads; % is not.', CASE WHEN LEAST(p_from, p_to) < '1900-01-01' THEN LEAST(p_from, p_to) ELSE GREATEST(p_from, p_to) END
      USING ERRCODE = 'invalid_parameter_value';
  ELSIF p_from > p_to THEN
    RAISE EXCEPTION 'The range from % to % ends before it begins.', p_from, p_to USING ERRCODE = 'invalid_parameter_value';
  ELSIF p_to - p_from >= 36525 THEN
    RAISE EXCEPTION 'The range from % to % is longer than 100 years.', p_from, p_to USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;

COMMENT ON FUNCTION public.check_range(p_metric text, p_from date, p_to date) IS 'Part of the readers: refuses what would be answered with "no data" for the wrong reason, such as a metric that there is not or a day outside the years 1900 to 2200. An error, or nothing.';

CREATE FUNCTION public.day_begins(p_date date, p_zone text) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
BEGIN
  -- Where midnight happens twice, PostgreSQL means the second one; the day begins with the first, a second after 23:59:59.
  RETURN LEAST(p_date::timestamp AT TIME ZONE p_zone,
               ((p_date::timestamp - interval '1 second') AT TIME ZONE p_zone) + interval '1 second');
END $$;

COMMENT ON FUNCTION public.day_begins(p_date date, p_zone text) IS 'The instant at which a local day begins in an IANA zone; the day before ends with it. A date that the zone skips begins and ends at the same instant. Does not know: NULL for a NULL; an error for a zone that there is not.';

CREATE FUNCTION public.day_from_hours(p_user uuid, p_metric text, p_date date) RETURNS TABLE(lower_bound numeric, covered_minutes integer, covered_hours integer, label text, suppressed_reason text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_date, p_date);
  SELECT sum(h.value), COALESCE(sum(h.covered_minutes), 0), count(*) FILTER (WHERE h.covered_minutes > 0) INTO lower_bound, covered_minutes, covered_hours
  FROM public.hourly_metric h WHERE h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date;
  IF NOT EXISTS (SELECT FROM public.metric m WHERE m.metric = p_metric AND m.aggregation IN ('sum', 'count')) THEN
    lower_bound := NULL;
    suppressed_reason := 'not_a_sum';
  END IF;
  label := CASE WHEN lower_bound IS NULL THEN 'no data' ELSE format('%s+ (%s min seen)', trim_scale(lower_bound), covered_minutes) END;
  RETURN NEXT;
END $$;

COMMENT ON FUNCTION public.day_from_hours(p_user uuid, p_metric text, p_date date) IS 'What the hours of a day add up to: lower_bound in metric.unit and covered_minutes, never more than was seen. A lower bound even where all minutes are covered, because only a reading of the whole day is final; daily_metric does not use it. Does not know: lower_bound NULL, label "no data"; suppressed_reason not_a_sum where hours do not add up. An error: NULL, a metric that there is not, a date outside the years 1900 to 2200.';

CREATE FUNCTION public.days_in_words(p_from date, p_to date, p_known_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN CASE
    WHEN p_from = p_to AND (p_known_at AT TIME ZONE 'UTC')::date - p_from BETWEEN 0 AND 6 THEN to_char(p_from, 'FMDay')
    WHEN p_from = p_to THEN to_char(p_from, 'FMDD FMMonth YYYY')
    ELSE to_char(p_from, CASE WHEN date_trunc('month', p_from::timestamp) = date_trunc('month', p_to::timestamp) THEN 'FMDD'
                              WHEN date_trunc('year', p_from::timestamp) = date_trunc('year', p_to::timestamp) THEN 'FMDD FMMonth'
                              ELSE 'FMDD FMMonth YYYY' END) || ' to ' || to_char(p_to, 'FMDD FMMonth YYYY') END;
END $$;

COMMENT ON FUNCTION public.days_in_words(p_from date, p_to date, p_known_at timestamp with time zone) IS 'A stretch of days in English: "Saturday" for one day of the week before p_known_at, "14 November 2026" for an older one or one that is still to come, "14 to 16 November 2026" for several. Does not know: NULL where a date is NULL; without p_known_at the full date.';

CREATE FUNCTION public.earliest_held(p_user uuid, p_metric text) RETURNS TABLE(local_date date, label text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, 'epoch', 'epoch');
  SELECT d.local_date INTO local_date FROM public.daily_metric d
  WHERE d.user_id = p_user AND d.metric = p_metric AND d.status = 'measured' ORDER BY d.local_date LIMIT 1;
  -- A boundary explains the edge if no platform that is asked could read the whole of the day before.
  label := CASE WHEN local_date IS NULL THEN 'no data'
    WHEN (SELECT bool_and(COALESCE(r.access_date >= earliest_held.local_date, false))
          FROM public.readable_from r WHERE r.user_id = p_user AND r.metric = p_metric) THEN 'before you granted access'
    ELSE 'not imported yet' END;
  RETURN NEXT;
END $$;

COMMENT ON FUNCTION public.earliest_held(p_user uuid, p_metric text) IS 'The first day that has a value of a metric, and what to call the time before it: "before you granted access" where a boundary (not counting_since: that is no lack of access) keeps every platform that reports the metric from reading the day before, else "not imported yet". Does not know: local_date NULL, label "no data". An error: NULL, a metric that there is not.';

CREATE FUNCTION public.energy_deficit(p_user uuid, p_date date, p_goal numeric) RETURNS TABLE(remaining numeric, missing text[], is_final boolean)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
BEGIN
  PERFORM public.check_question(p_user, 'active_energy', p_date, p_date);
  IF (p_goal > '-Infinity' AND p_goal < 'Infinity') IS NOT TRUE THEN
    RAISE EXCEPTION 'A deficit needs a goal that is a number, in kcal.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN QUERY
  SELECT trim_scale(p_goal - (sum(d.value) FILTER (WHERE i.metric = 'basal_energy') + sum(d.value) FILTER (WHERE i.metric = 'active_energy')
                              - sum(d.value) FILTER (WHERE i.metric = 'dietary_energy'))),
         COALESCE(array_agg(i.metric ORDER BY i.metric) FILTER (WHERE d.value IS NULL), '{}'),
         bool_and(d.value IS NOT NULL AND d.is_final)
  FROM unnest('{basal_energy,active_energy,dietary_energy}'::text[]) AS i (metric)
  LEFT JOIN public.daily_metric d ON d.user_id = p_user AND d.metric = i.metric AND d.local_date = p_date;
END $$;

COMMENT ON FUNCTION public.energy_deficit(p_user uuid, p_date date, p_goal numeric) IS 'What remains of a day''s goal in kcal: goal - (basal + active - dietary energy). is_final: all three are; false: one is a lower bound or unknown. Does not know: remaining NULL, and missing lists the inputs that are unknown; three failed reads never leave the whole goal. An error: NULL.';

CREATE FUNCTION public.enqueue_sync_payload(user_id uuid, payload text, received_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
  arrived constant timestamptz := COALESCE(enqueue_sync_payload.received_at, clock_timestamp());
BEGIN
  -- The constraints of the table say the same, but the server would log the row that breaks them, payload included.
  IF octet_length(enqueue_sync_payload.payload) > 67108864 THEN
    RAISE EXCEPTION 'the payload has % bytes, and the queue takes 67108864; send it in parts', octet_length(enqueue_sync_payload.payload)
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sync_payload_is_not_too_large', TABLE = 'sync_payload', SCHEMA = 'intake';
  ELSIF NOT (arrived >= '1900-01-01 00:00Z' AND arrived < '2201-01-01 00:00Z') THEN
    RAISE EXCEPTION 'received_at is not in the years 1900 to 2200'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'sync_payload_arrived_at_a_real_time', TABLE = 'sync_payload', SCHEMA = 'intake';
  ELSIF enqueue_sync_payload.user_id IS NULL OR enqueue_sync_payload.payload IS NULL THEN
    RAISE EXCEPTION 'user_id and payload are needed; the nil UUID stands for a user who is not known' USING ERRCODE = 'not_null_violation';
  END IF;
  INSERT INTO intake.sync_payload AS q (user_id, payload, received_at)
  VALUES (enqueue_sync_payload.user_id, enqueue_sync_payload.payload, arrived);
  IF NOT pg_try_advisory_xact_lock_shared(intake.wake_key()) THEN
    PERFORM pg_notify('dailymetricd', '');
  END IF;
END $$;

COMMENT ON FUNCTION public.enqueue_sync_payload(user_id uuid, payload text, received_at timestamp with time zone) IS 'Puts one payload into the queue and wakes the daemon if it sleeps. Runs with its owner''s rights: a producer needs EXECUTE and nothing else. A plain INSERT or COPY into intake.sync_payload works too, for who may, and is found by polling.';

CREATE FUNCTION public.explain_cell(p_user uuid, p_metric text, p_date date) RETURNS TABLE(section text, line text)
    LANGUAGE plpgsql STABLE
    SET "TimeZone" TO 'UTC'
    AS $$
#variable_conflict use_column
DECLARE
  cell public.daily_metric;
  rules public.metric;
  finding text;
BEGIN
  SELECT m.* INTO rules FROM public.metric m WHERE m.metric = p_metric;
  IF rules.metric IS NULL THEN
    RETURN QUERY VALUES ('cell', format('There is no metric named %s.', p_metric));
    RETURN;
  END IF;
  SELECT d.* INTO cell FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date = p_date;
  IF cell.user_id IS NOT NULL THEN
    RETURN QUERY VALUES
      ('cell', format('%s on %s is %s.', rules.name, to_char(p_date, 'YYYY-MM-DD'),
        evidence.state_in_words(cell.status, cell.value, rules.noun, cell.unknown_reason, cell.unknown_detail, cell.is_final, cell.covering_sources))),
      ('cell', format('Shown since %s as state %s; last derived %s by rules %s.', COALESCE(evidence.at(cell.shown_since), 'before this was recorded'), cell.revision,
        evidence.at(cell.computed_at), cell.rule_version)),
      ('rule', evidence.explain_rule(cell, rules));
    SELECT c.finding INTO finding FROM evidence.compare_cells(p_user, ARRAY[p_date], cell.computed_at) c WHERE c.metric = p_metric;
    IF finding IS NOT NULL THEN
      RETURN QUERY VALUES ('rule', format('The row is not what its evidence amounts to (%s): dailymetricd rebuild repairs it.', finding));
    END IF;
  ELSIF EXISTS (SELECT FROM evidence.explain_readings(p_user, rules.metric_id, p_date, rules.noun)) THEN
    RETURN QUERY VALUES ('cell', 'There is evidence and no row: it was removed by hand, and dailymetricd rebuild brings it back.');
  ELSE
    RETURN QUERY VALUES ('cell', 'Nothing was ever said about this cell. That is no zero either.');
  END IF;
  RETURN QUERY SELECT * FROM evidence.explain_readings(p_user, rules.metric_id, p_date, rules.noun);
  RETURN QUERY SELECT * FROM evidence.explain_records(p_user, rules.metric_id, p_date, rules.noun);
  RETURN QUERY SELECT * FROM evidence.explain_surroundings(p_user, rules.metric_id, p_date);
  IF cell.user_id IS NOT NULL THEN
    RETURN QUERY VALUES ('next check', COALESCE(evidence.at(cell.next_check_at) || ', by its schedule.', 'only when something arrives that changes what is known.'));
  END IF;
  RETURN QUERY
  SELECT 'history', format('%s to %s: %s.', COALESCE(evidence.at(h.shown_since), 'before this was recorded'), evidence.at(h.superseded_at),
    evidence.state_in_words(h.status, h.value, rules.noun, h.unknown_reason, h.unknown_detail, h.is_final, h.covering_sources))
  FROM public.daily_metric_history h WHERE h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date ORDER BY h.superseded_at, h.revision;
END $$;

COMMENT ON FUNCTION public.explain_cell(p_user uuid, p_metric text, p_date date) IS 'Why a cell says what it says, in sentences: the cell and the rule behind it, what each origin said, records and deletions, the day, windows, permissions, witnesses, the next check and what was shown before. Needs the right to read the schema evidence; shows health values.';

CREATE FUNCTION public.feed_era() RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  IF pg_is_in_recovery() THEN
    RAISE EXCEPTION 'The feed is read on the primary; this server is a standby, and cannot tell whether it will be promoted over a gap.'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN format('%s-%s-%s-%s', (SELECT c.system_identifier FROM pg_control_system() c), (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()),
    'public.feed_horizon'::regclass::oid, left(pg_walfile_name(pg_current_wal_lsn()), 8));
END $$;

COMMENT ON FUNCTION public.feed_era() IS 'Within which numbers of transactions go on without a break: this cluster, this database, these tables, this timeline. A restore of a dump, also into the same database, a restore to a point in time and a promotion begin another; a copy of the files that is put back does not. Does not know: an error on a standby.';

CREATE FUNCTION public.hour_label(p_value numeric, p_covered_minutes integer, p_minutes integer DEFAULT 60, p_adds_up boolean DEFAULT true) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN CASE
    WHEN p_value IS NULL OR p_covered_minutes IS NULL OR p_covered_minutes <= 0 THEN 'no data'
    WHEN p_covered_minutes >= p_minutes THEN trim_scale(p_value)::text
    ELSE format('%s%s (%s of %s min)', trim_scale(p_value), CASE WHEN p_adds_up THEN '+' ELSE '' END, p_covered_minutes, p_minutes) END;
END $$;

COMMENT ON FUNCTION public.hour_label(p_value numeric, p_covered_minutes integer, p_minutes integer, p_adds_up boolean) IS 'What a person is shown of an hour: "no data", "0", "1840+ (42 of 60 min)". The plus only where the rest of the hour can only add to it (p_adds_up).';

CREATE FUNCTION public.hours_of_day(p_user uuid, p_metric text, p_date date) RETURNS TABLE(local_hour integer, value numeric, covered_minutes integer, minutes integer, label text)
    LANGUAGE plpgsql STABLE ROWS 24
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_date, p_date);
  RETURN QUERY
  SELECT n, h.value, COALESCE(h.covered_minutes, 0)::integer, COALESCE(h.minutes, 60)::integer,
         public.hour_label(h.value, h.covered_minutes, h.minutes, m.aggregation IN ('sum', 'count', 'max'))
  FROM generate_series(0, 23) n
  JOIN public.metric m ON m.metric = p_metric
  LEFT JOIN public.hourly_metric h ON h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date AND h.local_hour = n
  ORDER BY n;
END $$;

COMMENT ON FUNCTION public.hours_of_day(p_user uuid, p_metric text, p_date date) IS 'The 24 hours that a clock shows on a day, in order: value in metric.unit (NULL: nothing was seen), covered_minutes of minutes, and label for a person. An hour that the clock left out that day has no data; one that it showed twice has more minutes. An error: NULL, a metric that there is not, a date outside the years 1900 to 2200.';

CREATE FUNCTION public.is_proven(proof text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
  part constant text[] := string_to_array(proof, '.');
BEGIN
  RETURN EXISTS (SELECT FROM public.feed_horizon h WHERE h.nonce = part[4]::uuid)
    OR EXISTS (SELECT FROM public.feed_proof p WHERE p.transaction_id = part[1]::xid8 AND p.change_id = part[2]::bigint AND p.nonce = part[4]::uuid
               AND (p.beside < part[3]::bigint) IS NOT TRUE);
END $$;

COMMENT ON FUNCTION public.is_proven(proof text) IS 'Part of changes_since: true, what newest_proof saw is there, or was the last to be let go of; false, this database has lost it, or somebody has deleted it. Never NULL for what newest_proof has given.';

CREATE FUNCTION public.local_today(p_user uuid, p_as_of timestamp with time zone) RETURNS date
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN (SELECT (p_as_of AT TIME ZONE z.zone_name)::date FROM public.person_zone z
          WHERE z.user_id = p_user AND z.valid_from <= p_as_of AND p_as_of < z.valid_until);
END $$;

COMMENT ON FUNCTION public.local_today(p_user uuid, p_as_of timestamp with time zone) IS 'The person''s calendar day at an instant. Does not know: NULL where no time zone is known for that instant; it may be any of two or three days then.';

CREATE FUNCTION public.may_read(person uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  RETURN NOT row_security_active('public.daily_metric') OR EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = person);
END $$;

COMMENT ON FUNCTION public.may_read(person uuid) IS 'True: whoever asks may see this person''s days. Where row level security filters daily_metric, who has a day that passes it. Never NULL; a person without days is false then.';

CREATE FUNCTION public.metric_average(p_user uuid, p_metric text, p_from date, p_to date) RETURNS TABLE(average numeric, covered_days integer, unknown_days integer, days integer, label text)
    LANGUAGE plpgsql STABLE ROWS 1
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_from, p_to);
  RETURN QUERY
  SELECT a.average, a.covered, a.days - a.covered, a.days,
    CASE a.covered WHEN 0 THEN 'no data'
      ELSE format('%s %s, average of the %s we have data for', public.spoken_number(a.average), m.noun,
        CASE a.covered WHEN 1 THEN '1 day' ELSE a.covered || ' days' END) END
  FROM (SELECT trim_scale(round(avg(d.value), 6)) AS average, count(*)::integer AS covered, p_to - p_from + 1 AS days
        FROM public.daily_metric d
        WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date BETWEEN p_from AND p_to AND d.status = 'measured' AND d.is_final) a
  CROSS JOIN public.metric m WHERE m.metric = p_metric;
END $$;

COMMENT ON FUNCTION public.metric_average(p_user uuid, p_metric text, p_from date, p_to date) IS 'Average per day over the days of a range (both ends included) that are measured and final: covered_days; unknown_days are all others. Divides by the covered days, never by the length of the range; six decimals, in metric.unit. Does not know: average NULL, label "no data". An error: NULL, a metric that there is not, a range that ends before it begins, is longer than 100 years or leaves the years 1900 to 2200.';

CREATE FUNCTION public.metric_change(p_user uuid, p_metric text, p_as_of date, p_days integer) RETURNS TABLE(current_average numeric, previous_average numeric, change_pct numeric, direction text, suppressed_reason text, current_covered integer, previous_covered integer)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_as_of, p_as_of);
  IF (p_days BETWEEN 1 AND 18262) IS NOT TRUE THEN
    RAISE EXCEPTION 'A window has from 1 to 18262 days, not %.', p_days USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN QUERY
  SELECT c.average, p.average, CASE WHEN s.reason IS NULL THEN x.pct END,
    CASE WHEN s.reason IS NOT NULL THEN NULL WHEN x.pct = 0 THEN 'flat' WHEN c.average > p.average THEN 'up' WHEN c.average < p.average THEN 'down' END,
    s.reason, c.covered_days, p.covered_days
  FROM public.metric_average(p_user, p_metric, p_as_of - p_days + 1, p_as_of) c
  CROSS JOIN public.metric_average(p_user, p_metric, p_as_of - 2 * p_days + 1, p_as_of - p_days) p
  CROSS JOIN LATERAL (SELECT CASE WHEN c.average = p.average THEN 0
                             ELSE trim_scale(round(100 * (c.average - p.average) / NULLIF(abs(p.average), 0), 1)) END AS pct) x
  CROSS JOIN LATERAL (SELECT CASE
    WHEN EXISTS (SELECT FROM public.backfill_running b WHERE b.user_id = p_user AND b.metric = p_metric) THEN 'backfill_running'
    WHEN 2 * LEAST(c.covered_days, p.covered_days) < p_days THEN 'insufficient_coverage' END AS reason) s;
END $$;

COMMENT ON FUNCTION public.metric_change(p_user uuid, p_metric text, p_as_of date, p_days integer) IS 'The average of the p_days days up to p_as_of beside that of as many days before: change in percent of the earlier one, to one decimal, and direction: up, down, or flat (less than 0.05 %). Does not know: change and direction NULL with suppressed_reason backfill_running (history still arrives) or insufficient_coverage (under half of either window is covered); change alone NULL where the earlier average is 0 and the later is not, because nothing is a percentage of 0. An error: as metric_average.';

CREATE FUNCTION public.metric_context(p_user uuid, p_metric text, p_from date, p_to date) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  rules public.metric;
  average record;
  known jsonb;
  unknown jsonb;
BEGIN
  SELECT m.* INTO rules FROM public.metric m WHERE m.metric = p_metric;
  SELECT a.* INTO average FROM public.metric_average(p_user, p_metric, p_from, p_to) a;
  WITH day AS MATERIALIZED (
    SELECT g.day::date AS local_date, COALESCE(d.status, 'unknown') AS status, d.value, d.is_final, d.covering_sources,
           CASE WHEN d.user_id IS NULL THEN 'never_mentioned' ELSE d.unknown_reason END AS reason
    FROM generate_series(p_from::timestamp, p_to::timestamp, interval '1 day') AS g (day)
    LEFT JOIN public.daily_metric d ON d.user_id = p_user AND d.metric = p_metric AND d.local_date = g.day::date),
  stretch AS (
    SELECT n.reason, min(n.local_date) AS from_date, max(n.local_date) AS to_date, count(*) AS days
    FROM (SELECT x.*, x.local_date - (row_number() OVER (PARTITION BY x.reason ORDER BY x.local_date))::integer AS number FROM day x WHERE x.status = 'unknown') n
    GROUP BY n.reason, n.number)
  SELECT
    (SELECT COALESCE(jsonb_agg(jsonb_build_object('date', x.local_date, 'status', x.status, 'value', x.value, 'reason', NULL, 'covered_days', x.is_final::integer, 'days', 1,
        'covering_sources', x.covering_sources, 'is_lower_bound', NOT x.is_final) ORDER BY x.local_date), '[]') FROM day x WHERE x.status = 'measured'),
    (SELECT COALESCE(jsonb_agg(jsonb_build_object('from', s.from_date, 'to', s.to_date, 'status', 'unknown', 'value', NULL, 'reason', s.reason, 'covered_days', 0, 'days', s.days,
        'message', CASE s.reason
          WHEN 'never_mentioned' THEN format('Nothing was ever said about %s for %s.', rules.name, public.days_in_words(s.from_date, s.to_date, NULL))
          ELSE public.unknown_message(s.reason, p_metric, s.from_date, s.to_date, NULL) END) ORDER BY s.from_date), '[]') FROM stretch s)
  INTO known, unknown;
  RETURN jsonb_build_object('metric', p_metric, 'name', rules.name, 'unit', rules.unit,
    'average', jsonb_build_object('status', CASE WHEN average.average IS NULL THEN 'unknown' ELSE 'measured' END, 'value', average.average,
      'reason', CASE WHEN average.average IS NULL THEN 'no_covered_days' END, 'covered_days', average.covered_days, 'days', average.days, 'message', average.label),
    'known', known, 'unknown', unknown);
END $$;

COMMENT ON FUNCTION public.metric_context(p_user uuid, p_metric text, p_from date, p_to date) IS 'One metric of summary_context. Does not know: an average whose status is unknown and whose value is null; days in unknown. An error: as metric_average.';

CREATE FUNCTION public.metric_history_at(p_user uuid, p_metric text, p_date date, p_at timestamp with time zone) RETURNS TABLE(status text, value numeric, unknown_reason text, unknown_detail text, is_final boolean, covering_sources integer, observed_at timestamp with time zone, platform text, rule_version integer, revision integer, shown_since timestamp with time zone, shown_until timestamp with time zone, suppressed_reason text)
    LANGUAGE plpgsql STABLE ROWS 1
    AS $$
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_date, p_date);
  IF p_at IS NULL THEN
    RAISE EXCEPTION 'What was shown, and when? The instant must not be NULL.' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  RETURN QUERY
  SELECT s.* FROM (
    SELECT d.status, d.value, d.unknown_reason, d.unknown_detail, d.is_final, d.covering_sources, d.observed_at, d.platform, d.rule_version,
           d.revision, d.shown_since, NULL::timestamptz AS shown_until, NULL::text AS suppressed_reason
    FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date = p_date
    UNION ALL
    SELECT h.status, h.value, h.unknown_reason, h.unknown_detail, h.is_final, h.covering_sources, h.observed_at, h.platform, h.rule_version,
           h.revision, h.shown_since, h.superseded_at, CASE WHEN h.status = 'measured' AND h.value IS NULL THEN 'deleted_at_source' END
    FROM public.daily_metric_history h WHERE h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date) s
  -- Several changes at one instant are states that nobody saw.
  WHERE (s.shown_since <= p_at) IS NOT FALSE AND (s.shown_until > p_at) IS NOT FALSE
  ORDER BY s.shown_since DESC NULLS LAST, s.revision DESC LIMIT 1;
END $$;

COMMENT ON FUNCTION public.metric_history_at(p_user uuid, p_metric text, p_date date, p_at timestamp with time zone) IS 'What daily_metric showed of a cell at an instant: the state that was shown from shown_since (NULL: from before this was recorded) to before shown_until (NULL: still). Does not know: no row where no row was shown then; value NULL with unknown_reason where it was unknown, or measured with suppressed_reason deleted_at_source: a number was shown, the person has deleted it at its source since, and it is not kept. Details that change without a new state (observed_at, platform, unknown_detail) are the last of that state. An error: NULL, a metric that there is not.';

CREATE FUNCTION public.metric_series(p_user uuid, p_metric text, p_from date, p_to date) RETURNS TABLE(local_date date, value numeric, mark text, segment integer, connector text, unknown_reason text)
    LANGUAGE plpgsql STABLE ROWS 3653
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
DECLARE
  across_gaps text;
  segments integer := 0;
  due date := p_from;
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_from, p_to);
  SELECT CASE WHEN m.intermittent THEN 'dashed' ELSE 'none' END INTO across_gaps FROM public.metric m WHERE m.metric = p_metric;
  connector := 'none';
  FOR local_date, value, mark, unknown_reason IN
    SELECT d.local_date, d.value, CASE WHEN d.value IS NULL THEN 'unknown' WHEN NOT d.is_final THEN 'partial' WHEN d.value = 0 THEN 'zero' ELSE 'value' END, d.unknown_reason
    FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date BETWEEN p_from AND p_to ORDER BY d.local_date
  LOOP
    IF local_date > due OR connector <> 'solid' OR value IS NULL THEN  -- Anything but one more day of an unbroken line.
      IF local_date > due THEN
        RETURN QUERY SELECT * FROM public.series_without_rows(due, local_date - 1);
        segment := NULL;
      END IF;
      IF value IS NULL THEN
        segment := NULL;
        connector := 'none';
      ELSIF segment IS NULL THEN
        segments := segments + 1;
        segment := segments;
        connector := CASE segments WHEN 1 THEN 'none' ELSE across_gaps END;
      ELSE
        connector := 'solid';
      END IF;
    END IF;
    due := local_date + 1;
    RETURN NEXT;
  END LOOP;
  RETURN QUERY SELECT * FROM public.series_without_rows(due, p_to);
END $$;

COMMENT ON FUNCTION public.metric_series(p_user uuid, p_metric text, p_from date, p_to date) IS 'One row for each calendar day of a range, in order. value in metric.unit; mark: value, zero (measured), partial (a lower bound: not final) or unknown. segment: number of the unbroken line that the day belongs to, from 1. connector: how it is joined to the value before it: solid (to the day before), dashed (across a gap, only of intermittent metrics such as weight), none. Does not know: value and segment NULL, mark unknown, connector none, unknown_reason why; no reason where nothing was ever said about the day. An error: NULL, a metric that there is not, a range that ends before it begins, is longer than 100 years or leaves the years 1900 to 2200.';

CREATE FUNCTION public.metric_snapshot(p_user uuid, p_as_of timestamp with time zone) RETURNS TABLE(metric text, describes_date date, value numeric, observed_at timestamp with time zone, is_current boolean, stale_at timestamp with time zone, today_status text, today_reason text, is_final boolean)
    LANGUAGE plpgsql STABLE ROWS 20
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  zone text;
  today date;
  latest date;
BEGIN
  IF p_user IS NULL OR (p_as_of >= '1900-01-01 00:00Z' AND p_as_of < '2201-01-01 00:00Z') IS NOT TRUE THEN
    RAISE EXCEPTION 'A snapshot is of a person at an instant of the years 1900 to 2200; neither may be NULL.' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT z.zone_name INTO zone FROM public.person_zone z WHERE z.user_id = p_user AND z.valid_from <= p_as_of AND p_as_of < z.valid_until;
  today := (p_as_of AT TIME ZONE zone)::date;
  -- Without a zone it may be this date somewhere.
  latest := COALESCE(today, (p_as_of AT TIME ZONE 'UTC' + interval '14 hours')::date);
  RETURN QUERY
  SELECT m.metric, k.local_date, k.value, k.observed_at,
         CASE WHEN zone IS NOT NULL THEN k.local_date = today WHEN p_as_of >= s.over_at THEN false END,
         s.over_at,
         CASE WHEN zone IS NOT NULL THEN COALESCE(t.status, 'unknown') END,
         CASE WHEN zone IS NULL THEN 'time_zone_unknown' ELSE t.unknown_reason END,
         k.is_final
  FROM public.metric m
  LEFT JOIN LATERAL (
    SELECT d.local_date, d.value, d.observed_at, d.is_final FROM public.daily_metric d
    WHERE d.user_id = p_user AND d.metric = m.metric AND d.local_date <= latest AND d.status = 'measured'
    ORDER BY d.local_date DESC LIMIT 1) k ON true
  LEFT JOIN LATERAL (
    SELECT d.status, d.unknown_reason FROM public.daily_metric d
    WHERE d.user_id = p_user AND d.metric = m.metric AND d.local_date = today) t ON true
  CROSS JOIN LATERAL (
    SELECT CASE WHEN zone IS NOT NULL THEN public.day_begins(k.local_date + 1, zone)
                ELSE (k.local_date::timestamp AT TIME ZONE 'UTC') + interval '36 hours' END AS over_at) s
  WHERE k.local_date IS NOT NULL
     OR EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = m.metric AND d.local_date <= latest)
  ORDER BY m.metric;
END $$;

COMMENT ON FUNCTION public.metric_snapshot(p_user uuid, p_as_of timestamp with time zone) IS 'For each metric of a person the latest day with a value, by the day that it describes and not by when it was read, up to the person''s today at p_as_of. is_final false: the value is a lower bound, as that of today is, and that of a past day which was read while it went on. It is what is known now about these days: a value that was read after p_as_of is shown too (metric_history_at says what was shown then). stale_at: when that day ends by the clock of the zone at p_as_of. today_status and today_reason are those of today''s row. Does not know: value and is_final NULL where no day has one; today_status unknown without a reason where today has no row; where no zone is known today_status is NULL with today_reason time_zone_unknown, is_current NULL while the day may be today anywhere, and stale_at the end of the day at UTC-12. No row: nothing was ever said about the metric. An error: NULL, an instant outside the years 1900 to 2200.';

CREATE FUNCTION public.metric_streak(p_user uuid, p_metric text, p_goal numeric, p_as_of date, p_kind text DEFAULT 'at_least'::text) RETURNS TABLE(length integer, state text, started_on date, last_hit date, unknown_days date[])
    LANGUAGE plpgsql STABLE ROWS 1
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
DECLARE
  counts_open_days boolean;
  day date;
  kept boolean;
  missed_on date;
  run_from date;
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_as_of, p_as_of);
  counts_open_days := public.streak_rule(p_metric, p_goal, p_kind);
  run_from := p_as_of + 1;
  unknown_days := '{}';
  FOR day, kept IN
    SELECT d.local_date, CASE p_kind WHEN 'at_least' THEN d.value >= p_goal ELSE d.value <= p_goal END
    FROM public.daily_metric d
    WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date <= p_as_of
      AND d.status = 'measured' AND (d.is_final OR (counts_open_days AND d.value >= p_goal))
    ORDER BY d.local_date DESC
  LOOP
    IF NOT kept THEN
      missed_on := day;
      EXIT;
    ELSIF day < run_from - 1 THEN               -- Days in between that neither keep the goal nor miss it, whether they have a row or not.
      FOR n IN 1 .. run_from - 1 - day LOOP
        unknown_days := unknown_days || (run_from - n);
      END LOOP;
    END IF;
    last_hit := COALESCE(last_hit, day);
    run_from := day;
  END LOOP;
  IF last_hit IS NOT NULL THEN
    started_on := run_from;
    length := p_as_of - run_from + 1 - cardinality(unknown_days);
    state := CASE last_hit WHEN p_as_of THEN 'active' ELSE 'suspended' END;
    unknown_days := ARRAY(SELECT u FROM unnest(unknown_days) u ORDER BY u);
  ELSE
    length := 0;
    state := CASE WHEN missed_on IS NULL THEN 'none' ELSE 'broken' END;
    unknown_days := ARRAY(SELECT missed_on + n FROM generate_series(1, p_as_of - missed_on) n);
  END IF;
  RETURN NEXT;
END $$;

COMMENT ON FUNCTION public.metric_streak(p_user uuid, p_metric text, p_goal numeric, p_as_of date, p_kind text) IS 'Days in a row, counting back from p_as_of, on which the goal was kept (p_kind at_least or at_most). Only a final day that misses the goal ends a streak. Does not know: days that are unknown, not final, without a row or still to come suspend it; they are listed in unknown_days, from started_on (broken: from the miss) to p_as_of, and do not count in length. An open day''s total that has already reached an at_least goal is a hit. State: active (kept on p_as_of), suspended (nothing is known since last_hit), broken (length 0 after a miss), none (no day is known). An error: NULL, a metric or kind that there is not, a day outside the years 1900 to 2200.';

CREATE FUNCTION public.metric_streaks(p_metric text, p_goal numeric, p_as_of date, p_kind text DEFAULT 'at_least'::text) RETURNS TABLE(user_id uuid, length integer, state text, started_on date, last_hit date, unknown_count integer)
    LANGUAGE plpgsql STABLE ROWS 100000
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  counts_open_days boolean;
BEGIN
  PERFORM public.check_range(p_metric, p_as_of, p_as_of);
  counts_open_days := public.streak_rule(p_metric, p_goal, p_kind);
  RETURN QUERY
  SELECT s.user_id, s.length, CASE WHEN s.last_hit = p_as_of THEN 'active' WHEN s.length > 0 THEN 'suspended' WHEN s.missed_on IS NOT NULL THEN 'broken' ELSE 'none' END,
         s.started_on, s.last_hit, CASE WHEN s.length > 0 THEN p_as_of - s.started_on + 1 - s.length ELSE COALESCE(p_as_of - s.missed_on, 0) END
  FROM (SELECT x.user_id, x.missed_on, count(*) FILTER (WHERE x.kept)::integer AS length,
               min(x.local_date) FILTER (WHERE x.kept) AS started_on, max(x.local_date) FILTER (WHERE x.kept) AS last_hit
        FROM (SELECT v.user_id, v.local_date, m.missed_on, v.kept AND (m.missed_on IS NULL OR v.local_date > m.missed_on) AS kept
              FROM (SELECT j.*, max(j.local_date) FILTER (WHERE NOT j.kept) OVER (PARTITION BY j.user_id) AS missed_on
                    FROM (SELECT d.user_id, d.local_date, CASE WHEN d.is_final OR (counts_open_days AND d.value >= p_goal)
                                   THEN CASE p_kind WHEN 'at_least' THEN d.value >= p_goal ELSE d.value <= p_goal END END AS kept
                          FROM public.daily_metric d WHERE d.metric = p_metric AND d.local_date <= p_as_of) j) v
              CROSS JOIN LATERAL (SELECT v.missed_on) m) x
        GROUP BY x.user_id, x.missed_on) s;
END $$;

COMMENT ON FUNCTION public.metric_streaks(p_metric text, p_goal numeric, p_as_of date, p_kind text) IS 'metric_streak of everybody who has a row of the metric up to p_as_of, in one pass over the table; unknown_count is the number of days that metric_streak lists. Does not know: as metric_streak. No row: nothing was ever said about the metric. An error: as metric_streak.';

CREATE FUNCTION public.newest_proof() RETURNS text
    LANGUAGE plpgsql STABLE
    SET jit TO 'off'
    SET enable_sort TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
BEGIN
  -- What has a number that was not given here yet came with a restore, and will go.
  RETURN COALESCE(
    (SELECT format('%s.%s.%s.%s', p.transaction_id, p.change_id, COALESCE(p.beside, 0), p.nonce) FROM public.feed_proof p
     WHERE p.transaction_id < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY p.transaction_id DESC, p.change_id DESC LIMIT 1),
    (SELECT format('0.0.0.%s', h.nonce) FROM public.feed_horizon h));
END $$;

COMMENT ON FUNCTION public.newest_proof() IS 'Part of changes_since: the newest change that can be seen, whether it can be told yet or not, as transaction.change.beside.nonce. A database that has it has all that can be seen now. With no change at all: zeros, and the number of feed_horizon. Never NULL.';

CREATE FUNCTION public.series_without_rows(p_from date, p_to date) RETURNS TABLE(local_date date, value numeric, mark text, segment integer, connector text, unknown_reason text)
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN QUERY SELECT p_from + n, NULL::numeric, 'unknown', NULL::integer, 'none', NULL::text FROM generate_series(0, p_to - p_from) n;
END $$;

COMMENT ON FUNCTION public.series_without_rows(p_from date, p_to date) IS 'Part of metric_series: the days of a range that have no row, all of them unknown without a reason.';

CREATE FUNCTION public.spoken_number(p_number numeric) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN CASE WHEN abs(p_number) >= 100 THEN to_char(round(p_number), 'FM9,999,999,999,990')
              WHEN abs(p_number) >= 10 THEN trim_scale(round(p_number, 1))::text
              WHEN abs(p_number) >= 1 OR p_number = 0 THEN trim_scale(round(p_number, 2))::text
              -- Two digits that are not 0: what is not zero is not called 0.
              ELSE trim_scale(round(p_number, 1 - floor(log(abs(p_number)))::integer))::text END;
END $$;

COMMENT ON FUNCTION public.spoken_number(p_number numeric) IS 'A number as a sentence has it: three digits or as many as it needs before the point, two of what is less than 1; with commas for thousands. Does not know: NULL stays NULL.';

CREATE FUNCTION public.start_again(because text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION 'changes_since cannot go on from this cursor: %', because
    USING ERRCODE = '72000', HINT = 'Start again: changes_since(NULL) tells everything that is known now, then the changes. Remove what it does not name.';
END $$;

COMMENT ON FUNCTION public.start_again(because text) IS 'Part of changes_since: the error, SQLSTATE 72000, after which only a start from the beginning is complete.';

CREATE FUNCTION public.streak_rule(p_metric text, p_goal numeric, p_kind text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  IF (p_goal > '-Infinity' AND p_goal < 'Infinity') IS NOT TRUE THEN    -- NaN is greater than all.
    RAISE EXCEPTION 'A streak needs a goal that is a number.' USING ERRCODE = 'invalid_parameter_value';
  ELSIF (p_kind IN ('at_least', 'at_most')) IS NOT TRUE THEN
    RAISE EXCEPTION 'A streak is at_least or at_most, not "%".', p_kind USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- A total of an open day only grows: one that has reached its goal keeps it. One that is above an at_most goal would stay so too, but a
  -- lower bound breaks no streak, because what was read may still be corrected.
  RETURN p_kind = 'at_least' AND (SELECT m.aggregation IN ('sum', 'count') FROM public.metric m WHERE m.metric = p_metric);
END $$;

COMMENT ON FUNCTION public.streak_rule(p_metric text, p_goal numeric, p_kind text) IS 'Part of metric_streak and metric_streaks: true where also a day that is not final may keep the goal. An error for a goal that is no number and a kind that there is not.';

CREATE FUNCTION public.summary_context(p_user uuid, p_from date, p_to date) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
  PERFORM public.check_question(p_user, (SELECT min(m.metric) FROM public.metric m), p_from, p_to);
  RETURN jsonb_build_object('user_id', p_user, 'from', p_from, 'to', p_to,
    'how_to_read', 'Each value stands beside its status, its reason, and how many of how many days it is about (covered_days of days). '
      'A null is not zero: nothing is known, and the message says why. A value of 0 was measured. A lower bound is the least it was. '
      'An average is one of its covered days and of no others; add nothing up over days that are not covered, and estimate no day.',
    'metrics', (SELECT COALESCE(jsonb_agg(public.metric_context(p_user, m.metric, p_from, p_to) ORDER BY m.metric_id), '[]') FROM public.metric m
                WHERE EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = m.metric)));
END $$;

COMMENT ON FUNCTION public.summary_context(p_user uuid, p_from date, p_to date) IS 'What is known of a person in a range of days, for a report writer or a language model: each metric that was ever spoken of, with its average, its known days, and its unknown days as stretches. Every number stands in an object with status, reason, covered_days and days. Does not know: value null, status unknown, with reason and message; never_mentioned where there is no row; metrics [] where nothing was ever said of the person. An error: NULL, a range that ends before it begins, is longer than 100 years or leaves the years 1900 to 2200. Holds health values.';

CREATE FUNCTION public.unknown_message(p_reason text, p_metric text, p_from date, p_to date, p_known_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    AS $$
DECLARE
  days constant text := public.days_in_words(p_from, p_to, p_known_at);
  name text;
  sentence text;
BEGIN
  -- A metric's own words say that no source was there; of any other reason that has no words they might be untrue.
  SELECT m.name, COALESCE(NULLIF(r.message, ''), CASE r.code WHEN 'no_source_coverage' THEN m.absence_message ELSE 'We don''t have {name} for {day}.' END)
  INTO name, sentence
  FROM public.unknown_reason r, public.metric m WHERE r.code = p_reason AND m.metric = p_metric;
  IF p_from <> p_to THEN
    sentence := replace(replace(sentence, ' on {day}', ' from {day}'), '{Day} is ', '{Day} are ');
    sentence := replace(sentence, 'the night to {day}', 'the nights that ended on {day}');
  END IF;
  RETURN replace(replace(replace(replace(sentence, '{day}', days), '{Day}', days), '{name}', name), '{Name}', upper(left(name, 1)) || substr(name, 2));
END $$;

COMMENT ON FUNCTION public.unknown_message(p_reason text, p_metric text, p_from date, p_to date, p_known_at timestamp with time zone) IS 'What to tell a person about a stretch of days with one reason: the metric''s absence_message for no_source_coverage, else unknown_reason.message; {name} and {day} are filled in, {Name} and {Day} as at the beginning of a sentence. For several days "on {day}" becomes "from 14 to 16 November 2026", "the night to" "the nights that ended on", and "{Day} is" "are". Does not know: NULL for a reason or metric that there is not.';

CREATE FUNCTION public.workout_label(p_field text, p_value numeric, p_coverage numeric) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  percent constant integer := round(p_coverage * 100);
  shown text;
BEGIN
  IF p_field IS NULL OR p_field NOT IN ('distance', 'average_speed', 'elevation_gain', 'average_heart_rate') THEN
    RAISE EXCEPTION 'A workout has no "%": ask for distance, average_speed, elevation_gain or average_heart_rate.', p_field USING ERRCODE = 'invalid_parameter_value';
  ELSIF p_value IS NULL THEN
    RETURN format('no %s data', CASE p_field WHEN 'average_speed' THEN 'speed' WHEN 'elevation_gain' THEN 'elevation' WHEN 'average_heart_rate' THEN 'heart rate' ELSE p_field END);
  END IF;
  shown := CASE p_field
    WHEN 'distance' THEN CASE WHEN p_value >= 1000 THEN round(p_value / 1000, 1) || '% km' ELSE round(p_value) || '% m' END
    WHEN 'average_speed' THEN round(p_value * 3.6, 1) || ' km/h'
    WHEN 'elevation_gain' THEN round(p_value) || '% m'
    ELSE round(p_value) || ' bpm' END;
  RETURN replace(shown, '%', CASE WHEN percent < 100 THEN '+' ELSE '' END)
    || CASE WHEN percent >= 100 THEN '' WHEN percent < 1 THEN ' (under 1 % of workout)' ELSE format(' (%s %% of workout)', percent) END;
END $$;

COMMENT ON FUNCTION public.workout_label(p_field text, p_value numeric, p_coverage numeric) IS 'What a person is shown of a quantity of workout_summary: "no elevation data", "0 m", "5.2+ km (87 % of workout)". The plus where a gap can only have made it too small. Does not know: value NULL. An error: a field that there is not.';

CREATE TABLE evidence.backfill (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    metric_id smallint NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    is_running boolean NOT NULL,
    reached date
);

COMMENT ON TABLE evidence.backfill IS 'Whether an origin is still loading the history of a metric, as last stated.';

COMMENT ON COLUMN evidence.backfill.user_id IS 'The person.';

COMMENT ON COLUMN evidence.backfill.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.backfill.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.backfill.metric_id IS 'The metric; 0: all metrics of the origin.';

COMMENT ON COLUMN evidence.backfill.read_at IS 'Read time of the payload that stated it.';

COMMENT ON COLUMN evidence.backfill.payload_id IS 'The payload that stated it.';

COMMENT ON COLUMN evidence.backfill."position" IS 'Position in its payload.';

COMMENT ON COLUMN evidence.backfill.is_running IS 'True: running; false: complete.';

COMMENT ON COLUMN evidence.backfill.reached IS 'Earliest day that the load has reached; NULL: not stated.';

ALTER TABLE evidence.catalogue_change ALTER COLUMN change_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME evidence.catalogue_change_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE evidence.setting (
    is_only boolean DEFAULT true NOT NULL,
    asked_days integer DEFAULT 30 NOT NULL,
    filled_days integer DEFAULT 400 NOT NULL,
    keep_deleted_values boolean DEFAULT false NOT NULL,
    CONSTRAINT setting_asked_days_are_a_count CHECK (((asked_days >= 0) AND (asked_days <= 3660))),
    CONSTRAINT setting_filled_days_are_a_count CHECK (((filled_days >= 0) AND (filled_days <= 36600))),
    CONSTRAINT setting_has_one_row CHECK (is_only)
);

COMMENT ON TABLE evidence.setting IS 'What the operator may choose about the derivation; one row. An UPDATE is noticed by the next re-check.';

COMMENT ON COLUMN evidence.setting.is_only IS 'Always true.';

COMMENT ON COLUMN evidence.setting.asked_days IS 'Law G2: for how many days after an origin''s last read, or its disconnection, days that nobody mentioned become unknown.';

COMMENT ON COLUMN evidence.setting.filled_days IS 'Law G2: how many days back such days are filled at most. Rows that are there already stay.';

COMMENT ON COLUMN evidence.setting.keep_deleted_values IS 'Law H1: whether the history keeps a value that the person deletes at its source. False: only that there was one. What has been forgotten does not come back.';

COMMENT ON CONSTRAINT setting_asked_days_are_a_count ON evidence.setting IS 'At most ten years: each of these days is a row per person and metric.';

COMMENT ON CONSTRAINT setting_filled_days_are_a_count ON evidence.setting IS 'At most a hundred years.';

COMMENT ON CONSTRAINT setting_has_one_row ON evidence.setting IS 'There is one row.';

CREATE TABLE public.platform (
    platform text NOT NULL COLLATE pg_catalog."C",
    platform_id smallint NOT NULL,
    name text NOT NULL,
    hides_denial boolean NOT NULL,
    is_manual boolean NOT NULL,
    preference smallint DEFAULT 0 NOT NULL,
    as_shipped text NOT NULL
);

COMMENT ON TABLE public.platform IS 'Where data comes from. Filled from catalogue/platforms.csv.';

COMMENT ON COLUMN public.platform.platform IS 'The platform''s code in payloads and in daily_metric.';

COMMENT ON COLUMN public.platform.platform_id IS 'Small number that internal tables use for the platform.';

COMMENT ON COLUMN public.platform.name IS 'Name for people.';

COMMENT ON COLUMN public.platform.hides_denial IS 'True: a denied read looks like an empty one, so silence needs proof from the same read.';

COMMENT ON COLUMN public.platform.is_manual IS 'True: entered by hand. Counts in values, is no evidence that a device was there.';

COMMENT ON COLUMN public.platform.preference IS 'Set by the operator: of several origins of a metric that combines by newest, the highest preference wins before the latest read. 0 for all by default.';

COMMENT ON COLUMN public.platform.as_shipped IS 'The row as the CSV file last filled it (preference is the operator''s own).';

CREATE TABLE public.platform_error (
    code text NOT NULL COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    detail text,
    as_shipped text NOT NULL
);

COMMENT ON TABLE public.platform_error IS 'What a failed read means, by the platform''s own code. A code that is not here is a provider_error, never an empty day. Filled from catalogue/platform_errors.csv.';

COMMENT ON COLUMN public.platform_error.code IS 'The code in its canonical spelling, such as HKError.6 or http.429.';

COMMENT ON COLUMN public.platform_error.reason IS 'The reason that the cell gets; NULL: the read succeeded and the day was empty (HKError.11 only, known to the decoder).';

COMMENT ON COLUMN public.platform_error.detail IS 'daily_metric.unknown_detail; NULL: none.';

COMMENT ON COLUMN public.platform_error.as_shipped IS 'The row as the CSV file last filled it.';

CREATE TABLE public.unknown_reason (
    code text NOT NULL COLLATE pg_catalog."C",
    rank smallint NOT NULL,
    origin_of_code text NOT NULL,
    meaning text NOT NULL,
    action text NOT NULL,
    resolves_itself boolean NOT NULL,
    first_check interval,
    check_growth numeric,
    check_until interval,
    alert boolean NOT NULL,
    message text NOT NULL,
    data_absent_reason text NOT NULL,
    as_shipped text NOT NULL,
    CONSTRAINT unknown_reason_data_absent_reason_is_a_code_of_fhir CHECK ((data_absent_reason = ANY (ARRAY['unknown'::text, 'asked-unknown'::text, 'temp-unknown'::text, 'not-asked'::text, 'asked-declined'::text, 'masked'::text, 'not-applicable'::text, 'unsupported'::text, 'as-text'::text, 'error'::text, 'not-a-number'::text, 'negative-infinity'::text, 'positive-infinity'::text, 'not-performed'::text, 'not-permitted'::text]))),
    CONSTRAINT unknown_reason_schedule_goes_on CHECK (((first_check > '00:00:00'::interval) AND (check_growth > (1)::numeric))),
    CONSTRAINT unknown_reason_schedule_is_whole CHECK ((num_nulls(first_check, check_growth, check_until) = ANY (ARRAY[0, 3])))
);

COMMENT ON TABLE public.unknown_reason IS 'Why a day is unknown: what each reason means, what to do about it and when it is looked at again. Filled from catalogue/reasons.csv.';

COMMENT ON COLUMN public.unknown_reason.code IS 'The reason as daily_metric.unknown_reason has it.';

COMMENT ON COLUMN public.unknown_reason.rank IS 'Of the reasons of several origins the lowest rank is shown.';

COMMENT ON COLUMN public.unknown_reason.origin_of_code IS 'seed: of the original six; added: needed because the action differs.';

COMMENT ON COLUMN public.unknown_reason.meaning IS 'What is known when this reason is given.';

COMMENT ON COLUMN public.unknown_reason.action IS 'What the client should do.';

COMMENT ON COLUMN public.unknown_reason.resolves_itself IS 'True: usually ends without anybody doing anything.';

COMMENT ON COLUMN public.unknown_reason.first_check IS 'Shortest time until the next re-check; NULL: only an event makes the cell due.';

COMMENT ON COLUMN public.unknown_reason.check_growth IS 'Each re-check comes when the day is this many times as old as at the one before.';

COMMENT ON COLUMN public.unknown_reason.check_until IS 'Age of the day after which no re-check is scheduled.';

COMMENT ON COLUMN public.unknown_reason.alert IS 'True: operators should know.';

COMMENT ON COLUMN public.unknown_reason.message IS 'What to tell the person; empty: the metric''s absence_message.';

COMMENT ON COLUMN public.unknown_reason.data_absent_reason IS 'The nearest code of http://terminology.hl7.org/CodeSystem/data-absent-reason (FHIR), for exports. Coarser than the reason.';

COMMENT ON COLUMN public.unknown_reason.as_shipped IS 'The row as the CSV file last filled it.';

COMMENT ON CONSTRAINT unknown_reason_data_absent_reason_is_a_code_of_fhir ON public.unknown_reason IS 'Receivers know these fifteen codes.';

COMMENT ON CONSTRAINT unknown_reason_schedule_goes_on ON public.unknown_reason IS 'Each re-check comes later than the one before.';

COMMENT ON CONSTRAINT unknown_reason_schedule_is_whole ON public.unknown_reason IS 'A schedule has all three parts or none.';

CREATE VIEW evidence.catalogue_facts AS
 SELECT ('metric' COLLATE "C") AS catalogue,
    m.metric AS key,
    jsonb_build_object('aggregation', m.aggregation, 'combine', m.combine, 'zero_policy', m.zero_policy, 'parent', m.parent, 'licence', m.licence, 'evidence', m.evidence, 'low', m.low, 'high', m.high, 'intermittent', m.intermittent) AS facts
   FROM public.metric m
UNION ALL
 SELECT 'unknown_reason'::text AS catalogue,
    r.code AS key,
    jsonb_build_object('rank', r.rank, 'first_check', r.first_check, 'check_growth', r.check_growth, 'check_until', r.check_until) AS facts
   FROM public.unknown_reason r
UNION ALL
 SELECT 'platform'::text AS catalogue,
    p.platform AS key,
    jsonb_build_object('is_manual', p.is_manual, 'preference', p.preference) AS facts
   FROM public.platform p
UNION ALL
 SELECT 'platform_error'::text AS catalogue,
    e.code AS key,
    jsonb_build_object('reason', e.reason, 'detail', e.detail) AS facts
   FROM public.platform_error e
UNION ALL
 SELECT 'setting'::text AS catalogue,
    ''::text AS key,
    jsonb_build_object('asked_days', s.asked_days, 'filled_days', s.filled_days) AS facts
   FROM evidence.setting s
UNION ALL
 SELECT 'rule'::text AS catalogue,
    ''::text AS key,
    jsonb_build_object('version', evidence.rule_version()) AS facts;

COMMENT ON VIEW evidence.catalogue_facts IS 'What the derivation depends on, row by row as it is now. Units, needs_source, hides_denial and day_rule are left out: they judge what arrives, once.';

COMMENT ON COLUMN evidence.catalogue_facts.catalogue IS 'As evidence.derived_under.catalogue.';

COMMENT ON COLUMN evidence.catalogue_facts.key IS 'As evidence.derived_under.key.';

COMMENT ON COLUMN evidence.catalogue_facts.facts IS 'As evidence.derived_under.facts.';

CREATE TABLE evidence.cell_change (
    user_id uuid NOT NULL,
    change_id bigint NOT NULL,
    transaction_id xid8 NOT NULL,
    nonce uuid DEFAULT gen_random_uuid() NOT NULL,
    seen pg_snapshot DEFAULT pg_current_snapshot() NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    metric_ids smallint[] NOT NULL,
    days date[] NOT NULL,
    is_whole_person boolean DEFAULT false NOT NULL,
    CONSTRAINT cell_change_names_both_halves_of_each_cell CHECK ((cardinality(metric_ids) = cardinality(days))),
    CONSTRAINT cell_change_of_a_whole_person_names_no_cells CHECK (((NOT is_whole_person) OR (cardinality(days) = 0))),
    CONSTRAINT cell_change_time_is_finite CHECK (isfinite(changed_at))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.2');

COMMENT ON TABLE evidence.cell_change IS 'Which cells of daily_metric were added, changed or removed, in which transaction; what they became stands in daily_metric. Written by evidence.derive, read by changes_since, kept for feed_horizon.kept_for.';

COMMENT ON COLUMN evidence.cell_change.user_id IS 'The person; the nil UUID where the row was emptied because the person was forgotten.';

COMMENT ON COLUMN evidence.cell_change.change_id IS 'Order within a transaction. Not the order in which transactions commit.';

COMMENT ON COLUMN evidence.cell_change.transaction_id IS 'The transaction that changed the cells. All transactions below the oldest running one are over, so that their changes are all there: up to it the feed is read, and nothing is skipped, whatever the order of commits.';

COMMENT ON COLUMN evidence.cell_change.nonce IS 'A random number: a database that was put back gives transactions and changes the same numbers again, but never this one.';

COMMENT ON COLUMN evidence.cell_change.seen IS 'Which transactions were over then. What others did that had begun before it may be missing in a copy of the database that has this row.';

COMMENT ON COLUMN evidence.cell_change.changed_at IS 'The instant taken for now when they changed.';

COMMENT ON COLUMN evidence.cell_change.metric_ids IS 'public.metric.metric_id of each cell.';

COMMENT ON COLUMN evidence.cell_change.days IS 'Local calendar day of each cell, in the same order.';

COMMENT ON COLUMN evidence.cell_change.is_whole_person IS 'True: the person was forgotten, all of their cells are gone. Written by intake.forget_step.';

COMMENT ON CONSTRAINT cell_change_names_both_halves_of_each_cell ON evidence.cell_change IS 'Each cell has a metric and a day. A row without cells is told to nobody, unless it is of a whole person.';

COMMENT ON CONSTRAINT cell_change_of_a_whole_person_names_no_cells ON evidence.cell_change IS 'All is more than some, and needs no list.';

COMMENT ON CONSTRAINT cell_change_time_is_finite ON evidence.cell_change IS 'Times are instants, not infinity.';

ALTER TABLE evidence.cell_change ALTER COLUMN change_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME evidence.cell_change_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE evidence.deleted_record (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    read_at timestamp with time zone NOT NULL,
    CONSTRAINT deleted_record_time_is_finite CHECK (isfinite(read_at))
);

COMMENT ON TABLE evidence.deleted_record IS 'Records that their platform has deleted, known ones and unknown ones. Kept for ever: a record that comes later than its deletion never counts.';

COMMENT ON COLUMN evidence.deleted_record.user_id IS 'The person.';

COMMENT ON COLUMN evidence.deleted_record.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.deleted_record.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.deleted_record.id IS 'The record: evidence.record_key of the platform''s id.';

COMMENT ON COLUMN evidence.deleted_record.read_at IS 'Read time of the earliest payload that says so; platforms repeat old deletions.';

COMMENT ON CONSTRAINT deleted_record_time_is_finite ON evidence.deleted_record IS 'Times are instants, not infinity.';

CREATE TABLE evidence.derived_under (
    catalogue text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    facts jsonb NOT NULL
);

COMMENT ON TABLE evidence.derived_under IS 'The rows of the catalogues, the settings and the version of the rules under which daily_metric was derived. Compared with what they are now at the beginning of each re-check.';

COMMENT ON COLUMN evidence.derived_under.catalogue IS 'metric, unknown_reason, platform, platform_error, setting or rule.';

COMMENT ON COLUMN evidence.derived_under.key IS 'Key of the row in its catalogue; empty where there is only one.';

COMMENT ON COLUMN evidence.derived_under.facts IS 'What of the row the derivation depends on. Names and messages are left out: they change no cell.';

CREATE TABLE evidence.due_cell (
    user_id uuid NOT NULL,
    local_date date NOT NULL,
    metric text NOT NULL COLLATE pg_catalog."C"
)
WITH (autovacuum_vacuum_scale_factor='0.02');

COMMENT ON TABLE evidence.due_cell IS 'Cells that a change of the catalogue has made due, at once. Other than with due_day, the other cells of their days are left alone.';

COMMENT ON COLUMN evidence.due_cell.user_id IS 'The person.';

COMMENT ON COLUMN evidence.due_cell.local_date IS 'The local calendar day.';

COMMENT ON COLUMN evidence.due_cell.metric IS 'The metric, as in daily_metric.';

CREATE TABLE evidence.due_day (
    user_id uuid NOT NULL,
    local_date date NOT NULL,
    due_at timestamp with time zone NOT NULL,
    is_scheduled boolean NOT NULL,
    CONSTRAINT due_day_time_is_finite CHECK (isfinite(due_at))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.02');

COMMENT ON TABLE evidence.due_day IS 'User-days that a re-check derives again, and when.';

COMMENT ON COLUMN evidence.due_day.user_id IS 'The person.';

COMMENT ON COLUMN evidence.due_day.local_date IS 'The local calendar day.';

COMMENT ON COLUMN evidence.due_day.due_at IS 'From when on.';

COMMENT ON COLUMN evidence.due_day.is_scheduled IS 'True: by its reason''s schedule; false: because a payload changed what is known about the day.';

COMMENT ON CONSTRAINT due_day_time_is_finite ON evidence.due_day IS 'A time that comes.';

CREATE TABLE evidence.former_record (
    user_id uuid NOT NULL,
    local_date date NOT NULL,
    metric_id smallint NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    value numeric,
    source text NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    is_manual boolean NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    place evidence.place NOT NULL,
    edge evidence.window_kind,
    is_over boolean NOT NULL,
    is_proven boolean NOT NULL,
    CONSTRAINT former_record_times_are_finite CHECK ((isfinite(local_date) AND isfinite(read_at))),
    CONSTRAINT former_record_value_is_finite CHECK ((abs(value) <= ('1000000000000'::bigint)::numeric))
);

COMMENT ON TABLE evidence.former_record IS 'Records in cells where they are not: another read of the id names another day or metric. Of each cell the latest read. Counts nowhere; decides where a record was when it was deleted (E3), and whose history then forgets it.';

COMMENT ON COLUMN evidence.former_record.user_id IS 'The person.';

COMMENT ON COLUMN evidence.former_record.local_date IS 'The local calendar day that the read names.';

COMMENT ON COLUMN evidence.former_record.metric_id IS 'public.metric.metric_id.';

COMMENT ON COLUMN evidence.former_record.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.former_record.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.former_record.id IS 'The record: evidence.record_key of the platform''s id.';

COMMENT ON COLUMN evidence.former_record.value IS 'Value in the metric''s unit; NULL: the record has none.';

COMMENT ON COLUMN evidence.former_record.source IS 'The device or app that it names; empty: none.';

COMMENT ON COLUMN evidence.former_record.starts_at IS 'When what was recorded began; NULL: not stated.';

COMMENT ON COLUMN evidence.former_record.ends_at IS 'When what was recorded ended; NULL: not stated.';

COMMENT ON COLUMN evidence.former_record.is_manual IS 'True: entered by hand.';

COMMENT ON COLUMN evidence.former_record.read_at IS 'When the store was read.';

COMMENT ON COLUMN evidence.former_record.payload_id IS 'The payload that it came with.';

COMMENT ON COLUMN evidence.former_record."position" IS 'Position of the entry in its payload, from 0.';

COMMENT ON COLUMN evidence.former_record.place IS 'As in record_day.';

COMMENT ON COLUMN evidence.former_record.edge IS 'As in record_day.';

COMMENT ON COLUMN evidence.former_record.is_over IS 'As in record_day.';

COMMENT ON COLUMN evidence.former_record.is_proven IS 'As in record_day.';

COMMENT ON CONSTRAINT former_record_times_are_finite ON evidence.former_record IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT former_record_value_is_finite ON evidence.former_record IS 'No NaN, no infinity, nothing absurd.';

CREATE TABLE evidence.hour (
    user_id uuid NOT NULL,
    local_date date NOT NULL,
    metric_id smallint NOT NULL,
    local_hour smallint NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    kind smallint NOT NULL,
    value numeric,
    covered_minutes smallint NOT NULL,
    minutes smallint NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    CONSTRAINT hour_covers_no_more_than_it_lasted CHECK ((((covered_minutes >= 0) AND (covered_minutes <= minutes)) AND ((minutes >= 1) AND (minutes <= 1500)))),
    CONSTRAINT hour_has_a_value_if_and_only_if_it_was_seen CHECK (((value IS NOT NULL) = (covered_minutes > 0))),
    CONSTRAINT hour_is_one_of_a_clock CHECK (((local_hour >= 0) AND (local_hour <= 23))),
    CONSTRAINT hour_kind_says_what_the_value_is CHECK ((kind =
CASE
    WHEN (value IS NULL) THEN 0
    WHEN (value = (0)::numeric) THEN 1
    ELSE 2
END)),
    CONSTRAINT hour_times_are_finite CHECK ((isfinite(local_date) AND isfinite(read_at))),
    CONSTRAINT hour_value_is_finite CHECK ((abs(value) <= ('1000000000000'::bigint)::numeric))
);

COMMENT ON TABLE evidence.hour IS 'What each origin last said of each hour, one row per kind of statement: the choice among them, and what a deletion takes away, is made when deriving.';

COMMENT ON COLUMN evidence.hour.user_id IS 'The person.';

COMMENT ON COLUMN evidence.hour.local_date IS 'The local calendar day, as the client wrote it.';

COMMENT ON COLUMN evidence.hour.metric_id IS 'public.metric.metric_id.';

COMMENT ON COLUMN evidence.hour.local_hour IS 'The hour that the clock showed, 0 to 23.';

COMMENT ON COLUMN evidence.hour.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.hour.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.hour.kind IS '2: a value that is not zero. 1: zero. 0: nothing was seen of the hour.';

COMMENT ON COLUMN evidence.hour.value IS 'Value in the metric''s unit over the covered minutes. NULL: nothing was seen.';

COMMENT ON COLUMN evidence.hour.covered_minutes IS 'How many minutes of the hour were seen.';

COMMENT ON COLUMN evidence.hour.minutes IS 'How many minutes the hour lasted: 60, or 120 where the clock showed it twice.';

COMMENT ON COLUMN evidence.hour.read_at IS 'When the store was read. Orders statements, with payload_id and position.';

COMMENT ON COLUMN evidence.hour.payload_id IS 'The payload that said so.';

COMMENT ON COLUMN evidence.hour."position" IS 'Position of the entry in its payload, from 0.';

COMMENT ON CONSTRAINT hour_covers_no_more_than_it_lasted ON evidence.hour IS 'Nobody sees more of an hour than there is.';

COMMENT ON CONSTRAINT hour_has_a_value_if_and_only_if_it_was_seen ON evidence.hour IS 'No value without coverage, no coverage without a value.';

COMMENT ON CONSTRAINT hour_is_one_of_a_clock ON evidence.hour IS 'Clocks show no other hours, whatever the length of the day.';

COMMENT ON CONSTRAINT hour_kind_says_what_the_value_is ON evidence.hour IS 'A zero is no silence.';

COMMENT ON CONSTRAINT hour_times_are_finite ON evidence.hour IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT hour_value_is_finite ON evidence.hour IS 'No NaN, no infinity, nothing absurd.';

CREATE TABLE evidence.origin (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    last_read_at timestamp with time zone NOT NULL,
    last_success_at timestamp with time zone,
    os_major integer,
    os_read_at timestamp with time zone,
    CONSTRAINT origin_os_major_has_its_time CHECK (((os_major IS NULL) = (os_read_at IS NULL))),
    CONSTRAINT origin_times_are_finite CHECK ((isfinite(last_read_at) AND isfinite(last_success_at) AND isfinite(os_read_at)))
)
WITH (fillfactor='80');

COMMENT ON TABLE evidence.origin IS 'The data stores of a person. An origin is a platform and a store of it.';

COMMENT ON COLUMN evidence.origin.user_id IS 'The person.';

COMMENT ON COLUMN evidence.origin.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.origin.store IS 'Which data store of the platform; empty: the platform has one.';

COMMENT ON COLUMN evidence.origin.last_read_at IS 'Latest read time of a merged payload.';

COMMENT ON COLUMN evidence.origin.last_success_at IS 'Latest read that looked at something (a value or an empty); NULL: never.';

COMMENT ON COLUMN evidence.origin.os_major IS 'Major version of the operating system, as the latest read stated it that said anything; the greater of two that were read at once.';

COMMENT ON COLUMN evidence.origin.os_read_at IS 'Read time of the statement in os_major; NULL: none.';

COMMENT ON CONSTRAINT origin_os_major_has_its_time ON evidence.origin IS 'A version that is known was read at some time.';

COMMENT ON CONSTRAINT origin_times_are_finite ON evidence.origin IS 'Times are instants, not infinity.';

CREATE TABLE evidence.permission (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    metric_id smallint NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    state evidence.permission_state NOT NULL,
    since timestamp with time zone,
    CONSTRAINT permission_since_is_finite CHECK (isfinite(since))
);

COMMENT ON TABLE evidence.permission IS 'Statements of platforms about access.';

COMMENT ON COLUMN evidence.permission.user_id IS 'The person.';

COMMENT ON COLUMN evidence.permission.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.permission.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.permission.metric_id IS 'The metric; 0: all metrics of the origin.';

COMMENT ON COLUMN evidence.permission.read_at IS 'Read time of the payload that stated it.';

COMMENT ON COLUMN evidence.permission.payload_id IS 'The payload that stated it.';

COMMENT ON COLUMN evidence.permission."position" IS 'Position in its payload.';

COMMENT ON COLUMN evidence.permission.state IS 'The state.';

COMMENT ON COLUMN evidence.permission.since IS 'Holds for days that end after this instant; NULL: for all days.';

COMMENT ON CONSTRAINT permission_since_is_finite ON evidence.permission IS 'A beginning is an instant.';

CREATE TABLE evidence.person (
    user_id uuid NOT NULL,
    zone_from timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    zone_name text[] DEFAULT '{}'::text[] NOT NULL,
    silent_from date,
    silent_due_at timestamp with time zone,
    CONSTRAINT person_silent_days_have_a_due_time CHECK (((silent_from IS NULL) = (silent_due_at IS NULL))),
    CONSTRAINT person_zones_are_pairs CHECK ((cardinality(zone_from) = cardinality(zone_name)))
)
WITH (fillfactor='85');

COMMENT ON TABLE evidence.person IS 'One row per person, before all else. Its time zones as known now, merged from evidence.time_zone.';

COMMENT ON COLUMN evidence.person.user_id IS 'The person.';

COMMENT ON COLUMN evidence.person.zone_from IS 'Instants from which the zones in zone_name hold, ascending.';

COMMENT ON COLUMN evidence.person.zone_name IS 'IANA zones, one for each zone_from.';

COMMENT ON COLUMN evidence.person.silent_from IS 'First local date that a re-check has yet to fill where no payload mentions it; NULL: nothing is tracked.';

COMMENT ON COLUMN evidence.person.silent_due_at IS 'When silent_from is over, so that a re-check can fill it.';

COMMENT ON CONSTRAINT person_silent_days_have_a_due_time ON evidence.person IS 'A day that is waited for has a time at which it is over.';

COMMENT ON CONSTRAINT person_zones_are_pairs ON evidence.person IS 'Each zone has its beginning.';

CREATE TABLE evidence.presence (
    user_id uuid NOT NULL,
    local_date date NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    kind evidence.presence_kind NOT NULL,
    minutes integer,
    CONSTRAINT presence_minutes_are_some CHECK (((minutes >= 1) AND (minutes <= 1500)))
);

COMMENT ON TABLE evidence.presence IS 'Evidence that a source was worn or carried on a day. Entries of 0 minutes are none and are not kept.';

COMMENT ON COLUMN evidence.presence.user_id IS 'The person.';

COMMENT ON COLUMN evidence.presence.local_date IS 'The local calendar day.';

COMMENT ON COLUMN evidence.presence.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.presence.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.presence.source IS 'The device or app.';

COMMENT ON COLUMN evidence.presence.kind IS 'Worn, carried, or an activity was synced.';

COMMENT ON COLUMN evidence.presence.minutes IS 'Longest stated time in minutes; NULL: not stated.';

COMMENT ON CONSTRAINT presence_minutes_are_some ON evidence.presence IS 'Presence lasts at least a minute and at most the longest day.';

CREATE TABLE evidence.read_window (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    metric_id smallint NOT NULL,
    kind evidence.window_kind NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    boundary timestamp with time zone,
    CONSTRAINT read_window_boundary_is_finite CHECK (isfinite(boundary))
);

COMMENT ON TABLE evidence.read_window IS 'Statements about the boundaries of what an origin can be asked for.';

COMMENT ON COLUMN evidence.read_window.user_id IS 'The person.';

COMMENT ON COLUMN evidence.read_window.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.read_window.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.read_window.metric_id IS 'The metric; 0: all metrics of the origin.';

COMMENT ON COLUMN evidence.read_window.kind IS 'Kind of boundary.';

COMMENT ON COLUMN evidence.read_window.read_at IS 'Read time of the payload that stated it.';

COMMENT ON COLUMN evidence.read_window.payload_id IS 'The payload that stated it.';

COMMENT ON COLUMN evidence.read_window."position" IS 'Position in its payload.';

COMMENT ON COLUMN evidence.read_window.boundary IS 'Nothing before this instant can be read; NULL: the boundary is lifted.';

COMMENT ON CONSTRAINT read_window_boundary_is_finite ON evidence.read_window IS 'A boundary is an instant.';

CREATE TABLE evidence.reading (
    user_id uuid NOT NULL,
    local_date date NOT NULL,
    metric_id smallint NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    slot evidence.slot NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    outcome evidence.outcome NOT NULL,
    value numeric,
    sources text[] NOT NULL,
    code text,
    place evidence.place NOT NULL,
    edge evidence.window_kind,
    permission evidence.permission_state,
    is_over boolean NOT NULL,
    is_proven boolean NOT NULL,
    CONSTRAINT reading_edge_goes_with_its_place CHECK (((edge IS NULL) = (place = 'inside'::evidence.place))),
    CONSTRAINT reading_is_what_somebody_said CHECK (((slot <= 'looked'::evidence.slot) AND (outcome <= 'invalid'::evidence.outcome))),
    CONSTRAINT reading_times_are_finite CHECK ((isfinite(read_at) AND isfinite(local_date))),
    CONSTRAINT reading_value_goes_with_its_outcome CHECK (((value IS NOT NULL) = (outcome = 'value'::evidence.outcome))),
    CONSTRAINT reading_value_is_finite CHECK ((abs(value) <= ('1000000000000'::bigint)::numeric))
)
PARTITION BY RANGE (local_date);

COMMENT ON TABLE evidence.reading IS 'What each origin last said about each cell: one row per kind of statement (slot). Judged once, when merged, by the windows, permissions and zones known by then.';

COMMENT ON COLUMN evidence.reading.user_id IS 'The person.';

COMMENT ON COLUMN evidence.reading.local_date IS 'The local calendar day, as the client wrote it.';

COMMENT ON COLUMN evidence.reading.metric_id IS 'public.metric.metric_id.';

COMMENT ON COLUMN evidence.reading.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.reading.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.reading.slot IS 'Kind of statement. licensing_*: could license a zero (read after the day, inside the windows, proven where needed). looked: a range that was read as a whole, which says how late its records were read.';

COMMENT ON COLUMN evidence.reading.read_at IS 'When the store was read, never later than its arrival. Orders readings, with payload_id and position.';

COMMENT ON COLUMN evidence.reading.payload_id IS 'The payload that said it.';

COMMENT ON COLUMN evidence.reading."position" IS 'Position of the entry in its payload, from 0.';

COMMENT ON COLUMN evidence.reading.outcome IS 'What the read found.';

COMMENT ON COLUMN evidence.reading.value IS 'The value in the metric''s unit; NULL with any other outcome. Never a stand-in.';

COMMENT ON COLUMN evidence.reading.sources IS 'Devices and apps that the entry names; empty: it names none.';

COMMENT ON COLUMN evidence.reading.code IS 'The platform''s own word, or why the boundary refused the value; NULL: none.';

COMMENT ON COLUMN evidence.reading.place IS 'Where the day lay relative to the windows known to the read.';

COMMENT ON COLUMN evidence.reading.edge IS 'Which window the day was not wholly inside of; NULL: inside.';

COMMENT ON COLUMN evidence.reading.permission IS 'Permission known to the read; NULL: nothing was stated.';

COMMENT ON COLUMN evidence.reading.is_over IS 'True: the day was over everywhere that the person may have been when it was read, and the entry does not say that it was cut short.';

COMMENT ON COLUMN evidence.reading.is_proven IS 'True: the same read shows that the metric could be read, or the platform does not hide denials.';

COMMENT ON CONSTRAINT reading_edge_goes_with_its_place ON evidence.reading IS 'A day that is not inside says of which window.';

COMMENT ON CONSTRAINT reading_is_what_somebody_said ON evidence.reading IS 'What records and deletions amount to is derived each time, and not kept.';

COMMENT ON CONSTRAINT reading_times_are_finite ON evidence.reading IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT reading_value_goes_with_its_outcome ON evidence.reading IS 'A number if and only if the read found a value.';

COMMENT ON CONSTRAINT reading_value_is_finite ON evidence.reading IS 'No NaN, no infinity, nothing absurd.';

CREATE TABLE evidence.record_id (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    local_date date NOT NULL,
    metric_id smallint NOT NULL,
    chunk integer NOT NULL
);

COMMENT ON TABLE evidence.record_id IS 'In which row of evidence.record_day each record is. Bigger than the records themselves, because they are packed and this is not; but finding or adding one costs a hundredth of a millisecond, however many the person has.';

COMMENT ON COLUMN evidence.record_id.user_id IS 'The person.';

COMMENT ON COLUMN evidence.record_id.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.record_id.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.record_id.id IS 'The record: evidence.record_key of the platform''s id.';

COMMENT ON COLUMN evidence.record_id.local_date IS 'The day of the row.';

COMMENT ON COLUMN evidence.record_id.metric_id IS 'The metric of the row.';

COMMENT ON COLUMN evidence.record_id.chunk IS 'The number of the row within its day.';

CREATE TABLE evidence.time_zone (
    user_id uuid NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    read_at timestamp with time zone NOT NULL,
    payload_id uuid NOT NULL,
    "position" integer NOT NULL,
    zone_name text NOT NULL
);

COMMENT ON TABLE evidence.time_zone IS 'Statements about the time zone of a person from an instant on. Of the same instant the latest statement wins.';

COMMENT ON COLUMN evidence.time_zone.user_id IS 'The person.';

COMMENT ON COLUMN evidence.time_zone.valid_from IS 'From when on; -infinity: always.';

COMMENT ON COLUMN evidence.time_zone.read_at IS 'Read time of the payload that stated it.';

COMMENT ON COLUMN evidence.time_zone.payload_id IS 'The payload that stated it.';

COMMENT ON COLUMN evidence.time_zone."position" IS 'Position in its payload.';

COMMENT ON COLUMN evidence.time_zone.zone_name IS 'IANA name.';

CREATE TABLE evidence.tracking (
    user_id uuid NOT NULL,
    metric_id smallint NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    since date NOT NULL
)
WITH (fillfactor='80');

COMMENT ON TABLE evidence.tracking IS 'Which origin reports which metric, and since which local date.';

COMMENT ON COLUMN evidence.tracking.user_id IS 'The person.';

COMMENT ON COLUMN evidence.tracking.metric_id IS 'public.metric.metric_id.';

COMMENT ON COLUMN evidence.tracking.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN evidence.tracking.store IS 'The origin''s store.';

COMMENT ON COLUMN evidence.tracking.since IS 'First local date that the origin ever mentioned for the metric.';

CREATE TABLE intake.batch_in_hand (
    process uuid NOT NULL,
    worker integer NOT NULL,
    backend_pid integer NOT NULL,
    backend_start timestamp with time zone NOT NULL,
    started_at timestamp with time zone NOT NULL,
    user_ids uuid[] NOT NULL,
    ids bigint[] NOT NULL,
    CONSTRAINT batch_in_hand_names_both_halves_of_each_key CHECK ((cardinality(user_ids) = cardinality(ids)))
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='500', autovacuum_vacuum_cost_delay='0', toast.autovacuum_vacuum_scale_factor='0', toast.autovacuum_vacuum_threshold='2000', toast.autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY intake.batch_in_hand ALTER COLUMN user_ids SET COMPRESSION lz4;
ALTER TABLE ONLY intake.batch_in_hand ALTER COLUMN ids SET COMPRESSION lz4;

COMMENT ON TABLE intake.batch_in_hand IS 'The latest batch of each worker, committed before its payloads are decoded: a crash rolls the batch back, and only this remembers what was in hand.';

COMMENT ON COLUMN intake.batch_in_hand.process IS 'The worker''s process, an id that it gave itself at its start.';

COMMENT ON COLUMN intake.batch_in_hand.worker IS 'The worker''s number in its process.';

COMMENT ON COLUMN intake.batch_in_hand.backend_pid IS 'The server process of the worker''s connection. Where it is gone the worker is, or has lost its batch.';

COMMENT ON COLUMN intake.batch_in_hand.backend_start IS 'When that server process began: numbers of processes are used again.';

COMMENT ON COLUMN intake.batch_in_hand.started_at IS 'When the worker took the batch.';

COMMENT ON COLUMN intake.batch_in_hand.user_ids IS 'sync_payload.user_id of each payload.';

COMMENT ON COLUMN intake.batch_in_hand.ids IS 'sync_payload.id of each payload, in the same order.';

COMMENT ON CONSTRAINT batch_in_hand_names_both_halves_of_each_key ON intake.batch_in_hand IS 'A payload is named by user and number.';

CREATE TABLE intake.control (
    is_only boolean DEFAULT true NOT NULL,
    paused_at timestamp with time zone,
    paused_because text,
    accepted_up_to bigint DEFAULT 0 NOT NULL,
    CONSTRAINT control_has_one_row CHECK (is_only),
    CONSTRAINT control_pause_is_an_instant CHECK (isfinite(paused_at)),
    CONSTRAINT control_paused_if_and_only_if_it_has_a_reason CHECK (((paused_at IS NULL) = (paused_because IS NULL)))
);

COMMENT ON TABLE intake.control IS 'What all workers are told; one row. Changed by the commands pause and resume, and by a worker that finds most of a batch unusable.';

COMMENT ON COLUMN intake.control.is_only IS 'Always true.';

COMMENT ON COLUMN intake.control.paused_at IS 'Since when nothing is taken out of the queue; NULL: intake works.';

COMMENT ON COLUMN intake.control.paused_because IS 'Why, in a sentence; NULL: intake works. Never contains anything of a payload.';

COMMENT ON COLUMN intake.control.accepted_up_to IS 'Newest sync_payload.id at the latest resume: payloads up to it may die in any number without another pause. 0: none were accepted.';

COMMENT ON CONSTRAINT control_has_one_row ON intake.control IS 'There is one row.';

COMMENT ON CONSTRAINT control_pause_is_an_instant ON intake.control IS 'Times are instants, not infinity.';

COMMENT ON CONSTRAINT control_paused_if_and_only_if_it_has_a_reason ON intake.control IS 'Whoever stops the intake says why.';

CREATE TABLE intake.dead_letter (
    user_id uuid NOT NULL,
    id bigint NOT NULL,
    payload_id uuid,
    code text NOT NULL COLLATE pg_catalog."C",
    pointer text NOT NULL,
    byte_offset bigint,
    detail text,
    payload text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    died_at timestamp with time zone NOT NULL,
    platform_id smallint,
    store text COLLATE pg_catalog."C",
    load_id text COLLATE pg_catalog."C",
    format text GENERATED ALWAYS AS (
CASE
    WHEN ("left"(payload, 65536) !~ '"schema"\s*:\s*"dailymetricd\.'::text) THEN COALESCE("substring"("left"(payload, 65536), '"format"\s*:\s*"([^"\\]{1,64})"'::text), "substring"("right"(payload, 65536), '"format"\s*:\s*"([^"\\]{1,64})"'::text))
    ELSE NULL::text
END) STORED COLLATE pg_catalog."C",
    platform text GENERATED ALWAYS AS (
CASE
    WHEN (("left"(payload, 65536) ~ '"schema"\s*:\s*"dailymetricd\.'::text) OR (("left"(payload, 65536) || "right"(payload, 65536)) !~ '"format"\s*:\s*"'::text)) THEN "substring"("left"(payload, 65536), '"platform"\s*:\s*"([^"\\]{1,64})"'::text)
    ELSE lower(COALESCE("substring"("left"(payload, 65536), '"provider"\s*:\s*"([^"\\]{1,64})"'::text), "substring"("right"(payload, 65536), '"provider"\s*:\s*"([^"\\]{1,64})"'::text)))
END) STORED COLLATE pg_catalog."C",
    CONSTRAINT dead_letter_names_a_whole_load_or_none CHECK ((num_nulls(platform_id, store, load_id) = ANY (ARRAY[0, 3])))
);
ALTER TABLE ONLY intake.dead_letter ALTER COLUMN payload SET COMPRESSION lz4;

COMMENT ON TABLE intake.dead_letter IS 'Payloads that could not be merged, whole, with the reason. Nothing of them counts until someone retries them.';

COMMENT ON COLUMN intake.dead_letter.user_id IS 'The person of the queue row.';

COMMENT ON COLUMN intake.dead_letter.id IS 'Order in which payloads died.';

COMMENT ON COLUMN intake.dead_letter.payload_id IS 'The producer''s id, where it could be read.';

COMMENT ON COLUMN intake.dead_letter.code IS 'Why, as catalogue/codes.csv names it, such as not_json or missing_field.';

COMMENT ON COLUMN intake.dead_letter.pointer IS 'JSON pointer to the place; empty: the whole document.';

COMMENT ON COLUMN intake.dead_letter.byte_offset IS 'Byte offset of the place in payload, from 0; NULL: no single place.';

COMMENT ON COLUMN intake.dead_letter.detail IS 'A sentence more. Never contains a health value.';

COMMENT ON COLUMN intake.dead_letter.payload IS 'The payload as it was sent.';

COMMENT ON COLUMN intake.dead_letter.received_at IS 'When it had been enqueued.';

COMMENT ON COLUMN intake.dead_letter.died_at IS 'When it was parked here.';

COMMENT ON COLUMN intake.dead_letter.platform_id IS 'public.platform.platform_id of the load that was parked as a whole; NULL: it stands alone.';

COMMENT ON COLUMN intake.dead_letter.store IS 'The store of that load''s origin; NULL: it stands alone.';

COMMENT ON COLUMN intake.dead_letter.load_id IS 'The load that was parked as a whole: its letters are retried and dropped together; NULL: it stands alone.';

COMMENT ON COLUMN intake.dead_letter.format IS 'The format that a delivery names; looked for as a text in its first and last 65,536 characters, because it may be no JSON. NULL: it names none, or it names our schema.';

COMMENT ON COLUMN intake.dead_letter.platform IS 'The platform that the payload names, as it stands there, or the provider that the document of a delivery names; looked for as a text in the same way. NULL: none was found. Which platform that is, the view letter says.';

COMMENT ON CONSTRAINT dead_letter_names_a_whole_load_or_none ON intake.dead_letter IS 'A load''s id is its own for each origin.';

ALTER TABLE intake.dead_letter ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME intake.dead_letter_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE intake.forgotten_person (
    user_id uuid NOT NULL,
    forgotten_at timestamp with time zone NOT NULL,
    erased_at timestamp with time zone,
    allowed_again_at timestamp with time zone,
    times integer DEFAULT 1 NOT NULL,
    rows_erased bigint DEFAULT 0 NOT NULL,
    letters_read bigint DEFAULT 0 NOT NULL,
    payloads_refused bigint DEFAULT 0 NOT NULL,
    last_refused_at timestamp with time zone,
    CONSTRAINT forgotten_person_counts_are_not_negative CHECK (((times >= 1) AND (rows_erased >= 0) AND (letters_read >= 0) AND (payloads_refused >= 0))),
    CONSTRAINT forgotten_person_is_erased_before_they_come_back CHECK (((allowed_again_at IS NULL) OR (erased_at IS NOT NULL))),
    CONSTRAINT forgotten_person_times_are_finite CHECK ((isfinite(forgotten_at) AND isfinite(erased_at) AND isfinite(allowed_again_at) AND isfinite(last_refused_at)))
);

COMMENT ON TABLE intake.forgotten_person IS 'Persons whom somebody has had forgotten: the proof of it, and as long as allowed_again_at is NULL the ban on payloads about them. Says when and how much, nothing of what.';

COMMENT ON COLUMN intake.forgotten_person.user_id IS 'The person, in plain: payloads, the feed and a restored backup name them so, and a digest whose key lies beside it would hide nothing.';

COMMENT ON COLUMN intake.forgotten_person.forgotten_at IS 'When it was asked for, the latest time. Nothing about the person has been merged since.';

COMMENT ON COLUMN intake.forgotten_person.erased_at IS 'When nothing was left. NULL: the erasure is under way, or was ended in the middle; a service goes on with it.';

COMMENT ON COLUMN intake.forgotten_person.allowed_again_at IS 'When the person came back, and payloads were allowed again. NULL: they are refused.';

COMMENT ON COLUMN intake.forgotten_person.times IS 'How often the person was forgotten: 1, and once more for each time that they had come back.';

COMMENT ON COLUMN intake.forgotten_person.rows_erased IS 'How many rows were erased in all.';

COMMENT ON COLUMN intake.forgotten_person.letters_read IS 'Up to which dead_letter.id the letters of others were looked through for the person''s id.';

COMMENT ON COLUMN intake.forgotten_person.payloads_refused IS 'How many payloads about the person arrived since and were let go of, unread.';

COMMENT ON COLUMN intake.forgotten_person.last_refused_at IS 'When the latest of them was let go of. NULL: none has been.';

COMMENT ON CONSTRAINT forgotten_person_counts_are_not_negative ON intake.forgotten_person IS 'Counts are counts.';

COMMENT ON CONSTRAINT forgotten_person_is_erased_before_they_come_back ON intake.forgotten_person IS 'What is half erased would be mixed with what is new.';

COMMENT ON CONSTRAINT forgotten_person_times_are_finite ON intake.forgotten_person IS 'Times are instants, not infinity.';

CREATE TABLE intake.format (
    format text NOT NULL COLLATE pg_catalog."C",
    said text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C"
);

COMMENT ON TABLE intake.format IS 'For which platform a delivery in another format than ours stands. Filled from catalogue/formats.csv, always.';

COMMENT ON COLUMN intake.format.format IS 'The name in the delivery''s field format.';

COMMENT ON COLUMN intake.format.said IS 'What the document names as its provider, in small letters; empty: the format stands for one platform, whatever the document says.';

COMMENT ON COLUMN intake.format.platform IS 'The platform, as in the table platform.';

CREATE VIEW intake.letter WITH (security_barrier='true') AS
 SELECT l.user_id,
    l.id,
    l.payload_id,
    l.code,
    l.pointer,
    l.byte_offset,
    l.detail,
    l.payload,
    l.received_at,
    l.died_at,
    l.load_id,
    l.format,
    COALESCE(f.platform, l.platform) AS platform
   FROM (intake.dead_letter l
     LEFT JOIN intake.format f ON (((f.format = l.format) AND ((f.said = ''::text) OR (f.said = l.platform)))));

COMMENT ON VIEW intake.letter IS 'Dead letters, each with its platform: the one that the payload names, as it stands there, or the one for which a delivery''s format stands. Does not know: platform NULL, where none is named.';

COMMENT ON COLUMN intake.letter.format IS 'The format that a delivery names. NULL: it is none.';

COMMENT ON COLUMN intake.letter.platform IS 'The platform. Of what is no format or provider that this build knows, the word as it stands there. NULL: none was found.';

CREATE TABLE intake.load (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    load_id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT load_ended_if_and_only_if_decided CHECK (((state = 'open'::text) = (ended_at IS NULL))),
    CONSTRAINT load_state_is_known CHECK ((state = ANY (ARRAY['open'::text, 'applied'::text, 'abandoned'::text, 'parked'::text]))),
    CONSTRAINT load_times_are_finite CHECK ((isfinite(began_at) AND isfinite(ended_at)))
);

COMMENT ON TABLE intake.load IS 'History loads in pages. Open until the pages up to the final one are there, then applied or abandoned as a whole; abandoned after a week. One that would delete too much is parked as a whole.';

COMMENT ON COLUMN intake.load.user_id IS 'The person.';

COMMENT ON COLUMN intake.load.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN intake.load.store IS 'The origin''s store.';

COMMENT ON COLUMN intake.load.load_id IS 'The producer''s id of the load; its own for each person and origin.';

COMMENT ON COLUMN intake.load.state IS 'open, applied, abandoned, or parked: its pages are dead letters, and open again once these are retried.';

COMMENT ON COLUMN intake.load.began_at IS 'When its first page arrived.';

COMMENT ON COLUMN intake.load.ended_at IS 'When it was decided; NULL: it is open.';

COMMENT ON CONSTRAINT load_ended_if_and_only_if_decided ON intake.load IS 'A decision has a time.';

COMMENT ON CONSTRAINT load_state_is_known ON intake.load IS 'The state is one of the words.';

COMMENT ON CONSTRAINT load_times_are_finite ON intake.load IS 'Times are instants, not infinity.';

CREATE TABLE intake.load_page (
    user_id uuid NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    load_id text NOT NULL COLLATE pg_catalog."C",
    page integer NOT NULL,
    is_final boolean NOT NULL,
    payload_id uuid NOT NULL,
    payload text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    is_consented boolean DEFAULT false NOT NULL,
    CONSTRAINT load_page_is_counted_from_one CHECK ((page >= 1))
);
ALTER TABLE ONLY intake.load_page ALTER COLUMN payload SET COMPRESSION lz4;

COMMENT ON TABLE intake.load_page IS 'Pages of open loads, whole, until their load is decided.';

COMMENT ON COLUMN intake.load_page.user_id IS 'The person.';

COMMENT ON COLUMN intake.load_page.platform_id IS 'public.platform.platform_id.';

COMMENT ON COLUMN intake.load_page.store IS 'The origin''s store.';

COMMENT ON COLUMN intake.load_page.load_id IS 'The load.';

COMMENT ON COLUMN intake.load_page.page IS 'Its number in the load, from 1. Of two with one number the first counts.';

COMMENT ON COLUMN intake.load_page.is_final IS 'True: no page follows.';

COMMENT ON COLUMN intake.load_page.payload_id IS 'The payload that it came as.';

COMMENT ON COLUMN intake.load_page.payload IS 'The payload as it was sent. Contains health values.';

COMMENT ON COLUMN intake.load_page.received_at IS 'When it had been enqueued.';

COMMENT ON COLUMN intake.load_page.is_consented IS 'True: it may delete as much as it says. A load may if all of its pages may.';

COMMENT ON CONSTRAINT load_page_is_counted_from_one ON intake.load_page IS 'Pages are counted from 1.';

CREATE TABLE intake.migration (
    file text NOT NULL COLLATE pg_catalog."C",
    checksum text NOT NULL,
    is_compatible boolean NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE intake.migration IS 'Files of migrations/ that have been applied to this database.';

COMMENT ON COLUMN intake.migration.file IS 'Path below the repository''s root.';

COMMENT ON COLUMN intake.migration.checksum IS 'SHA-256 of its bytes, in hex.';

COMMENT ON COLUMN intake.migration.is_compatible IS 'Whether daemons that do not know the file may go on working.';

COMMENT ON COLUMN intake.migration.applied_at IS 'When it was applied.';

CREATE TABLE intake.quarantined_entry (
    user_id uuid NOT NULL,
    payload_id uuid NOT NULL,
    pointer text NOT NULL COLLATE pg_catalog."C",
    code text NOT NULL COLLATE pg_catalog."C",
    entry text NOT NULL,
    quarantined_at timestamp with time zone NOT NULL,
    platform_id smallint NOT NULL,
    store text NOT NULL COLLATE pg_catalog."C",
    read_at timestamp with time zone NOT NULL,
    CONSTRAINT quarantined_entry_times_are_finite CHECK ((isfinite(quarantined_at) AND isfinite(read_at)))
);
ALTER TABLE ONLY intake.quarantined_entry ALTER COLUMN entry SET COMPRESSION lz4;

COMMENT ON TABLE intake.quarantined_entry IS 'Single entries that were refused while the rest of their payload was merged.';

COMMENT ON COLUMN intake.quarantined_entry.user_id IS 'The person.';

COMMENT ON COLUMN intake.quarantined_entry.payload_id IS 'The payload that the entry came with.';

COMMENT ON COLUMN intake.quarantined_entry.pointer IS 'JSON pointer to what is wrong, such as /days/3/value.';

COMMENT ON COLUMN intake.quarantined_entry.code IS 'Why, as catalogue/codes.csv names it, such as out_of_range.';

COMMENT ON COLUMN intake.quarantined_entry.entry IS 'The entry''s JSON text, for replay. May contain a health value: keep it as safe as daily_metric.';

COMMENT ON COLUMN intake.quarantined_entry.quarantined_at IS 'When it was refused.';

COMMENT ON COLUMN intake.quarantined_entry.platform_id IS 'public.platform.platform_id of the payload, for replay.';

COMMENT ON COLUMN intake.quarantined_entry.store IS 'The store of the payload''s origin.';

COMMENT ON COLUMN intake.quarantined_entry.read_at IS 'The read time that was used for the payload.';

COMMENT ON CONSTRAINT quarantined_entry_times_are_finite ON intake.quarantined_entry IS 'Times are instants, not infinity.';

CREATE TABLE intake.receipt (
    user_id uuid NOT NULL,
    payload_id uuid NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    read_at timestamp with time zone NOT NULL,
    content_hash bytea NOT NULL,
    outcome text NOT NULL,
    cells integer NOT NULL,
    quarantined integer NOT NULL,
    repetitions integer DEFAULT 0 NOT NULL,
    processed_at timestamp with time zone NOT NULL,
    CONSTRAINT receipt_counts_are_not_negative CHECK (((cells >= 0) AND (quarantined >= 0) AND (repetitions >= 0))),
    CONSTRAINT receipt_hash_has_its_length CHECK ((octet_length(content_hash) = 16)),
    CONSTRAINT receipt_outcome_is_known CHECK ((outcome = ANY (ARRAY['merged'::text, 'held'::text, 'load_abandoned'::text, 'mass_deletion'::text, 'dropped'::text]))),
    CONSTRAINT receipt_times_are_finite CHECK ((isfinite(first_seen) AND isfinite(read_at) AND isfinite(processed_at)))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_insert_scale_factor='0.05');

COMMENT ON TABLE intake.receipt IS 'What became of each payload that was understood. A payload_id that has a receipt is a repetition and changes nothing.';

COMMENT ON COLUMN intake.receipt.user_id IS 'The person.';

COMMENT ON COLUMN intake.receipt.payload_id IS 'The producer''s id of the payload.';

COMMENT ON COLUMN intake.receipt.first_seen IS 'When it first arrived.';

COMMENT ON COLUMN intake.receipt.read_at IS 'The read time that was used for it: as stated, or first_seen where that was missing or in the future.';

COMMENT ON COLUMN intake.receipt.content_hash IS 'Hash of the JSON content, whatever its white space and the order of its keys.';

COMMENT ON COLUMN intake.receipt.outcome IS 'merged, held (a page of a load that is not complete yet), load_abandoned or mass_deletion (see dead_letter), or dropped (it was a mass deletion, and somebody let go of it).';

COMMENT ON COLUMN intake.receipt.cells IS 'Number of statements about days that were merged: day entries, records, and days that were seen empty.';

COMMENT ON COLUMN intake.receipt.quarantined IS 'Number of entries that were quarantined.';

COMMENT ON COLUMN intake.receipt.repetitions IS 'How many more times the same payload has arrived.';

COMMENT ON COLUMN intake.receipt.processed_at IS 'When it was processed.';

COMMENT ON CONSTRAINT receipt_counts_are_not_negative ON intake.receipt IS 'Counts are counts.';

COMMENT ON CONSTRAINT receipt_hash_has_its_length ON intake.receipt IS 'A hash that is missing would make every payload a repetition.';

COMMENT ON CONSTRAINT receipt_outcome_is_known ON intake.receipt IS 'The outcome is one of the words.';

COMMENT ON CONSTRAINT receipt_times_are_finite ON intake.receipt IS 'Times are instants, not infinity.';

CREATE TABLE intake.schema_part (
    part text NOT NULL COLLATE pg_catalog."C",
    definition text NOT NULL
);

COMMENT ON TABLE intake.schema_part IS 'Columns, constraints and functions as the migrations made them. The daemon refuses to work if the database has others.';

COMMENT ON COLUMN intake.schema_part.part IS 'What it is and what it is called.';

COMMENT ON COLUMN intake.schema_part.definition IS 'As the server prints it; a hash for functions.';

CREATE TABLE intake.slow_payload (
    user_id uuid NOT NULL,
    id bigint NOT NULL,
    attempts integer NOT NULL,
    passed integer DEFAULT 0 NOT NULL,
    tried_at timestamp with time zone NOT NULL,
    CONSTRAINT slow_payload_was_tried CHECK (((attempts >= 1) AND (passed >= 0)))
);

COMMENT ON TABLE intake.slow_payload IS 'Queued payloads that took longer than the server allows although they were the only one of their batch. They are taken apart from all others, until they are merged or have been tried often enough.';

COMMENT ON COLUMN intake.slow_payload.user_id IS 'sync_payload.user_id.';

COMMENT ON COLUMN intake.slow_payload.id IS 'sync_payload.id.';

COMMENT ON COLUMN intake.slow_payload.attempts IS 'How often it took too long, alone, while others passed: attempts between which nothing else was merged count once.';

COMMENT ON COLUMN intake.slow_payload.passed IS 'Batches of others that were merged since its latest attempt. 0: nothing says yet that it is not the server that is slow.';

COMMENT ON COLUMN intake.slow_payload.tried_at IS 'When it was tried last.';

COMMENT ON CONSTRAINT slow_payload_was_tried ON intake.slow_payload IS 'Nobody is slow without an attempt.';

CREATE TABLE intake.suspect (
    user_id uuid NOT NULL,
    id bigint NOT NULL,
    deaths integer NOT NULL,
    died_at timestamp with time zone NOT NULL,
    CONSTRAINT suspect_has_seen_a_death CHECK ((deaths >= 1))
);

COMMENT ON TABLE intake.suspect IS 'Queued payloads that were in hand when a process died. They are taken apart from all others, until they are merged or known to be the cause.';

COMMENT ON COLUMN intake.suspect.user_id IS 'sync_payload.user_id.';

COMMENT ON COLUMN intake.suspect.id IS 'sync_payload.id.';

COMMENT ON COLUMN intake.suspect.deaths IS 'How many processes, or connections, have died with it in hand.';

COMMENT ON COLUMN intake.suspect.died_at IS 'When the latest of them was noticed; of a connection that was lost, when its batch began.';

COMMENT ON CONSTRAINT suspect_has_seen_a_death ON intake.suspect IS 'Nobody is a suspect without one.';

CREATE TABLE intake.sync_payload (
    user_id uuid NOT NULL,
    id bigint NOT NULL,
    payload text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    is_retry boolean DEFAULT false NOT NULL,
    is_consented boolean DEFAULT false NOT NULL,
    CONSTRAINT sync_payload_arrived_at_a_real_time CHECK (((received_at >= '1900-01-01 00:00:00+00'::timestamp with time zone) AND (received_at < '2201-01-01 00:00:00+00'::timestamp with time zone))),
    CONSTRAINT sync_payload_is_not_too_large CHECK ((octet_length(payload) <= 67108864))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='2000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='1000000', toast.autovacuum_vacuum_scale_factor='0', toast.autovacuum_vacuum_threshold='2000', toast.autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY intake.sync_payload ALTER COLUMN payload SET COMPRESSION lz4;

COMMENT ON TABLE intake.sync_payload IS 'The queue: payloads that are not merged yet. A row is deleted in the transaction that merges it.';

COMMENT ON COLUMN intake.sync_payload.user_id IS 'The person that the payload is about. The nil UUID: the producer could not tell.';

COMMENT ON COLUMN intake.sync_payload.id IS 'Order of arrival. Not the order in which payloads commit.';

COMMENT ON COLUMN intake.sync_payload.payload IS 'JSON text as it was sent (dailymetricd.sync/1). Text, not jsonb: duplicate keys, number tokens and byte offsets are evidence.';

COMMENT ON COLUMN intake.sync_payload.received_at IS 'When it was enqueued. Stands in for a read_at that is missing or in the future.';

COMMENT ON COLUMN intake.sync_payload.is_retry IS 'True: it was a dead letter and is tried again by an operator''s wish, whatever its receipt says.';

COMMENT ON COLUMN intake.sync_payload.is_consented IS 'True: it may delete as much as it says; somebody has looked at it.';

COMMENT ON CONSTRAINT sync_payload_arrived_at_a_real_time ON intake.sync_payload IS 'In the years 1900 to 2200, like all times of a payload. Infinity would stop every batch that takes the row.';

COMMENT ON CONSTRAINT sync_payload_is_not_too_large ON intake.sync_payload IS 'At most 64 MiB, so that one row cannot exhaust a worker''s memory. The daemon''s own limit (default 32 MiB) is lower and leads to a dead letter.';

ALTER TABLE intake.sync_payload ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME intake.sync_payload_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.backfill_running WITH (security_barrier='true') AS
 SELECT b.user_id,
    m.metric,
    p.platform
   FROM ((evidence.backfill b
     JOIN public.metric m ON (((b.metric_id = 0) OR (b.metric_id = m.metric_id))))
     JOIN public.platform p ON ((p.platform_id = b.platform_id)))
  WHERE (b.is_running AND (NOT (EXISTS ( SELECT
           FROM evidence.backfill o
          WHERE ((o.user_id = b.user_id) AND (o.platform_id = b.platform_id) AND (o.store = b.store) AND (o.metric_id = ANY (ARRAY[0, (m.metric_id)::integer])) AND (ROW(o.read_at, o.payload_id, (o.metric_id <> 0)) > ROW(b.read_at, b.payload_id, (b.metric_id <> 0))))))) AND public.may_read(b.user_id))
  GROUP BY b.user_id, m.metric, p.platform;

COMMENT ON VIEW public.backfill_running IS 'Metrics of which a platform is still loading the history, as it last said; a platform that loads all is there with each. Their bests and trends wait. Does not know: no row, where a platform says nothing of its load.';

COMMENT ON COLUMN public.backfill_running.user_id IS 'The person.';

COMMENT ON COLUMN public.backfill_running.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.backfill_running.platform IS 'The platform, as in the table platform.';

CREATE VIEW public.cell_change WITH (security_barrier='true') AS
 SELECT c.transaction_id,
    c.change_id,
    c.user_id,
    c.metric_ids,
    c.days,
    c.changed_at,
    c.is_whole_person
   FROM evidence.cell_change c
  WHERE ((c.is_whole_person OR (cardinality(c.days) > 0)) AND public.may_read(c.user_id))
  ORDER BY c.transaction_id, c.change_id;

COMMENT ON VIEW public.cell_change IS 'Part of changes_since: the feed, one row per transaction and person. Read by itself it skips what commits later; ask changes_since.';

COMMENT ON COLUMN public.cell_change.transaction_id IS 'The transaction that changed the cells.';

COMMENT ON COLUMN public.cell_change.change_id IS 'Order within the transaction.';

COMMENT ON COLUMN public.cell_change.user_id IS 'The person.';

COMMENT ON COLUMN public.cell_change.metric_ids IS 'metric.metric_id of each cell.';

COMMENT ON COLUMN public.cell_change.days IS 'Local calendar day of each cell, in the same order.';

COMMENT ON COLUMN public.cell_change.changed_at IS 'The instant taken for now when they changed.';

COMMENT ON COLUMN public.cell_change.is_whole_person IS 'True: the person was forgotten, all of their cells are gone.';

CREATE VIEW public.client_action WITH (security_barrier='true') AS
 WITH cell AS (
         SELECT d.user_id,
            d.metric,
            d.local_date,
            d.unknown_reason,
            d.computed_at,
            r.action,
            m.metric_id,
            (d.unknown_reason = ANY (ARRAY['no_source_coverage'::text, 'not_authorized_or_no_data'::text])) AS is_silence
           FROM ((public.daily_metric d
             JOIN public.unknown_reason r ON ((r.code = d.unknown_reason)))
             JOIN public.metric m ON ((m.metric = d.metric)))
          WHERE ((d.status = 'unknown'::text) AND (r.action <> 'none'::text))
        ), told AS (
         SELECT c.user_id,
            c.metric,
            c.local_date,
            c.unknown_reason,
            c.computed_at,
            c.action,
            c.metric_id,
            c.is_silence,
            o.platform,
            GREATEST(c.computed_at, o.last_read_at) AS known_at,
            (o.has_looked = c.is_silence) AS is_meant,
            bool_or((o.has_looked = c.is_silence)) OVER (PARTITION BY c.user_id, c.metric, c.local_date) AS some_are_meant
           FROM (cell c
             LEFT JOIN LATERAL ( SELECT f.platform,
                    max(g.last_read_at) AS last_read_at,
                    bool_or((EXISTS ( SELECT
                           FROM evidence.reading x
                          WHERE ((x.user_id = t.user_id) AND (x.local_date = c.local_date) AND (x.metric_id = t.metric_id) AND (x.platform_id = t.platform_id) AND (x.store = t.store) AND (x.slot = ANY (ARRAY['licensing_zero'::evidence.slot, 'other_zero'::evidence.slot, 'licensing_empty'::evidence.slot, 'other_empty'::evidence.slot])) AND x.is_over AND (COALESCE(x.permission, 'granted'::evidence.permission_state) = 'granted'::evidence.permission_state))))) AS has_looked
                   FROM ((evidence.tracking t
                     JOIN evidence.origin g ON (((g.user_id = t.user_id) AND (g.platform_id = t.platform_id) AND (g.store = t.store))))
                     JOIN public.platform f ON ((f.platform_id = t.platform_id)))
                  WHERE ((t.user_id = c.user_id) AND (t.metric_id = c.metric_id) AND (t.since <= c.local_date))
                  GROUP BY f.platform) o ON (true))
        ), stretch AS (
         SELECT t.user_id,
            t.platform,
            t.metric,
            t.action,
            t.unknown_reason,
            min(t.local_date) AS from_date,
            max(t.local_date) AS to_date,
            max(t.known_at) AS known_at
           FROM ( SELECT n.user_id,
                    n.metric,
                    n.local_date,
                    n.unknown_reason,
                    n.computed_at,
                    n.action,
                    n.metric_id,
                    n.is_silence,
                    n.platform,
                    n.known_at,
                    n.is_meant,
                    n.some_are_meant,
                    (n.local_date - (row_number() OVER (PARTITION BY n.user_id, n.metric, n.platform, n.unknown_reason ORDER BY n.local_date))::integer) AS number
                   FROM told n
                  WHERE (n.is_meant OR (n.some_are_meant IS NOT TRUE))) t
          GROUP BY t.user_id, t.platform, t.metric, t.action, t.unknown_reason, t.number
        )
 SELECT s.user_id,
    s.platform,
    s.metric,
    s.action,
    s.from_date,
    s.to_date,
    public.unknown_message(s.unknown_reason, s.metric, s.from_date, s.to_date, s.known_at) AS message
   FROM stretch s
  WHERE public.may_read(s.user_id);

COMMENT ON VIEW public.client_action IS 'What a client should do about unknown days, and what it may say: one row per unbroken stretch of days of a metric with one reason, for each platform that reports it. Where several do, those whose own reads can be behind the reason. What the person deleted needs no action and is not there. Ask for one person: WHERE user_id = ... Does not know: no row says that nothing is known to be missing.';

COMMENT ON COLUMN public.client_action.user_id IS 'The person.';

COMMENT ON COLUMN public.client_action.platform IS 'The platform on which to act, as in the table platform. NULL: none reports the metric.';

COMMENT ON COLUMN public.client_action.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.client_action.action IS 'What to do, as unknown_reason.action has it for the reason. say_once: tell it once per metric, not again for each stretch.';

COMMENT ON COLUMN public.client_action.from_date IS 'First local day of the stretch.';

COMMENT ON COLUMN public.client_action.to_date IS 'Last local day of the stretch.';

COMMENT ON COLUMN public.client_action.message IS 'A sentence for the person, in English (see unknown_message). A weekday is one of the week before the platform''s latest read or the cell''s latest derivation.';

CREATE TABLE public.coverage_sum (
    local_date date NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    metric text NOT NULL COLLATE pg_catalog."C",
    users bigint NOT NULL,
    sources bigint NOT NULL,
    heard bigint NOT NULL,
    heard_sources bigint NOT NULL,
    measured bigint NOT NULL,
    zero bigint NOT NULL,
    unknown jsonb NOT NULL,
    summed_at timestamp with time zone NOT NULL,
    CONSTRAINT coverage_sum_counts_fit_together CHECK (((zero <= measured) AND (measured <= heard) AND (heard <= users) AND (heard_sources <= sources))),
    CONSTRAINT coverage_sum_times_are_finite CHECK ((isfinite(local_date) AND isfinite(summed_at)))
);

COMMENT ON TABLE public.coverage_sum IS 'What daily_metric amounts to by day, platform and metric, as it was at summed_at. Holds no person. Written by evidence.summarize_coverage; read through coverage_by_day and coverage_alert.';

COMMENT ON COLUMN public.coverage_sum.local_date IS 'The local calendar day.';

COMMENT ON COLUMN public.coverage_sum.platform IS 'Whose reading is shown; of unknown cells each platform that reports the metric. Empty: none does.';

COMMENT ON COLUMN public.coverage_sum.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.coverage_sum.users IS 'Number of persons with a cell.';

COMMENT ON COLUMN public.coverage_sum.sources IS 'Sum of their covering_sources.';

COMMENT ON COLUMN public.coverage_sum.heard IS 'Number of these of whom anything was heard: all but not_yet_synced.';

COMMENT ON COLUMN public.coverage_sum.heard_sources IS 'Sum of the covering_sources of those.';

COMMENT ON COLUMN public.coverage_sum.measured IS 'Number of measured cells, zeros too.';

COMMENT ON COLUMN public.coverage_sum.zero IS 'Number of measured zeros.';

COMMENT ON COLUMN public.coverage_sum.unknown IS 'Number of unknown cells by reason. A reason that is not there has none.';

COMMENT ON COLUMN public.coverage_sum.summed_at IS 'As of when.';

COMMENT ON CONSTRAINT coverage_sum_counts_fit_together ON public.coverage_sum IS 'A part is not more than the whole.';

COMMENT ON CONSTRAINT coverage_sum_times_are_finite ON public.coverage_sum IS 'Days and instants are real ones.';

CREATE TABLE public.monitoring_setting (
    is_only boolean DEFAULT true NOT NULL,
    summed_every interval DEFAULT '01:00:00'::interval NOT NULL,
    summed_days integer DEFAULT 35 NOT NULL,
    least_users integer DEFAULT 20 NOT NULL,
    fall_share numeric DEFAULT 0.30 NOT NULL,
    zero_share numeric DEFAULT 0.80 NOT NULL,
    zero_rise numeric DEFAULT 0.40 NOT NULL,
    cliff_share numeric DEFAULT 0.30 NOT NULL,
    nag_silent_days integer DEFAULT 14 NOT NULL,
    nag_measured_days integer DEFAULT 7 NOT NULL,
    refusals_wait interval DEFAULT '1 day'::interval NOT NULL,
    CONSTRAINT monitoring_setting_counts_are_some CHECK (((least_users >= 1) AND (nag_silent_days >= 1) AND (nag_measured_days >= 1))),
    CONSTRAINT monitoring_setting_has_one_row CHECK (is_only),
    CONSTRAINT monitoring_setting_refusals_wait_for_a_while CHECK (((refusals_wait >= '00:00:00'::interval) AND isfinite(refusals_wait))),
    CONSTRAINT monitoring_setting_shares_are_shares CHECK (((fall_share > (0)::numeric) AND (fall_share <= (1)::numeric) AND (zero_share > (0)::numeric) AND (zero_share <= (1)::numeric) AND (zero_rise > (0)::numeric) AND (zero_rise <= (1)::numeric) AND (cliff_share > (0)::numeric) AND (cliff_share <= (1)::numeric))),
    CONSTRAINT monitoring_setting_sums_at_a_pace CHECK (((summed_every >= '00:01:00'::interval) AND isfinite(summed_every) AND ((summed_days >= 0) AND (summed_days <= 3660))))
);

COMMENT ON TABLE public.monitoring_setting IS 'From when on something is an alert; one row, the operator''s. All of these are heuristics.';

COMMENT ON COLUMN public.monitoring_setting.is_only IS 'Always true.';

COMMENT ON COLUMN public.monitoring_setting.summed_every IS 'How often the coverage of a day is summed again; of a day that is n days old, every n times as long.';

COMMENT ON COLUMN public.monitoring_setting.summed_days IS 'How many days back the coverage is summed by the service. Older days: evidence.summarize_coverage.';

COMMENT ON COLUMN public.monitoring_setting.least_users IS 'Fewer persons than these make no alert.';

COMMENT ON COLUMN public.monitoring_setting.fall_share IS 'coverage_fall: by which share of the mean of the 14 days before the mean coverage must have fallen.';

COMMENT ON COLUMN public.monitoring_setting.zero_share IS 'fleet_of_zeros: at which share of those who were read nothing or 0 must have been found.';

COMMENT ON COLUMN public.monitoring_setting.zero_rise IS 'fleet_of_zeros: by how much that share must lie above the share of the 14 days before.';

COMMENT ON COLUMN public.monitoring_setting.cliff_share IS 'attribution_cliff: by how much the share of a reason must differ from the day before.';

COMMENT ON COLUMN public.monitoring_setting.nag_silent_days IS 'permission_nag: from how many silent days on.';

COMMENT ON COLUMN public.monitoring_setting.nag_measured_days IS 'permission_nag: how many measured days make a metric one that used to report.';

COMMENT ON COLUMN public.monitoring_setting.refusals_wait IS 'refusal_alert: for how long dead letters and quarantined entries may wait for somebody.';

COMMENT ON CONSTRAINT monitoring_setting_counts_are_some ON public.monitoring_setting IS 'At least one.';

COMMENT ON CONSTRAINT monitoring_setting_has_one_row ON public.monitoring_setting IS 'There is one row.';

COMMENT ON CONSTRAINT monitoring_setting_refusals_wait_for_a_while ON public.monitoring_setting IS 'A time that passes.';

COMMENT ON CONSTRAINT monitoring_setting_shares_are_shares ON public.monitoring_setting IS 'Above 0, at most 1.';

COMMENT ON CONSTRAINT monitoring_setting_sums_at_a_pace ON public.monitoring_setting IS 'Not all the time, and not for ever back.';

CREATE VIEW public.coverage_alert WITH (security_invoker='true') AS
 WITH day AS (
         SELECT s.local_date,
            s.platform,
            s.metric,
            s.heard,
            s.heard_sources,
            s.unknown,
            s.summed_at,
            (s.measured + z.silent) AS looked,
            (s.zero + z.silent) AS found_nothing
           FROM (public.coverage_sum s
             CROSS JOIN LATERAL ( SELECT (COALESCE(((s.unknown ->> 'no_source_coverage'::text))::bigint, (0)::bigint) + COALESCE(((s.unknown ->> 'not_authorized_or_no_data'::text))::bigint, (0)::bigint)) AS silent) z)
          WHERE (s.platform <> ''::text)
        ), compared AS (
         SELECT d.local_date,
            d.platform,
            d.metric,
            d.heard,
            d.heard_sources,
            d.unknown,
            d.summed_at,
            d.looked,
            d.found_nothing,
            count(*) OVER before AS days_before,
            sum(d.heard) OVER before AS heard_before,
            sum(d.heard_sources) OVER before AS sources_before,
            sum(d.looked) OVER before AS looked_before,
            sum(d.found_nothing) OVER before AS nothing_before,
            lag(d.unknown) OVER days AS unknown_yesterday,
            lag(d.heard) OVER days AS heard_yesterday,
            lag(d.local_date) OVER days AS yesterday
           FROM day d
          WINDOW days AS (PARTITION BY d.platform, d.metric ORDER BY d.local_date), before AS (PARTITION BY d.platform, d.metric ORDER BY d.local_date RANGE BETWEEN '14 days'::interval PRECEDING AND '1 day'::interval PRECEDING)
        ), alert AS (
         SELECT 'coverage_fall'::text AS kind,
            c.platform,
            c.metric,
            c.local_date,
            NULL::text AS reason,
            c.heard AS users,
            ((c.heard_sources)::numeric / (c.heard)::numeric) AS observed,
            (c.sources_before / c.heard_before) AS expected,
            c.summed_at
           FROM (compared c
             CROSS JOIN public.monitoring_setting b)
          WHERE ((c.heard >= b.least_users) AND (c.days_before >= 7) AND (c.heard_before > (0)::numeric) AND (((c.heard_sources)::numeric / (c.heard)::numeric) <= ((((1)::numeric - b.fall_share) * c.sources_before) / c.heard_before)) AND (c.sources_before > (0)::numeric))
        UNION ALL
         SELECT 'fleet_of_zeros'::text,
            c.platform,
            c.metric,
            c.local_date,
            NULL::text,
            c.looked,
            ((c.found_nothing)::numeric / (c.looked)::numeric),
            (c.nothing_before / c.looked_before),
            c.summed_at
           FROM (compared c
             CROSS JOIN public.monitoring_setting b)
          WHERE ((c.looked >= b.least_users) AND (c.days_before >= 7) AND (c.looked_before > (0)::numeric) AND (((2 * c.looked))::numeric >= (c.looked_before / (c.days_before)::numeric)) AND ((c.found_nothing)::numeric >= (b.zero_share * (c.looked)::numeric)) AND ((((c.found_nothing)::numeric / (c.looked)::numeric) - (c.nothing_before / c.looked_before)) >= b.zero_rise))
        UNION ALL
         SELECT 'attribution_cliff'::text,
            c.platform,
            c.metric,
            c.local_date,
            r.code,
            c.heard,
            x.share,
            x.share_yesterday,
            c.summed_at
           FROM (((compared c
             CROSS JOIN public.monitoring_setting b)
             JOIN public.unknown_reason r ON ((r.action <> ALL (ARRAY['none'::text, 'wait'::text, 'say_once'::text]))))
             CROSS JOIN LATERAL ( SELECT (COALESCE(((c.unknown ->> r.code))::numeric, (0)::numeric) / (NULLIF(c.heard, 0))::numeric) AS share,
                    (COALESCE(((c.unknown_yesterday ->> r.code))::numeric, (0)::numeric) / (NULLIF(c.heard_yesterday, 0))::numeric) AS share_yesterday) x)
          WHERE ((c.yesterday = (c.local_date - 1)) AND (LEAST(c.heard, c.heard_yesterday) >= b.least_users) AND (
                CASE
                    WHEN (r.action = ANY (ARRAY['offer_to_share_more_history'::text, 'show_platform_limit'::text])) THEN abs((x.share - x.share_yesterday))
                    ELSE (x.share - x.share_yesterday)
                END >= b.cliff_share))
        )
 SELECT a.kind,
    a.platform,
    a.metric,
    a.local_date,
    a.reason,
    a.users,
    round(a.observed, 3) AS observed,
    round(a.expected, 3) AS expected,
        CASE a.kind
            WHEN 'coverage_fall'::text THEN format('Mean coverage of %s from %s on %s is %s of %s people, after %s in the 14 days before.'::text, a.metric, a.platform, a.local_date, round(a.observed, 2), a.users, round(a.expected, 2))
            WHEN 'fleet_of_zeros'::text THEN format('%s %% of %s people read from %s on %s have nothing or 0 for %s, after %s %% in the 14 days before.'::text, round(((100)::numeric * a.observed)), a.users, a.platform, a.local_date, a.metric, round(((100)::numeric * a.expected)))
            ELSE format('%s %% of %s people of %s have %s for %s on %s, after %s %% the day before.'::text, round(((100)::numeric * a.observed)), a.users, a.platform, a.reason, a.metric, a.local_date, round(((100)::numeric * a.expected)))
        END AS message,
    a.summed_at
   FROM alert a;

COMMENT ON VIEW public.coverage_alert IS 'Days on which the coverage of a platform''s metric looks like trouble of a provider, a platform or a release. Kinds: coverage_fall (mean coverage far below that of the 14 days before), fleet_of_zeros (reads succeed and nearly all find nothing), attribution_cliff (many people get one reason on one date). Heuristics, with thresholds in monitoring_setting; as fresh as summed_at. Does not know: no row, with fewer than least_users people, fewer than 7 of the 14 days, or a day that was not summed.';

COMMENT ON COLUMN public.coverage_alert.kind IS 'coverage_fall, fleet_of_zeros or attribution_cliff.';

COMMENT ON COLUMN public.coverage_alert.platform IS 'The platform, as in the table platform.';

COMMENT ON COLUMN public.coverage_alert.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.coverage_alert.local_date IS 'The local calendar day.';

COMMENT ON COLUMN public.coverage_alert.reason IS 'attribution_cliff: the reason. NULL elsewhere.';

COMMENT ON COLUMN public.coverage_alert.users IS 'Number of people that it is judged by.';

COMMENT ON COLUMN public.coverage_alert.observed IS 'What was seen: mean coverage, or a share.';

COMMENT ON COLUMN public.coverage_alert.expected IS 'What it is compared with: the 14 days before, or the day before.';

COMMENT ON COLUMN public.coverage_alert.message IS 'The same as a sentence. Holds no person and no health value of one.';

COMMENT ON COLUMN public.coverage_alert.summed_at IS 'As of when.';

CREATE VIEW public.coverage_by_day WITH (security_invoker='true') AS
 SELECT NULLIF(s.platform, ''::text) AS platform,
    s.metric,
    s.local_date,
    s.users,
    round(((s.sources)::numeric / (s.users)::numeric), 3) AS mean_coverage,
    s.measured,
    s.zero,
    (s.users - s.measured) AS unknown,
    s.unknown AS unknown_by_reason,
    s.heard,
    s.summed_at
   FROM public.coverage_sum s;

COMMENT ON VIEW public.coverage_by_day IS 'How well each day is covered, by platform and metric, as it was at summed_at: late data and re-checks since are not in it. Covering sources are an inference and no wear time. Does not know: no row, where nobody had a cell or the day was not summed (coverage_day).';

COMMENT ON COLUMN public.coverage_by_day.platform IS 'Whose reading is shown; an unknown cell counts for each platform that reports the metric. NULL: none does.';

COMMENT ON COLUMN public.coverage_by_day.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.coverage_by_day.local_date IS 'The local calendar day.';

COMMENT ON COLUMN public.coverage_by_day.users IS 'Number of persons with a cell.';

COMMENT ON COLUMN public.coverage_by_day.mean_coverage IS 'Their covering sources on average: a measure of confidence, and an inference.';

COMMENT ON COLUMN public.coverage_by_day.measured IS 'Number of measured cells, zeros too.';

COMMENT ON COLUMN public.coverage_by_day.zero IS 'Number of measured zeros.';

COMMENT ON COLUMN public.coverage_by_day.unknown IS 'Number of unknown cells.';

COMMENT ON COLUMN public.coverage_by_day.unknown_by_reason IS 'These by reason; a reason that is not there has none.';

COMMENT ON COLUMN public.coverage_by_day.heard IS 'Number of persons of whom anything was heard: all but not_yet_synced. The alerts divide by it, so that a day which is still arriving is no fall.';

COMMENT ON COLUMN public.coverage_by_day.summed_at IS 'As of when. What came later is not in it.';

CREATE TABLE public.coverage_day (
    local_date date NOT NULL,
    summed_at timestamp with time zone NOT NULL,
    CONSTRAINT coverage_day_times_are_finite CHECK ((isfinite(local_date) AND isfinite(summed_at)))
);

COMMENT ON TABLE public.coverage_day IS 'Which days coverage_sum has, also those that have no cell.';

COMMENT ON COLUMN public.coverage_day.local_date IS 'The local calendar day.';

COMMENT ON COLUMN public.coverage_day.summed_at IS 'When it was summed last.';

COMMENT ON CONSTRAINT coverage_day_times_are_finite ON public.coverage_day IS 'Days and instants are real ones.';

CREATE VIEW public.covered_weekly WITH (security_invoker='true') AS
 SELECT w.user_id,
    w.metric,
    (EXTRACT(isoyear FROM w.monday))::integer AS iso_year,
    (EXTRACT(week FROM w.monday))::integer AS iso_week,
    w.monday,
    w.covered_days,
    7 AS days,
    trim_scale(round((w.total / (NULLIF(w.covered_days, 0))::numeric), 6)) AS average,
        CASE
            WHEN (s.reason IS NULL) THEN trim_scale(w.total)
            ELSE NULL::numeric
        END AS total,
    s.reason AS total_suppressed_reason
   FROM ((( SELECT d.user_id,
            d.metric,
            (date_trunc('week'::text, (d.local_date)::timestamp without time zone))::date AS monday,
            (count(*) FILTER (WHERE ((d.status = 'measured'::text) AND d.is_final)))::integer AS covered_days,
            sum(d.value) FILTER (WHERE ((d.status = 'measured'::text) AND d.is_final)) AS total
           FROM public.daily_metric d
          GROUP BY d.user_id, d.metric, ((date_trunc('week'::text, (d.local_date)::timestamp without time zone))::date)) w
     JOIN public.metric m ON ((m.metric = w.metric)))
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (m.aggregation <> ALL (ARRAY['sum'::text, 'count'::text])) THEN 'not_a_sum'::text
                    WHEN (w.covered_days < 7) THEN 'days_missing'::text
                    ELSE NULL::text
                END AS reason) s);

COMMENT ON VIEW public.covered_weekly IS 'Weeks from Monday to Sunday, by the days that are measured and final. The average divides by those days. A total only of a week that is covered whole: a part of a week is no week. Does not know: average NULL (covered_days 0); total NULL with total_suppressed_reason; no row where nothing was ever said about any day of the week.';

COMMENT ON COLUMN public.covered_weekly.user_id IS 'The person.';

COMMENT ON COLUMN public.covered_weekly.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.covered_weekly.iso_year IS 'Year that the ISO week belongs to: that of its Thursday.';

COMMENT ON COLUMN public.covered_weekly.iso_week IS 'ISO week, 1 to 53.';

COMMENT ON COLUMN public.covered_weekly.monday IS 'First day of the week.';

COMMENT ON COLUMN public.covered_weekly.covered_days IS 'Number of days that are measured and final.';

COMMENT ON COLUMN public.covered_weekly.days IS 'Number of days of the week: 7.';

COMMENT ON COLUMN public.covered_weekly.average IS 'Average per covered day, in metric.unit, six decimals. NULL: none is covered.';

COMMENT ON COLUMN public.covered_weekly.total IS 'Sum of the seven days, in metric.unit. NULL: not known, or no sum.';

COMMENT ON COLUMN public.covered_weekly.total_suppressed_reason IS 'Why there is no total: days_missing (not every day is covered), not_a_sum (days of this metric do not add up, such as a heart rate). NULL: there is one.';

CREATE TABLE public.daily_metric_history (
    user_id uuid NOT NULL,
    metric text NOT NULL COLLATE pg_catalog."C",
    local_date date NOT NULL,
    revision integer NOT NULL,
    shown_since timestamp with time zone,
    superseded_at timestamp with time zone NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    value numeric,
    unknown_reason text COLLATE pg_catalog."C",
    covering_sources integer NOT NULL,
    unknown_detail text,
    is_final boolean NOT NULL,
    observed_at timestamp with time zone,
    platform text COLLATE pg_catalog."C",
    rule_version integer NOT NULL,
    value_deleted_at timestamp with time zone,
    CONSTRAINT daily_metric_history_measured_has_a_value_unless_it_was_deleted CHECK (((status <> 'measured'::text) OR (value IS NOT NULL) OR (value_deleted_at IS NOT NULL))),
    CONSTRAINT daily_metric_history_status_is_measured_or_unknown CHECK ((status = ANY (ARRAY['measured'::text, 'unknown'::text]))),
    CONSTRAINT daily_metric_history_times_are_finite CHECK ((isfinite(local_date) AND isfinite(shown_since) AND isfinite(superseded_at) AND isfinite(observed_at) AND isfinite(value_deleted_at))),
    CONSTRAINT daily_metric_history_unknown_has_a_reason_and_no_value CHECK ((((status = 'unknown'::text) = (unknown_reason IS NOT NULL)) AND ((status <> 'unknown'::text) OR (value IS NULL)))),
    CONSTRAINT daily_metric_history_value_is_finite CHECK ((abs(value) <= ('1000000000000'::bigint)::numeric))
)
PARTITION BY RANGE (local_date);

COMMENT ON TABLE public.daily_metric_history IS 'What daily_metric showed before: one row for each state of a cell that another one has taken the place of, or whose row was removed. Rows are added, never changed, except that a value which the person deletes at its source leaves them too.';

COMMENT ON COLUMN public.daily_metric_history.user_id IS 'The person.';

COMMENT ON COLUMN public.daily_metric_history.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.daily_metric_history.local_date IS 'The local calendar day.';

COMMENT ON COLUMN public.daily_metric_history.revision IS 'Number of the state, from 1. Begins again with 1 where the row of a silent day was removed and came back.';

COMMENT ON COLUMN public.daily_metric_history.shown_since IS 'Since when it was shown. NULL: since before this was recorded.';

COMMENT ON COLUMN public.daily_metric_history.superseded_at IS 'Until when it was shown.';

COMMENT ON COLUMN public.daily_metric_history.status IS 'measured or unknown.';

COMMENT ON COLUMN public.daily_metric_history.value IS 'The value that was shown, in metric.unit; 0 is a measured zero. NULL: it was unknown, or (value_deleted_at) it is not kept.';

COMMENT ON COLUMN public.daily_metric_history.unknown_reason IS 'Why it was unknown. NULL: it was measured.';

COMMENT ON COLUMN public.daily_metric_history.covering_sources IS 'Number of distinct devices and apps that were known to have been there.';

COMMENT ON COLUMN public.daily_metric_history.unknown_detail IS 'A word more about the reason. NULL: none.';

COMMENT ON COLUMN public.daily_metric_history.is_final IS 'As in daily_metric: a measured value that was not final was a lower bound.';

COMMENT ON COLUMN public.daily_metric_history.observed_at IS 'When the reading behind the value was taken. NULL: it was unknown.';

COMMENT ON COLUMN public.daily_metric_history.platform IS 'The platform whose reading was shown. NULL: it was unknown.';

COMMENT ON COLUMN public.daily_metric_history.rule_version IS 'Version of the rules that had derived it.';

COMMENT ON COLUMN public.daily_metric_history.value_deleted_at IS 'A number was shown, and the person has deleted data behind it at its source since: when that deletion was read. The number is not kept (see evidence.setting). NULL: nothing was deleted.';

COMMENT ON CONSTRAINT daily_metric_history_measured_has_a_value_unless_it_was_deleted ON public.daily_metric_history IS 'A number is missing only where its deletion is noted.';

COMMENT ON CONSTRAINT daily_metric_history_status_is_measured_or_unknown ON public.daily_metric_history IS 'There is no third status.';

COMMENT ON CONSTRAINT daily_metric_history_times_are_finite ON public.daily_metric_history IS 'Days and instants are real ones.';

COMMENT ON CONSTRAINT daily_metric_history_unknown_has_a_reason_and_no_value ON public.daily_metric_history IS 'No absence without a reason, no number beside one.';

COMMENT ON CONSTRAINT daily_metric_history_value_is_finite ON public.daily_metric_history IS 'No NaN, no infinity, nothing absurd.';

CREATE TABLE public.feed_horizon (
    is_only boolean DEFAULT true NOT NULL,
    kept_for interval DEFAULT '14 days'::interval NOT NULL,
    era text COLLATE pg_catalog."C",
    nonce uuid DEFAULT gen_random_uuid() NOT NULL,
    transaction_id xid8,
    change_id bigint,
    cells integer,
    CONSTRAINT feed_horizon_has_one_row CHECK (is_only),
    CONSTRAINT feed_horizon_is_a_whole_place_or_none CHECK ((num_nulls(transaction_id, change_id, cells) = ANY (ARRAY[0, 3]))),
    CONSTRAINT feed_horizon_keeps_changes_for_a_while CHECK (((kept_for >= '01:00:00'::interval) AND isfinite(kept_for)))
);

COMMENT ON TABLE public.feed_horizon IS 'How far back changes_since can go on; one row. kept_for is the operator''s.';

COMMENT ON COLUMN public.feed_horizon.is_only IS 'Always true.';

COMMENT ON COLUMN public.feed_horizon.kept_for IS 'How long changes are kept. Whoever was away for longer starts again.';

COMMENT ON COLUMN public.feed_horizon.era IS 'The era (feed_era) that the changes belong to. NULL: none is known yet.';

COMMENT ON COLUMN public.feed_horizon.nonce IS 'That of the latest change that is not kept any more; where there is none, a random number of the era.';

COMMENT ON COLUMN public.feed_horizon.transaction_id IS 'Place of the latest change that is not kept any more: its transaction. NULL: all are kept.';

COMMENT ON COLUMN public.feed_horizon.change_id IS 'Its number. NULL: all are kept.';

COMMENT ON COLUMN public.feed_horizon.cells IS 'Its number of cells. NULL: all are kept.';

COMMENT ON CONSTRAINT feed_horizon_has_one_row ON public.feed_horizon IS 'There is one row.';

COMMENT ON CONSTRAINT feed_horizon_is_a_whole_place_or_none ON public.feed_horizon IS 'A place has all its parts.';

COMMENT ON CONSTRAINT feed_horizon_keeps_changes_for_a_while ON public.feed_horizon IS 'A feed that forgets at once is none.';

CREATE VIEW public.feed_proof AS
 SELECT c.transaction_id,
    c.change_id,
    c.nonce,
        CASE
            WHEN ((h.transaction_id >= pg_snapshot_xmin(c.seen)) IS NOT TRUE) THEN (( SELECT count(*) AS count
               FROM pg_snapshot_xip(c.seen) b(id)
              WHERE ((b.id < c.transaction_id) AND ( SELECT true
                       FROM evidence.cell_change o
                      WHERE (o.transaction_id = b.id)
                     LIMIT 1))) + ( SELECT count(*) AS count
               FROM evidence.cell_change o
              WHERE ((o.transaction_id >= pg_snapshot_xmax(c.seen)) AND (o.transaction_id < c.transaction_id))))
            ELSE NULL::bigint
        END AS beside
   FROM (evidence.cell_change c
     CROSS JOIN public.feed_horizon h);

COMMENT ON VIEW public.feed_proof IS 'Part of changes_since: by what a cursor recognises the history that it was given in. Says nothing of whom or of what.';

COMMENT ON COLUMN public.feed_proof.transaction_id IS 'The transaction that changed cells.';

COMMENT ON COLUMN public.feed_proof.change_id IS 'Order within the transaction.';

COMMENT ON COLUMN public.feed_proof.nonce IS 'A random number that no other change has.';

COMMENT ON COLUMN public.feed_proof.beside IS 'How much is there by transactions that had begun before it and were running when it changed the cells. It grows while they end; NULL: some of it may not be kept any more.';

CREATE VIEW public.freshness WITH (security_barrier='true') AS
 SELECT f.platform,
    COALESCE(o.origins, (0)::bigint) AS origins,
    o.last_read_at,
    o.last_success_at,
    COALESCE(o.never_succeeded, (0)::bigint) AS never_succeeded,
    COALESCE(o.succeeded_in_a_day, (0)::bigint) AS succeeded_in_a_day,
    d.oldest_due_at,
    (clock_timestamp() - o.last_read_at) AS last_read_age,
    (clock_timestamp() - o.last_success_at) AS last_success_age,
        CASE
            WHEN (d.oldest_due_at IS NOT NULL) THEN GREATEST((clock_timestamp() - d.oldest_due_at), '00:00:00'::interval)
            ELSE NULL::interval
        END AS overdue
   FROM ((public.platform f
     LEFT JOIN ( SELECT x.platform_id,
            count(*) AS origins,
            max(x.last_read_at) AS last_read_at,
            max(x.last_success_at) AS last_success_at,
            count(*) FILTER (WHERE (x.last_success_at IS NULL)) AS never_succeeded,
            count(*) FILTER (WHERE (x.last_success_at > (clock_timestamp() - '1 day'::interval))) AS succeeded_in_a_day
           FROM evidence.origin x
          GROUP BY x.platform_id) o ON ((o.platform_id = f.platform_id)))
     LEFT JOIN LATERAL ( SELECT q.due_at AS oldest_due_at
           FROM evidence.due_day q
          WHERE ((o.origins > 0) AND (EXISTS ( SELECT
                   FROM evidence.origin x
                  WHERE ((x.user_id = q.user_id) AND (x.platform_id = f.platform_id)))))
          ORDER BY q.due_at, q.user_id, q.local_date
         LIMIT 1) d ON (true));

COMMENT ON VIEW public.freshness IS 'Whether data of each platform arrives: last read, last read that succeeded, oldest day that waits for its re-check. Ages are by the server''s clock. Fresh reads are no good reads: see coverage_alert. Does not know: NULL, where nothing was ever read, or nothing is due.';

COMMENT ON COLUMN public.freshness.platform IS 'The platform, as in the table platform.';

COMMENT ON COLUMN public.freshness.origins IS 'Number of data stores, each of one person.';

COMMENT ON COLUMN public.freshness.last_read_at IS 'Latest read of any of them. NULL: never.';

COMMENT ON COLUMN public.freshness.last_success_at IS 'Latest read that looked at something. NULL: never.';

COMMENT ON COLUMN public.freshness.never_succeeded IS 'Number of data stores of which no read has succeeded.';

COMMENT ON COLUMN public.freshness.succeeded_in_a_day IS 'Number of data stores of which a read has succeeded within 24 hours.';

COMMENT ON COLUMN public.freshness.oldest_due_at IS 'When the first of the days of its persons that wait for a re-check is or was due. NULL: none waits.';

COMMENT ON COLUMN public.freshness.last_read_age IS 'How long ago last_read_at is.';

COMMENT ON COLUMN public.freshness.last_success_age IS 'How long ago last_success_at is.';

COMMENT ON COLUMN public.freshness.overdue IS 'For how long oldest_due_at is over; 0: it is to come. NULL: none waits.';

ALTER TABLE public.metric ALTER COLUMN metric_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.metric_metric_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.permission_nag WITH (security_barrier='true') AS
 WITH reported AS (
         SELECT d.user_id,
            d.metric,
            max(d.local_date) AS last_measured,
            count(*) AS measured_days
           FROM (public.daily_metric d
             JOIN public.metric m_1 ON (((m_1.metric = d.metric) AND (NOT m_1.intermittent))))
          WHERE (d.status = 'measured'::text)
          GROUP BY d.user_id, d.metric
        ), silent AS (
         SELECT d.user_id,
            d.metric,
            min(d.local_date) AS silent_from,
            max(d.local_date) AS silent_to,
            count(*) AS silent_days,
            r.last_measured,
            r.measured_days
           FROM ((public.daily_metric d
             JOIN public.unknown_reason u ON (((u.code = d.unknown_reason) AND (u.action = 'suggest_permission_check'::text))))
             JOIN reported r ON (((r.user_id = d.user_id) AND (r.metric = d.metric) AND (d.local_date > r.last_measured))))
          WHERE (d.status = 'unknown'::text)
          GROUP BY d.user_id, d.metric, r.last_measured, r.measured_days
        )
 SELECT s.user_id,
    f.platform,
    s.metric,
    s.last_measured,
    s.measured_days,
    s.silent_from,
    s.silent_to,
    s.silent_days
   FROM (((silent s
     JOIN public.monitoring_setting b ON (((s.silent_days >= b.nag_silent_days) AND (s.measured_days >= b.nag_measured_days))))
     JOIN public.metric m ON ((m.metric = s.metric)))
     JOIN LATERAL ( SELECT DISTINCT p.platform
           FROM (evidence.tracking t
             JOIN public.platform p ON (((p.platform_id = t.platform_id) AND p.hides_denial)))
          WHERE ((t.user_id = s.user_id) AND (t.metric_id = m.metric_id) AND (t.since <= s.silent_to))) f ON (true))
  WHERE public.may_read(s.user_id);

COMMENT ON VIEW public.permission_nag IS 'A heuristic, not a finding: metrics that used to report and have been silent since, read after read, for an implausibly long stretch, on a platform that hides denials. The person may have taken the permission away, or the device off: ask, do not claim. Thresholds: monitoring_setting. Days that nobody has read yet do not count. Does not know: no row.';

COMMENT ON COLUMN public.permission_nag.user_id IS 'The person.';

COMMENT ON COLUMN public.permission_nag.platform IS 'The platform whose permissions to check, as in the table platform.';

COMMENT ON COLUMN public.permission_nag.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.permission_nag.last_measured IS 'The last measured day.';

COMMENT ON COLUMN public.permission_nag.measured_days IS 'Number of measured days until then.';

COMMENT ON COLUMN public.permission_nag.silent_from IS 'First silent day since.';

COMMENT ON COLUMN public.permission_nag.silent_to IS 'Last silent day so far.';

COMMENT ON COLUMN public.permission_nag.silent_days IS 'Number of silent days since.';

CREATE VIEW public.person_zone WITH (security_barrier='true') AS
 SELECT p.user_id,
    z.valid_from,
    COALESCE(p.zone_from[(z.n + 1)], 'infinity'::timestamp with time zone) AS valid_until,
    z.zone_name
   FROM (evidence.person p
     CROSS JOIN LATERAL UNNEST(p.zone_from, p.zone_name) WITH ORDINALITY z(valid_from, zone_name, n))
  WHERE public.may_read(p.user_id);

COMMENT ON VIEW public.person_zone IS 'In which time zone a person was, as known now: one row per zone, without gaps from the first on. Does not know: no row, or none for instants before the first.';

COMMENT ON COLUMN public.person_zone.user_id IS 'The person.';

COMMENT ON COLUMN public.person_zone.valid_from IS 'From when on; -infinity: always.';

COMMENT ON COLUMN public.person_zone.valid_until IS 'Until when, exclusive; infinity: still.';

COMMENT ON COLUMN public.person_zone.zone_name IS 'IANA name.';

CREATE VIEW public.personal_best WITH (security_invoker='true') AS
 SELECT b.user_id,
    b.metric,
        CASE
            WHEN (r.user_id IS NULL) THEN b.value
            ELSE NULL::numeric
        END AS value,
        CASE
            WHEN (r.user_id IS NULL) THEN b.local_date
            ELSE NULL::date
        END AS local_date,
        CASE
            WHEN (r.user_id IS NOT NULL) THEN 'backfill_running'::text
            ELSE NULL::text
        END AS suppressed_reason
   FROM (( SELECT DISTINCT ON (d.user_id, d.metric) d.user_id,
            d.metric,
            d.value,
            d.local_date
           FROM (public.daily_metric d
             JOIN public.metric m ON (((m.metric = d.metric) AND (m.best = 'max'::text))))
          WHERE ((d.status = 'measured'::text) AND d.is_final)
          ORDER BY d.user_id, d.metric, d.value DESC, d.local_date) b
     LEFT JOIN ( SELECT DISTINCT f.user_id,
            f.metric
           FROM public.backfill_running f) r ON (((r.user_id = b.user_id) AND (r.metric = b.metric))));

COMMENT ON VIEW public.personal_best IS 'The greatest final day of each metric of which the catalogue says that more is better (metric.best); of equal ones the first. Does not know: no row where no day is final; value and day NULL with suppressed_reason backfill_running while history still arrives. Ask for one person: WHERE user_id = ...';

COMMENT ON COLUMN public.personal_best.user_id IS 'The person.';

COMMENT ON COLUMN public.personal_best.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.personal_best.value IS 'The best value, in metric.unit. NULL: suppressed.';

COMMENT ON COLUMN public.personal_best.local_date IS 'Its day. NULL: suppressed.';

COMMENT ON COLUMN public.personal_best.suppressed_reason IS 'Why it is not said: backfill_running. NULL: it is.';

ALTER TABLE public.platform ALTER COLUMN platform_id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.platform_platform_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.snapshot_holder WITH (security_barrier='true') AS
 SELECT h.kind,
    h.name,
    h.holds,
    age(h.holds) AS transactions,
    h.since,
    (clock_timestamp() - h.since) AS age,
    h.remedy
   FROM ( SELECT 'session'::text AS kind,
            format('%s, %s of %s in %s, %s'::text, a.pid, COALESCE(NULLIF(a.application_name, ''::text), 'unnamed'::text), a.usename, a.datname, a.state) AS name,
                CASE
                    WHEN ((a.backend_xid IS NULL) OR (age(a.backend_xmin) > age(a.backend_xid))) THEN COALESCE(a.backend_xmin, a.backend_xid)
                    ELSE a.backend_xid
                END AS holds,
            COALESCE(a.xact_start, a.backend_start) AS since,
            format('SELECT pg_terminate_backend(%s)'::text, a.pid) AS remedy
           FROM pg_stat_activity a
          WHERE ((COALESCE(a.backend_xmin, a.backend_xid) IS NOT NULL) AND (a.pid <> pg_backend_pid()))
        UNION ALL
         SELECT 'prepared transaction'::text,
            format('%s of %s in %s'::text, p.gid, p.owner, p.database) AS format,
            p.transaction,
            p.prepared,
            format('ROLLBACK PREPARED %L'::text, p.gid) AS format
           FROM pg_prepared_xacts p
        UNION ALL
         SELECT 'replication slot'::text,
            format('%s, %s'::text, s.slot_name,
                CASE
                    WHEN s.active THEN 'active'::text
                    ELSE 'nobody uses it'::text
                END) AS format,
                CASE
                    WHEN ((s.xmin IS NULL) OR (age(s.catalog_xmin) > age(s.xmin))) THEN COALESCE(s.catalog_xmin, s.xmin)
                    ELSE s.xmin
                END AS xmin,
            NULL::timestamp with time zone,
            format('SELECT pg_drop_replication_slot(%L)'::text, s.slot_name) AS format
           FROM pg_replication_slots s
          WHERE (COALESCE(s.xmin, s.catalog_xmin) IS NOT NULL)) h;

COMMENT ON VIEW public.snapshot_holder IS 'Who holds an old snapshot or an old transaction: dead rows stay and the queue grows slow (autovacuum), and changes_since waits. The first by transactions DESC pins the oldest. Sessions of others are seen only by superusers and members of pg_read_all_stats. Does not know: since and age NULL for replication slots; no row for what the asker may not see.';

COMMENT ON COLUMN public.snapshot_holder.kind IS 'session, prepared transaction or replication slot.';

COMMENT ON COLUMN public.snapshot_holder.name IS 'Which one: of a session its process, application, role, database and state.';

COMMENT ON COLUMN public.snapshot_holder.holds IS 'The oldest transaction number that it holds.';

COMMENT ON COLUMN public.snapshot_holder.transactions IS 'How many transaction numbers were given since.';

COMMENT ON COLUMN public.snapshot_holder.since IS 'When its transaction began.';

COMMENT ON COLUMN public.snapshot_holder.age IS 'How long ago that is, by the server''s clock.';

COMMENT ON COLUMN public.snapshot_holder.remedy IS 'What ends it. Ask first whose it is.';

CREATE VIEW public.queue_health WITH (security_barrier='true') AS
 SELECT q.depth,
    q.oldest_received_at,
    (clock_timestamp() - q.oldest_received_at) AS oldest_age,
    ( SELECT max(r.processed_at) AS max
           FROM intake.receipt r) AS last_processed_at,
    c.paused_at,
    c.paused_because,
    ( SELECT count(*) AS count
           FROM intake.suspect) AS suspects,
    COALESCE(( SELECT jsonb_agg(jsonb_build_object('user_id', t.user_id, 'payloads', t.payloads) ORDER BY t.payloads DESC, t.user_id) AS jsonb_agg
           FROM ( SELECT p.user_id,
                    count(*) AS payloads
                   FROM intake.sync_payload p
                  GROUP BY p.user_id
                  ORDER BY (count(*)) DESC, p.user_id
                 LIMIT 10) t
          WHERE public.may_read(t.user_id)), '[]'::jsonb) AS top_users,
    ( SELECT COALESCE(jsonb_object_agg(l.code, l.letters), '{}'::jsonb) AS "coalesce"
           FROM ( SELECT d.code,
                    count(*) AS letters
                   FROM intake.dead_letter d
                  GROUP BY d.code) l) AS dead_letters,
    ( SELECT count(*) AS count
           FROM intake.quarantined_entry) AS quarantined,
    ( SELECT format('%s %s, %s transactions%s'::text, h.kind, h.name, h.transactions, COALESCE((', since '::text || (h.since)::text), ''::text)) AS format
           FROM public.snapshot_holder h
          ORDER BY h.transactions DESC, h.kind, h.name
         LIMIT 1) AS oldest_snapshot
   FROM (intake.control c
     CROSS JOIN ( SELECT count(*) AS depth,
            min(p.received_at) AS oldest_received_at
           FROM intake.sync_payload p) q);

COMMENT ON VIEW public.queue_health IS 'How the queue is doing; one row. Names users with many payloads, no payload and no value; who may read only some persons is told of those alone. Does not know: oldest NULL, the queue is empty; last_processed_at NULL, nothing ever was; oldest_snapshot NULL, nobody holds one whom the asker may see (pg_read_all_stats).';

COMMENT ON COLUMN public.queue_health.depth IS 'Number of payloads that wait.';

COMMENT ON COLUMN public.queue_health.oldest_received_at IS 'When the oldest of them arrived. NULL: none waits.';

COMMENT ON COLUMN public.queue_health.oldest_age IS 'How long ago that is, by the server''s clock.';

COMMENT ON COLUMN public.queue_health.last_processed_at IS 'When a payload was last processed. NULL: never.';

COMMENT ON COLUMN public.queue_health.paused_at IS 'Since when intake is paused. NULL: it works.';

COMMENT ON COLUMN public.queue_health.paused_because IS 'Why. NULL: it works.';

COMMENT ON COLUMN public.queue_health.suspects IS 'Number of payloads that were in hand when a process died, and wait to be tried apart.';

COMMENT ON COLUMN public.queue_health.top_users IS 'The ten users with the most payloads that wait, most first.';

COMMENT ON COLUMN public.queue_health.dead_letters IS 'Number of dead letters by code.';

COMMENT ON COLUMN public.queue_health.quarantined IS 'Number of entries in quarantine.';

COMMENT ON COLUMN public.queue_health.oldest_snapshot IS 'Who pins the oldest snapshot, the first of snapshot_holder, in words.';

CREATE VIEW public.readable_from WITH (security_barrier='true') AS
 SELECT t.user_id,
    m.metric,
    f.platform,
    t.store,
    w.kind,
    w.boundary,
    ((((w.boundary - '00:00:00.000001'::interval) AT TIME ZONE COALESCE(e.zone_name[cardinality(e.zone_name)], 'UTC'::text)))::date + 1) AS local_date,
    ((((w.access_boundary - '00:00:00.000001'::interval) AT TIME ZONE COALESCE(e.zone_name[cardinality(e.zone_name)], 'UTC'::text)))::date + 1) AS access_date
   FROM (((((evidence.tracking t
     JOIN evidence.person e ON ((e.user_id = t.user_id)))
     JOIN public.metric m ON ((m.metric_id = t.metric_id)))
     JOIN public.platform f ON ((f.platform_id = t.platform_id)))
     LEFT JOIN LATERAL ( SELECT (array_agg((l.kind)::text ORDER BY l.boundary DESC, l.kind))[1] AS kind,
            max(l.boundary) AS boundary,
            max(l.boundary) FILTER (WHERE (l.kind <> 'counting_since'::evidence.window_kind)) AS access_boundary
           FROM ( SELECT DISTINCT ON (x.kind) x.kind,
                    x.boundary
                   FROM evidence.read_window x
                  WHERE ((x.user_id = t.user_id) AND (x.platform_id = t.platform_id) AND (x.store = t.store) AND (x.metric_id = ANY (ARRAY[0, (t.metric_id)::integer])))
                  ORDER BY x.kind, x.read_at DESC, x.payload_id DESC, (x.metric_id = 0), x."position" DESC) l
          WHERE (l.boundary IS NOT NULL)) w ON (true))
     LEFT JOIN LATERAL ( SELECT x.state
           FROM evidence.permission x
          WHERE ((x.user_id = t.user_id) AND (x.platform_id = t.platform_id) AND (x.store = t.store) AND (x.metric_id = ANY (ARRAY[0, (t.metric_id)::integer])))
          ORDER BY x.read_at DESC, x.payload_id DESC, (x.metric_id = 0), x."position" DESC
         LIMIT 1) p ON (true))
  WHERE (((p.state IS NULL) OR (p.state = 'granted'::evidence.permission_state)) AND public.may_read(t.user_id));

COMMENT ON VIEW public.readable_from IS 'How far back each platform that reports a metric can be read now: the latest of its boundaries. One row per metric and data store that has not refused. Does not know: boundary NULL where none is stated, which is no promise that there is none.';

COMMENT ON COLUMN public.readable_from.user_id IS 'The person.';

COMMENT ON COLUMN public.readable_from.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.readable_from.platform IS 'The platform, as in the table platform.';

COMMENT ON COLUMN public.readable_from.store IS 'Which data store of it; empty: it has one.';

COMMENT ON COLUMN public.readable_from.kind IS 'platform_floor, authorized_from, history_window or counting_since. NULL: no boundary is stated.';

COMMENT ON COLUMN public.readable_from.boundary IS 'Nothing before this instant can be read. NULL: no boundary is stated.';

COMMENT ON COLUMN public.readable_from.local_date IS 'The first local day that can be read as a whole, by the person''s latest zone (unknown: UTC). NULL: no boundary is stated.';

COMMENT ON COLUMN public.readable_from.access_date IS 'The same by the latest boundary of those that are about access: all but counting_since. NULL: none of these is stated.';

CREATE VIEW public.refusal_alert WITH (security_barrier='true') AS
 SELECT w.kind,
    w.code,
    w.platform,
    w.waiting,
    w.oldest_at,
    (clock_timestamp() - w.oldest_at) AS age,
    format('%s %s with %s%s since %s; dailymetricd %s list --code %s shows them.'::text, w.waiting, (
        CASE w.kind
            WHEN 'dead_letter'::text THEN 'dead letter'::text
            ELSE 'quarantined entr'::text
        END ||
        CASE
            WHEN ((w.waiting = 1) AND (w.kind = 'quarantine'::text)) THEN 'y waits'::text
            WHEN (w.waiting = 1) THEN ' waits'::text
            WHEN (w.kind = 'quarantine'::text) THEN 'ies wait'::text
            ELSE 's wait'::text
        END), w.code, COALESCE((' of '::text || w.platform), ''::text), to_char((w.oldest_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD HH24:MI "UTC"'::text),
        CASE w.kind
            WHEN 'dead_letter'::text THEN 'dead'::text
            ELSE 'quarantine'::text
        END, w.code) AS message
   FROM (( SELECT 'dead_letter'::text AS kind,
            l.code,
            l.platform,
            count(*) AS waiting,
            min(l.died_at) AS oldest_at
           FROM intake.letter l
          GROUP BY l.code, l.platform
        UNION ALL
         SELECT 'quarantine'::text,
            q.code,
            p.platform,
            count(*) AS count,
            min(q.quarantined_at) AS min
           FROM (intake.quarantined_entry q
             JOIN public.platform p ON ((p.platform_id = q.platform_id)))
          GROUP BY q.code, p.platform) w
     CROSS JOIN public.monitoring_setting b)
  WHERE (w.oldest_at <= (clock_timestamp() - b.refusals_wait));

COMMENT ON VIEW public.refusal_alert IS 'Dead letters and quarantined entries of which the oldest has waited for longer than monitoring_setting.refusals_wait: one row per code and platform. They stay until somebody retries or drops them. Counts hold no person and no value. Does not know: no row, nothing waits for so long; platform NULL, the payload names none.';

COMMENT ON COLUMN public.refusal_alert.kind IS 'dead_letter or quarantine.';

COMMENT ON COLUMN public.refusal_alert.code IS 'Why they were refused, as catalogue/codes.csv names it.';

COMMENT ON COLUMN public.refusal_alert.platform IS 'The platform that their payloads name, or for which the format of a delivery stands; of dead letters that name no such as it stands there. NULL: none.';

COMMENT ON COLUMN public.refusal_alert.waiting IS 'How many wait, younger ones too.';

COMMENT ON COLUMN public.refusal_alert.oldest_at IS 'When the oldest of them was refused.';

COMMENT ON COLUMN public.refusal_alert.age IS 'How long ago that is, by the server''s clock.';

COMMENT ON COLUMN public.refusal_alert.message IS 'The same as a sentence.';

CREATE VIEW public.reread_request WITH (security_barrier='true') AS
 WITH asked AS (
         SELECT o.user_id,
            m.metric_id,
            m.metric,
            m.intermittent,
            o.platform_id,
            o.store,
            f.platform,
            o.last_read_at,
            e.zone_from,
            e.zone_name,
            w.edge,
            GREATEST(LEAST(t.since, b.reached), w.edge) AS first_day
           FROM (((((((evidence.tracking t
             JOIN evidence.origin o ON (((o.user_id = t.user_id) AND (o.platform_id = t.platform_id) AND (o.store = t.store))))
             JOIN evidence.person e ON ((e.user_id = t.user_id)))
             JOIN public.metric m ON ((m.metric_id = t.metric_id)))
             JOIN public.platform f ON ((f.platform_id = t.platform_id)))
             LEFT JOIN LATERAL ( SELECT x.reached
                   FROM evidence.backfill x
                  WHERE ((x.user_id = t.user_id) AND (x.platform_id = t.platform_id) AND (x.store = t.store) AND (x.metric_id = ANY (ARRAY[0, (t.metric_id)::integer])))
                  ORDER BY x.read_at DESC, x.payload_id DESC, (x.metric_id = 0)
                 LIMIT 1) b ON (true))
             LEFT JOIN LATERAL ( SELECT ((max(l.boundary) AT TIME ZONE COALESCE(e.zone_name[cardinality(e.zone_name)], 'UTC'::text)))::date AS edge
                   FROM ( SELECT DISTINCT ON (x.kind) x.kind,
                            x.boundary
                           FROM evidence.read_window x
                          WHERE ((x.user_id = t.user_id) AND (x.platform_id = t.platform_id) AND (x.store = t.store) AND (x.metric_id = ANY (ARRAY[0, (t.metric_id)::integer])))
                          ORDER BY x.kind, x.read_at DESC, x.payload_id DESC, (x.metric_id = 0), x."position" DESC) l) w ON (true))
             LEFT JOIN LATERAL ( SELECT x.state
                   FROM evidence.permission x
                  WHERE ((x.user_id = t.user_id) AND (x.platform_id = t.platform_id) AND (x.store = t.store) AND (x.metric_id = ANY (ARRAY[0, (t.metric_id)::integer])))
                  ORDER BY x.read_at DESC, x.payload_id DESC, (x.metric_id = 0), x."position" DESC
                 LIMIT 1) p ON (true))
          WHERE ((p.state IS NULL) OR (p.state = 'granted'::evidence.permission_state))
        ), open_cell AS (
         SELECT d.user_id,
            d.metric,
            d.local_date,
            d.unknown_reason,
            d.computed_at,
            d.observed_at,
            (r.action = ANY (ARRAY['wait'::text, 'retry'::text])) AS is_unread
           FROM (public.daily_metric d
             JOIN public.unknown_reason r ON ((r.code = d.unknown_reason)))
          WHERE ((d.status = 'unknown'::text) AND ((r.action = ANY (ARRAY['wait'::text, 'retry'::text])) OR (r.resolves_itself AND (d.next_check_at IS NOT NULL))))
        UNION ALL
         SELECT d.user_id,
            d.metric,
            d.local_date,
            NULL::text,
            d.computed_at,
            d.observed_at,
            false
           FROM public.daily_metric d
          WHERE ((d.status = 'measured'::text) AND (NOT d.is_final))
        ), wanted AS (
         SELECT a.user_id,
            a.metric,
            a.platform,
            a.store,
            c.local_date,
            COALESCE(c.unknown_reason, 'not_final'::text) AS reason
           FROM (open_cell c
             JOIN asked a ON (((a.user_id = c.user_id) AND (a.metric = c.metric) AND (c.local_date >= a.first_day))))
          WHERE
                CASE
                    WHEN c.is_unread THEN ((NOT (EXISTS ( SELECT
                       FROM evidence.reading x
                      WHERE ((x.user_id = c.user_id) AND (x.local_date = c.local_date) AND (x.metric_id = a.metric_id) AND (x.platform_id = a.platform_id) AND (x.store = a.store) AND (x.slot = ANY (ARRAY['licensing_zero'::evidence.slot, 'other_zero'::evidence.slot, 'licensing_empty'::evidence.slot, 'other_empty'::evidence.slot])) AND x.is_over)))) OR (EXISTS ( SELECT
                       FROM evidence.reading x
                      WHERE ((x.user_id = c.user_id) AND (x.local_date = c.local_date) AND (x.metric_id = a.metric_id) AND (x.platform_id = a.platform_id) AND (x.store = a.store) AND (x.slot = 'value'::evidence.slot)))) OR (EXISTS ( SELECT
                       FROM evidence.record_day x
                      WHERE ((x.user_id = c.user_id) AND (x.local_date = c.local_date) AND (x.metric_id = a.metric_id) AND (x.platform_id = a.platform_id) AND (x.store = a.store)))))
                    WHEN (c.unknown_reason IS NOT NULL) THEN (NOT a.intermittent)
                    ELSE ((c.local_date IS DISTINCT FROM a.edge) AND ( SELECT (GREATEST(c.computed_at, a.last_read_at) >= s_1.over_at)
                       FROM evidence.day_span(c.local_date, a.zone_from, a.zone_name) s_1(starts_at, over_at)))
                END
        )
 SELECT s.user_id,
    s.metric,
    s.platform,
    s.store,
    min(s.local_date) AS from_date,
    max(s.local_date) AS to_date,
    array_agg(DISTINCT s.reason) AS reasons
   FROM ( SELECT n.user_id,
            n.metric,
            n.platform,
            n.store,
            n.local_date,
            n.reason,
            (n.local_date - (row_number() OVER (PARTITION BY n.user_id, n.metric, n.platform, n.store ORDER BY n.local_date))::integer) AS stretch
           FROM wanted n) s
  WHERE public.may_read(s.user_id)
  GROUP BY s.user_id, s.metric, s.platform, s.store, s.stretch;

COMMENT ON VIEW public.reread_request IS 'What a client should read again, one row per unbroken stretch of days, for each platform that reports the metric: days that are unknown and may become known by reading, and days that are over and were read while they were open. Not before the first day that the platform mentioned, nor before what it may read. Ask for one person: WHERE user_id = ...';

COMMENT ON COLUMN public.reread_request.user_id IS 'The person.';

COMMENT ON COLUMN public.reread_request.metric IS 'The metric, as in the table metric.';

COMMENT ON COLUMN public.reread_request.platform IS 'The platform to read, as in the table platform.';

COMMENT ON COLUMN public.reread_request.store IS 'Which data store of it; empty: it has one.';

COMMENT ON COLUMN public.reread_request.from_date IS 'First local day of the stretch.';

COMMENT ON COLUMN public.reread_request.to_date IS 'Last local day of the stretch.';

COMMENT ON COLUMN public.reread_request.reasons IS 'Why: the reasons of its days, as in the table unknown_reason; not_final: a number is there, but the day went on after it was read.';

CREATE TABLE public.unit (
    unit text NOT NULL COLLATE pg_catalog."C",
    from_unit text NOT NULL COLLATE pg_catalog."C",
    factor numeric NOT NULL,
    addend numeric NOT NULL,
    as_shipped text NOT NULL,
    CONSTRAINT unit_factor_is_positive CHECK ((factor > (0)::numeric))
);

COMMENT ON TABLE public.unit IS 'How values arrive in a metric''s unit: value in unit = value in from_unit * factor + addend, to six decimals. Filled from catalogue/units.csv.';

COMMENT ON COLUMN public.unit.unit IS 'UCUM unit that is stored.';

COMMENT ON COLUMN public.unit.from_unit IS 'UCUM unit that may arrive.';

COMMENT ON COLUMN public.unit.factor IS 'Factor from from_unit to unit.';

COMMENT ON COLUMN public.unit.addend IS 'Added after the factor, in unit; left out for differences of temperature.';

COMMENT ON COLUMN public.unit.as_shipped IS 'The row as the CSV file last filled it.';

COMMENT ON CONSTRAINT unit_factor_is_positive ON public.unit IS 'A conversion keeps the sign and never erases a value.';

ALTER TABLE ONLY evidence.backfill
    ADD CONSTRAINT backfill_pkey PRIMARY KEY (user_id, platform_id, store, metric_id);

COMMENT ON CONSTRAINT backfill_pkey ON evidence.backfill IS 'The latest statement per metric and origin.';

ALTER TABLE ONLY evidence.catalogue_change
    ADD CONSTRAINT catalogue_change_pkey PRIMARY KEY (change_id);

COMMENT ON CONSTRAINT catalogue_change_pkey ON evidence.catalogue_change IS 'One row per change.';

ALTER TABLE ONLY evidence.cell_change
    ADD CONSTRAINT cell_change_pkey PRIMARY KEY (user_id, change_id);

COMMENT ON CONSTRAINT cell_change_pkey ON evidence.cell_change IS 'By person, so that a person can be forgotten.';

ALTER TABLE ONLY evidence.deleted_interval
    ADD CONSTRAINT deleted_interval_pkey PRIMARY KEY (user_id, platform_id, store, metric_id, starts_at, ends_at, read_at);

COMMENT ON CONSTRAINT deleted_interval_pkey ON evidence.deleted_interval IS 'Each deletion counts once.';

ALTER TABLE ONLY evidence.deleted_record
    ADD CONSTRAINT deleted_record_pkey PRIMARY KEY (user_id, platform_id, store, id);

COMMENT ON CONSTRAINT deleted_record_pkey ON evidence.deleted_record IS 'One row per record.';

ALTER TABLE ONLY evidence.derived_under
    ADD CONSTRAINT derived_under_pkey PRIMARY KEY (catalogue, key);

COMMENT ON CONSTRAINT derived_under_pkey ON evidence.derived_under IS 'One row per row of a catalogue.';

ALTER TABLE ONLY evidence.due_cell
    ADD CONSTRAINT due_cell_pkey PRIMARY KEY (user_id, local_date, metric);

COMMENT ON CONSTRAINT due_cell_pkey ON evidence.due_cell IS 'Each cell once, however many changes affect it.';

ALTER TABLE ONLY evidence.due_day
    ADD CONSTRAINT due_day_pkey PRIMARY KEY (user_id, local_date);

COMMENT ON CONSTRAINT due_day_pkey ON evidence.due_day IS 'One row per user-day.';

ALTER TABLE ONLY evidence.former_record
    ADD CONSTRAINT former_record_pkey PRIMARY KEY (user_id, platform_id, store, id, local_date, metric_id);

COMMENT ON CONSTRAINT former_record_pkey ON evidence.former_record IS 'By record, because it is looked for when the record is deleted.';

ALTER TABLE ONLY evidence.hour
    ADD CONSTRAINT hour_pkey PRIMARY KEY (user_id, local_date, metric_id, local_hour, platform_id, store, kind);

COMMENT ON CONSTRAINT hour_pkey ON evidence.hour IS 'Of each kind of statement the latest.';

ALTER TABLE ONLY evidence.origin
    ADD CONSTRAINT origin_pkey PRIMARY KEY (user_id, platform_id, store);

COMMENT ON CONSTRAINT origin_pkey ON evidence.origin IS 'One row per data store of a person.';

ALTER TABLE ONLY evidence.permission
    ADD CONSTRAINT permission_pkey PRIMARY KEY (user_id, platform_id, store, metric_id, read_at, payload_id, "position");

COMMENT ON CONSTRAINT permission_pkey ON evidence.permission IS 'One row per statement.';

ALTER TABLE ONLY evidence.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (user_id);

COMMENT ON CONSTRAINT person_pkey ON evidence.person IS 'One row per person.';

ALTER TABLE ONLY evidence.presence
    ADD CONSTRAINT presence_pkey PRIMARY KEY (user_id, local_date, platform_id, store, source, kind);

COMMENT ON CONSTRAINT presence_pkey ON evidence.presence IS 'One row per day, source and kind.';

ALTER TABLE ONLY evidence.read_window
    ADD CONSTRAINT read_window_pkey PRIMARY KEY (user_id, platform_id, store, metric_id, kind, read_at, payload_id, "position");

COMMENT ON CONSTRAINT read_window_pkey ON evidence.read_window IS 'One row per statement.';

ALTER TABLE ONLY evidence.reading
    ADD CONSTRAINT reading_pkey PRIMARY KEY (user_id, local_date, metric_id, platform_id, store, slot);

COMMENT ON CONSTRAINT reading_pkey ON evidence.reading IS 'One row per cell, origin and kind of statement; a user-day is one stretch of the index.';

ALTER TABLE ONLY evidence.record_day
    ADD CONSTRAINT record_day_pkey PRIMARY KEY (user_id, local_date, metric_id, platform_id, store, chunk);

COMMENT ON CONSTRAINT record_day_pkey ON evidence.record_day IS 'A user-day is one stretch of the index.';

ALTER TABLE ONLY evidence.record_id
    ADD CONSTRAINT record_id_pkey PRIMARY KEY (user_id, platform_id, store, id);

COMMENT ON CONSTRAINT record_id_pkey ON evidence.record_id IS 'A record is in one place.';

ALTER TABLE ONLY evidence.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (is_only);

COMMENT ON CONSTRAINT setting_pkey ON evidence.setting IS 'There is one row.';

ALTER TABLE ONLY evidence.time_zone
    ADD CONSTRAINT time_zone_pkey PRIMARY KEY (user_id, valid_from, read_at, payload_id, "position");

COMMENT ON CONSTRAINT time_zone_pkey ON evidence.time_zone IS 'One row per statement.';

ALTER TABLE ONLY evidence.tracking
    ADD CONSTRAINT tracking_pkey PRIMARY KEY (user_id, metric_id, platform_id, store);

COMMENT ON CONSTRAINT tracking_pkey ON evidence.tracking IS 'One row per metric and origin.';

ALTER TABLE ONLY evidence.workout
    ADD CONSTRAINT workout_pkey PRIMARY KEY (user_id, platform_id, store, id);

COMMENT ON CONSTRAINT workout_pkey ON evidence.workout IS 'Of each workout the latest read.';

ALTER TABLE ONLY intake.batch_in_hand
    ADD CONSTRAINT batch_in_hand_pkey PRIMARY KEY (process, worker);

COMMENT ON CONSTRAINT batch_in_hand_pkey ON intake.batch_in_hand IS 'One row per worker; its next batch takes the place of the last one.';

ALTER TABLE ONLY intake.control
    ADD CONSTRAINT control_pkey PRIMARY KEY (is_only);

COMMENT ON CONSTRAINT control_pkey ON intake.control IS 'There is one row.';

ALTER TABLE ONLY intake.dead_letter
    ADD CONSTRAINT dead_letter_pkey PRIMARY KEY (user_id, id);

COMMENT ON CONSTRAINT dead_letter_pkey ON intake.dead_letter IS 'By person, in order of death.';

ALTER TABLE ONLY intake.forgotten_person
    ADD CONSTRAINT forgotten_person_pkey PRIMARY KEY (user_id);

COMMENT ON CONSTRAINT forgotten_person_pkey ON intake.forgotten_person IS 'One row per person.';

ALTER TABLE ONLY intake.format
    ADD CONSTRAINT format_pkey PRIMARY KEY (format, said);

COMMENT ON CONSTRAINT format_pkey ON intake.format IS 'One platform per format, or per provider that a document names.';

ALTER TABLE ONLY intake.load_page
    ADD CONSTRAINT load_page_pkey PRIMARY KEY (user_id, platform_id, store, load_id, page);

COMMENT ON CONSTRAINT load_page_pkey ON intake.load_page IS 'One payload per page.';

ALTER TABLE ONLY intake.load
    ADD CONSTRAINT load_pkey PRIMARY KEY (user_id, platform_id, store, load_id);

COMMENT ON CONSTRAINT load_pkey ON intake.load IS 'One row per load.';

ALTER TABLE ONLY intake.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (file);

COMMENT ON CONSTRAINT migration_pkey ON intake.migration IS 'Each file once.';

ALTER TABLE ONLY intake.quarantined_entry
    ADD CONSTRAINT quarantined_entry_pkey PRIMARY KEY (user_id, payload_id, pointer);

COMMENT ON CONSTRAINT quarantined_entry_pkey ON intake.quarantined_entry IS 'One place of one payload is refused once.';

ALTER TABLE ONLY intake.receipt
    ADD CONSTRAINT receipt_pkey PRIMARY KEY (user_id, payload_id);

COMMENT ON CONSTRAINT receipt_pkey ON intake.receipt IS 'One receipt per payload of a person.';

ALTER TABLE ONLY intake.schema_part
    ADD CONSTRAINT schema_part_pkey PRIMARY KEY (part);

COMMENT ON CONSTRAINT schema_part_pkey ON intake.schema_part IS 'Each part once.';

ALTER TABLE ONLY intake.slow_payload
    ADD CONSTRAINT slow_payload_pkey PRIMARY KEY (user_id, id);

COMMENT ON CONSTRAINT slow_payload_pkey ON intake.slow_payload IS 'One row per payload.';

ALTER TABLE ONLY intake.suspect
    ADD CONSTRAINT suspect_pkey PRIMARY KEY (user_id, id);

COMMENT ON CONSTRAINT suspect_pkey ON intake.suspect IS 'One row per payload.';

ALTER TABLE ONLY intake.sync_payload
    ADD CONSTRAINT sync_payload_pkey PRIMARY KEY (user_id, id);

COMMENT ON CONSTRAINT sync_payload_pkey ON intake.sync_payload IS 'By user, then in order of arrival: the claim walks this index and nothing else.';

ALTER TABLE ONLY public.coverage_day
    ADD CONSTRAINT coverage_day_pkey PRIMARY KEY (local_date);

COMMENT ON CONSTRAINT coverage_day_pkey ON public.coverage_day IS 'One row per day.';

ALTER TABLE ONLY public.coverage_sum
    ADD CONSTRAINT coverage_sum_pkey PRIMARY KEY (local_date, platform, metric);

COMMENT ON CONSTRAINT coverage_sum_pkey ON public.coverage_sum IS 'One row per day, platform and metric.';

ALTER TABLE ONLY public.daily_metric_history
    ADD CONSTRAINT daily_metric_history_pkey PRIMARY KEY (user_id, metric, local_date, superseded_at, revision);

COMMENT ON CONSTRAINT daily_metric_history_pkey ON public.daily_metric_history IS 'One row per state of a cell, in the order of time.';

ALTER TABLE ONLY public.daily_metric
    ADD CONSTRAINT daily_metric_pkey PRIMARY KEY (user_id, metric, local_date);

COMMENT ON CONSTRAINT daily_metric_pkey ON public.daily_metric IS 'One row per cell.';

ALTER TABLE ONLY public.feed_horizon
    ADD CONSTRAINT feed_horizon_pkey PRIMARY KEY (is_only);

COMMENT ON CONSTRAINT feed_horizon_pkey ON public.feed_horizon IS 'There is one row.';

ALTER TABLE ONLY public.hourly_metric
    ADD CONSTRAINT hourly_metric_pkey PRIMARY KEY (user_id, metric, local_date, local_hour);

COMMENT ON CONSTRAINT hourly_metric_pkey ON public.hourly_metric IS 'One row per hour of a metric.';

ALTER TABLE ONLY public.metric
    ADD CONSTRAINT metric_id_is_unique UNIQUE (metric_id);

COMMENT ON CONSTRAINT metric_id_is_unique ON public.metric IS 'One number per metric.';

ALTER TABLE ONLY public.metric
    ADD CONSTRAINT metric_pkey PRIMARY KEY (metric);

COMMENT ON CONSTRAINT metric_pkey ON public.metric IS 'One row per metric.';

ALTER TABLE ONLY public.monitoring_setting
    ADD CONSTRAINT monitoring_setting_pkey PRIMARY KEY (is_only);

COMMENT ON CONSTRAINT monitoring_setting_pkey ON public.monitoring_setting IS 'There is one row.';

ALTER TABLE ONLY public.platform_error
    ADD CONSTRAINT platform_error_pkey PRIMARY KEY (code);

COMMENT ON CONSTRAINT platform_error_pkey ON public.platform_error IS 'One meaning per code.';

ALTER TABLE ONLY public.platform
    ADD CONSTRAINT platform_id_is_unique UNIQUE (platform_id);

COMMENT ON CONSTRAINT platform_id_is_unique ON public.platform IS 'One number per platform.';

ALTER TABLE ONLY public.platform
    ADD CONSTRAINT platform_pkey PRIMARY KEY (platform);

COMMENT ON CONSTRAINT platform_pkey ON public.platform IS 'One row per platform.';

ALTER TABLE ONLY public.unit
    ADD CONSTRAINT unit_pkey PRIMARY KEY (unit, from_unit);

COMMENT ON CONSTRAINT unit_pkey ON public.unit IS 'One conversion per pair of units.';

ALTER TABLE ONLY public.unknown_reason
    ADD CONSTRAINT unknown_reason_pkey PRIMARY KEY (code);

COMMENT ON CONSTRAINT unknown_reason_pkey ON public.unknown_reason IS 'One row per reason.';

ALTER TABLE ONLY public.unknown_reason
    ADD CONSTRAINT unknown_reason_rank_is_unique UNIQUE (rank);

COMMENT ON CONSTRAINT unknown_reason_rank_is_unique ON public.unknown_reason IS 'No two reasons are equally strong, so the one that is shown never depends on chance.';

ALTER TABLE ONLY public.workout_summary
    ADD CONSTRAINT workout_summary_pkey PRIMARY KEY (user_id, platform, store, id);

COMMENT ON CONSTRAINT workout_summary_pkey ON public.workout_summary IS 'One row per workout.';

CREATE INDEX cell_change_order ON evidence.cell_change USING btree (transaction_id, change_id);

COMMENT ON INDEX evidence.cell_change_order IS 'The order of the feed.';

CREATE INDEX due_day_due ON evidence.due_day USING btree (due_at, user_id, local_date);

COMMENT ON INDEX evidence.due_day_due IS 'What is due first.';

CREATE INDEX person_silent_due ON evidence.person USING btree (silent_due_at) WHERE (silent_due_at IS NOT NULL);

COMMENT ON INDEX evidence.person_silent_due IS 'Persons with a day to fill, by when it is over.';

CREATE INDEX dead_letter_number ON intake.dead_letter USING btree (id);

COMMENT ON INDEX intake.dead_letter_number IS 'One letter by the number that an operator types; the latest ones.';

CREATE INDEX dead_letter_payload ON intake.dead_letter USING btree (user_id, payload_id);

COMMENT ON INDEX intake.dead_letter_payload IS 'What became of a payload.';

CREATE INDEX forgotten_person_unfinished ON intake.forgotten_person USING btree (forgotten_at) WHERE (erased_at IS NULL);

COMMENT ON INDEX intake.forgotten_person_unfinished IS 'Whose erasure is not over.';

CREATE INDEX load_open ON intake.load USING btree (began_at) WHERE (state = 'open'::text);

COMMENT ON INDEX intake.load_open IS 'Loads that wait, the longest first.';

CREATE INDEX receipt_processed ON intake.receipt USING btree (processed_at);

COMMENT ON INDEX intake.receipt_processed IS 'The latest success, and what is old enough to be forgotten.';

CREATE INDEX daily_metric_day ON ONLY public.daily_metric USING brin (((local_date + 0))) WITH (pages_per_range='32');

COMMENT ON INDEX public.daily_metric_day IS 'Which blocks hold which days, for questions about one day of all persons that say local_date + 0. Others must not use it.';

CREATE INDEX workout_summary_by_day ON public.workout_summary USING btree (user_id, local_date);

COMMENT ON INDEX public.workout_summary_by_day IS 'A person''s workouts of some days.';

ALTER TABLE ONLY intake.format
    ADD CONSTRAINT format_platform_is_known FOREIGN KEY (platform) REFERENCES public.platform(platform);

COMMENT ON CONSTRAINT format_platform_is_known ON intake.format IS 'A format stands for a platform that there is.';

ALTER TABLE ONLY public.platform_error
    ADD CONSTRAINT platform_error_reason_is_known FOREIGN KEY (reason) REFERENCES public.unknown_reason(code);

COMMENT ON CONSTRAINT platform_error_reason_is_known ON public.platform_error IS 'A code leads to a reason that exists.';

CREATE POLICY dailymetricd_works ON public.daily_metric TO dailymetric_daemon USING (true) WITH CHECK (true);

COMMENT ON POLICY dailymetricd_works ON public.daily_metric IS 'The service sees and writes everybody, whatever filters readers.';

CREATE POLICY dailymetricd_works ON public.daily_metric_history TO dailymetric_daemon USING (true) WITH CHECK (true);

COMMENT ON POLICY dailymetricd_works ON public.daily_metric_history IS 'The service sees and writes everybody, whatever filters readers.';

CREATE POLICY dailymetricd_works ON public.hourly_metric TO dailymetric_daemon USING (true) WITH CHECK (true);

COMMENT ON POLICY dailymetricd_works ON public.hourly_metric IS 'The service sees and writes everybody, whatever filters readers.';

CREATE POLICY dailymetricd_works ON public.workout_summary TO dailymetric_daemon USING (true) WITH CHECK (true);

COMMENT ON POLICY dailymetricd_works ON public.workout_summary IS 'The service sees and writes everybody, whatever filters readers.';

GRANT USAGE ON SCHEMA evidence TO dailymetric_auditor;
GRANT USAGE ON SCHEMA evidence TO dailymetric_daemon;

GRANT USAGE ON SCHEMA intake TO dailymetric_daemon;

GRANT USAGE ON SCHEMA public TO dailymetric_analyst;
GRANT USAGE ON SCHEMA public TO dailymetric_auditor;
GRANT USAGE ON SCHEMA public TO dailymetric_daemon;
GRANT USAGE ON SCHEMA public TO dailymetric_producer;

REVOKE ALL ON FUNCTION evidence.admit_daemon() FROM PUBLIC;

REVOKE ALL ON FUNCTION evidence.all_holdings(person uuid, OUT cells bigint, OUT hours bigint, OUT workouts bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.all_holdings(person uuid, OUT cells bigint, OUT hours bigint, OUT workouts bigint) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.all_holdings(person uuid, OUT cells bigint, OUT hours bigint, OUT workouts bigint) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.ask_again(persons uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.ask_again(persons uuid[]) TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.catalogue_change TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.catalogue_change TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.asks_again(change evidence.catalogue_change, person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.asks_again(change evidence.catalogue_change, person uuid) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.asks_again(change evidence.catalogue_change, person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.at(instant timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.at(instant timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.at(instant timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.cells_under(change evidence.catalogue_change, person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.cells_under(change evidence.catalogue_change, person uuid) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.cells_under(change evidence.catalogue_change, person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.changed(change evidence.catalogue_change, fact text) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.changed(change evidence.catalogue_change, fact text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.changed(change evidence.catalogue_change, fact text) TO dailymetric_daemon;

GRANT SELECT ON TABLE public.hourly_metric TO dailymetric_analyst;
GRANT SELECT ON TABLE public.hourly_metric TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.hourly_metric TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.chosen_hours(persons uuid[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.chosen_hours(persons uuid[], days date[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.chosen_hours(persons uuid[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.compare_cells(person uuid, days date[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.compare_cells(person uuid, days date[], as_of timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.compare_cells(person uuid, days date[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.compare_hours(person uuid, days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.compare_hours(person uuid, days date[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.compare_hours(person uuid, days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.compare_shown(person uuid, days date[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.compare_shown(person uuid, days date[], as_of timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.compare_shown(person uuid, days date[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.compare_workouts(person uuid, of_days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.compare_workouts(person uuid, of_days date[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.compare_workouts(person uuid, of_days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.covered(seconds double precision, of_all double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.covered(seconds double precision, of_all double precision) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.covered(seconds double precision, of_all double precision) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.day_span(day date, zone_from timestamp with time zone[], zone_name text[], OUT starts_at timestamp with time zone, OUT over_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.day_span(day date, zone_from timestamp with time zone[], zone_name text[], OUT starts_at timestamp with time zone, OUT over_at timestamp with time zone) TO dailymetric_analyst;
GRANT ALL ON FUNCTION evidence.day_span(day date, zone_from timestamp with time zone[], zone_name text[], OUT starts_at timestamp with time zone, OUT over_at timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.day_span(day date, zone_from timestamp with time zone[], zone_name text[], OUT starts_at timestamp with time zone, OUT over_at timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.days_of_hours_between(users uuid[], platforms smallint[], stores text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.days_of_hours_between(users uuid[], platforms smallint[], stores text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.days_of_hours_between(users uuid[], platforms smallint[], stores text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.days_to_compare(person uuid, after date, max_days integer, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.days_to_compare(person uuid, after date, max_days integer, as_of timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.days_to_compare(person uuid, after date, max_days integer, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.deleted_at(person uuid, day date, of_metric smallint, platform smallint, of_store text) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.deleted_at(person uuid, day date, of_metric smallint, platform smallint, of_store text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.deleted_at(person uuid, day date, of_metric smallint, platform smallint, of_store text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.derive(persons uuid[], days date[], as_of timestamp with time zone, is_recheck boolean, only_metrics text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.derive(persons uuid[], days date[], as_of timestamp with time zone, is_recheck boolean, only_metrics text[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.derive_hours(persons uuid[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.derive_hours(persons uuid[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.derive_workouts(persons uuid[], platforms smallint[], stores text[], ids text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.derive_workouts(persons uuid[], platforms smallint[], stores text[], ids text[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.edge_of(instant timestamp with time zone, floor_at timestamp with time zone, authorized_at timestamp with time zone, history_at timestamp with time zone, counting_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.edge_of(instant timestamp with time zone, floor_at timestamp with time zone, authorized_at timestamp with time zone, history_at timestamp with time zone, counting_at timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.edge_of(instant timestamp with time zone, floor_at timestamp with time zone, authorized_at timestamp with time zone, history_at timestamp with time zone, counting_at timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.ensure_partition(parent text, first_day date, end_day date, options text) FROM PUBLIC;

REVOKE ALL ON FUNCTION evidence.ensure_partitions(as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.ensure_partitions(as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.explain_readings(person uuid, metric_number smallint, day date, unit text) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.explain_readings(person uuid, metric_number smallint, day date, unit text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.explain_readings(person uuid, metric_number smallint, day date, unit text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.explain_records(person uuid, metric_number smallint, day date, unit text) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.explain_records(person uuid, metric_number smallint, day date, unit text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.explain_records(person uuid, metric_number smallint, day date, unit text) TO dailymetric_daemon;

GRANT SELECT ON TABLE public.daily_metric TO dailymetric_analyst;
GRANT SELECT ON TABLE public.daily_metric TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.daily_metric TO dailymetric_daemon;

GRANT SELECT ON TABLE public.metric TO dailymetric_analyst;
GRANT SELECT ON TABLE public.metric TO dailymetric_auditor;
GRANT SELECT ON TABLE public.metric TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.explain_rule(cell public.daily_metric, rules public.metric) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.explain_rule(cell public.daily_metric, rules public.metric) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.explain_rule(cell public.daily_metric, rules public.metric) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.explain_surroundings(person uuid, metric_number smallint, day date) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.explain_surroundings(person uuid, metric_number smallint, day date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.explain_surroundings(person uuid, metric_number smallint, day date) TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.record_day TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.record_day TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.record TO dailymetric_auditor;
GRANT SELECT ON TABLE evidence.record TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.find_records(users uuid[], platforms smallint[], stores text[], keys uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.find_records(users uuid[], platforms smallint[], stores text[], keys uuid[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.find_records(users uuid[], platforms smallint[], stores text[], keys uuid[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.forget_cells(persons uuid[], days date[], metrics text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.forget_cells(persons uuid[], days date[], metrics text[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.forget_changes(as_of timestamp with time zone, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.forget_changes(as_of timestamp with time zone, max_rows integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.forget_deleted(persons uuid[], metrics text[], days date[], platforms text[], deletions timestamp with time zone[], held boolean[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.forget_deleted(persons uuid[], metrics text[], days date[], platforms text[], deletions timestamp with time zone[], held boolean[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.forget_due(persons uuid[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.forget_due(persons uuid[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.forget_elsewhere(person uuid, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.forget_elsewhere(person uuid, max_rows integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.former_reads(records evidence.record[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.former_reads(records evidence.record[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.former_reads(records evidence.record[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.has_records(persons uuid[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.has_records(persons uuid[], days date[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.has_records(persons uuid[], days date[]) TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.workout TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.workout TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.heart_rate(w evidence.workout, OUT average numeric, OUT coverage numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.heart_rate(w evidence.workout, OUT average numeric, OUT coverage numeric) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.heart_rate(w evidence.workout, OUT average numeric, OUT coverage numeric) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.hidden_time(covered tstzmultirange, starts timestamp with time zone[], ends timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.hidden_time(covered tstzmultirange, starts timestamp with time zone[], ends timestamp with time zone[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.hidden_time(covered tstzmultirange, starts timestamp with time zone[], ends timestamp with time zone[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.holdings(person uuid, days date[], OUT cells bigint, OUT records bigint, OUT hours bigint, OUT workouts bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.holdings(person uuid, days date[], OUT cells bigint, OUT records bigint, OUT hours bigint, OUT workouts bigint) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.holdings(person uuid, days date[], OUT cells bigint, OUT records bigint, OUT hours bigint, OUT workouts bigint) TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.deleted_interval TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE ON TABLE evidence.deleted_interval TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.is_cleared(cleared evidence.deleted_interval, read_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone, day_starts_at timestamp with time zone, day_over_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.is_cleared(cleared evidence.deleted_interval, read_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone, day_starts_at timestamp with time zone, day_over_at timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.is_cleared(cleared evidence.deleted_interval, read_at timestamp with time zone, starts_at timestamp with time zone, ends_at timestamp with time zone, day_starts_at timestamp with time zone, day_over_at timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.is_deleted(w evidence.workout) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.is_deleted(w evidence.workout) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.is_deleted(w evidence.workout) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.judge(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.judge(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.judge(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.judge_hours_again(persons uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.judge_hours_again(persons uuid[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.keep_history(shown public.daily_metric[], deletions timestamp with time zone[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.keep_history(shown public.daily_metric[], deletions timestamp with time zone[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.keep_up(as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.keep_up(as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.leave_to_schedule(persons uuid[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.leave_to_schedule(persons uuid[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.lock_person(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.lock_person(person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.mark_asked(persons uuid[], metrics smallint[], since date[], until date[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.mark_asked(persons uuid[], metrics smallint[], since date[], until date[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.mark_unsettled(persons uuid[], since date[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.mark_unsettled(persons uuid[], since date[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.merge_deletions(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.merge_deletions(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], starts timestamp with time zone[], ends timestamp with time zone[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.merge_hours(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], hours smallint[], positions integer[], "values" text[], covered smallint[], lengths smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.merge_hours(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], hours smallint[], positions integer[], "values" text[], covered smallint[], lengths smallint[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.merge_readings(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], positions integer[], outcomes text[], "values" text[], sources text[], codes text[], complete boolean[], proven boolean[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.merge_readings(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], metrics smallint[], days date[], positions integer[], outcomes text[], "values" text[], sources text[], codes text[], complete boolean[], proven boolean[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.merge_records(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], days date[], positions integer[], "values" text[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], proven boolean[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.merge_records(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], metrics smallint[], days date[], positions integer[], "values" text[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], proven boolean[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.merge_workouts(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], days date[], positions integer[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], fix_times text[], hops text[], altitudes text[], speeds text[], exact text[], beat_times text[], beats text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.merge_workouts(users uuid[], platforms smallint[], stores text[], payloads uuid[], reads timestamp with time zone[], entry_payload integer[], ids text[], days date[], positions integer[], sources text[], starts timestamp with time zone[], ends timestamp with time zone[], manual boolean[], fix_times text[], hops text[], altitudes text[], speeds text[], exact text[], beat_times text[], beats text[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.next_check(first_check interval, check_growth numeric, check_until interval, over_at timestamp with time zone, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.next_check(first_check interval, check_growth numeric, check_until interval, over_at timestamp with time zone, as_of timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.next_check(first_check interval, check_growth numeric, check_until interval, over_at timestamp with time zone, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.next_person(after uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.next_person(after uuid) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.next_person(after uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_backfills(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], running boolean[], reached date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_backfills(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], running boolean[], reached date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_changes(persons uuid[], metrics text[], days date[], superseded public.daily_metric[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_changes(persons uuid[], metrics text[], days date[], superseded public.daily_metric[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_origins(users uuid[], platforms smallint[], stores text[], reads timestamp with time zone[], looked boolean[], os_majors integer[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_origins(users uuid[], platforms smallint[], stores text[], reads timestamp with time zone[], looked boolean[], os_majors integer[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_permissions(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], states text[], sinces timestamp with time zone[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_permissions(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[], positions integer[], states text[], sinces timestamp with time zone[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_presence(users uuid[], days date[], platforms smallint[], stores text[], sources text[], kinds text[], minutes integer[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_presence(users uuid[], days date[], platforms smallint[], stores text[], sources text[], kinds text[], minutes integer[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_time_zones(users uuid[], valid timestamp with time zone[], reads timestamp with time zone[], payloads uuid[], positions integer[], zones text[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_time_zones(users uuid[], valid timestamp with time zone[], reads timestamp with time zone[], payloads uuid[], positions integer[], zones text[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_tracking(users uuid[], metrics smallint[], platforms smallint[], stores text[], days date[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_tracking(users uuid[], metrics smallint[], platforms smallint[], stores text[], days date[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.note_windows(users uuid[], platforms smallint[], stores text[], metrics smallint[], kinds text[], reads timestamp with time zone[], payloads uuid[], positions integer[], boundaries timestamp with time zone[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.note_windows(users uuid[], platforms smallint[], stores text[], metrics smallint[], kinds text[], reads timestamp with time zone[], payloads uuid[], positions integer[], boundaries timestamp with time zone[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.notice_changes(as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.notice_changes(as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.permission_on(over_at timestamp with time zone, states evidence.permission_state[], sinces timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.permission_on(over_at timestamp with time zone, states evidence.permission_state[], sinces timestamp with time zone[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.permission_on(over_at timestamp with time zone, states evidence.permission_state[], sinces timestamp with time zone[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.plain_cells(persons uuid[], days date[], lone boolean[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.plain_cells(persons uuid[], days date[], lone boolean[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.plain_cells(persons uuid[], days date[], lone boolean[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.plain_days(persons uuid[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.plain_days(persons uuid[], days date[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.plain_days(persons uuid[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.plan_again(persons uuid[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.plan_again(persons uuid[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.recheck_cells(as_of timestamp with time zone, max_cells integer) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.recheck_cells(as_of timestamp with time zone, max_cells integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.recheck_due(as_of timestamp with time zone, max_days integer, with_schedule boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.recheck_due(as_of timestamp with time zone, max_days integer, with_schedule boolean) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.recheck_silent(as_of timestamp with time zone, max_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.recheck_silent(as_of timestamp with time zone, max_days integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.record_key(platform smallint, store text, id text) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.record_key(platform smallint, store text, id text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.record_key(platform smallint, store text, id text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.record_says(numbers bigint[], persons uuid[], days date[], starts timestamp with time zone[], overs timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.record_says(numbers bigint[], persons uuid[], days date[], starts timestamp with time zone[], overs timestamp with time zone[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.record_says(numbers bigint[], persons uuid[], days date[], starts timestamp with time zone[], overs timestamp with time zone[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.remove_cells(persons uuid[], metrics text[], days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.remove_cells(persons uuid[], metrics text[], days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.repair_cells(person uuid, metrics text[], days date[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.repair_cells(person uuid, metrics text[], days date[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.repair_workouts(person uuid, of_days date[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.repair_workouts(person uuid, of_days date[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.rule_version() FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.rule_version() TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.rule_version() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.settle_records(reads evidence.record[], known evidence.record[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.settle_records(reads evidence.record[], known evidence.record[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.spoken_by(person uuid, speaker smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.spoken_by(person uuid, speaker smallint) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.spoken_by(person uuid, speaker smallint) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.spread_changes(as_of timestamp with time zone, max_cells integer) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.spread_changes(as_of timestamp with time zone, max_cells integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.standing(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.standing(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.standing(users uuid[], platforms smallint[], stores text[], metrics smallint[], reads timestamp with time zone[], payloads uuid[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.state_in_words(status text, value numeric, unit text, reason text, detail text, is_final boolean, sources integer) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.state_in_words(status text, value numeric, unit text, reason text, detail text, is_final boolean, sources integer) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.state_in_words(status text, value numeric, unit text, reason text, detail text, is_final boolean, sources integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.store_records(changed evidence.record[], known evidence.record[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.store_records(changed evidence.record[], known evidence.record[]) TO dailymetric_daemon;

GRANT SELECT ON TABLE public.workout_summary TO dailymetric_analyst;
GRANT SELECT ON TABLE public.workout_summary TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.workout_summary TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.summarize(w evidence.workout) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.summarize(w evidence.workout) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.summarize(w evidence.workout) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.summarize_coverage(from_date date, to_date date, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.summarize_coverage(from_date date, to_date date, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.summarize_due(as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.summarize_due(as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.try_lock_person(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.try_lock_person(person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.union_of_sources(person uuid, day date, platform smallint, amounts numeric[], names text[], starts timestamp with time zone[], ends timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.union_of_sources(person uuid, day date, platform smallint, amounts numeric[], names text[], starts timestamp with time zone[], ends timestamp with time zone[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.union_of_sources(person uuid, day date, platform smallint, amounts numeric[], names text[], starts timestamp with time zone[], ends timestamp with time zone[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.weighed_cells(persons uuid[], days date[], as_of timestamp with time zone, with_silent boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.weighed_cells(persons uuid[], days date[], as_of timestamp with time zone, with_silent boolean) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.weighed_cells(persons uuid[], days date[], as_of timestamp with time zone, with_silent boolean) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.with_minutes(platforms smallint[], stores text[], users uuid[], entry_payload integer[], ids text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.with_minutes(platforms smallint[], stores text[], users uuid[], entry_payload integer[], ids text[]) TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.with_minutes(platforms smallint[], stores text[], users uuid[], entry_payload integer[], ids text[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.workout_rules() FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.workout_rules() TO dailymetric_auditor;
GRANT ALL ON FUNCTION evidence.workout_rules() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION evidence.write_summaries(workouts evidence.workout[]) FROM PUBLIC;
GRANT ALL ON FUNCTION evidence.write_summaries(workouts evidence.workout[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.allow_again(person uuid, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.allow_again(person uuid, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.attempts_until_parked() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.attempts_until_parked() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.batches_between_attempts() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.batches_between_attempts() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.bury(users uuid[], payload_ids uuid[], codes text[], pointers text[], byte_offsets bigint[], details text[], payloads text[], received timestamp with time zone[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.bury(users uuid[], payload_ids uuid[], codes text[], pointers text[], byte_offsets bigint[], details text[], payloads text[], received timestamp with time zone[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.claim(after_user uuid, max_payloads integer, max_per_user integer, max_users integer, max_bytes bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.claim(after_user uuid, max_payloads integer, max_per_user integer, max_users integer, max_bytes bigint) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.claim_slow(after_batches integer) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.claim_slow(after_batches integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.claim_suspects(max_payloads integer, max_bytes bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.claim_suspects(max_payloads integer, max_bytes bigint) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.complete_pages(users uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.complete_pages(users uuid[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.count_passed() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.count_passed() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.crashes_until_pause() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.crashes_until_pause() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.deaths_until_alone() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.deaths_until_alone() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.deaths_until_parked() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.deaths_until_parked() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.drop_dead_letters(numbers bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.drop_dead_letters(numbers bigint[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.drop_entries(users uuid[], payload_ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.drop_entries(users uuid[], payload_ids uuid[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.end_loads(users uuid[], platforms smallint[], stores text[], loads text[], states text[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.end_loads(users uuid[], platforms smallint[], stores text[], loads text[], states text[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.expired_pages(as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.expired_pages(as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.export_query(of_section text) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.export_query(of_section text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.export_sections() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.export_sections() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.forget_begin(person uuid, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.forget_begin(person uuid, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.forget_letters(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.forget_letters(person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.forget_rows(person uuid, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.forget_rows(person uuid, max_rows integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.forget_step(person uuid, max_rows integer, as_of timestamp with time zone, OUT erased integer, OUT is_over boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.forget_step(person uuid, max_rows integer, as_of timestamp with time zone, OUT erased integer, OUT is_over boolean) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.forget_unfinished(as_of timestamp with time zone, max_rows integer) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.forget_unfinished(as_of timestamp with time zone, max_rows integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.has_expired_load(as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.has_expired_load(as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.has_work() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.has_work() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.hold_pages(users uuid[], platforms smallint[], stores text[], loads text[], pages integer[], finals boolean[], payload_ids uuid[], payloads text[], received timestamp with time zone[], consents boolean[]) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.hold_pages(users uuid[], platforms smallint[], stores text[], loads text[], pages integer[], finals boolean[], payload_ids uuid[], payloads text[], received timestamp with time zone[], consents boolean[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.is_forgotten(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.is_forgotten(person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.is_held(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.is_held(person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.is_retried(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.is_retried(person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.letter_key() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.letter_key() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.letters_together(numbers bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.letters_together(numbers bigint[]) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.named_forgotten(text_of_payload text) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.named_forgotten(text_of_payload text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.note_deaths(as_of timestamp with time zone, OUT suspects integer, OUT crashed integer) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.note_deaths(as_of timestamp with time zone, OUT suspects integer, OUT crashed integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.note_loss(of_process uuid, of_worker integer, backend_start timestamp with time zone, began timestamp with time zone, user_ids uuid[], numbers bigint[], without_a_word boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.note_loss(of_process uuid, of_worker integer, backend_start timestamp with time zone, began timestamp with time zone, user_ids uuid[], numbers bigint[], without_a_word boolean) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.note_refused(persons uuid[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.note_refused(persons uuid[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.note_timeout(person uuid, number bigint, as_of timestamp with time zone, OUT attempts integer, OUT is_counted boolean, OUT is_parked boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.note_timeout(person uuid, number bigint, as_of timestamp with time zone, OUT attempts integer, OUT is_counted boolean, OUT is_parked boolean) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.open_export(person uuid, of_section text) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.open_export(person uuid, of_section text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.park_load(person uuid, platform smallint, of_store text, load text, because text, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.park_load(person uuid, platform smallint, of_store text, load text, because text, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.pause(because text, as_of timestamp with time zone, newest bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.pause(because text, as_of timestamp with time zone, newest bigint) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.resume() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.resume() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.retry_dead_letters(numbers bigint[], consent boolean, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.retry_dead_letters(numbers bigint[], consent boolean, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.retry_entries(users uuid[], payload_ids uuid[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.retry_entries(users uuid[], payload_ids uuid[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.slow_persons() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.slow_persons() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.suspect_batch(user_ids uuid[], numbers bigint[], unless_since timestamp with time zone, as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.suspect_batch(user_ids uuid[], numbers bigint[], unless_since timestamp with time zone, as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.suspect_key() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.suspect_key() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.tables_of_persons() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.tables_of_persons() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.take_receipts(user_ids uuid[], payload_ids uuid[], content_hashes bytea[], received timestamp with time zone[], read_times timestamp with time zone[], outcomes text[], cells integer[], quarantined integer[], retries boolean[], as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION intake.take_receipts(user_ids uuid[], payload_ids uuid[], content_hashes bytea[], received timestamp with time zone[], read_times timestamp with time zone[], outcomes text[], cells integer[], quarantined integer[], retries boolean[], as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION intake.wake_key() FROM PUBLIC;
GRANT ALL ON FUNCTION intake.wake_key() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.absent_reason(p_code text, p_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.absent_reason(p_code text, p_text text) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.absent_reason(p_code text, p_text text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.absent_reason(p_code text, p_text text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.changes_since(p_cursor text, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.changes_since(p_cursor text, p_limit integer) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.changes_since(p_cursor text, p_limit integer) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.changes_since(p_cursor text, p_limit integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.check_question(p_user uuid, p_metric text, p_from date, p_to date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.check_question(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.check_question(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.check_question(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.check_range(p_metric text, p_from date, p_to date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.check_range(p_metric text, p_from date, p_to date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.check_range(p_metric text, p_from date, p_to date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.check_range(p_metric text, p_from date, p_to date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.day_begins(p_date date, p_zone text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.day_begins(p_date date, p_zone text) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.day_begins(p_date date, p_zone text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.day_begins(p_date date, p_zone text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.day_from_hours(p_user uuid, p_metric text, p_date date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.day_from_hours(p_user uuid, p_metric text, p_date date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.day_from_hours(p_user uuid, p_metric text, p_date date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.day_from_hours(p_user uuid, p_metric text, p_date date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.days_in_words(p_from date, p_to date, p_known_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.days_in_words(p_from date, p_to date, p_known_at timestamp with time zone) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.days_in_words(p_from date, p_to date, p_known_at timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.days_in_words(p_from date, p_to date, p_known_at timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.earliest_held(p_user uuid, p_metric text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.earliest_held(p_user uuid, p_metric text) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.earliest_held(p_user uuid, p_metric text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.earliest_held(p_user uuid, p_metric text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.energy_deficit(p_user uuid, p_date date, p_goal numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION public.energy_deficit(p_user uuid, p_date date, p_goal numeric) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.energy_deficit(p_user uuid, p_date date, p_goal numeric) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.energy_deficit(p_user uuid, p_date date, p_goal numeric) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.enqueue_sync_payload(user_id uuid, payload text, received_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.enqueue_sync_payload(user_id uuid, payload text, received_at timestamp with time zone) TO dailymetric_daemon;
GRANT ALL ON FUNCTION public.enqueue_sync_payload(user_id uuid, payload text, received_at timestamp with time zone) TO dailymetric_producer;

REVOKE ALL ON FUNCTION public.explain_cell(p_user uuid, p_metric text, p_date date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.explain_cell(p_user uuid, p_metric text, p_date date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.explain_cell(p_user uuid, p_metric text, p_date date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.explain_cell(p_user uuid, p_metric text, p_date date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.feed_era() FROM PUBLIC;
GRANT ALL ON FUNCTION public.feed_era() TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.feed_era() TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.feed_era() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.hour_label(p_value numeric, p_covered_minutes integer, p_minutes integer, p_adds_up boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hour_label(p_value numeric, p_covered_minutes integer, p_minutes integer, p_adds_up boolean) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.hour_label(p_value numeric, p_covered_minutes integer, p_minutes integer, p_adds_up boolean) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.hour_label(p_value numeric, p_covered_minutes integer, p_minutes integer, p_adds_up boolean) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.hours_of_day(p_user uuid, p_metric text, p_date date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hours_of_day(p_user uuid, p_metric text, p_date date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.hours_of_day(p_user uuid, p_metric text, p_date date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.hours_of_day(p_user uuid, p_metric text, p_date date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.is_proven(proof text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.is_proven(proof text) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.is_proven(proof text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.is_proven(proof text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.local_today(p_user uuid, p_as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.local_today(p_user uuid, p_as_of timestamp with time zone) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.local_today(p_user uuid, p_as_of timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.local_today(p_user uuid, p_as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.may_read(person uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.may_read(person uuid) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.may_read(person uuid) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.may_read(person uuid) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_average(p_user uuid, p_metric text, p_from date, p_to date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_average(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_average(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_average(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_change(p_user uuid, p_metric text, p_as_of date, p_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_change(p_user uuid, p_metric text, p_as_of date, p_days integer) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_change(p_user uuid, p_metric text, p_as_of date, p_days integer) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_change(p_user uuid, p_metric text, p_as_of date, p_days integer) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_context(p_user uuid, p_metric text, p_from date, p_to date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_context(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_context(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_context(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_history_at(p_user uuid, p_metric text, p_date date, p_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_history_at(p_user uuid, p_metric text, p_date date, p_at timestamp with time zone) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_history_at(p_user uuid, p_metric text, p_date date, p_at timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_history_at(p_user uuid, p_metric text, p_date date, p_at timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_series(p_user uuid, p_metric text, p_from date, p_to date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_series(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_series(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_series(p_user uuid, p_metric text, p_from date, p_to date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_snapshot(p_user uuid, p_as_of timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_snapshot(p_user uuid, p_as_of timestamp with time zone) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_snapshot(p_user uuid, p_as_of timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_snapshot(p_user uuid, p_as_of timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_streak(p_user uuid, p_metric text, p_goal numeric, p_as_of date, p_kind text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_streak(p_user uuid, p_metric text, p_goal numeric, p_as_of date, p_kind text) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_streak(p_user uuid, p_metric text, p_goal numeric, p_as_of date, p_kind text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_streak(p_user uuid, p_metric text, p_goal numeric, p_as_of date, p_kind text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.metric_streaks(p_metric text, p_goal numeric, p_as_of date, p_kind text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.metric_streaks(p_metric text, p_goal numeric, p_as_of date, p_kind text) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.metric_streaks(p_metric text, p_goal numeric, p_as_of date, p_kind text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.metric_streaks(p_metric text, p_goal numeric, p_as_of date, p_kind text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.newest_proof() FROM PUBLIC;
GRANT ALL ON FUNCTION public.newest_proof() TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.newest_proof() TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.newest_proof() TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.series_without_rows(p_from date, p_to date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.series_without_rows(p_from date, p_to date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.series_without_rows(p_from date, p_to date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.series_without_rows(p_from date, p_to date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.spoken_number(p_number numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION public.spoken_number(p_number numeric) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.spoken_number(p_number numeric) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.spoken_number(p_number numeric) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.start_again(because text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.start_again(because text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.streak_rule(p_metric text, p_goal numeric, p_kind text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.streak_rule(p_metric text, p_goal numeric, p_kind text) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.streak_rule(p_metric text, p_goal numeric, p_kind text) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.streak_rule(p_metric text, p_goal numeric, p_kind text) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.summary_context(p_user uuid, p_from date, p_to date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.summary_context(p_user uuid, p_from date, p_to date) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.summary_context(p_user uuid, p_from date, p_to date) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.summary_context(p_user uuid, p_from date, p_to date) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.unknown_message(p_reason text, p_metric text, p_from date, p_to date, p_known_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unknown_message(p_reason text, p_metric text, p_from date, p_to date, p_known_at timestamp with time zone) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.unknown_message(p_reason text, p_metric text, p_from date, p_to date, p_known_at timestamp with time zone) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.unknown_message(p_reason text, p_metric text, p_from date, p_to date, p_known_at timestamp with time zone) TO dailymetric_daemon;

REVOKE ALL ON FUNCTION public.workout_label(p_field text, p_value numeric, p_coverage numeric) FROM PUBLIC;
GRANT ALL ON FUNCTION public.workout_label(p_field text, p_value numeric, p_coverage numeric) TO dailymetric_analyst;
GRANT ALL ON FUNCTION public.workout_label(p_field text, p_value numeric, p_coverage numeric) TO dailymetric_auditor;
GRANT ALL ON FUNCTION public.workout_label(p_field text, p_value numeric, p_coverage numeric) TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.backfill TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.backfill TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.setting TO dailymetric_auditor;
GRANT SELECT ON TABLE evidence.setting TO dailymetric_daemon;

GRANT SELECT ON TABLE public.platform TO dailymetric_analyst;
GRANT SELECT ON TABLE public.platform TO dailymetric_auditor;
GRANT SELECT ON TABLE public.platform TO dailymetric_daemon;

GRANT SELECT ON TABLE public.platform_error TO dailymetric_analyst;
GRANT SELECT ON TABLE public.platform_error TO dailymetric_auditor;
GRANT SELECT ON TABLE public.platform_error TO dailymetric_daemon;

GRANT SELECT ON TABLE public.unknown_reason TO dailymetric_analyst;
GRANT SELECT ON TABLE public.unknown_reason TO dailymetric_auditor;
GRANT SELECT ON TABLE public.unknown_reason TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.catalogue_facts TO dailymetric_auditor;
GRANT SELECT ON TABLE evidence.catalogue_facts TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.cell_change TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.cell_change TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.deleted_record TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.deleted_record TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.derived_under TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.derived_under TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.due_cell TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE ON TABLE evidence.due_cell TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.due_day TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.due_day TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.former_record TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.former_record TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.hour TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.hour TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.origin TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.origin TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.permission TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE ON TABLE evidence.permission TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.person TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.person TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.presence TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.presence TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.read_window TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE ON TABLE evidence.read_window TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.reading TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.reading TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.record_id TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.record_id TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.time_zone TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE ON TABLE evidence.time_zone TO dailymetric_daemon;

GRANT SELECT ON TABLE evidence.tracking TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE evidence.tracking TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE intake.batch_in_hand TO dailymetric_daemon;

GRANT SELECT,UPDATE ON TABLE intake.control TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE ON TABLE intake.dead_letter TO dailymetric_daemon;

GRANT SELECT,INSERT,UPDATE ON TABLE intake.forgotten_person TO dailymetric_daemon;

GRANT SELECT ON TABLE intake.format TO dailymetric_daemon;

GRANT SELECT ON TABLE intake.letter TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE intake.load TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE ON TABLE intake.load_page TO dailymetric_daemon;

GRANT SELECT ON TABLE intake.migration TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE ON TABLE intake.quarantined_entry TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE intake.receipt TO dailymetric_daemon;

GRANT SELECT ON TABLE intake.schema_part TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE intake.slow_payload TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE intake.suspect TO dailymetric_daemon;

GRANT SELECT,INSERT,DELETE ON TABLE intake.sync_payload TO dailymetric_daemon;

GRANT SELECT ON TABLE public.backfill_running TO dailymetric_analyst;
GRANT SELECT ON TABLE public.backfill_running TO dailymetric_auditor;
GRANT SELECT ON TABLE public.backfill_running TO dailymetric_daemon;

GRANT SELECT ON TABLE public.cell_change TO dailymetric_analyst;
GRANT SELECT ON TABLE public.cell_change TO dailymetric_auditor;
GRANT SELECT ON TABLE public.cell_change TO dailymetric_daemon;

GRANT SELECT ON TABLE public.client_action TO dailymetric_analyst;
GRANT SELECT ON TABLE public.client_action TO dailymetric_auditor;
GRANT SELECT ON TABLE public.client_action TO dailymetric_daemon;

GRANT SELECT ON TABLE public.coverage_sum TO dailymetric_analyst;
GRANT SELECT ON TABLE public.coverage_sum TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE ON TABLE public.coverage_sum TO dailymetric_daemon;

GRANT SELECT ON TABLE public.monitoring_setting TO dailymetric_analyst;
GRANT SELECT ON TABLE public.monitoring_setting TO dailymetric_auditor;
GRANT SELECT ON TABLE public.monitoring_setting TO dailymetric_daemon;

GRANT SELECT ON TABLE public.coverage_alert TO dailymetric_analyst;
GRANT SELECT ON TABLE public.coverage_alert TO dailymetric_auditor;
GRANT SELECT ON TABLE public.coverage_alert TO dailymetric_daemon;

GRANT SELECT ON TABLE public.coverage_by_day TO dailymetric_analyst;
GRANT SELECT ON TABLE public.coverage_by_day TO dailymetric_auditor;
GRANT SELECT ON TABLE public.coverage_by_day TO dailymetric_daemon;

GRANT SELECT ON TABLE public.coverage_day TO dailymetric_analyst;
GRANT SELECT ON TABLE public.coverage_day TO dailymetric_auditor;
GRANT SELECT,INSERT,UPDATE ON TABLE public.coverage_day TO dailymetric_daemon;

GRANT SELECT ON TABLE public.covered_weekly TO dailymetric_analyst;
GRANT SELECT ON TABLE public.covered_weekly TO dailymetric_auditor;
GRANT SELECT ON TABLE public.covered_weekly TO dailymetric_daemon;

GRANT SELECT ON TABLE public.daily_metric_history TO dailymetric_analyst;
GRANT SELECT ON TABLE public.daily_metric_history TO dailymetric_auditor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.daily_metric_history TO dailymetric_daemon;

GRANT SELECT ON TABLE public.feed_horizon TO dailymetric_analyst;
GRANT SELECT ON TABLE public.feed_horizon TO dailymetric_auditor;
GRANT SELECT,UPDATE ON TABLE public.feed_horizon TO dailymetric_daemon;

GRANT SELECT ON TABLE public.feed_proof TO dailymetric_analyst;
GRANT SELECT ON TABLE public.feed_proof TO dailymetric_auditor;
GRANT SELECT ON TABLE public.feed_proof TO dailymetric_daemon;

GRANT SELECT ON TABLE public.freshness TO dailymetric_analyst;
GRANT SELECT ON TABLE public.freshness TO dailymetric_auditor;
GRANT SELECT ON TABLE public.freshness TO dailymetric_daemon;

GRANT SELECT ON TABLE public.permission_nag TO dailymetric_analyst;
GRANT SELECT ON TABLE public.permission_nag TO dailymetric_auditor;
GRANT SELECT ON TABLE public.permission_nag TO dailymetric_daemon;

GRANT SELECT ON TABLE public.person_zone TO dailymetric_analyst;
GRANT SELECT ON TABLE public.person_zone TO dailymetric_auditor;
GRANT SELECT ON TABLE public.person_zone TO dailymetric_daemon;

GRANT SELECT ON TABLE public.personal_best TO dailymetric_analyst;
GRANT SELECT ON TABLE public.personal_best TO dailymetric_auditor;
GRANT SELECT ON TABLE public.personal_best TO dailymetric_daemon;

GRANT SELECT ON TABLE public.snapshot_holder TO dailymetric_analyst;
GRANT SELECT ON TABLE public.snapshot_holder TO dailymetric_auditor;
GRANT SELECT ON TABLE public.snapshot_holder TO dailymetric_daemon;

GRANT SELECT ON TABLE public.queue_health TO dailymetric_analyst;
GRANT SELECT ON TABLE public.queue_health TO dailymetric_auditor;
GRANT SELECT ON TABLE public.queue_health TO dailymetric_daemon;

GRANT SELECT ON TABLE public.readable_from TO dailymetric_analyst;
GRANT SELECT ON TABLE public.readable_from TO dailymetric_auditor;
GRANT SELECT ON TABLE public.readable_from TO dailymetric_daemon;

GRANT SELECT ON TABLE public.refusal_alert TO dailymetric_analyst;
GRANT SELECT ON TABLE public.refusal_alert TO dailymetric_auditor;
GRANT SELECT ON TABLE public.refusal_alert TO dailymetric_daemon;

GRANT SELECT ON TABLE public.reread_request TO dailymetric_analyst;
GRANT SELECT ON TABLE public.reread_request TO dailymetric_auditor;
GRANT SELECT ON TABLE public.reread_request TO dailymetric_daemon;

GRANT SELECT ON TABLE public.unit TO dailymetric_analyst;
GRANT SELECT ON TABLE public.unit TO dailymetric_auditor;
GRANT SELECT ON TABLE public.unit TO dailymetric_daemon;

