-- 70_roles.sql - who may read: dailymetric_analyst reads the schema public, and writes nothing.
-- Runs last, so that everything there is to read is there. A role belongs to the whole server, so it may be there already, and this session may
-- not be allowed to make it; both are no errors.

DO $$
DECLARE
  analyst constant text := 'dailymetric_analyst';
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = analyst) THEN
    BEGIN
      -- Without a password nobody gets in by one; the operator gives it one, or grants it to those who have their own.
      CREATE ROLE dailymetric_analyst LOGIN;
      COMMENT ON ROLE dailymetric_analyst IS 'Reads what dailymetricd knows: the schema public of its databases, nothing of intake and evidence.';
    EXCEPTION
      WHEN insufficient_privilege THEN
        RAISE WARNING 'The role % is not there and this role may not make it. Analysts need it: CREATE ROLE % LOGIN; then dailymetricd migrate again.', analyst, analyst;
        RETURN;
      WHEN duplicate_object OR unique_violation THEN
        NULL;                                    -- Another database is being migrated at this moment.
    END;
  END IF;
  GRANT USAGE ON SCHEMA public TO dailymetric_analyst;
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO dailymetric_analyst;
  -- Defaults that whoever logs in as this role may set otherwise: they are against slips, not against intent. An operator's own stay.
  IF NOT EXISTS (SELECT FROM pg_db_role_setting s WHERE s.setrole = analyst::regrole AND s.setdatabase = (
      SELECT d.oid FROM pg_database d WHERE d.datname = current_database())) THEN
    BEGIN
      EXECUTE format('ALTER ROLE %I IN DATABASE %I SET default_transaction_read_only = on', analyst, current_database());
      EXECUTE format('ALTER ROLE %I IN DATABASE %I SET statement_timeout = ''60s''', analyst, current_database());
      EXECUTE format('ALTER ROLE %I IN DATABASE %I SET idle_in_transaction_session_timeout = ''5min''', analyst, current_database());
    EXCEPTION
      WHEN insufficient_privilege THEN
        RAISE WARNING 'The defaults of the role % (read only, a time limit) are not set: this role may not.', analyst;
    END;
  END IF;
END $$;
