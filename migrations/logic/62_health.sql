-- 62_health.sql - is data arriving, is it being worked on, and who keeps the server from cleaning up?
-- Ages are by the server's clock (clock_timestamp()): here alone, because an age is of now. Beside each age stands the instant it is from.
-- The views see intake and evidence with their owner's rights; they show no payload and no value.

CREATE OR REPLACE VIEW public.freshness WITH (security_barrier = true) AS
SELECT f.platform, COALESCE(o.origins, 0) AS origins, o.last_read_at, o.last_success_at, COALESCE(o.never_succeeded, 0) AS never_succeeded,
       COALESCE(o.succeeded_in_a_day, 0) AS succeeded_in_a_day, d.oldest_due_at,
       clock_timestamp() - o.last_read_at AS last_read_age, clock_timestamp() - o.last_success_at AS last_success_age,
       CASE WHEN d.oldest_due_at IS NOT NULL THEN GREATEST(clock_timestamp() - d.oldest_due_at, interval '0') END AS overdue
FROM public.platform f
LEFT JOIN (
  SELECT x.platform_id, count(*) AS origins, max(x.last_read_at) AS last_read_at, max(x.last_success_at) AS last_success_at,
         count(*) FILTER (WHERE x.last_success_at IS NULL) AS never_succeeded,
         count(*) FILTER (WHERE x.last_success_at > clock_timestamp() - interval '1 day') AS succeeded_in_a_day
  FROM evidence.origin x GROUP BY x.platform_id) o ON o.platform_id = f.platform_id
-- From the head of the work list to the first person of the platform.
LEFT JOIN LATERAL (
  SELECT q.due_at AS oldest_due_at FROM evidence.due_day q
  WHERE o.origins > 0 AND EXISTS (SELECT FROM evidence.origin x WHERE x.user_id = q.user_id AND x.platform_id = f.platform_id)
  ORDER BY q.due_at, q.user_id, q.local_date LIMIT 1) d ON true;
COMMENT ON VIEW public.freshness IS 'Whether data of each platform arrives: last read, last read that succeeded, oldest day that waits for its re-check. Ages are by the server''s clock. Fresh reads are no good reads: see coverage_alert. Does not know: NULL, where nothing was ever read, or nothing is due.';
COMMENT ON COLUMN public.freshness.platform IS 'The platform, as in the table platform.';
COMMENT ON COLUMN public.freshness.origins IS 'Number of data stores, each of one person.';
COMMENT ON COLUMN public.freshness.last_read_at IS 'Latest read of any of them. NULL: never.';
COMMENT ON COLUMN public.freshness.last_success_at IS 'Latest read that looked at something. NULL: never.';
COMMENT ON COLUMN public.freshness.never_succeeded IS 'Number of data stores of which no read has succeeded.';
COMMENT ON COLUMN public.freshness.succeeded_in_a_day IS 'Number of data stores of which a read has succeeded within 24 hours.';
COMMENT ON COLUMN public.freshness.oldest_due_at IS 'When the first of the days of its persons that wait for a re-check is or was due. NULL: none waits.';
COMMENT ON COLUMN public.freshness.last_read_age IS 'How long ago last_read_at is.';
COMMENT ON COLUMN public.freshness.last_success_age IS 'How long ago last_success_at is.';
COMMENT ON COLUMN public.freshness.overdue IS 'For how long oldest_due_at is over; 0: it is to come. NULL: none waits.';

CREATE OR REPLACE VIEW public.snapshot_holder WITH (security_barrier = true) AS
SELECT h.kind, h.name, h.holds, age(h.holds) AS transactions, h.since, clock_timestamp() - h.since AS age, h.remedy
FROM (
  SELECT 'session' AS kind, format('%s, %s of %s in %s, %s', a.pid, COALESCE(NULLIF(a.application_name, ''), 'unnamed'), a.usename, a.datname, a.state) AS name,
         CASE WHEN a.backend_xid IS NULL OR age(a.backend_xmin) > age(a.backend_xid) THEN COALESCE(a.backend_xmin, a.backend_xid) ELSE a.backend_xid END AS holds,
         COALESCE(a.xact_start, a.backend_start) AS since, format('SELECT pg_terminate_backend(%s)', a.pid) AS remedy
  FROM pg_stat_activity a WHERE COALESCE(a.backend_xmin, a.backend_xid) IS NOT NULL AND a.pid <> pg_backend_pid()
  UNION ALL
  SELECT 'prepared transaction', format('%s of %s in %s', p.gid, p.owner, p.database), p.transaction, p.prepared, format('ROLLBACK PREPARED %L', p.gid)
  FROM pg_prepared_xacts p
  UNION ALL
  SELECT 'replication slot', format('%s, %s', s.slot_name, CASE WHEN s.active THEN 'active' ELSE 'nobody uses it' END),
         CASE WHEN s.xmin IS NULL OR age(s.catalog_xmin) > age(s.xmin) THEN COALESCE(s.catalog_xmin, s.xmin) ELSE s.xmin END, NULL,
         format('SELECT pg_drop_replication_slot(%L)', s.slot_name)
  FROM pg_replication_slots s WHERE COALESCE(s.xmin, s.catalog_xmin) IS NOT NULL) h;
COMMENT ON VIEW public.snapshot_holder IS 'Who holds an old snapshot or an old transaction: dead rows stay and the queue grows slow (autovacuum), and changes_since waits. The first by transactions DESC pins the oldest. Sessions of others are seen only by superusers and members of pg_read_all_stats. Does not know: since and age NULL for replication slots; no row for what the asker may not see.';
COMMENT ON COLUMN public.snapshot_holder.kind IS 'session, prepared transaction or replication slot.';
COMMENT ON COLUMN public.snapshot_holder.name IS 'Which one: of a session its process, application, role, database and state.';
COMMENT ON COLUMN public.snapshot_holder.holds IS 'The oldest transaction number that it holds.';
COMMENT ON COLUMN public.snapshot_holder.transactions IS 'How many transaction numbers were given since.';
COMMENT ON COLUMN public.snapshot_holder.since IS 'When its transaction began.';
COMMENT ON COLUMN public.snapshot_holder.age IS 'How long ago that is, by the server''s clock.';
COMMENT ON COLUMN public.snapshot_holder.remedy IS 'What ends it. Ask first whose it is.';

CREATE OR REPLACE VIEW public.queue_health WITH (security_barrier = true) AS
SELECT q.depth, q.oldest_received_at, clock_timestamp() - q.oldest_received_at AS oldest_age,
       (SELECT max(r.processed_at) FROM intake.receipt r) AS last_processed_at, c.paused_at, c.paused_because,
       (SELECT count(*) FROM intake.suspect) AS suspects,
       COALESCE((SELECT jsonb_agg(jsonb_build_object('user_id', t.user_id, 'payloads', t.payloads) ORDER BY t.payloads DESC, t.user_id)
        FROM (SELECT p.user_id, count(*) AS payloads FROM intake.sync_payload p GROUP BY p.user_id ORDER BY count(*) DESC, p.user_id LIMIT 10) t
        WHERE public.may_read(t.user_id)), '[]') AS top_users,
       (SELECT COALESCE(jsonb_object_agg(l.code, l.letters), '{}') FROM (SELECT d.code, count(*) AS letters FROM intake.dead_letter d GROUP BY d.code) l) AS dead_letters,
       (SELECT count(*) FROM intake.quarantined_entry) AS quarantined,
       (SELECT format('%s %s, %s transactions%s', h.kind, h.name, h.transactions, COALESCE(', since ' || h.since::text, ''))
        FROM public.snapshot_holder h ORDER BY h.transactions DESC, h.kind, h.name LIMIT 1) AS oldest_snapshot
FROM intake.control c
CROSS JOIN (SELECT count(*) AS depth, min(p.received_at) AS oldest_received_at FROM intake.sync_payload p) q;
COMMENT ON VIEW public.queue_health IS 'How the queue is doing; one row. Names users with many payloads, no payload and no value; who may read only some persons is told of those alone. Does not know: oldest NULL, the queue is empty; last_processed_at NULL, nothing ever was; oldest_snapshot NULL, nobody holds one whom the asker may see (pg_read_all_stats).';
COMMENT ON COLUMN public.queue_health.depth IS 'Number of payloads that wait.';
COMMENT ON COLUMN public.queue_health.oldest_received_at IS 'When the oldest of them arrived. NULL: none waits.';
COMMENT ON COLUMN public.queue_health.oldest_age IS 'How long ago that is, by the server''s clock.';
COMMENT ON COLUMN public.queue_health.last_processed_at IS 'When a payload was last processed. NULL: never.';
COMMENT ON COLUMN public.queue_health.paused_at IS 'Since when intake is paused. NULL: it works.';
COMMENT ON COLUMN public.queue_health.paused_because IS 'Why. NULL: it works.';
COMMENT ON COLUMN public.queue_health.suspects IS 'Number of payloads that were in hand when a process died, and wait to be tried apart.';
COMMENT ON COLUMN public.queue_health.top_users IS 'The ten users with the most payloads that wait, most first.';
COMMENT ON COLUMN public.queue_health.dead_letters IS 'Number of dead letters by code.';
COMMENT ON COLUMN public.queue_health.quarantined IS 'Number of entries in quarantine.';
COMMENT ON COLUMN public.queue_health.oldest_snapshot IS 'Who pins the oldest snapshot, the first of snapshot_holder, in words.';

CREATE OR REPLACE VIEW public.refusal_alert WITH (security_barrier = true) AS
SELECT w.kind, w.code, w.platform, w.waiting, w.oldest_at, clock_timestamp() - w.oldest_at AS age,
       format('%s %s with %s%s since %s; dailymetricd %s list --code %s shows them.', w.waiting,
         CASE w.kind WHEN 'dead_letter' THEN 'dead letter' ELSE 'quarantined entr' END || CASE WHEN w.waiting = 1 AND w.kind = 'quarantine' THEN 'y waits'
           WHEN w.waiting = 1 THEN ' waits' WHEN w.kind = 'quarantine' THEN 'ies wait' ELSE 's wait' END, w.code,
         COALESCE(' of ' || w.platform, ''), to_char(w.oldest_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'),
         CASE w.kind WHEN 'dead_letter' THEN 'dead' ELSE 'quarantine' END, w.code) AS message
FROM (
  SELECT 'dead_letter' AS kind, l.code, l.platform, count(*) AS waiting, min(l.died_at) AS oldest_at
  FROM intake.letter l GROUP BY l.code, l.platform
  UNION ALL
  SELECT 'quarantine', q.code, p.platform, count(*), min(q.quarantined_at)
  FROM intake.quarantined_entry q JOIN public.platform p ON p.platform_id = q.platform_id GROUP BY q.code, p.platform) w
CROSS JOIN public.monitoring_setting b
WHERE w.oldest_at <= clock_timestamp() - b.refusals_wait;
COMMENT ON VIEW public.refusal_alert IS 'Dead letters and quarantined entries of which the oldest has waited for longer than monitoring_setting.refusals_wait: one row per code and platform. They stay until somebody retries or drops them. Counts hold no person and no value. Does not know: no row, nothing waits for so long; platform NULL, the payload names none.';
COMMENT ON COLUMN public.refusal_alert.kind IS 'dead_letter or quarantine.';
COMMENT ON COLUMN public.refusal_alert.code IS 'Why they were refused, as catalogue/codes.csv names it.';
COMMENT ON COLUMN public.refusal_alert.platform IS 'The platform that their payloads name, or for which the format of a delivery stands; of dead letters that name no such as it stands there. NULL: none.';
COMMENT ON COLUMN public.refusal_alert.waiting IS 'How many wait, younger ones too.';
COMMENT ON COLUMN public.refusal_alert.oldest_at IS 'When the oldest of them was refused.';
COMMENT ON COLUMN public.refusal_alert.age IS 'How long ago that is, by the server''s clock.';
COMMENT ON COLUMN public.refusal_alert.message IS 'The same as a sentence.';
