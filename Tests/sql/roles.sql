-- roles.sql — the analyst reads public and nothing else, and writes nowhere.
BEGIN;
SELECT plan(10);

SELECT has_role('dailymetric_analyst', 'there is a role for analysts');
SELECT is((SELECT r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolbypassrls OR r.rolreplication FROM pg_roles r WHERE r.rolname = 'dailymetric_analyst'), false,
  'which may nothing special');
SELECT is_empty($$SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition
    AND NOT has_table_privilege('dailymetric_analyst', c.oid, 'SELECT')$$, 'it reads every table and view of public');
SELECT is_empty($$SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace IN ('intake'::regnamespace, 'evidence'::regnamespace) AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
    AND has_table_privilege('dailymetric_analyst', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')$$, 'and no table of intake or evidence');
SELECT is_empty($$SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
    AND has_table_privilege('dailymetric_analyst', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')$$, 'it may write to none of them');
SELECT is_empty($$SELECT n.nspname FROM pg_namespace n WHERE n.nspname IN ('intake', 'evidence') AND has_schema_privilege('dailymetric_analyst', n.oid, 'USAGE, CREATE')$$,
  'it does not even see into intake and evidence');
SELECT is(has_schema_privilege('dailymetric_analyst', 'public', 'CREATE'), false, 'and makes nothing in public');
-- A function with the rights of its owner would be a way around all this.
SELECT is_empty($$SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace IN ('public'::regnamespace, 'intake'::regnamespace, 'evidence'::regnamespace) AND p.prosecdef$$,
  'no function runs with the rights of its owner');
-- What the analyst gets for a statement: nothing, or the error's code. pgTAP itself is out of its reach.
CREATE FUNCTION pg_temp.as_analyst(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  SET LOCAL ROLE dailymetric_analyst;
  EXECUTE statement;
  RESET ROLE;
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.as_analyst('SELECT count(*) FROM public.daily_metric'), 'done', 'so it counts the cells');
SELECT is(pg_temp.as_analyst('DELETE FROM public.daily_metric'), '42501', 'and deletes none');

SELECT * FROM finish();
ROLLBACK;
