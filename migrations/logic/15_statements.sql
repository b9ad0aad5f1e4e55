-- 15_statements.sql - what payloads state about a person besides readings.
-- Laws: A5 (order), D3 (windows), G1 (what becomes due), B2 (statements judge what is merged with or after them).
-- Reads and writes: evidence.person, origin, time_zone, read_window, permission, presence, backfill, due_day. Called by the daemon, before merge_readings.

CREATE OR REPLACE FUNCTION evidence.note_origins(
  users uuid[], platforms smallint[], stores text[], reads timestamptz[], looked boolean[], os_majors integer[], as_of timestamptz)
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  returned uuid[];
  returned_from date[];
BEGIN
  INSERT INTO evidence.person (user_id) SELECT DISTINCT u FROM unnest(users) u ORDER BY u ON CONFLICT DO NOTHING;
  -- Whose silent days were filled up to the end of an origin's old claim is asked again about the days that a later read adds to it.
  SELECT array_agg(x.user_id), array_agg(x.since) INTO returned, returned_from
  FROM (SELECT n.user_id, min((o.last_read_at + b.claim)::date - 2) AS since
  FROM unnest(users, platforms, stores, reads) AS n (user_id, platform_id, store, read_at)
  CROSS JOIN LATERAL (SELECT o.last_read_at FROM evidence.origin o
    WHERE o.user_id = n.user_id AND o.platform_id = n.platform_id AND o.store = n.store OFFSET 0) o
  CROSS JOIN LATERAL (SELECT p.silent_from FROM evidence.person p WHERE p.user_id = n.user_id OFFSET 0) p
  CROSS JOIN (SELECT make_interval(days => s.asked_days) AS claim FROM evidence.setting s) b
  WHERE n.read_at > o.last_read_at AND o.last_read_at + b.claim < p.silent_from::timestamp + interval '12 hours'
  GROUP BY n.user_id) x;
  INSERT INTO evidence.origin AS o (user_id, platform_id, store, last_read_at, last_success_at, os_major, os_read_at)
  SELECT n.user_id, n.platform_id, n.store, max(n.read_at), max(n.read_at) FILTER (WHERE n.looked),
         (array_agg(n.os_major ORDER BY n.read_at DESC, n.os_major DESC) FILTER (WHERE n.os_major IS NOT NULL))[1],
         max(n.read_at) FILTER (WHERE n.os_major IS NOT NULL)
  FROM unnest(users, platforms, stores, reads, looked, os_majors) AS n (user_id, platform_id, store, read_at, looked, os_major)
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ON CONSTRAINT origin_pkey DO UPDATE SET
    last_read_at = GREATEST(o.last_read_at, excluded.last_read_at),
    last_success_at = GREATEST(o.last_success_at, excluded.last_success_at),
    -- Not by the time of the origin: a later read that says no version takes none away, in whatever order they come.
    os_major = CASE WHEN o.os_major IS NULL OR (excluded.os_read_at, excluded.os_major) > (o.os_read_at, o.os_major)
                    THEN excluded.os_major ELSE o.os_major END,
    os_read_at = GREATEST(o.os_read_at, excluded.os_read_at);
  IF returned IS NOT NULL THEN
    PERFORM evidence.mark_unsettled(returned, returned_from, as_of);
  END IF;
END $$;
COMMENT ON FUNCTION evidence.note_origins(uuid[], smallint[], text[], timestamptz[], boolean[], integer[], timestamptz)
  IS 'Registers the persons and origins of a batch of payloads, one array element per payload.';

CREATE OR REPLACE FUNCTION evidence.note_time_zones(
  users uuid[], valid timestamptz[], reads timestamptz[], payloads uuid[], positions integer[], zones text[], as_of timestamptz)
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  changed uuid[];
  changed_from date[];
BEGIN
  -- A zone that this server does not know would fail every later payload of the person; so it fails the one that names it.
  PERFORM timestamptz 'epoch' AT TIME ZONE z.zone_name FROM (SELECT DISTINCT u.zone_name FROM unnest(zones) AS u (zone_name)) z;
  INSERT INTO evidence.time_zone (user_id, valid_from, read_at, payload_id, "position", zone_name)
  SELECT n.user_id, COALESCE(n.valid_from, '-infinity'), n.read_at, n.payload_id, n.place,
         -- PostgreSQL takes these four for abbreviations, without summer time; the zones that they are links to have it.
         CASE n.zone_name WHEN 'CET' THEN 'Europe/Brussels' WHEN 'MET' THEN 'Europe/Brussels' WHEN 'EET' THEN 'Europe/Athens'
                          WHEN 'WET' THEN 'Europe/Lisbon' ELSE n.zone_name END
  FROM unnest(users, valid, reads, payloads, positions, zones) AS n (user_id, valid_from, read_at, payload_id, place, zone_name)
  ORDER BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING;
  -- Of a run of equal statements the first and the last say all, whether they repeat one instant or go on from a later one; so a client may
  -- state its zone with every payload.
  DELETE FROM evidence.time_zone z
  USING (SELECT t.ctid AS row_address,
           (lag(t.zone_name) OVER same = t.zone_name AND lead(t.zone_name) OVER same = t.zone_name)
           OR (lag(t.zone_name) OVER later = t.zone_name AND lead(t.zone_name) OVER later = t.zone_name
               AND lag(t.valid_from) OVER later <= t.valid_from AND lead(t.valid_from) OVER later >= t.valid_from
               -- unless another zone would come to light in between
               AND NOT EXISTS (SELECT FROM evidence.time_zone o WHERE o.user_id = t.user_id AND o.valid_from <= t.valid_from AND o.zone_name <> t.zone_name)) AS is_between
         FROM evidence.time_zone t WHERE t.user_id = ANY (users)
         WINDOW same AS (PARTITION BY t.user_id, t.valid_from ORDER BY t.read_at, t.payload_id, t."position"),
                later AS (PARTITION BY t.user_id ORDER BY t.read_at, t.payload_id, t."position")) x
  WHERE x.is_between AND z.ctid = x.row_address;
  WITH line AS (
    SELECT l.user_id, array_agg(l.valid_from ORDER BY l.valid_from) AS zone_from, array_agg(l.zone_name ORDER BY l.valid_from) AS zone_name
    FROM (SELECT DISTINCT ON (t.user_id, t.valid_from) t.user_id, t.valid_from, t.zone_name
          FROM evidence.time_zone t WHERE t.user_id = ANY (users)
          ORDER BY t.user_id, t.valid_from, t.read_at DESC, t.payload_id DESC, t."position" DESC) l
    GROUP BY l.user_id),
  moved AS (
    UPDATE evidence.person p SET zone_from = l.zone_from, zone_name = l.zone_name
    FROM line l CROSS JOIN LATERAL (SELECT x.ctid, x.zone_from, x.zone_name FROM evidence.person x WHERE x.user_id = l.user_id OFFSET 0) o
    WHERE p.ctid = o.ctid AND (p.zone_from, p.zone_name) IS DISTINCT FROM (l.zone_from, l.zone_name)
    RETURNING p.user_id, o.zone_from AS old_from, o.zone_name AS old_name, l.zone_from AS new_from, l.zone_name AS new_name)
  -- The earliest instant at which the two lines differ; the local day that contains it began up to 26 hours before.
  SELECT array_agg(m.user_id), array_agg(m.since) INTO changed, changed_from
  FROM (SELECT v.user_id, (SELECT min(z.valid_from) FROM (
            (SELECT * FROM unnest(v.old_from, v.old_name) AS o (valid_from, zone_name) EXCEPT SELECT * FROM unnest(v.new_from, v.new_name))
            UNION ALL
            (SELECT * FROM unnest(v.new_from, v.new_name) AS n (valid_from, zone_name) EXCEPT SELECT * FROM unnest(v.old_from, v.old_name))) z)::date - 2 AS since
        FROM moved v) m;
  IF changed IS NOT NULL THEN
    PERFORM evidence.mark_unsettled(changed, changed_from, as_of);
    PERFORM evidence.judge_hours_again(changed);
  END IF;
END $$;
COMMENT ON FUNCTION evidence.note_time_zones(uuid[], timestamptz[], timestamptz[], uuid[], integer[], text[], timestamptz)
  IS 'Keeps statements about time zones (valid NULL: always) and merges them into evidence.person; days from the change on that are not settled become due.';

CREATE OR REPLACE FUNCTION evidence.note_windows(
  users uuid[], platforms smallint[], stores text[], metrics smallint[], kinds text[],
  reads timestamptz[], payloads uuid[], positions integer[], boundaries timestamptz[], as_of timestamptz)
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  persons uuid[];
  asked smallint[];
  since date[];
  until date[];
BEGIN
  -- What judged each metric of the origin until now, and what will: in one payload the statement for the metric comes before the one for all.
  -- A boundary that moves changes the days in between, and no others.
  SELECT array_agg(c.user_id), array_agg(c.metric_id), array_agg((LEAST(c.old_boundary, c.boundary) - interval '36 hours')::date),
         array_agg((GREATEST(c.old_boundary, c.boundary) + interval '14 hours')::date)
  INTO persons, asked, since, until
  FROM (SELECT x.user_id, x.metric_id, COALESCE(x.boundary, '-infinity') AS boundary, COALESCE(k.boundary, '-infinity') AS old_boundary
        FROM (SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.payload_id, n.kind, t.metric_id) n.user_id, n.platform_id, n.store, t.metric_id, n.kind, n.read_at, n.payload_id, n.boundary
              FROM unnest(users, platforms, stores, metrics, kinds, reads, payloads, positions, boundaries)
                AS n (user_id, platform_id, store, metric_id, kind, read_at, payload_id, place, boundary)
              LEFT JOIN LATERAL (
                SELECT w.metric_id, w.boundary FROM evidence.read_window w
                WHERE w.user_id = n.user_id AND w.platform_id = n.platform_id AND w.store = n.store AND w.kind = n.kind::evidence.window_kind
                ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) same ON n.metric_id = 0
              CROSS JOIN LATERAL (SELECT y.metric_id FROM evidence.tracking y
                WHERE y.user_id = n.user_id AND y.metric_id = COALESCE(NULLIF(n.metric_id, 0), y.metric_id) AND y.platform_id = n.platform_id AND y.store = n.store OFFSET 0) t
              -- Most clients repeat themselves; then one look is enough.
              WHERE (same.metric_id = 0 AND same.boundary IS NOT DISTINCT FROM n.boundary) IS NOT TRUE
              ORDER BY 1, 2, 3, n.payload_id, n.kind, t.metric_id, n.metric_id = 0, n.place DESC) x
        LEFT JOIN LATERAL (
          SELECT w.read_at, w.payload_id, w.boundary FROM evidence.read_window w
          WHERE w.user_id = x.user_id AND w.platform_id = x.platform_id AND w.store = x.store AND w.metric_id IN (0, x.metric_id)
            AND w.kind = x.kind::evidence.window_kind
          ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) k ON true
        WHERE k.read_at IS NULL OR (x.read_at, x.payload_id) > (k.read_at, k.payload_id)) c
  WHERE c.boundary <> c.old_boundary;
  INSERT INTO evidence.read_window (user_id, platform_id, store, metric_id, kind, read_at, payload_id, "position", boundary)
  SELECT n.user_id, n.platform_id, n.store, n.metric_id, n.kind::evidence.window_kind, n.read_at, n.payload_id, n.place, n.boundary
  FROM unnest(users, platforms, stores, metrics, kinds, reads, payloads, positions, boundaries)
    AS n (user_id, platform_id, store, metric_id, kind, read_at, payload_id, place, boundary)
  ORDER BY 1, 2, 3, 4, 5, 6, 7, 8 ON CONFLICT DO NOTHING;
  -- Of a run of payloads that state the same the first and the last say all. The whole payload counts: a statement for all metrics and one for a
  -- single metric judge together.
  DELETE FROM evidence.read_window g
  USING (SELECT p.*, lag(p.said) OVER w AS before, lead(p.said) OVER w AS after
         FROM (SELECT t.user_id, t.platform_id, t.store, t.read_at, t.payload_id,
                      array_agg(ROW(t.metric_id, t.kind, t.boundary)::text ORDER BY t.metric_id, t.kind, t."position") AS said, array_agg(t.ctid) AS row_addresses
               FROM evidence.read_window t WHERE t.user_id = ANY (users) GROUP BY 1, 2, 3, 4, 5) p
         WINDOW w AS (PARTITION BY p.user_id, p.platform_id, p.store ORDER BY p.read_at, p.payload_id)) x
  CROSS JOIN LATERAL unnest(x.row_addresses) AS f (row_address)
  WHERE x.before = x.said AND x.after = x.said AND g.ctid = f.row_address;
  IF persons IS NOT NULL THEN
    PERFORM evidence.mark_asked(persons, asked, since, until, as_of);
  END IF;
END $$;
COMMENT ON FUNCTION evidence.note_windows(uuid[], smallint[], text[], smallint[], text[], timestamptz[], uuid[], integer[], timestamptz[], timestamptz)
  IS 'Keeps statements about what can be read (metric 0: all; boundary NULL: lifted); days between the old and the new boundary that are not settled become due.';

CREATE OR REPLACE FUNCTION evidence.note_permissions(
  users uuid[], platforms smallint[], stores text[], metrics smallint[],
  reads timestamptz[], payloads uuid[], positions integer[], states text[], sinces timestamptz[], as_of timestamptz)
RETURNS void LANGUAGE plpgsql SET timezone = 'UTC'
SET jit = off SET enable_nestloop = on SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  persons uuid[];
  asked smallint[];
  since date[];
  until date[];
  reconnected uuid[];
BEGIN
  -- As with windows. A state holds for the days that end after it began; who was not connected, or is not now, is asked about other days.
  SELECT array_agg(c.user_id), array_agg(c.metric_id), array_agg(COALESCE((c.since - interval '36 hours')::date, '-infinity')),
         array_fill(date 'infinity', ARRAY[count(*)::integer]), array_agg(DISTINCT c.user_id) FILTER (WHERE 'not_connected' IN (c.state, c.old_state))
  INTO persons, asked, since, until, reconnected
  FROM (SELECT x.user_id, x.metric_id, x.state, x.since, k.state::text AS old_state, k.since AS old_since
        FROM (SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.payload_id, t.metric_id) n.user_id, n.platform_id, n.store, t.metric_id, n.read_at, n.payload_id, n.state, n.since
              FROM unnest(users, platforms, stores, metrics, reads, payloads, positions, states, sinces)
                AS n (user_id, platform_id, store, metric_id, read_at, payload_id, place, state, since)
              LEFT JOIN LATERAL (
                SELECT w.metric_id, w.state, w.since FROM evidence.permission w
                WHERE w.user_id = n.user_id AND w.platform_id = n.platform_id AND w.store = n.store
                ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) same ON n.metric_id = 0
              CROSS JOIN LATERAL (SELECT y.metric_id FROM evidence.tracking y
                WHERE y.user_id = n.user_id AND y.metric_id = COALESCE(NULLIF(n.metric_id, 0), y.metric_id) AND y.platform_id = n.platform_id AND y.store = n.store OFFSET 0) t
              WHERE (same.metric_id = 0 AND (same.state::text, same.since) IS NOT DISTINCT FROM (n.state, n.since)) IS NOT TRUE
              ORDER BY 1, 2, 3, n.payload_id, t.metric_id, n.metric_id = 0, n.place DESC) x
        LEFT JOIN LATERAL (
          SELECT w.read_at, w.payload_id, w.state, w.since FROM evidence.permission w
          WHERE w.user_id = x.user_id AND w.platform_id = x.platform_id AND w.store = x.store AND w.metric_id IN (0, x.metric_id)
          ORDER BY w.read_at DESC, w.payload_id DESC, w.metric_id = 0, w."position" DESC LIMIT 1) k ON true
        WHERE k.read_at IS NULL OR (x.read_at, x.payload_id) > (k.read_at, k.payload_id)) c
  WHERE (c.state, c.since) IS DISTINCT FROM (COALESCE(c.old_state, 'granted'), c.old_since);
  INSERT INTO evidence.permission (user_id, platform_id, store, metric_id, read_at, payload_id, "position", state, since)
  SELECT n.user_id, n.platform_id, n.store, n.metric_id, n.read_at, n.payload_id, n.place, n.state::evidence.permission_state, n.since
  FROM unnest(users, platforms, stores, metrics, reads, payloads, positions, states, sinces)
    AS n (user_id, platform_id, store, metric_id, read_at, payload_id, place, state, since)
  ORDER BY 1, 2, 3, 4, 5, 6, 7 ON CONFLICT DO NOTHING;
  DELETE FROM evidence.permission g                                            -- As with windows.
  USING (SELECT p.*, lag(p.said) OVER w AS before, lead(p.said) OVER w AS after
         FROM (SELECT t.user_id, t.platform_id, t.store, t.read_at, t.payload_id,
                      array_agg(ROW(t.metric_id, t.state, t.since)::text ORDER BY t.metric_id, t."position") AS said, array_agg(t.ctid) AS row_addresses
               FROM evidence.permission t WHERE t.user_id = ANY (users) GROUP BY 1, 2, 3, 4, 5) p
         WINDOW w AS (PARTITION BY p.user_id, p.platform_id, p.store ORDER BY p.read_at, p.payload_id)) x
  CROSS JOIN LATERAL unnest(x.row_addresses) AS f (row_address)
  WHERE x.before = x.said AND x.after = x.said AND g.ctid = f.row_address;
  IF persons IS NOT NULL THEN
    PERFORM evidence.mark_asked(persons, asked, since, until, as_of);
  END IF;
  IF reconnected IS NOT NULL THEN
    PERFORM evidence.ask_again(reconnected);
  END IF;
END $$;
COMMENT ON FUNCTION evidence.note_permissions(uuid[], smallint[], text[], smallint[], timestamptz[], uuid[], integer[], text[], timestamptz[], timestamptz)
  IS 'Keeps statements about access (metric 0: all); days for which the state changed and that are not settled become due.';

CREATE OR REPLACE FUNCTION evidence.note_presence(
  users uuid[], days date[], platforms smallint[], stores text[], sources text[], kinds text[], minutes integer[])
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO evidence.presence AS p (user_id, local_date, platform_id, store, source, kind, minutes)
  SELECT n.user_id, n.local_date, n.platform_id, n.store, n.source, n.kind::evidence.presence_kind, max(n.minutes)
  FROM unnest(users, days, platforms, stores, sources, kinds, minutes) AS n (user_id, local_date, platform_id, store, source, kind, minutes)
  WHERE n.minutes IS DISTINCT FROM 0
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT ON CONSTRAINT presence_pkey DO UPDATE SET minutes = excluded.minutes WHERE p.minutes IS NULL OR p.minutes < excluded.minutes;
END $$;
COMMENT ON FUNCTION evidence.note_presence(uuid[], date[], smallint[], text[], text[], text[], integer[])
  IS 'Keeps evidence that a source was worn or carried. Presence only grows: the longest stated time counts, 0 minutes are nothing.';

CREATE OR REPLACE FUNCTION evidence.note_backfills(
  users uuid[], platforms smallint[], stores text[], metrics smallint[],
  reads timestamptz[], payloads uuid[], positions integer[], running boolean[], reached date[])
RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO evidence.backfill AS b (user_id, platform_id, store, metric_id, read_at, payload_id, "position", is_running, reached)
  SELECT DISTINCT ON (n.user_id, n.platform_id, n.store, n.metric_id) n.*
  FROM unnest(users, platforms, stores, metrics, reads, payloads, positions, running, reached)
    AS n (user_id, platform_id, store, metric_id, read_at, payload_id, place, is_running, reached)
  ORDER BY 1, 2, 3, 4, n.read_at DESC, n.payload_id DESC, n.place DESC
  ON CONFLICT ON CONSTRAINT backfill_pkey DO UPDATE SET
    read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position",
    is_running = excluded.is_running, reached = excluded.reached
  WHERE (b.read_at, b.payload_id, b."position") < (excluded.read_at, excluded.payload_id, excluded."position");
END $$;
COMMENT ON FUNCTION evidence.note_backfills(uuid[], smallint[], text[], smallint[], timestamptz[], uuid[], integer[], boolean[], date[])
  IS 'Keeps the latest statement about a running or complete history load of each metric (0: all).';
