-- 51_streaks.sql - streaks that an unknown day suspends and only a measured miss ends; personal bests.
-- Laws: R3, R4; F2 (what is not final breaks no streak and sets no best). Read with the asker's rights. Write nothing.

CREATE OR REPLACE FUNCTION public.streak_rule(p_metric text, p_goal numeric, p_kind text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF (p_goal > '-Infinity' AND p_goal < 'Infinity') IS NOT TRUE THEN    -- NaN is greater than all.
    RAISE EXCEPTION 'A streak needs a goal that is a number.' USING ERRCODE = 'invalid_parameter_value';
  ELSIF (p_kind IN ('at_least', 'at_most')) IS NOT TRUE THEN
    RAISE EXCEPTION 'A streak is at_least or at_most, not "%".', p_kind USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- A total of an open day only grows: one that has reached its goal keeps it. One that is above an at_most goal would stay so too, but a
  -- lower bound breaks no streak, because what was read may still be corrected.
  RETURN p_kind = 'at_least' AND (SELECT m.aggregation IN ('sum', 'count') FROM public.metric m WHERE m.metric = p_metric);
END $$;
COMMENT ON FUNCTION public.streak_rule(text, numeric, text)
  IS 'Part of metric_streak and metric_streaks: true where also a day that is not final may keep the goal. An error for a goal that is no number and a kind that there is not.';

CREATE OR REPLACE FUNCTION public.metric_streak(p_user uuid, p_metric text, p_goal numeric, p_as_of date, p_kind text DEFAULT 'at_least')
RETURNS TABLE (length integer, state text, started_on date, last_hit date, unknown_days date[])
-- By the index and from the latest day back, so that it reads no further than the streak goes.
LANGUAGE plpgsql STABLE ROWS 1 SET plan_cache_mode = force_generic_plan SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
  counts_open_days boolean;
  day date;
  kept boolean;
  missed_on date;
  run_from date;
BEGIN
  PERFORM public.check_question(p_user, p_metric, p_as_of, p_as_of);
  counts_open_days := public.streak_rule(p_metric, p_goal, p_kind);
  run_from := p_as_of + 1;
  unknown_days := '{}';
  FOR day, kept IN
    SELECT d.local_date, CASE p_kind WHEN 'at_least' THEN d.value >= p_goal ELSE d.value <= p_goal END
    FROM public.daily_metric d
    WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date <= p_as_of
      AND d.status = 'measured' AND (d.is_final OR (counts_open_days AND d.value >= p_goal))
    ORDER BY d.local_date DESC
  LOOP
    IF NOT kept THEN
      missed_on := day;
      EXIT;
    ELSIF day < run_from - 1 THEN               -- Days in between that neither keep the goal nor miss it, whether they have a row or not.
      FOR n IN 1 .. run_from - 1 - day LOOP
        unknown_days := unknown_days || (run_from - n);
      END LOOP;
    END IF;
    last_hit := COALESCE(last_hit, day);
    run_from := day;
  END LOOP;
  IF last_hit IS NOT NULL THEN
    started_on := run_from;
    length := p_as_of - run_from + 1 - cardinality(unknown_days);
    state := CASE last_hit WHEN p_as_of THEN 'active' ELSE 'suspended' END;
    unknown_days := ARRAY(SELECT u FROM unnest(unknown_days) u ORDER BY u);
  ELSE
    length := 0;
    state := CASE WHEN missed_on IS NULL THEN 'none' ELSE 'broken' END;
    unknown_days := ARRAY(SELECT missed_on + n FROM generate_series(1, p_as_of - missed_on) n);
  END IF;
  RETURN NEXT;
END $$;
COMMENT ON FUNCTION public.metric_streak(uuid, text, numeric, date, text)
  IS 'Days in a row, counting back from p_as_of, on which the goal was kept (p_kind at_least or at_most). Only a final day that misses the goal ends a streak. Does not know: days that are unknown, not final, without a row or still to come suspend it; they are listed in unknown_days, from started_on (broken: from the miss) to p_as_of, and do not count in length. An open day''s total that has already reached an at_least goal is a hit. State: active (kept on p_as_of), suspended (nothing is known since last_hit), broken (length 0 after a miss), none (no day is known). An error: NULL, a metric or kind that there is not, a day outside the years 1900 to 2200.';

CREATE OR REPLACE FUNCTION public.metric_streaks(p_metric text, p_goal numeric, p_as_of date, p_kind text DEFAULT 'at_least')
RETURNS TABLE (user_id uuid, length integer, state text, started_on date, last_hit date, unknown_count integer)
LANGUAGE plpgsql STABLE ROWS 100000 SET jit = off AS $$
#variable_conflict use_column
DECLARE
  counts_open_days boolean;
BEGIN
  PERFORM public.check_range(p_metric, p_as_of, p_as_of);
  counts_open_days := public.streak_rule(p_metric, p_goal, p_kind);
  RETURN QUERY
  SELECT s.user_id, s.length, CASE WHEN s.last_hit = p_as_of THEN 'active' WHEN s.length > 0 THEN 'suspended' WHEN s.missed_on IS NOT NULL THEN 'broken' ELSE 'none' END,
         s.started_on, s.last_hit, CASE WHEN s.length > 0 THEN p_as_of - s.started_on + 1 - s.length ELSE COALESCE(p_as_of - s.missed_on, 0) END
  FROM (SELECT x.user_id, x.missed_on, count(*) FILTER (WHERE x.kept)::integer AS length,
               min(x.local_date) FILTER (WHERE x.kept) AS started_on, max(x.local_date) FILTER (WHERE x.kept) AS last_hit
        FROM (SELECT v.user_id, v.local_date, m.missed_on, v.kept AND (m.missed_on IS NULL OR v.local_date > m.missed_on) AS kept
              FROM (SELECT j.*, max(j.local_date) FILTER (WHERE NOT j.kept) OVER (PARTITION BY j.user_id) AS missed_on
                    FROM (SELECT d.user_id, d.local_date, CASE WHEN d.is_final OR (counts_open_days AND d.value >= p_goal)
                                   THEN CASE p_kind WHEN 'at_least' THEN d.value >= p_goal ELSE d.value <= p_goal END END AS kept
                          FROM public.daily_metric d WHERE d.metric = p_metric AND d.local_date <= p_as_of) j) v
              CROSS JOIN LATERAL (SELECT v.missed_on) m) x
        GROUP BY x.user_id, x.missed_on) s;
END $$;
COMMENT ON FUNCTION public.metric_streaks(text, numeric, date, text)
  IS 'metric_streak of everybody who has a row of the metric up to p_as_of, in one pass over the table; unknown_count is the number of days that metric_streak lists. Does not know: as metric_streak. No row: nothing was ever said about the metric. An error: as metric_streak.';

CREATE OR REPLACE VIEW public.personal_best WITH (security_invoker = true) AS
SELECT b.user_id, b.metric, CASE WHEN r.user_id IS NULL THEN b.value END AS value, CASE WHEN r.user_id IS NULL THEN b.local_date END AS local_date,
       CASE WHEN r.user_id IS NOT NULL THEN 'backfill_running' END AS suppressed_reason
FROM (SELECT DISTINCT ON (d.user_id, d.metric) d.user_id, d.metric, d.value, d.local_date
      FROM public.daily_metric d JOIN public.metric m ON m.metric = d.metric AND m.best = 'max'
      WHERE d.status = 'measured' AND d.is_final
      ORDER BY d.user_id, d.metric, d.value DESC, d.local_date) b
LEFT JOIN (SELECT DISTINCT f.user_id, f.metric FROM public.backfill_running f) r ON r.user_id = b.user_id AND r.metric = b.metric;
COMMENT ON VIEW public.personal_best IS 'The greatest final day of each metric of which the catalogue says that more is better (metric.best); of equal ones the first. Does not know: no row where no day is final; value and day NULL with suppressed_reason backfill_running while history still arrives. Ask for one person: WHERE user_id = ...';
COMMENT ON COLUMN public.personal_best.user_id IS 'The person.';
COMMENT ON COLUMN public.personal_best.metric IS 'The metric, as in the table metric.';
COMMENT ON COLUMN public.personal_best.value IS 'The best value, in metric.unit. NULL: suppressed.';
COMMENT ON COLUMN public.personal_best.local_date IS 'Its day. NULL: suppressed.';
COMMENT ON COLUMN public.personal_best.suppressed_reason IS 'Why it is not said: backfill_running. NULL: it is.';
