-- 56_feeds.sql - for services downstream: which cells have changed since a place in the feed.
-- Transactions do not commit in the order in which they begin, so neither a sequence nor a time orders them without gaps. The feed is ordered
-- by transaction and ends below the oldest one that is running: what it has not told yet lies behind the cursor, always.
-- A database that was put back counts its transactions again and gives the same numbers to other changes. So a cursor also says what was there
-- when it was given, by numbers that no database gives twice, and whoever goes on from it must find that there.
-- Runs with the asker's rights, but for the view onto evidence.

CREATE OR REPLACE FUNCTION public.feed_era() RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF pg_is_in_recovery() THEN
    RAISE EXCEPTION 'The feed is read on the primary; this server is a standby, and cannot tell whether it will be promoted over a gap.'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN format('%s-%s-%s-%s', (SELECT c.system_identifier FROM pg_control_system() c), (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()),
    'public.feed_horizon'::regclass::oid, left(pg_walfile_name(pg_current_wal_lsn()), 8));
END $$;
COMMENT ON FUNCTION public.feed_era()
  IS 'Within which numbers of transactions go on without a break: this cluster, this database, these tables, this timeline. A restore of a dump, also into the same database, a restore to a point in time and a promotion begin another; a copy of the files that is put back does not. Does not know: an error on a standby.';

CREATE OR REPLACE FUNCTION evidence.note_changes(
  persons uuid[], metrics text[], days date[], superseded public.daily_metric[], as_of timestamptz) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  -- First the number, then a look at who else is running: nobody with a lower one is missed.
  own constant xid8 := pg_current_xact_id();
BEGIN
  INSERT INTO evidence.cell_change (user_id, transaction_id, seen, changed_at, metric_ids, days)
  SELECT c.user_id, own, pg_current_snapshot(), as_of, array_agg(c.metric_id), array_agg(c.local_date)
  FROM (SELECT x.user_id, m.metric_id, x.local_date
        FROM (SELECT n.user_id, n.metric, n.local_date FROM unnest(persons, metrics, days) AS n (user_id, metric, local_date)
              UNION ALL
              SELECT s.user_id, s.metric, s.local_date FROM unnest(superseded) s) x
        JOIN public.metric m ON m.metric = x.metric
        ORDER BY x.user_id, m.metric_id, x.local_date) c
  GROUP BY c.user_id ORDER BY c.user_id;
END $$;
COMMENT ON FUNCTION evidence.note_changes(uuid[], text[], date[], public.daily_metric[], timestamptz)
  IS 'Notes in the feed which cells are new, and which ones show something else than before (superseded: what that was) or nothing any more; one row per person. Only evidence.derive and evidence.repair_cells call it.';

CREATE OR REPLACE FUNCTION evidence.forget_changes(as_of timestamptz, max_rows integer) RETURNS integer
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
DECLARE
  now_over constant xid8 := pg_snapshot_xmin(pg_current_snapshot());
  horizon public.feed_horizon;
  first evidence.cell_change;
  newest xid8;
  came_with_restore boolean;
  last evidence.cell_change;
  forgotten integer;
BEGIN
  SELECT h.* INTO horizon FROM public.feed_horizon h;
  SELECT c.* INTO first FROM evidence.cell_change c ORDER BY c.transaction_id, c.change_id LIMIT 1;
  -- In one statement: what it sees was numbered below the end of its snapshot, or elsewhere.
  SELECT c.transaction_id, c.transaction_id > GREATEST(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned()) INTO newest, came_with_restore
  FROM evidence.cell_change c ORDER BY c.transaction_id DESC, c.change_id DESC LIMIT 1;
  -- Most looks find nothing, and write nothing.
  IF horizon.era = public.feed_era() AND (first.changed_at < as_of - horizon.kept_for) IS NOT TRUE AND came_with_restore IS NOT TRUE THEN
    RETURN 0;
  END IF;
  PERFORM FROM public.feed_horizon h FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN                            -- Another session is at it.
    RETURN 0;
  END IF;
  IF horizon.era IS DISTINCT FROM public.feed_era() THEN
    -- What another cluster or timeline numbered has no place in the order from here on. Whoever follows the feed starts again.
    UPDATE public.feed_horizon h SET era = public.feed_era(), nonce = gen_random_uuid(), transaction_id = CASE WHEN newest IS NOT NULL THEN pg_current_xact_id() END,
      change_id = CASE WHEN newest IS NOT NULL THEN 0 END, cells = CASE WHEN newest IS NOT NULL THEN 0 END;
    RETURN 1;
  END IF;
  -- Again in one statement: others number theirs meanwhile.
  DELETE FROM evidence.cell_change c
  USING (SELECT x.user_id, x.change_id FROM evidence.cell_change x WHERE x.transaction_id > GREATEST(pg_snapshot_xmax(pg_current_snapshot()), pg_current_xact_id_if_assigned())
         ORDER BY x.transaction_id DESC, x.change_id DESC LIMIT max_rows) f
  WHERE c.user_id = f.user_id AND c.change_id = f.change_id;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  -- From the beginning up to the first that is still kept, and never into what is not over yet.
  SELECT c.* INTO last FROM (
    SELECT x.*, bool_and(x.changed_at < as_of - horizon.kept_for) OVER (ORDER BY x.transaction_id, x.change_id) AS is_old
    FROM (SELECT y.* FROM evidence.cell_change y WHERE y.transaction_id < now_over ORDER BY y.transaction_id, y.change_id LIMIT max_rows) x) c
  WHERE c.is_old ORDER BY c.transaction_id DESC, c.change_id DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN forgotten;
  END IF;
  DELETE FROM evidence.cell_change c WHERE (c.transaction_id, c.change_id) <= (last.transaction_id, last.change_id);
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  -- Rows that came with a restore may lie before the beginning of the era.
  UPDATE public.feed_horizon h SET transaction_id = last.transaction_id, change_id = last.change_id, cells = cardinality(last.days), nonce = last.nonce
  WHERE (h.transaction_id, h.change_id, h.cells) < (last.transaction_id, last.change_id, cardinality(last.days)) IS NOT FALSE;
  RETURN forgotten;
END $$;
COMMENT ON FUNCTION evidence.forget_changes(timestamptz, integer)
  IS 'Lets go of up to max_rows rows of the feed that are older than feed_horizon.kept_for, and notes how far; in a new era notes that it begins. Returns for how many rows there was something to do; 0: nothing is old enough, or another session is at it.';

CREATE OR REPLACE VIEW public.cell_change WITH (security_barrier = true) AS
SELECT c.transaction_id, c.change_id, c.user_id, c.metric_ids, c.days, c.changed_at, c.is_whole_person
FROM evidence.cell_change c
-- Rows that were emptied are no one's, and a page must not be full of them.
WHERE (c.is_whole_person OR cardinality(c.days) > 0) AND public.may_read(c.user_id)
-- In here, because the planner keeps no order of what is behind a barrier unless it is asked for there.
ORDER BY c.transaction_id, c.change_id;
COMMENT ON VIEW public.cell_change IS 'Part of changes_since: the feed, one row per transaction and person. Read by itself it skips what commits later; ask changes_since.';
COMMENT ON COLUMN public.cell_change.transaction_id IS 'The transaction that changed the cells.';
COMMENT ON COLUMN public.cell_change.change_id IS 'Order within the transaction.';
COMMENT ON COLUMN public.cell_change.user_id IS 'The person.';
COMMENT ON COLUMN public.cell_change.metric_ids IS 'metric.metric_id of each cell.';
COMMENT ON COLUMN public.cell_change.days IS 'Local calendar day of each cell, in the same order.';
COMMENT ON COLUMN public.cell_change.changed_at IS 'The instant taken for now when they changed.';
COMMENT ON COLUMN public.cell_change.is_whole_person IS 'True: the person was forgotten, all of their cells are gone.';

CREATE OR REPLACE FUNCTION public.start_again(because text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'changes_since cannot go on from this cursor: %', because
    USING ERRCODE = '72000', HINT = 'Start again: changes_since(NULL) tells everything that is known now, then the changes. Remove what it does not name.';
END $$;
COMMENT ON FUNCTION public.start_again(text) IS 'Part of changes_since: the error, SQLSTATE 72000, after which only a start from the beginning is complete.';

CREATE OR REPLACE VIEW public.feed_proof AS
SELECT c.transaction_id, c.change_id, c.nonce,
  -- Below the end of the snapshot those that ran are listed; from there on all ran, and few have changed cells.
  CASE WHEN (h.transaction_id >= pg_snapshot_xmin(c.seen)) IS NOT TRUE THEN
    (SELECT count(*) FROM pg_snapshot_xip(c.seen) AS b (id)
     WHERE b.id < c.transaction_id AND (SELECT true FROM evidence.cell_change o WHERE o.transaction_id = b.id LIMIT 1))
    + (SELECT count(*) FROM evidence.cell_change o WHERE o.transaction_id >= pg_snapshot_xmax(c.seen) AND o.transaction_id < c.transaction_id) END AS beside
FROM evidence.cell_change c CROSS JOIN public.feed_horizon h;
COMMENT ON VIEW public.feed_proof IS 'Part of changes_since: by what a cursor recognises the history that it was given in. Says nothing of whom or of what.';
COMMENT ON COLUMN public.feed_proof.transaction_id IS 'The transaction that changed cells.';
COMMENT ON COLUMN public.feed_proof.change_id IS 'Order within the transaction.';
COMMENT ON COLUMN public.feed_proof.nonce IS 'A random number that no other change has.';
COMMENT ON COLUMN public.feed_proof.beside IS 'How much is there by transactions that had begun before it and were running when it changed the cells. It grows while they end; NULL: some of it may not be kept any more.';

CREATE OR REPLACE FUNCTION public.newest_proof() RETURNS text
LANGUAGE plpgsql STABLE SET jit = off SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  -- What has a number that was not given here yet came with a restore, and will go.
  RETURN COALESCE(
    (SELECT format('%s.%s.%s.%s', p.transaction_id, p.change_id, COALESCE(p.beside, 0), p.nonce) FROM public.feed_proof p
     WHERE p.transaction_id < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY p.transaction_id DESC, p.change_id DESC LIMIT 1),
    (SELECT format('0.0.0.%s', h.nonce) FROM public.feed_horizon h));
END $$;
COMMENT ON FUNCTION public.newest_proof()
  IS 'Part of changes_since: the newest change that can be seen, whether it can be told yet or not, as transaction.change.beside.nonce. A database that has it has all that can be seen now. With no change at all: zeros, and the number of feed_horizon. Never NULL.';

CREATE OR REPLACE FUNCTION public.is_proven(proof text) RETURNS boolean
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  part constant text[] := string_to_array(proof, '.');
BEGIN
  RETURN EXISTS (SELECT FROM public.feed_horizon h WHERE h.nonce = part[4]::uuid)
    OR EXISTS (SELECT FROM public.feed_proof p WHERE p.transaction_id = part[1]::xid8 AND p.change_id = part[2]::bigint AND p.nonce = part[4]::uuid
               AND (p.beside < part[3]::bigint) IS NOT TRUE);
END $$;
COMMENT ON FUNCTION public.is_proven(text)
  IS 'Part of changes_since: true, what newest_proof saw is there, or was the last to be let go of; false, this database has lost it, or somebody has deleted it. Never NULL for what newest_proof has given.';

CREATE OR REPLACE FUNCTION public.changes_since(p_cursor text, p_limit integer DEFAULT 1000)
RETURNS TABLE (next_cursor text, user_id uuid, metric text, local_date date, is_removed boolean, status text, value numeric, unknown_reason text,
  covering_sources integer, is_final boolean, revision integer, shown_since timestamptz)
LANGUAGE plpgsql STABLE ROWS 1000
-- A cursor holds a date: whoever goes on from it may have another style of dates than whoever was given it.
SET datestyle = 'ISO' SET plan_cache_mode = force_generic_plan SET jit = off SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
  -- A cursor: era:proof:transaction:change:cell, and while everything is told :person:metric:day, with the place at the start.
  part text[] := string_to_array(p_cursor, ':');
  is_beginning constant boolean := p_cursor IS NULL OR part[6] IS NOT NULL;
  this_era constant text := public.feed_era();
  -- Cells are told as they are now, which may be by changes far behind the place. So it is now that must not be lost.
  proof constant text := public.newest_proof();
  oldest_running constant xid8 := pg_snapshot_xmin(pg_current_snapshot());
  horizon public.feed_horizon;
  place_transaction xid8;
  place_change bigint;
  place_cell integer;
  given integer := 0;
BEGIN
  IF (p_limit BETWEEN 1 AND 100000) IS NOT TRUE THEN
    RAISE EXCEPTION 'A page has from 1 to 100000 cells, not %.', p_limit USING ERRCODE = 'invalid_parameter_value';
  ELSIF (p_cursor COLLATE "C" ~ '^([0-9]+-){3}[0-9A-F]{8}:[0-9]{1,20}[.][0-9]{1,18}[.][0-9]{1,9}[.][0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9]{1,20}:[0-9]{1,18}:[0-9]{1,9}(:[-0-9a-f]{36}:[a-z0-9_]*:[-0-9infty BC]+)?$') IS FALSE THEN
    RAISE EXCEPTION 'This is no cursor of changes_since.' USING ERRCODE = 'invalid_parameter_value', HINT = 'Give next_cursor of the last row as it was, or NULL for the beginning.';
  ELSIF part[1] <> this_era THEN
    PERFORM public.start_again('it belongs to another database, or to the time before a restore or a failover.');
  END IF;
  SELECT h.* INTO horizon FROM public.feed_horizon h WHERE h.era = this_era;
  IF p_cursor IS NULL THEN
    -- Behind the newest change, if all before it are over: a mere number of a transaction may be given again after a loss.
    part := ARRAY[this_era, proof, split_part(proof, '.', 1), split_part(proof, '.', 2), '999999999', '00000000-0000-0000-0000-000000000000', '', '-infinity'];
    IF (horizon.transaction_id, horizon.change_id, horizon.cells) > (part[3]::xid8, part[4]::bigint, part[5]::integer) THEN
      part[3:5] := ARRAY[horizon.transaction_id::text, horizon.change_id::text, horizon.cells::text];
    END IF;
    IF part[3]::xid8 >= oldest_running THEN
      part[3:5] := ARRAY[oldest_running::text, '0', '0'];
    END IF;
  END IF;
  place_transaction := part[3]::xid8;
  place_change := part[4];
  place_cell := part[5];
  IF place_transaction > oldest_running THEN
    PERFORM public.start_again('it is ahead of this database, which has lost transactions.');
  ELSIF (horizon.transaction_id, horizon.change_id, horizon.cells) > (place_transaction, place_change, place_cell) THEN
    IF p_cursor IS NULL THEN
      RAISE EXCEPTION 'The feed of this database has just begun anew, and a transaction is running that is older than it.'
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Ask again when it is over; queue_health names it.';
    END IF;
    PERFORM public.start_again('the changes behind it are not kept any more (feed_horizon).');
  ELSIF p_cursor IS NOT NULL AND NOT public.is_proven(part[2]) THEN
    PERFORM public.start_again('a change that was there when it was given is not there any more: this database has lost transactions, or somebody has deleted it.');
  END IF;

  IF is_beginning THEN
    RETURN QUERY
    SELECT concat_ws(':', this_era, proof, part[3], part[4], part[5], d.user_id, d.metric, d.local_date), d.user_id, d.metric, d.local_date, false,
      d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final, d.revision, d.shown_since
    FROM public.daily_metric d
    WHERE (d.user_id, d.metric, d.local_date) > (part[6]::uuid, part[7], part[8]::date)
    ORDER BY d.user_id, d.metric, d.local_date LIMIT p_limit;
    GET DIAGNOSTICS given = ROW_COUNT;
  END IF;
  IF given < p_limit THEN
    RETURN QUERY
    SELECT concat_ws(':', this_era, proof, c.transaction_id, c.change_id, c.n), c.user_id, c.metric, c.local_date, d.user_id IS NULL,
      d.status, d.value, d.unknown_reason, d.covering_sources, d.is_final, d.revision, d.shown_since
    FROM (SELECT x.transaction_id, x.change_id, x.user_id, e.n, e.local_date, m.metric
          -- Each row tells something, and of the first one all may have been told.
          FROM (SELECT y.* FROM public.cell_change y
                WHERE (y.transaction_id, y.change_id) >= (place_transaction, place_change) AND y.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
                ORDER BY y.transaction_id, y.change_id LIMIT p_limit + 1) x
          CROSS JOIN LATERAL (
            SELECT u.* FROM unnest(x.metric_ids, x.days) WITH ORDINALITY AS u (metric_id, local_date, n)
            UNION ALL SELECT NULL, NULL, 1 WHERE x.is_whole_person) e
          LEFT JOIN public.metric m ON m.metric_id = e.metric_id
          WHERE (x.transaction_id, x.change_id, e.n) > (place_transaction, place_change, place_cell) AND (m.metric IS NOT NULL OR x.is_whole_person)
          ORDER BY x.transaction_id, x.change_id, e.n LIMIT p_limit - given) c
    LEFT JOIN public.daily_metric d ON d.user_id = c.user_id AND d.metric = c.metric AND d.local_date = c.local_date
    ORDER BY c.transaction_id, c.change_id, c.n;
  END IF;
END $$;
COMMENT ON FUNCTION public.changes_since(text, integer)
  IS 'Cells that were added, changed or removed behind a cursor, as they are now, in the order in which they are told; next_cursor of the last row is where to go on. NULL: everything that is known now, page by page, then the changes. A cell may be told more than once, never too seldom; what changed nothing is not told. is_removed: it has no row any more, all else is NULL; where metric and local_date are NULL too the person was forgotten, and all of their cells are gone. Does not know: no row, nothing has changed that is over (a transaction that runs for long, of any database of the server, keeps back what began after it). An error, SQLSTATE 72000: the cursor is older than feed_horizon keeps, or of another era, or what was there when it was given is lost; start again with NULL.';

-- The era of a new database is the one in which its tables were made.
UPDATE public.feed_horizon h SET era = public.feed_era() WHERE h.era IS NULL;
