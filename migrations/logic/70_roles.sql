-- 70_roles.sql - who may read: dailymetric_analyst the schema public, dailymetric_auditor the evidence too. Neither writes.
-- Runs last, so that everything there is to read is there. A role belongs to the whole server, so it may be there already, and this session may
-- not be allowed to make it; both are no errors.

DO $$
DECLARE
  reader record;
  readable text;
BEGIN
  FOR reader IN
    SELECT * FROM (VALUES
      ('dailymetric_analyst', '{public}'::text[], 'Reads what dailymetricd knows: the schema public of its databases, nothing of intake and evidence.'),
      ('dailymetric_auditor', '{public,evidence}', 'Reads what dailymetricd knows and the evidence behind it, so that explain_cell answers. All persons, whatever policies the tables of public have.')
    ) AS r (name, schemas, purpose)
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = reader.name) THEN
      BEGIN
        -- Without a password nobody gets in by one; the operator gives it one, or grants it to those who have their own.
        EXECUTE format('CREATE ROLE %I LOGIN', reader.name);
        EXECUTE format('COMMENT ON ROLE %I IS %L', reader.name, reader.purpose);
      EXCEPTION
        WHEN insufficient_privilege THEN
          RAISE WARNING 'The role % is not there and this role may not make it. If you want it: CREATE ROLE % LOGIN; then dailymetricd migrate again.', reader.name, reader.name;
          CONTINUE;
        WHEN duplicate_object OR unique_violation THEN
          NULL;                                  -- Another database is being migrated at this moment.
      END;
    END IF;
    -- Partitions are read through the table that they are of, so that new ones need nothing.
    SELECT string_agg(c.oid::regclass::text, ', ') INTO readable
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY (reader.schemas) AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition;
    EXECUTE format('GRANT USAGE ON SCHEMA %s TO %I', array_to_string(reader.schemas, ', '), reader.name);
    EXECUTE format('GRANT SELECT ON %s TO %I', readable, reader.name);
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
