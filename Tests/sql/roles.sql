-- roles.sql — the analyst reads public and nothing else, and writes nowhere.
BEGIN;
SELECT plan(16);

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
SELECT is_empty($$SELECT p.oid::regprocedure FROM pg_proc p WHERE p.pronamespace IN ('public'::regnamespace, 'intake'::regnamespace, 'evidence'::regnamespace) AND p.prosecdef
    AND has_function_privilege('dailymetric_analyst', p.oid, 'EXECUTE')$$, 'no function that it may call runs with the rights of its owner');
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

-- Row level security by the list of a reader's persons, in the form that docs/operations.md has. Two persons, of whom the analyst may see one.
CREATE TABLE public.reader_person (reader text, user_id uuid, PRIMARY KEY (reader, user_id));
GRANT SELECT ON public.reader_person TO dailymetric_analyst;
DO $$ BEGIN
  FOR n IN 1..2 LOOP
    PERFORM evidence.note_origins(ARRAY[md5(n::text)::uuid], '{1}', '{""}', '{2026-11-28 12:00Z}', '{true}', '{15}', '2026-11-28 12:00Z');
    PERFORM evidence.note_time_zones(ARRAY[md5(n::text)::uuid], '{NULL}', '{2026-11-28 12:00Z}', ARRAY[md5('z')::uuid], '{0}', '{UTC}', '2026-11-28 12:00Z');
    PERFORM evidence.note_windows(ARRAY[md5(n::text)::uuid], '{1}', '{""}', '{0}', '{authorized_from}', '{2026-11-28 12:00Z}', ARRAY[md5('z')::uuid], '{0}', '{2026-10-01 00:00Z}', '2026-11-28 12:00Z');
    PERFORM evidence.note_backfills(ARRAY[md5(n::text)::uuid], '{1}', '{""}', '{0}', '{2026-11-28 12:00Z}', ARRAY[md5('z')::uuid], '{0}', '{true}', '{2026-11-01}');
    PERFORM evidence.merge_readings(ARRAY[md5(n::text)::uuid], '{1}', '{""}', ARRAY[md5('z')::uuid], '{2026-11-28 12:00Z}', '{1,1,1}',
      (SELECT ARRAY[m.metric_id, m.metric_id, m.metric_id] FROM public.metric m WHERE m.metric = 'steps'), '{2026-11-26,2026-11-27,2026-11-28}', '{0,1,2}', '{value,failed,value}', '{800,NULL,700}',
      '{"{watch}","{}","{watch}"}', '{NULL,HKError.6,NULL}', '{NULL,NULL,NULL}', '{true,true,true}', '2026-11-28 12:00Z');
    PERFORM evidence.derive(array_fill(md5(n::text)::uuid, ARRAY[3]), '{2026-11-26,2026-11-27,2026-11-28}', '2026-11-28 12:00Z', false);
    PERFORM evidence.recheck_due('2026-11-29 12:00Z', 100, true);
  END LOOP;
  DELETE FROM public.daily_metric d WHERE d.user_id = '7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa';
END $$;
-- What each view of public that names persons shows of them: how many it shows to the analyst.
CREATE FUNCTION pg_temp.seen() RETURNS TABLE (view name, persons bigint) LANGUAGE plpgsql AS $$
BEGIN
  FOR view IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('v', 'p') AND NOT c.relispartition ORDER BY c.relname
  LOOP
    SET LOCAL ROLE dailymetric_analyst;
    EXECUTE format('SELECT count(DISTINCT user_id) FROM public.%I', view) INTO persons;
    RESET ROLE;
    RETURN NEXT;
  END LOOP;
END $$;
CREATE TEMPORARY TABLE seen_before AS SELECT * FROM pg_temp.seen();
SELECT ok((SELECT count(*) >= 8 FROM seen_before b WHERE b.persons > 0), 'there are persons to see in most views: ' || (SELECT string_agg(b.view || ' ' || b.persons, ', ') FROM seen_before b));
INSERT INTO public.reader_person VALUES ('dailymetric_analyst', md5('1')::uuid);
ALTER TABLE public.daily_metric ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.daily_metric_history ENABLE ROW LEVEL SECURITY;
CREATE POLICY by_person ON public.daily_metric FOR SELECT TO dailymetric_analyst
  USING (user_id = ANY (ARRAY(SELECT p.user_id FROM public.reader_person p WHERE p.reader = current_user)));
CREATE POLICY by_person ON public.daily_metric_history FOR SELECT TO dailymetric_analyst
  USING (user_id = ANY (ARRAY(SELECT p.user_id FROM public.reader_person p WHERE p.reader = current_user)));
SELECT is_empty($$SELECT s.view, s.persons FROM pg_temp.seen() s JOIN seen_before b ON b.view = s.view WHERE s.persons <> LEAST(b.persons, 1)$$,
  'with row level security each view of public shows the persons that may be seen, and no other');

SELECT * FROM finish();
ROLLBACK;
