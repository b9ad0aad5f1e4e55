-- The roles of dailymetricd, each with what it needs and no more. Run once, by a superuser, in the database that is to hold the schema:
--   createdb dailymetric && psql --dbname=dailymetric --file=roles.sql
-- Then `dailymetricd migrate` as dailymetric_migrator, `dailymetricd run` as dailymetric_daemon. A database that was migrated before by one
-- role alone is handed over: stop the services, run this, migrate, start them as dailymetric_daemon. May be run again.
-- It sets no password: give the roles that log in by one theirs (\password dailymetric_daemon), or let pg_hba.conf admit system users.

\set ON_ERROR_STOP on
BEGIN;
SET LOCAL client_min_messages = warning;
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
DECLARE
  wanted record;
BEGIN
  FOR wanted IN
    SELECT * FROM (VALUES
      ('dailymetric_owner', 'NOLOGIN', 'Owns the databases of dailymetricd and everything in them. Nobody logs in as it.'),
      ('dailymetric_migrator', 'LOGIN', 'Runs dailymetricd migrate, as dailymetric_owner.'),
      ('dailymetric_daemon', 'LOGIN', 'Works for dailymetricd: run and the commands of its operators, all but migrate. Reads and writes health data; changes no table, no function, no catalogue.'),
      ('dailymetric_producer', 'LOGIN', 'Puts payloads into the queue by enqueue_sync_payload. Reads nothing, not even what it has put there.'),
      ('dailymetric_analyst', 'LOGIN', 'Reads what dailymetricd knows: the schema public of its databases, nothing of intake and evidence.'),
      ('dailymetric_auditor', 'LOGIN', 'Reads what dailymetricd knows and the evidence behind it, so that explain_cell answers. All persons, whatever policies the tables of public have.')
    ) AS r (name, kind, purpose)
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = wanted.name) THEN
      EXECUTE format('CREATE ROLE %I %s', wanted.name, wanted.kind);
    END IF;
    EXECUTE format('COMMENT ON ROLE %I IS %L', wanted.name, wanted.purpose);
    -- Only a superuser may set these, so no session of the role can undo them. The server's log tells of the role's errors what went wrong;
    -- neither the row that broke a constraint (DETAIL), nor the statement, nor its parameters.
    EXECUTE format('ALTER ROLE %I SET log_error_verbosity = terse', wanted.name);
    EXECUTE format('ALTER ROLE %I SET log_min_error_statement = panic', wanted.name);
    EXECUTE format('ALTER ROLE %I SET log_statement = none', wanted.name);
    EXECUTE format('ALTER ROLE %I SET log_min_duration_statement = -1', wanted.name);
    EXECUTE format('ALTER ROLE %I SET log_min_duration_sample = -1', wanted.name);
    EXECUTE format('ALTER ROLE %I SET log_transaction_sample_rate = 0', wanted.name);
    EXECUTE format('ALTER ROLE %I SET log_parameter_max_length = 0', wanted.name);
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM %I', current_database(), wanted.name);
    IF wanted.kind = 'LOGIN' THEN
      EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), wanted.name);
    END IF;
  END LOOP;
  GRANT dailymetric_owner TO dailymetric_migrator;
  FOR wanted IN SELECT unnest('{dailymetric_analyst,dailymetric_auditor}'::text[]) AS name LOOP
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET default_transaction_read_only = on', wanted.name, current_database());
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = ''60s''', wanted.name, current_database());
    EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = ''5min''', wanted.name, current_database());
  END LOOP;
  EXECUTE format('ALTER DATABASE %I OWNER TO dailymetric_owner', current_database());
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
ALTER SCHEMA public OWNER TO pg_database_owner;

-- What one role has made here so far. Extensions keep their owner.
DO $$
DECLARE
  former constant oid := (SELECT n.nspowner FROM pg_namespace n WHERE n.nspname = 'intake');
  part record;
BEGIN
  FOR part IN
    SELECT format('SCHEMA %I', n.nspname) AS name FROM pg_namespace n WHERE n.nspname IN ('intake', 'evidence')
    UNION ALL
    SELECT format('%s %s', CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, c.oid::regclass)
    FROM pg_class c WHERE c.relnamespace = ANY (ARRAY(SELECT n.oid FROM pg_namespace n WHERE n.nspname IN ('public', 'intake', 'evidence')))
      AND c.relkind IN ('r', 'p', 'v') AND c.relowner = former
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
    UNION ALL
    SELECT format('FUNCTION %s', p.oid::regprocedure)
    FROM pg_proc p WHERE p.pronamespace = ANY (ARRAY(SELECT n.oid FROM pg_namespace n WHERE n.nspname IN ('public', 'intake', 'evidence')))
      AND p.proowner = former AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER %s OWNER TO dailymetric_owner', part.name);
  END LOOP;
END $$;
COMMIT;
