-- compatible: yes
-- 0014_compression.sql - long texts are packed by lz4, which costs a fraction of the time of Postgres' own way, where the server has it.

DO $$
DECLARE
  place record;
BEGIN
  FOR place IN
    SELECT * FROM (VALUES
      ('intake.sync_payload'::regclass, 'payload'), ('intake.dead_letter', 'payload'), ('intake.quarantined_entry', 'entry'),
      ('intake.load_page', 'payload'), ('intake.batch_in_hand', 'user_ids'), ('intake.batch_in_hand', 'ids')) AS p (relation, name)
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET COMPRESSION lz4', place.relation, place.name);
  END LOOP;
EXCEPTION
  WHEN feature_not_supported THEN
    RAISE NOTICE 'This server was built without lz4: payloads are packed by pglz, which takes more time.';
END $$;
