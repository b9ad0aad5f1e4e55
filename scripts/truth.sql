-- truth.sql — compares daily_metric with truth.csv of the current directory. Fails if a number is wrong: measured where
-- the truth is another number, or where nobody could know.
CREATE TEMPORARY TABLE truth (
  user_id uuid, metric text, local_date date, status text, value numeric, unknown_reason text,
  PRIMARY KEY (user_id, metric, local_date)
);
\copy truth FROM 'truth.csv' WITH (FORMAT csv, HEADER true)

CREATE TEMPORARY VIEW compared AS
  SELECT t.status AS true_status, d.status,
    d.status = 'measured' AND (t.status IS DISTINCT FROM 'measured' OR t.value <> d.value) AS is_wrong_number,
    t.status = 'measured' AND d.status IS DISTINCT FROM 'measured' AS is_lost_number,
    t.status = 'unknown' AND d.status = 'unknown' AND t.unknown_reason <> d.unknown_reason AS is_other_reason
  FROM truth t
  FULL JOIN daily_metric d USING (user_id, metric, local_date);

SELECT count(*) AS cells,
  count(*) FILTER (WHERE true_status = 'measured') AS true_numbers,
  count(*) FILTER (WHERE status = 'measured') AS numbers_shown,
  count(*) FILTER (WHERE is_wrong_number) AS "WRONG NUMBERS",
  count(*) FILTER (WHERE is_lost_number) AS numbers_lost,
  count(*) FILTER (WHERE is_other_reason) AS other_reasons
FROM compared;

SELECT count(*) FILTER (WHERE is_wrong_number) > 0 OR count(*) = 0 AS is_untrue FROM compared \gset
\if :is_untrue
  DO $$ BEGIN RAISE EXCEPTION 'wrong numbers, or nothing to compare'; END $$;
\endif
