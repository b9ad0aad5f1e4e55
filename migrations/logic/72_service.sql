-- 72_service.sql - who works: dailymetric_daemon with what the service and its commands need, dailymetric_producer with one function.
-- A table that the list below does not name may be read by the service and nothing else. Tests/sql/service_roles.sql compares the list with
-- what the functions write, in both directions, and the end-to-end tests run as this role.

CREATE OR REPLACE FUNCTION evidence.admit_daemon() RETURNS void
LANGUAGE plpgsql AS $$
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
REVOKE ALL ON FUNCTION evidence.admit_daemon() FROM PUBLIC;

-- Whoever has row level security filter these for readers must not filter them for the service: what it does not see it would write anew.
-- Without row level security a policy says nothing.
DO $$
DECLARE
  part text;
  readable text;
  callable text;
BEGIN
  IF to_regrole('dailymetric_daemon') IS NULL THEN RETURN; END IF;
  FOREACH part IN ARRAY '{daily_metric,daily_metric_history,hourly_metric,workout_summary}'::text[] LOOP
    IF NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = part AND p.policyname = 'dailymetricd_works') THEN
      EXECUTE format('CREATE POLICY dailymetricd_works ON public.%I TO dailymetric_daemon USING (true) WITH CHECK (true)', part);
      EXECUTE format('COMMENT ON POLICY dailymetricd_works ON public.%I IS %L', part, 'The service sees and writes everybody, whatever filters readers.');
    END IF;
  END LOOP;
  SELECT string_agg(c.oid::regclass::text, ', ') INTO readable
  FROM pg_class c WHERE c.relnamespace = ANY ('{public,intake,evidence}'::regnamespace[]) AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition;
  -- All but those that make tables and grants; one of these runs with the rights of its owner and is meant to be called.
  SELECT string_agg(p.oid::regprocedure::text, ', ') INTO callable
  FROM pg_proc p WHERE p.pronamespace = ANY ('{public,intake,evidence}'::regnamespace[]) AND p.xmin = pg_current_xact_id()::xid
    AND p.proname NOT IN ('admit_daemon', 'ensure_partition');
  GRANT USAGE ON SCHEMA public, intake, evidence TO dailymetric_daemon;
  EXECUTE format('GRANT SELECT ON %s TO dailymetric_daemon', readable);
  EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dailymetric_daemon', callable);
  PERFORM evidence.admit_daemon();
END $$;

DO $$
BEGIN
  IF to_regrole('dailymetric_producer') IS NULL THEN RETURN; END IF;
  GRANT USAGE ON SCHEMA public TO dailymetric_producer;
  GRANT EXECUTE ON FUNCTION public.enqueue_sync_payload(uuid, text, timestamptz) TO dailymetric_producer;
END $$;
