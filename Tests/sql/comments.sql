-- comments.sql — everything that a reader can meet in psql says what it is.
-- Left out: objects of extensions, and partitions, which take their meaning from their parent.
BEGIN;
SELECT plan(8);

CREATE TEMPORARY VIEW ours AS
  SELECT n.oid AS schema_id, n.nspname AS schema_name
  FROM pg_namespace n
  WHERE n.nspname IN ('public', 'intake', 'evidence');

CREATE TEMPORARY VIEW our_relation AS
  SELECT c.oid, c.relkind, c.oid::regclass::text AS name
  FROM pg_class c
  JOIN ours ON ours.schema_id = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm')
    AND NOT c.relispartition
    AND NOT EXISTS (
      SELECT FROM pg_depend d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e');

-- What the planner may not use costs ten thousand millions, and so much is worth compiling, it thinks: a fifth of a second for each plan.
SELECT is_empty(
  $$SELECT p.oid::regprocedure FROM pg_proc p JOIN ours ON ours.schema_id = p.pronamespace
    WHERE p.proconfig::text LIKE '%enable\_%' AND NOT p.proconfig @> '{jit=off}'$$,
  'no function that forbids a kind of plan has it compiled');

SELECT ok(
  EXISTS (SELECT FROM our_relation WHERE name = 'daily_metric'),
  'the schema is there, so that the other tests look at something');

SELECT is_empty(
  $$SELECT schema_name FROM ours WHERE obj_description(schema_id, 'pg_namespace') IS NULL$$,
  'every schema has a comment');

SELECT is_empty(
  $$SELECT name FROM our_relation WHERE relkind IN ('r', 'p') AND obj_description(oid, 'pg_class') IS NULL$$,
  'every table has a comment');

SELECT is_empty(
  $$SELECT name FROM our_relation WHERE relkind IN ('v', 'm') AND obj_description(oid, 'pg_class') IS NULL$$,
  'every view has a comment');

SELECT is_empty(
  $$SELECT r.name, a.attname
    FROM our_relation r
    JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE r.relkind IN ('r', 'p') AND col_description(r.oid, a.attnum) IS NULL$$,
  'every column of a table has a comment');

-- A NOT NULL needs no sentence of its own: the column's comment says what is missing when.
SELECT is_empty(
  $$SELECT r.name, k.conname
    FROM our_relation r
    JOIN pg_constraint k ON k.conrelid = r.oid
    WHERE k.contype <> 'n' AND obj_description(k.oid, 'pg_constraint') IS NULL$$,
  'every constraint has a comment');

SELECT is_empty(
  $$SELECT p.oid::regprocedure
    FROM pg_proc p
    JOIN ours ON ours.schema_id = p.pronamespace
    WHERE obj_description(p.oid, 'pg_proc') IS NULL
      AND NOT EXISTS (
        SELECT FROM pg_depend d
        WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')$$,
  'every function has a comment');

SELECT * FROM finish();
ROLLBACK;
