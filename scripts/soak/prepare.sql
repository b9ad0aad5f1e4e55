-- What a soak needs beside the product: who sends what, the samples, and what they come to.
CREATE SCHEMA soak;

CREATE FUNCTION soak.person(number int) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN RETURN md5('soak ' || number)::uuid; END $$;

CREATE FUNCTION soak.outcome(die int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN die < 70 THEN format('"outcome": "value", "value": %s, "sources": ["watch"], "complete": true', 40 + die)
    WHEN die < 80 THEN '"outcome": "value", "value": 0, "sources": ["watch"]'
    WHEN die < 95 THEN '"outcome": "empty"'
    ELSE '"outcome": "failed", "code": "http.500"' END;
END $$;

-- Values, zeros, silence and failures: eight entries of two days.
CREATE FUNCTION soak.payload(person int, day int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  today constant date := (now() AT TIME ZONE 'UTC')::date;
  entries text;
BEGIN
  SELECT string_agg(format('{"metric": "%s", "local_date": "%s", %s}', m.metric, today - day - d.back, m.outcome), ', ')
  INTO entries
  FROM generate_series(0, 1) AS d (back) CROSS JOIN LATERAL (
    SELECT metric, soak.outcome((random() * 99)::int) AS outcome
    FROM unnest(ARRAY['steps', 'flights_climbed', 'heart_rate_avg', 'sleep_duration']) AS l (metric) WHERE d.back >= 0) m;
  RETURN format(
    '{"schema": "dailymetricd.sync/1", "payload_id": "%s", "user_id": "%s", "origin": {"platform": "garmin"}, '
    '"read": {"read_at": "%s", "mode": "reread"}, "time_zones": [{"from": "2000-01-01T00:00:00Z", "iana": "UTC"}], '
    '"days": [%s]}',
    gen_random_uuid(), soak.person(person), to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entries);
END $$;

CREATE UNLOGGED TABLE soak.sample (
  taken_at timestamptz PRIMARY KEY,
  resident_bytes numeric NOT NULL, open_files numeric NOT NULL, processor_seconds numeric NOT NULL, backend_bytes numeric NOT NULL,
  payloads numeric NOT NULL, claims numeric NOT NULL, claim_seconds numeric NOT NULL,
  batches numeric NOT NULL, batch_seconds numeric NOT NULL,
  backlog numeric NOT NULL, oldest_seconds numeric, queue_bytes numeric NOT NULL, queue_index_bytes numeric NOT NULL,
  queue_dead_tuples numeric NOT NULL, cell_bytes numeric NOT NULL, receipt_bytes numeric NOT NULL);

-- Keeps the temporary table metric, which holds what the service says of itself, with what the server says.
CREATE PROCEDURE soak.take_sample() LANGUAGE plpgsql AS $$
DECLARE
  said jsonb;
BEGIN
  SELECT jsonb_object_agg(name, value) INTO said FROM metric;
  INSERT INTO soak.sample
  SELECT now(), (said -> 'process_resident_memory_bytes')::numeric, (said -> 'process_open_fds')::numeric,
    (said -> 'process_cpu_seconds_total')::numeric, (said -> 'backend_memory')::numeric,
    (said -> 'dailymetricd_payloads_taken_total')::numeric,
    (said -> 'dailymetricd_claim_duration_seconds_count')::numeric, (said -> 'dailymetricd_claim_duration_seconds_sum')::numeric,
    (said -> 'dailymetricd_batch_duration_seconds_count')::numeric, (said -> 'dailymetricd_batch_duration_seconds_sum')::numeric,
    q.depth, q.oldest, pg_table_size('intake.sync_payload'), pg_indexes_size('intake.sync_payload'),
    (SELECT n_dead_tup FROM pg_stat_all_tables WHERE relid = 'intake.sync_payload'::regclass),
    (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('daily_metric')), pg_total_relation_size('intake.receipt')
  FROM (SELECT count(*) AS depth, extract(epoch FROM now() - min(received_at)) AS oldest FROM intake.sync_payload) q;
END $$;

-- What happened between two samples, and in which third of the time. The first twentieth is for settling down.
CREATE VIEW soak.span AS
SELECT s.*, ntile(3) OVER (ORDER BY taken_at) AS third,
  (payloads - last_payloads) / seconds AS payloads_per_second,
  (processor_seconds - last_processor_seconds) / seconds AS processors,
  1000 * (claim_seconds - last_claim_seconds) / nullif(claims - last_claims, 0) AS claim_ms,
  1000 * (batch_seconds - last_batch_seconds) / nullif(batches - last_batches, 0) AS batch_ms
FROM (
  SELECT s.*, lag(payloads) OVER w AS last_payloads, lag(claims) OVER w AS last_claims, lag(batches) OVER w AS last_batches,
    lag(claim_seconds) OVER w AS last_claim_seconds, lag(batch_seconds) OVER w AS last_batch_seconds,
    lag(processor_seconds) OVER w AS last_processor_seconds, extract(epoch FROM taken_at - lag(taken_at) OVER w) AS seconds,
    min(taken_at) OVER () + (max(taken_at) OVER () - min(taken_at) OVER ()) / 20 AS settled_at
  FROM soak.sample s WINDOW w AS (ORDER BY taken_at)) s
WHERE seconds > 0 AND taken_at > settled_at;

-- What is judged, and by how much the last third may be above the first: a share, and an amount for what is small and noisy.
CREATE TABLE soak.rule (number int PRIMARY KEY, measure text, share numeric, amount numeric, divisor numeric, unit text);
INSERT INTO soak.rule VALUES
  (1, 'resident_bytes', 0.10, 2e6, 1e6, 'MB'), (2, 'backend_bytes', 0.15, 8e6, 1e6, 'MB'), (3, 'open_files', 0, 0, 1, 'files'),
  (4, 'claim_ms', 0.5, 2, 1, 'ms'), (5, 'batch_ms', 0.5, 5, 1, 'ms'), (6, 'backlog', 0.5, 50, 1, 'payloads'),
  (7, 'queue_bytes', 0.25, 2e6, 1e6, 'MB'), (8, 'queue_index_bytes', 0.25, 1e6, 1e6, 'MB'),
  (9, 'queue_dead_tuples', 0.25, 1000, 1, 'rows');

CREATE VIEW soak.verdict AS
WITH measured AS (
  SELECT r.*, s.third, percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS median, max(value) AS most
  FROM soak.rule r CROSS JOIN soak.span s CROSS JOIN LATERAL (SELECT (to_jsonb(s) ->> r.measure)::numeric AS value) v
  GROUP BY r.number, s.third)
SELECT number, measure, unit, f.median / f.divisor AS first_third, l.median / f.divisor AS last_third,
  f.most / f.divisor AS most_in_first, l.most / f.divisor AS most_in_last,
  l.median <= f.median * (1 + f.share) + f.amount AS is_flat
FROM measured f JOIN measured l USING (number, measure, unit)
WHERE f.third = 1 AND l.third = 3;

-- All of it as one document.
CREATE FUNCTION soak.report() RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT jsonb_build_object(
      'seconds', round(extract(epoch FROM max(taken_at) - min(taken_at))), 'samples', count(*), 'payloads', max(payloads) - min(payloads),
      'processor_seconds', max(processor_seconds) - min(processor_seconds), 'cell_bytes', max(cell_bytes), 'receipt_bytes', max(receipt_bytes),
      'dead_letters', (SELECT count(*) FROM intake.dead_letter),
      'is_flat', (SELECT bool_and(is_flat) FROM soak.verdict),
      'measures', (SELECT jsonb_agg(to_jsonb(v) - 'number' ORDER BY number) FROM soak.verdict v))
    FROM soak.sample);
END $$;
