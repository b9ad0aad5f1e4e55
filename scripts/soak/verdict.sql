SELECT measure, unit, round(first_third::numeric, 1) AS first_third, round(last_third::numeric, 1) AS last_third,
  round(most_in_first, 1) AS most_in_first, round(most_in_last, 1) AS most_in_last,
  CASE WHEN is_flat THEN 'flat' WHEN NOT is_flat THEN 'NOT FLAT' ELSE 'NOT MEASURED' END AS verdict
FROM soak.verdict ORDER BY number;

-- Beside it, what grows by design: cells until each person has all days, a receipt for each payload.
SELECT r ->> 'seconds' AS seconds, r ->> 'payloads' AS payloads, round((r ->> 'payloads')::numeric / nullif((r ->> 'seconds')::numeric, 0), 1) AS per_second,
  r ->> 'processor_seconds' AS processor_seconds, pg_size_pretty((r ->> 'cell_bytes')::numeric) AS cells,
  pg_size_pretty((r ->> 'receipt_bytes')::numeric) AS receipts, r ->> 'dead_letters' AS dead_letters
FROM soak.report() r;
