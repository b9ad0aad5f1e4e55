-- 71_readers.sql - who may read: dailymetric_analyst the schema public, dailymetric_auditor the evidence too. Neither writes.
-- Runs late, so that everything there is to read is there.

DO $$
DECLARE
  reader record;
  readable text;
  callable text;
BEGIN
  FOR reader IN
    SELECT r.* FROM (VALUES ('dailymetric_analyst', '{public}'::text[]), ('dailymetric_auditor', '{public,evidence}')) AS r (name, schemas)
    JOIN pg_roles there ON there.rolname = r.name
  LOOP
    -- Partitions are read through the table that they are of, so that new ones need nothing.
    SELECT string_agg(c.oid::regclass::text, ', ') INTO readable
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY (reader.schemas) AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition;
    -- What changes nothing, and what the views of public call: a view lends its rights on tables, but not on functions.
    SELECT string_agg(p.oid::regprocedure::text, ', ') INTO callable
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.xmin = pg_current_xact_id()::xid AND p.provolatile <> 'v' AND (n.nspname = ANY (reader.schemas) OR EXISTS (
      SELECT FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid JOIN pg_class c ON c.oid = w.ev_class
      WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid AND c.relnamespace = 'public'::regnamespace));
    EXECUTE format('GRANT USAGE ON SCHEMA %s TO %I', array_to_string(reader.schemas, ', '), reader.name);
    EXECUTE format('GRANT SELECT ON %s TO %I', readable, reader.name);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', callable, reader.name);
    -- Defaults that whoever logs in as this role may set otherwise: they are against slips, not against intent. An operator's own stay.
    IF NOT EXISTS (SELECT FROM pg_db_role_setting s WHERE s.setrole = reader.name::regrole AND s.setdatabase = (
        SELECT d.oid FROM pg_database d WHERE d.datname = current_database())) THEN
      BEGIN
        EXECUTE format('ALTER ROLE %I IN DATABASE %I SET default_transaction_read_only = on', reader.name, current_database());
        EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = ''60s''', reader.name, current_database());
        EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = ''5min''', reader.name, current_database());
      EXCEPTION
        WHEN insufficient_privilege THEN
          RAISE WARNING 'The defaults of the role % (read only, time limits) are not set: this role may not.', reader.name;
      END;
    END IF;
  END LOOP;
END $$;
