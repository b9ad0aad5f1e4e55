-- service_roles.sql — the service may do what it does and no more, a producer calls one function, and everybody else nothing.
BEGIN;
SELECT plan(33);

CREATE TEMPORARY VIEW our_schema AS SELECT n.oid, n.nspname FROM pg_namespace n WHERE n.nspname IN ('public', 'intake', 'evidence');
CREATE TEMPORARY VIEW our_function AS SELECT p.* FROM pg_proc p JOIN our_schema s ON s.oid = p.pronamespace;
CREATE TEMPORARY VIEW our_table AS SELECT c.* FROM pg_class c JOIN our_schema s ON s.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S');
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

-- All roles.
SELECT is_empty($$SELECT r.rolname FROM pg_roles r WHERE r.rolname LIKE 'dailymetric\_%' AND (r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolbypassrls OR r.rolreplication)$$,
  'no role of ours may anything special');
SELECT is_empty($$SELECT m.roleid::regrole, m.member::regrole FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.member
    WHERE r.rolname IN ('dailymetric_daemon', 'dailymetric_producer', 'dailymetric_analyst', 'dailymetric_auditor')$$, 'none of them has another role''s rights');

-- Everybody.
SELECT is_empty($$SELECT t.oid::regclass FROM our_table t CROSS JOIN aclexplode(t.relacl) a WHERE a.grantee = 0$$, 'everybody has no right on a table');
SELECT is_empty($$SELECT f.oid::regprocedure FROM our_function f
    WHERE f.proacl IS NULL OR EXISTS (SELECT FROM aclexplode(f.proacl) a WHERE a.grantee = 0)$$, 'nor on a function');
SELECT is_empty($$SELECT s.nspname FROM pg_namespace n JOIN our_schema s ON s.oid = n.oid CROSS JOIN aclexplode(n.nspacl) a
    WHERE a.grantee = 0 AND (s.nspname <> 'public' OR a.privilege_type = 'CREATE')$$, 'nor on intake and evidence, and makes nothing in public');
SELECT is_empty($$SELECT f.oid::regprocedure FROM our_function f WHERE f.prosecdef AND f.proconfig @> ARRAY['search_path=pg_catalog, pg_temp'] IS NOT TRUE$$,
  'no function runs with its owner''s rights without a search path that nobody else can put something into');
SELECT set_eq('SELECT f.proname::text FROM our_function f WHERE f.prosecdef', ARRAY['enqueue_sync_payload', 'ensure_partitions'], 'and two run so at all');
CREATE ROLE somebody_in_test;
SELECT is(pg_temp.tried('somebody_in_test', $$SELECT public.enqueue_sync_payload(gen_random_uuid(), '{}')$$), '42501', 'somebody enqueues nothing');
SELECT is(pg_temp.tried('somebody_in_test', 'SELECT count(*) FROM public.daily_metric'), '42501', 'and reads nothing');
SELECT is(pg_temp.tried('somebody_in_test', 'CREATE TABLE public.trap (a integer)'), '42501', 'and lays no trap');

-- The producer.
SELECT set_eq($$SELECT f.oid::regprocedure::text FROM our_function f WHERE has_function_privilege('dailymetric_producer', f.oid, 'EXECUTE')$$,
  ARRAY['enqueue_sync_payload(uuid,text,timestamp with time zone)'], 'a producer may call one function');
SELECT is_empty($$SELECT t.oid::regclass FROM our_table t WHERE t.relkind <> 'S'
    AND has_table_privilege('dailymetric_producer', t.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')$$, 'and touch no table');
SELECT is_empty($$SELECT t.oid::regclass FROM our_table t WHERE CASE WHEN t.relkind = 'S' THEN has_sequence_privilege('dailymetric_producer', t.oid, 'USAGE, SELECT, UPDATE') END$$, 'and no sequence');
SELECT is_empty($$SELECT s.nspname FROM our_schema s WHERE has_schema_privilege('dailymetric_producer', s.oid, 'CREATE')
    OR (s.nspname <> 'public' AND has_schema_privilege('dailymetric_producer', s.oid, 'USAGE'))$$, 'and sees into public only');
SELECT is(pg_temp.tried('dailymetric_producer', $$SELECT public.enqueue_sync_payload('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa', '{}')$$), 'done', 'it enqueues');
SELECT is(pg_temp.tried('dailymetric_producer', 'SELECT * FROM intake.sync_payload'), '42501', 'it does not read what it has enqueued');
SELECT is(pg_temp.tried('dailymetric_producer', $$INSERT INTO intake.sync_payload (user_id, payload, is_consented) VALUES (gen_random_uuid(), '{}', true)$$), '42501',
  'it consents to no deletion');
-- The trap of a function that runs with its owner's rights: a table of the caller's own under the same name, whose trigger would run so too.
SELECT is(pg_temp.tried('dailymetric_producer', $trap$DO $$ BEGIN
    CREATE TEMPORARY TABLE sync_payload (user_id uuid, payload text, received_at timestamptz, is_consented boolean DEFAULT true);
    SET LOCAL search_path = pg_temp, public;
    PERFORM public.enqueue_sync_payload('7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11ab', '{}');
    IF EXISTS (SELECT FROM sync_payload) THEN RAISE EXCEPTION 'trapped'; END IF;
    SET LOCAL search_path = public, tap;
  END $$$trap$), 'done', 'a table of its own does not stand in for the queue');
SELECT is((SELECT count(*) FROM intake.sync_payload q WHERE NOT q.is_consented AND NOT q.is_retry), 2::bigint, 'both payloads are in the queue, as anybody''s');
-- Errors that the server logs without the row that they are about.
CREATE FUNCTION pg_temp.said(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  message text; detail text; name text;
BEGIN
  EXECUTE statement;
  RETURN 'done';
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, name = CONSTRAINT_NAME;
  RETURN format('%s %s %s%s', SQLSTATE, name, message, detail);
END $$;
SELECT is(pg_temp.said($$SELECT public.enqueue_sync_payload(gen_random_uuid(), '731337', 'infinity')$$),
  '23514 sync_payload_arrived_at_a_real_time received_at is not in the years 1900 to 2200', 'an arrival at no time is refused without a word of the payload');
SELECT is(pg_temp.said($$SELECT public.enqueue_sync_payload(gen_random_uuid(), repeat('731337', 11184811))$$),
  '23514 sync_payload_is_not_too_large the payload has 67108866 bytes, and the queue takes 67108864; send it in parts', 'so is one that is too large');
SELECT is(pg_temp.said($$SELECT public.enqueue_sync_payload(NULL, '731337')$$),
  '23502  user_id and payload are needed; the nil UUID stands for a user who is not known', 'and one of nobody');

-- The service.
SELECT is_empty($$SELECT t.oid::regclass FROM our_table t WHERE t.relkind <> 'S' AND NOT t.relispartition AND NOT has_table_privilege('dailymetric_daemon', t.oid, 'SELECT')$$,
  'the service reads every table and view');
SELECT is_empty($$SELECT t.oid::regclass FROM our_table t WHERE t.relkind <> 'S' AND has_table_privilege('dailymetric_daemon', t.oid, 'TRUNCATE, REFERENCES, TRIGGER')$$,
  'it empties no table, and hangs nothing on one');
-- What functions do to tables, by their text; what is not in them is named: three statements of the program, and the deletions of a forgotten person.
CREATE TEMPORARY TABLE done AS
  SELECT DISTINCT found[3]::regclass AS relation, upper(split_part(found[1], ' ', 1)) AS right
  FROM our_function f CROSS JOIN regexp_matches(f.prosrc, '(INSERT INTO|UPDATE|DELETE FROM)( ONLY)? ((?:public|intake|evidence)\.\w+)', 'g') found
  UNION
  SELECT found[1]::regclass, 'UPDATE' FROM our_function f CROSS JOIN regexp_matches(f.prosrc, 'INSERT INTO ((?:public|intake|evidence)\.\w+)[^;]*DO UPDATE', 'g') found
  UNION
  SELECT t.relation, 'DELETE' FROM intake.tables_of_persons() t
  UNION
  VALUES ('intake.batch_in_hand'::regclass, 'INSERT'), ('intake.batch_in_hand', 'UPDATE'), ('intake.batch_in_hand', 'DELETE'), ('intake.quarantined_entry', 'INSERT'), ('intake.control', 'UPDATE');
SELECT cmp_ok((SELECT count(*) FROM done), '>', 80::bigint, 'functions write to tables');
CREATE TEMPORARY TABLE allowed AS
  SELECT t.oid::regclass AS relation, r AS right FROM our_table t CROSS JOIN unnest('{INSERT,UPDATE,DELETE}'::text[]) r
  WHERE t.relkind IN ('r', 'p', 'v') AND NOT t.relispartition AND has_table_privilege('dailymetric_daemon', t.oid, r);
SELECT is_empty('TABLE done EXCEPT TABLE allowed', 'the service may write what they write');
SELECT is_empty('TABLE allowed EXCEPT TABLE done', 'and nothing that they do not');
SELECT is_empty($$SELECT p.relid FROM allowed a CROSS JOIN LATERAL pg_partition_tree(a.relation) p WHERE NOT has_table_privilege('dailymetric_daemon', p.relid, a.right)$$,
  'partitions included, by which a person is forgotten');
SELECT set_eq($$SELECT f.oid::regprocedure::text FROM our_function f WHERE NOT has_function_privilege('dailymetric_daemon', f.oid, 'EXECUTE')$$,
  ARRAY['evidence.admit_daemon()', 'evidence.ensure_partition(text,date,date,text)'], 'it calls every function but those that make tables and grants');
SELECT is_empty($$SELECT s.nspname FROM our_schema s WHERE has_schema_privilege('dailymetric_daemon', s.oid, 'CREATE')$$, 'it makes nothing');
SELECT is(pg_temp.tried('dailymetric_daemon', $$SELECT evidence.ensure_partitions('2031-01-15 00:00Z')$$), 'done', 'but partitions, by a function of their owner');
SELECT is(pg_temp.tried('dailymetric_daemon', $$UPDATE public.metric SET low = 0 WHERE metric = 'steps'$$), '42501', 'it changes no catalogue');
-- Row level security for readers does not hide what is known from the service.
ALTER TABLE public.daily_metric ENABLE ROW LEVEL SECURITY;
SELECT is(pg_temp.tried('dailymetric_daemon', $$INSERT INTO public.daily_metric (user_id, metric, local_date, status, value, covering_sources, computed_at, is_final, observed_at, platform, rule_version, revision, shown_since)
  VALUES (md5('a')::uuid, 'steps', '2030-12-31', 'measured', 100, 1, '2031-01-15 08:00Z', true, '2031-01-15 07:00Z', 'healthkit', 1, 1, '2031-01-15 08:00Z')$$), 'done',
  'row level security for readers does not bind the service');

SELECT * FROM finish();
ROLLBACK;
