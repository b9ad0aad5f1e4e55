-- 12_loads.sql - pages of history loads are held, then applied or abandoned as a whole.
-- Laws: B5, E7. Reads and writes: intake.load, load_page, receipt; writes dead_letter. Called by the daemon, under the person's lock.

CREATE OR REPLACE FUNCTION intake.hold_pages(
  users uuid[], platforms smallint[], stores text[], loads text[], pages integer[], finals boolean[],
  payload_ids uuid[], payloads text[], received timestamptz[], consents boolean[])
RETURNS TABLE (ordinal bigint, is_held boolean)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  INSERT INTO intake.load (user_id, platform_id, store, load_id, state, began_at)
  SELECT n.user_id, n.platform_id, n.store, n.load_id, 'open', min(n.received_at)
  FROM unnest(users, platforms, stores, loads, received) AS n (user_id, platform_id, store, load_id, received_at)
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING;
  INSERT INTO intake.load_page (user_id, platform_id, store, load_id, page, is_final, payload_id, payload, received_at, is_consented)
  SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.load_id, n.page)
    n.user_id, n.platform_id, n.store, n.load_id, n.page, n.is_final, n.payload_id, n.payload, n.received_at, n.is_consented
  FROM unnest(users, platforms, stores, loads, pages, finals, payload_ids, payloads, received, consents) WITH ORDINALITY
    AS n (user_id, platform_id, store, load_id, page, is_final, payload_id, payload, received_at, is_consented, ordinal)
  CROSS JOIN LATERAL (SELECT l.state FROM intake.load l
    WHERE l.user_id = n.user_id AND l.platform_id = n.platform_id AND l.store = n.store AND l.load_id = n.load_id OFFSET 0) l
  WHERE l.state = 'open'
  ORDER BY 1, 2, 3, 4, 5, n.ordinal ON CONFLICT DO NOTHING;
  -- What is not held is a dead letter and does not wait.
  UPDATE intake.receipt r SET outcome = 'load_abandoned', cells = 0
  FROM unnest(users, platforms, stores, loads, pages, payload_ids) AS n (user_id, platform_id, store, load_id, page, payload_id)
  WHERE r.user_id = n.user_id AND r.payload_id = n.payload_id
    AND NOT EXISTS (SELECT FROM intake.load_page p
      WHERE p.user_id = n.user_id AND p.platform_id = n.platform_id AND p.store = n.store AND p.load_id = n.load_id AND p.page = n.page
        AND p.payload_id = n.payload_id);
  RETURN QUERY
  SELECT n.ordinal, COALESCE(p.payload_id = n.payload_id, false)
  FROM unnest(users, platforms, stores, loads, pages, payload_ids) WITH ORDINALITY
    AS n (user_id, platform_id, store, load_id, page, payload_id, ordinal)
  LEFT JOIN LATERAL (SELECT g.payload_id FROM intake.load_page g
    WHERE g.user_id = n.user_id AND g.platform_id = n.platform_id AND g.store = n.store AND g.load_id = n.load_id AND g.page = n.page OFFSET 0) p ON true
  ORDER BY n.ordinal;
END $$;
COMMENT ON FUNCTION intake.hold_pages(uuid[], smallint[], text[], text[], integer[], boolean[], uuid[], text[], timestamptz[], boolean[])
  IS 'Keeps pages of loads that are open and says of each, in this order, whether it is held. One that is not came after its load was decided, or has the number of another; its receipt says load_abandoned.';

CREATE OR REPLACE FUNCTION intake.complete_pages(users uuid[])
RETURNS TABLE (user_id uuid, platform_id smallint, store text, load_id text, received_at timestamptz, is_consented boolean, payload text)
LANGUAGE plpgsql STABLE
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  SELECT g.user_id, g.platform_id, g.store, g.load_id, g.received_at, g.is_consented, g.payload
  FROM (SELECT DISTINCT u AS user_id FROM unnest(users) u) n
  CROSS JOIN LATERAL (
    SELECT p.*, f.last_page, count(*) FILTER (WHERE p.page <= f.last_page) OVER (PARTITION BY p.platform_id, p.store, p.load_id) AS pages_there
    FROM intake.load_page p
    JOIN (SELECT x.platform_id, x.store, x.load_id, min(x.page) AS last_page FROM intake.load_page x
          WHERE x.user_id = n.user_id AND x.is_final GROUP BY 1, 2, 3) f
      ON f.platform_id = p.platform_id AND f.store = p.store AND f.load_id = p.load_id
    WHERE p.user_id = n.user_id) g
  WHERE g.pages_there = g.last_page
  ORDER BY g.user_id, g.platform_id, g.store, g.load_id, g.page;
END $$;
COMMENT ON FUNCTION intake.complete_pages(uuid[]) IS 'The held pages of those loads of these persons whose pages up to the final one are all there.';

CREATE OR REPLACE FUNCTION intake.end_loads(
  users uuid[], platforms smallint[], stores text[], loads text[], states text[], as_of timestamptz) RETURNS void
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  UPDATE intake.receipt r SET outcome = CASE n.state WHEN 'applied' THEN 'merged' WHEN 'parked' THEN 'mass_deletion' ELSE 'load_abandoned' END,
    cells = CASE n.state WHEN 'applied' THEN r.cells ELSE 0 END, processed_at = as_of
  -- The pages first, whatever the planner believes about the size of the tables.
  FROM (SELECT u.user_id, x.payload_id, u.state
        FROM unnest(users, platforms, stores, loads, states) AS u (user_id, platform_id, store, load_id, state)
        CROSS JOIN LATERAL (SELECT p.payload_id FROM intake.load_page p
          WHERE p.user_id = u.user_id AND p.platform_id = u.platform_id AND p.store = u.store AND p.load_id = u.load_id OFFSET 0) x) n
  WHERE r.user_id = n.user_id AND r.payload_id = n.payload_id;
  UPDATE intake.load l SET state = n.state, ended_at = as_of
  FROM unnest(users, platforms, stores, loads, states) AS n (user_id, platform_id, store, load_id, state)
  WHERE l.user_id = n.user_id AND l.platform_id = n.platform_id AND l.store = n.store AND l.load_id = n.load_id AND l.state = 'open';
  DELETE FROM intake.load_page p
  USING unnest(users, platforms, stores, loads) AS n (user_id, platform_id, store, load_id)
  CROSS JOIN LATERAL (SELECT x.ctid FROM intake.load_page x
    WHERE x.user_id = n.user_id AND x.platform_id = n.platform_id AND x.store = n.store AND x.load_id = n.load_id OFFSET 0) f
  WHERE p.ctid = f.ctid;
END $$;
COMMENT ON FUNCTION intake.end_loads(uuid[], smallint[], text[], text[], text[], timestamptz)
  IS 'Decides loads (state applied, abandoned or parked): their pages are let go and their receipts say what became of them.';

CREATE OR REPLACE FUNCTION intake.park_load(person uuid, platform smallint, of_store text, load text, because text, as_of timestamptz) RETURNS integer
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  number integer;
BEGIN
  -- As in bury (17): a page that names somebody else who is forgotten is not kept.
  PERFORM pg_advisory_xact_lock_shared(intake.letter_key());
  INSERT INTO intake.dead_letter
    (user_id, payload_id, code, pointer, detail, payload, received_at, died_at, platform_id, store, load_id)
  SELECT p.user_id, p.payload_id, 'mass_deletion', '/deletions', because, p.payload, p.received_at, as_of, p.platform_id, p.store, p.load_id
  FROM intake.load_page p
  WHERE p.user_id = person AND p.platform_id = platform AND p.store = of_store AND p.load_id = load
    AND intake.named_forgotten(p.payload) IS NULL
  ORDER BY p.page;
  GET DIAGNOSTICS number = ROW_COUNT;
  PERFORM intake.end_loads(ARRAY[person], ARRAY[platform], ARRAY[of_store], ARRAY[load], '{parked}', as_of);
  RETURN number;
END $$;
COMMENT ON FUNCTION intake.park_load(uuid, smallint, text, text, text, timestamptz)
  IS 'Makes each held page of a load that would delete too much a dead letter, because of this, and says of the load that it is parked. Returns how many pages.';

CREATE OR REPLACE FUNCTION intake.is_retried(person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM intake.sync_payload q WHERE q.user_id = person AND q.is_retry);
END $$;
COMMENT ON FUNCTION intake.is_retried(uuid)
  IS 'Whether dead letters of the person wait in the queue: pages of a load that is tried again may be among them, so none of the person''s loads is given up before they have been taken.';

CREATE OR REPLACE FUNCTION intake.has_expired_load(as_of timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  RETURN EXISTS (SELECT FROM intake.load l WHERE l.state = 'open' AND l.began_at <= as_of - interval '168 hours' AND NOT intake.is_retried(l.user_id));
END $$;
COMMENT ON FUNCTION intake.has_expired_load(timestamptz) IS 'Whether a load has been incomplete for a week, also one of a person whom another session works on.';

CREATE OR REPLACE FUNCTION intake.expired_pages(as_of timestamptz)
RETURNS TABLE (user_id uuid, platform_id smallint, store text, load_id text, received_at timestamptz, is_consented boolean, payload text)
LANGUAGE plpgsql
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  expired intake.load;
BEGIN
  FOR expired IN
    SELECT l.* FROM intake.load l WHERE l.state = 'open' AND l.began_at <= as_of - interval '168 hours' AND NOT intake.is_retried(l.user_id)
    ORDER BY l.began_at LIMIT 100
  LOOP
    CONTINUE WHEN NOT evidence.try_lock_person(expired.user_id);
    -- What is left of it is being erased.
    CONTINUE WHEN intake.is_forgotten(expired.user_id);
    -- No pages: another session has decided it since.
    RETURN QUERY
    SELECT p.user_id, p.platform_id, p.store, p.load_id, p.received_at, p.is_consented, p.payload FROM intake.load_page p
    WHERE p.user_id = expired.user_id AND p.platform_id = expired.platform_id AND p.store = expired.store AND p.load_id = expired.load_id
    ORDER BY p.page;
    EXIT WHEN FOUND;
  END LOOP;
END $$;
COMMENT ON FUNCTION intake.expired_pages(timestamptz)
  IS 'The held pages of one load that has been incomplete for a week, and whose person is locked with this. The caller parks them, applies their deletions and ends the load.';
