-- tour.sql — what an analyst finds after make run. Read with psql; changes nothing. Its current directory is the project's.

\echo
\echo == The three states side by side: one person, three days of steps
\echo -- measured, measured zero, and unknown with a reason. A zero is a number; NULL never is.
WITH state AS (
  SELECT user_id, metric, local_date,
    CASE WHEN status = 'unknown' THEN 3 WHEN value = 0 THEN 2 ELSE 1 END AS kind
  FROM daily_metric
  WHERE metric = 'steps'
), someone AS (
  SELECT user_id
  FROM state
  GROUP BY user_id
  HAVING count(DISTINCT kind) = 3
  ORDER BY user_id
  LIMIT 1
), day AS (
  SELECT DISTINCT ON (s.kind) s.user_id, s.metric, s.local_date
  FROM state s
  JOIN someone USING (user_id)
  ORDER BY s.kind, s.local_date DESC
)
SELECT left(d.user_id::text, 8) AS person, d.local_date, d.metric, d.status, d.value, d.unknown_reason,
  d.covering_sources
FROM daily_metric d
JOIN day USING (user_id, metric, local_date)
ORDER BY d.status, d.value DESC;

\echo == Why the unknown days are unknown
SELECT unknown_reason, count(*) AS cells, count(DISTINCT user_id) AS people
FROM daily_metric
WHERE status = 'unknown'
GROUP BY unknown_reason
ORDER BY cells DESC, unknown_reason;

\echo == An average, and what zero-filling would have made of it
\echo -- steps of the five people with the most unknown days
SELECT left(user_id::text, 8) AS person,
  round(avg(value) FILTER (WHERE is_final)) AS average,
  count(value) FILTER (WHERE is_final) AS known_days,
  count(*) FILTER (WHERE status = 'unknown') AS unknown_days,
  round(sum(value) FILTER (WHERE is_final) / count(*) FILTER (WHERE is_final OR status = 'unknown')) AS zero_filled
FROM daily_metric
WHERE metric = 'steps'
GROUP BY user_id
HAVING count(value) FILTER (WHERE is_final) >= 5
ORDER BY unknown_days DESC, user_id
LIMIT 5;

\echo == The queue
SELECT count(*) AS waiting FROM intake.sync_payload;

CREATE TEMPORARY TABLE code (kind text, code text, meaning text);
\copy code FROM 'catalogue/codes.csv' WITH (FORMAT csv, HEADER true)

\echo == Entries that were set aside, and why; the rest of their payload was used
SELECT q.code, count(*) AS entries, c.meaning
FROM intake.quarantined_entry q
LEFT JOIN code c ON c.code = q.code AND c.kind = 'quarantine'
GROUP BY q.code, c.meaning
ORDER BY entries DESC, q.code;

\echo == Payloads that could not be used as a whole, and why
SELECT d.code, count(*) AS payloads, c.meaning
FROM intake.dead_letter d
LEFT JOIN code c ON c.code = d.code AND c.kind = 'dead_letter'
GROUP BY d.code, c.meaning
ORDER BY payloads DESC, d.code;
