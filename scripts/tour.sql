-- tour.sql — what an analyst finds after make run. Read with psql; changes nothing.

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

\echo == An average that zero-filling would get wrong
\echo -- steps of the people with the most unknown days: over the days we know, and with a zero for each that we do not
SELECT left(user_id::text, 8) AS person, round(avg(value)) AS average, count(value) AS known_days,
  count(*) - count(value) AS unknown_days, round(avg(coalesce(value, 0))) AS zero_filled
FROM daily_metric
WHERE metric = 'steps' AND is_final
GROUP BY user_id
HAVING count(value) >= 5
ORDER BY unknown_days DESC, user_id
LIMIT 5;

\echo == The queue
SELECT count(*) AS waiting FROM intake.sync_payload;

\echo == Entries that were set aside; the rest of their payload was used
SELECT code, count(*) AS entries
FROM intake.quarantined_entry
GROUP BY code
ORDER BY entries DESC, code;

\echo == Payloads that could not be used as a whole
SELECT code, count(*) AS payloads, min(detail) AS for_example
FROM intake.dead_letter
GROUP BY code
ORDER BY payloads DESC, code;
