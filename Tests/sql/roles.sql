-- roles.sql — the analyst reads public and nothing else, and writes nowhere.
BEGIN;
SELECT plan(14);

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
-- What a role gets for a statement: nothing, or the error's code. pgTAP itself is out of its reach.
CREATE FUNCTION pg_temp.tried(role text, statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('SET LOCAL ROLE %I', role);
  EXECUTE statement;
  RESET ROLE;
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END $$;
SELECT is(pg_temp.tried('dailymetric_analyst', 'SELECT count(*) FROM public.daily_metric'), 'done', 'so it counts the cells');
SELECT is(pg_temp.tried('dailymetric_analyst', 'DELETE FROM public.daily_metric'), '42501', 'and deletes none');

-- The auditor, of a cell that there is.
DO $$ BEGIN
  PERFORM evidence.note_origins('{7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa}', '{2}', '{""}', '{2026-11-29 07:00Z}', '{true}', '{NULL}', '2026-11-29 07:00Z');
  PERFORM evidence.merge_readings('{7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa}', '{2}', '{""}', ARRAY[gen_random_uuid()], '{2026-11-29 07:00Z}', '{1}',
    (SELECT ARRAY[m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{2026-11-28}', '{0}', '{value}', '{800}', '{"{watch}"}', '{NULL}', '{NULL}', '{true}', '2026-11-29 07:00Z');
  PERFORM evidence.derive('{7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa}', '{2026-11-28}', '2026-11-29 07:00Z', false);
END $$;
SELECT is(pg_temp.tried('dailymetric_auditor', $$SELECT * FROM public.explain_cell('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa', 'steps', '2026-11-28')$$), 'done',
  'the auditor asks why a cell says what it says');
SELECT is(pg_temp.tried('dailymetric_analyst', $$SELECT * FROM public.explain_cell('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa', 'steps', '2026-11-28')$$), '42501',
  'which the analyst may not');
SELECT is_empty($$SELECT c.oid::regclass FROM pg_class c WHERE c.relnamespace IN ('public'::regnamespace, 'evidence'::regnamespace) AND c.relkind IN ('r', 'p', 'v', 'm')
    AND has_table_privilege('dailymetric_auditor', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')$$, 'but writes nowhere either');
SELECT is(has_schema_privilege('dailymetric_auditor', 'intake', 'USAGE'), false, 'and does not see what arrives');

SELECT * FROM finish();
ROLLBACK;
