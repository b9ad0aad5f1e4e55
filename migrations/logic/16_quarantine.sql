-- 16_quarantine.sql - trying refused entries again, and letting go of them.
-- Laws: Q3, A1, B3. Reads and writes: intake.*. Called by the command quarantine.
-- The entries of one payload stay together: a zero that was refused because of another entry beside it would pass without it.

CREATE OR REPLACE FUNCTION intake.retry_entries(users uuid[], payload_ids uuid[], as_of timestamptz)
RETURNS TABLE (user_id uuid, payload_id uuid, entries integer)
LANGUAGE plpgsql AS $$
DECLARE
  refused record;
  blocks text;
BEGIN
  FOR refused IN
    SELECT q.user_id, q.payload_id, min(q.read_at) AS read_at, min(p.platform) AS platform, min(q.store) AS store,
           -- Whose values were those of a process that had never read anything are not better now.
           bool_or(q.code = 'never_read') AS is_never_read
    FROM (SELECT DISTINCT n.* FROM unnest(users, payload_ids) AS n (user_id, payload_id)) n
    JOIN intake.quarantined_entry q ON q.user_id = n.user_id AND q.payload_id = n.payload_id
    JOIN public.platform p ON p.platform_id = q.platform_id
    LEFT JOIN intake.receipt r ON r.user_id = q.user_id AND r.payload_id = q.payload_id
    -- Of what is held, parked or abandoned as a whole no part is merged by itself.
    WHERE r.outcome IS NULL OR r.outcome = 'merged'
    GROUP BY q.user_id, q.payload_id ORDER BY q.user_id, q.payload_id
  LOOP
    -- Text beside text: numbers and keys stay as they were sent. A range that was looked at says something of the days beside it, which are merged
    -- already and not here; so it stays. So does a part of a document in another format: it is no entry of ours.
    WITH gone AS (
      DELETE FROM intake.quarantined_entry q
      WHERE q.user_id = refused.user_id AND q.payload_id = refused.payload_id AND q.pointer ~ '^/(time_zones|windows|permissions|presence|days|hours|records|workouts|deletions|backfill|readable)/[0-9]+(/|$)'
      RETURNING split_part(q.pointer, '/', 2) AS block, split_part(q.pointer, '/', 3)::integer AS place, q.entry)
    SELECT string_agg(format(',"%s":[%s]', b.block, b.list), '' ORDER BY b.block), sum(b.number) INTO blocks, entries
    FROM (SELECT g.block, string_agg(g.entry, ',' ORDER BY g.place) AS list, count(*) AS number FROM gone g GROUP BY g.block) b;
    CONTINUE WHEN blocks IS NULL;
    -- An id of its own that follows from the first one: the receipt of the payload itself stays what it is.
    INSERT INTO intake.sync_payload (user_id, payload, received_at, is_retry)
    VALUES (refused.user_id, format('{"schema":"dailymetricd.sync/1","payload_id":"%s","user_id":"%s","origin":{"platform":%s,"store":%s},"read":{"read_at":"%s"%s}%s}',
      md5('quarantine of ' || refused.payload_id)::uuid, refused.user_id, to_json(refused.platform), to_json(refused.store),
      to_char(refused.read_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      CASE WHEN refused.is_never_read THEN ',"last_successful_read_at":null' ELSE '' END, blocks), as_of, true);
    user_id := refused.user_id;
    payload_id := refused.payload_id;
    RETURN NEXT;
  END LOOP;
  PERFORM pg_notify('dailymetricd', '');
END $$;
COMMENT ON FUNCTION intake.retry_entries(uuid[], uuid[], timestamptz)
  IS 'Makes a payload of the quarantined entries of each of these payloads (pairs of persons and payloads), as read then, and puts it into the queue; what is refused again is quarantined under the new payload''s id. Ranges that were looked at stay, parts of documents in other formats too, and so do the entries of payloads that are held, parked or abandoned. Returns what was put back.';

CREATE OR REPLACE FUNCTION intake.drop_entries(users uuid[], payload_ids uuid[])
RETURNS TABLE (user_id uuid, payload_id uuid, entries integer)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
  WITH gone AS (
    DELETE FROM intake.quarantined_entry q USING (SELECT DISTINCT n.* FROM unnest(users, payload_ids) AS n (user_id, payload_id)) n
    WHERE q.user_id = n.user_id AND q.payload_id = n.payload_id
    RETURNING q.user_id, q.payload_id)
  SELECT g.user_id, g.payload_id, count(*)::integer FROM gone g GROUP BY 1, 2 ORDER BY 1, 2;
END $$;
COMMENT ON FUNCTION intake.drop_entries(uuid[], uuid[]) IS 'Deletes the quarantined entries of these payloads (pairs of persons and payloads) for good. Returns how many of each.';
