-- 05_time.sql - locks, local days and the partitions that hold them.
-- Laws: F1 (when a day is over), Q1 (one transaction at a time per person).

CREATE OR REPLACE FUNCTION evidence.rule_version() RETURNS integer
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN 1;
END $$;
COMMENT ON FUNCTION evidence.rule_version() IS 'Version of the rules in this schema; daily_metric.rule_version says by which a row was derived.';

CREATE OR REPLACE FUNCTION evidence.try_lock_person(person uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN pg_try_advisory_xact_lock(4711, hashtext(person::text));
END $$;
COMMENT ON FUNCTION evidence.try_lock_person(uuid) IS 'Locks a person until the end of the transaction, or returns false at once. Ingest and re-check both take it: two derivations of one person at a time could each miss what the other has seen.';

CREATE OR REPLACE FUNCTION evidence.lock_person(person uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(4711, hashtext(person::text));
END $$;
COMMENT ON FUNCTION evidence.lock_person(uuid) IS 'Like try_lock_person, but waits.';

-- In public, because views of public that ask for the span of a day run their functions with the rights of whoever asks.
CREATE OR REPLACE FUNCTION public.day_begins(p_date date, p_zone text) RETURNS timestamptz
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  -- Where midnight happens twice, PostgreSQL means the second one; the day begins with the first, a second after 23:59:59.
  RETURN LEAST(p_date::timestamp AT TIME ZONE p_zone,
               ((p_date::timestamp - interval '1 second') AT TIME ZONE p_zone) + interval '1 second');
END $$;
COMMENT ON FUNCTION public.day_begins(date, text)
  IS 'The instant at which a local day begins in an IANA zone; the day before ends with it. A date that the zone skips begins and ends at the same instant. Does not know: NULL for a NULL; an error for a zone that there is not.';

CREATE OR REPLACE FUNCTION evidence.day_span(
  day date, zone_from timestamptz[], zone_name text[], OUT starts_at timestamptz, OUT over_at timestamptz)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
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
COMMENT ON FUNCTION evidence.day_span(date, timestamptz[], text[])
  IS 'Earliest beginning and latest end of a local date over the zones that are known for it (zone_from ascending): a day is over when it is over in the westernmost of them.';

CREATE OR REPLACE FUNCTION evidence.ensure_partition(parent text, first_day date, end_day date, options text) RETURNS integer
LANGUAGE plpgsql AS $$
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
END $$;
COMMENT ON FUNCTION evidence.ensure_partition(text, date, date, text) IS 'Creates the partition of a table for the days from first_day up to before end_day, if it is not there. Returns 1 if it was created.';

-- With the rights of its owner: making partitions takes the tables' owner, and a service that is somebody else works past the last one.
CREATE OR REPLACE FUNCTION evidence.ensure_partitions(as_of timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
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
END $$;
COMMENT ON FUNCTION evidence.ensure_partitions(timestamptz) IS 'Creates the partitions of daily_metric, evidence.reading and evidence.record_day up to three months after as_of: yearly for the past, monthly from the year of installation on, and one for everything else. Returns how many it created.';
