-- truth.sql — compares daily_metric with the generator's truth.csv, which lies in the current directory.
-- expectation says what may be claimed when everything has been delivered:
--   measured: exactly truth_value · zero: a measured 0 · lower_bound: at most truth_value and not final, or unknown
--   unknown: no number · absent: no row
-- Fails if a number is wrong, if a number that could be known is not there, or if there is nothing to compare.

CREATE TEMPORARY TABLE truth (
  user_id uuid, metric text, local_date date, truth_value numeric, expectation text NOT NULL, why text NOT NULL,
  PRIMARY KEY (user_id, metric, local_date)
);
\copy truth FROM 'truth.csv' WITH (FORMAT csv, HEADER true)

-- One row per cell that the truth or the table knows. A cell that the generator does not know may hold no number.
CREATE TEMPORARY TABLE compared AS
  SELECT t.why,
    d.status IS NOT NULL AS has_row,
    d.status IS NOT DISTINCT FROM 'measured' AS has_number,
    d.status IS NOT DISTINCT FROM 'measured' AND CASE t.expectation
      WHEN 'measured' THEN d.value <> t.truth_value
      WHEN 'zero' THEN d.value <> 0
      WHEN 'lower_bound' THEN d.value > t.truth_value OR d.is_final
      ELSE true
    END AS is_wrong_number,
    t.expectation IN ('measured', 'zero') AND d.status IS DISTINCT FROM 'measured' AS is_lost_number,
    t.expectation = 'absent' AND d.status IS NOT NULL AS is_row_too_many
  FROM truth t
  FULL JOIN public.daily_metric d USING (user_id, metric, local_date);

SELECT coalesce(why, 'not known to the generator') AS what_happened, count(*) AS cells,
  count(*) FILTER (WHERE has_number) AS numbers,
  count(*) FILTER (WHERE has_row AND NOT has_number) AS unknown,
  count(*) FILTER (WHERE NOT has_row) AS no_row,
  count(*) FILTER (WHERE is_wrong_number) AS wrong,
  count(*) FILTER (WHERE is_lost_number) AS lost
FROM compared
GROUP BY why
ORDER BY cells DESC, why;

SELECT count(*) AS cells,
  count(*) FILTER (WHERE has_number) AS numbers,
  count(*) FILTER (WHERE is_wrong_number) AS "WRONG NUMBERS",
  count(*) FILTER (WHERE is_lost_number) AS "LOST NUMBERS",
  count(*) FILTER (WHERE is_row_too_many) AS rows_too_many
FROM compared;

SELECT count(*) FILTER (WHERE is_wrong_number OR is_lost_number) > 0 OR count(why) = 0 AS is_untrue FROM compared \gset
\if :is_untrue
  DO $$ BEGIN RAISE EXCEPTION 'numbers are wrong or lost, or there was nothing to compare'; END $$;
\endif
