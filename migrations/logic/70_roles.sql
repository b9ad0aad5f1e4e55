-- 70_roles.sql - the roles that the next two files grant to, and nothing for everybody else.
-- A role belongs to the whole server, so it may be there already, and this session may not be allowed to make it; both are no errors.
-- packaging/roles.sql makes all of them beforehand, with an owner and a migrator that are not asked for here.

DO $$
DECLARE
  wanted record;
BEGIN
  FOR wanted IN
    SELECT * FROM (VALUES
      ('dailymetric_analyst', 'Reads what dailymetricd knows: the schema public of its databases, nothing of intake and evidence.'),
      ('dailymetric_auditor', 'Reads what dailymetricd knows and the evidence behind it, so that explain_cell answers. All persons, whatever policies the tables of public have.'),
      ('dailymetric_daemon', 'Works for dailymetricd: run and the commands of its operators, all but migrate. Reads and writes health data; changes no table, no function, no catalogue.'),
      ('dailymetric_producer', 'Puts payloads into the queue by enqueue_sync_payload. Reads nothing, not even what it has put there.')
    ) AS r (name, purpose)
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_roles r WHERE r.rolname = wanted.name);
    BEGIN
      -- Without a password nobody gets in by one; the operator gives it one, or grants it to those who have their own.
      EXECUTE format('CREATE ROLE %I LOGIN', wanted.name);
      EXECUTE format('COMMENT ON ROLE %I IS %L', wanted.name, wanted.purpose);
    EXCEPTION
      WHEN insufficient_privilege THEN
        RAISE WARNING 'The role % is not there and this role may not make it. If you want it: CREATE ROLE % LOGIN; then dailymetricd migrate again.', wanted.name, wanted.name;
      WHEN duplicate_object OR unique_violation THEN
        NULL;                                  -- Another database is being migrated at this moment.
    END;
  END LOOP;
END $$;

-- Everybody may execute a function unless told otherwise. All of ours were just made anew, in this transaction; what others have put into
-- the schema public is not ours to lock.
DO $$
DECLARE
  made regprocedure;
BEGIN
  FOR made IN
    SELECT p.oid FROM pg_proc p WHERE p.pronamespace = ANY ('{public,intake,evidence}'::regnamespace[]) AND p.xmin = pg_current_xact_id()::xid
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', made);
  END LOOP;
  -- Who makes things in the schema that everybody's names are looked up in lends them to everybody. A database that was first made by
  -- PostgreSQL 14 or older still lets all do so.
  IF EXISTS (SELECT FROM pg_namespace n CROSS JOIN aclexplode(n.nspacl) a WHERE n.nspname = 'public' AND a.grantee = 0 AND a.privilege_type = 'CREATE') THEN
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
  END IF;
END $$;
