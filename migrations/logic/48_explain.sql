-- 48_explain.sql - why does a cell say what it says? All of it in sentences, for somebody in psql.
-- Every sentence is about a row that is there; what is not known is not said. Times are UTC. Changes nothing.

CREATE OR REPLACE FUNCTION evidence.at(instant timestamptz) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"');
END $$;
COMMENT ON FUNCTION evidence.at(timestamptz) IS 'An instant as sentences have it, in UTC.';

CREATE OR REPLACE FUNCTION evidence.state_in_words(status text, value numeric, unit text, reason text, detail text, is_final boolean, sources integer)
RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE WHEN status = 'unknown' THEN format('unknown, %s%s', reason, COALESCE(' (' || detail || ')', ''))
      WHEN value IS NULL THEN 'a number that was deleted at its source since, and is not kept'
      WHEN value = 0 THEN 'a measured zero' ELSE format('%s %s', trim_scale(value), unit) END
    || CASE WHEN is_final THEN ', final' WHEN status = 'unknown' THEN ', no look after the end of the day counts' ELSE ', a lower bound' END
    || format(', %s covering %s', sources, CASE sources WHEN 1 THEN 'source' ELSE 'sources' END);
END $$;
COMMENT ON FUNCTION evidence.state_in_words(text, numeric, text, text, text, boolean, integer) IS 'What a cell says, as part of a sentence.';

CREATE OR REPLACE FUNCTION evidence.explain_readings(person uuid, metric_number smallint, day date, unit text) RETURNS TABLE (section text, line text)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH span AS (SELECT s.* FROM evidence.person p CROSS JOIN LATERAL evidence.day_span(day, p.zone_from, p.zone_name) s WHERE p.user_id = person),
  said AS (SELECT r.* FROM span s CROSS JOIN LATERAL evidence.record_says('{1}', ARRAY[person], ARRAY[day], ARRAY[s.starts_at], ARRAY[s.over_at]) r WHERE r.metric_id = metric_number),
  all_said AS (
    SELECT r.platform_id, r.store, r.slot, r.read_at, r.outcome, r.value, r.sources, r.code, r.place, r.edge, r.permission, r.is_over, r.is_proven, false AS is_of_records
    FROM evidence.reading r WHERE r.user_id = person AND r.local_date = day AND r.metric_id = metric_number
    UNION ALL
    SELECT r.platform_id, r.store, r.slot, r.read_at, r.outcome, r.value, r.sources, r.code, r.place, r.edge, r.permission, r.is_over, r.is_proven, true
    FROM said r WHERE r.slot NOT IN ('records', 'deletion'))
  SELECT CASE WHEN r.is_of_records THEN 'records' ELSE 'reading' END, format('%s%s, read %s: %s%s%s', f.name, COALESCE(' ' || NULLIF(r.store, ''), ''), evidence.at(r.read_at),
    CASE WHEN r.slot = 'looked' THEN 'looked at a whole range of days, this one among them'
         WHEN r.outcome = 'value' THEN CASE WHEN r.is_of_records THEN 'its records make ' ELSE '' END || format('%s %s', trim_scale(r.value), unit)
           || COALESCE(' from ' || NULLIF(array_to_string(r.sources, ', '), ''), ', naming no source')
         WHEN r.outcome = 'empty' THEN 'found nothing' || COALESCE(' (' || r.code || ')', '')
         WHEN r.outcome = 'failed' THEN 'the read failed' || COALESCE(', ' || r.code, '')
         WHEN r.outcome = 'denied' THEN 'access was denied' WHEN r.outcome = 'unavailable' THEN 'cannot measure it'
         ELSE 'a number that cannot be right' || COALESCE(', ' || r.code, '') END,
    CASE WHEN r.is_over THEN '; the day was over' ELSE '; the day was not over, or was cut short' END
      || CASE r.place WHEN 'boundary' THEN '; on the day of a boundary, ' || r.edge WHEN 'outside' THEN '; before a boundary, ' || r.edge ELSE '' END
      || COALESCE('; permission then: ' || r.permission, '')
      || CASE WHEN r.outcome IN ('value', 'empty') AND NOT r.is_proven THEN '; nothing in that read shows that it could be read' ELSE '' END,
    CASE WHEN d.read_at > r.read_at AND r.slot <> 'outside' AND NOT r.is_of_records THEN format('. Does not count: a deletion of %s took away what it was true of.', evidence.at(d.read_at))
         WHEN r.slot = 'outside' THEN '. No evidence: the day could not be read.'
         WHEN r.slot::text LIKE 'licensing%' THEN '. May be a zero, where the metric''s policy finds a licence.'
         WHEN r.slot::text LIKE '%zero' OR r.slot::text LIKE '%empty' THEN '. Cannot be a zero.' ELSE '.' END)
  FROM all_said r JOIN public.platform f ON f.platform_id = r.platform_id
  LEFT JOIN said d ON d.slot = 'deletion' AND d.platform_id = r.platform_id AND d.store = r.store
  ORDER BY r.is_of_records, r.read_at, r.slot;
END $$;
COMMENT ON FUNCTION evidence.explain_readings(uuid, smallint, date, text) IS 'Part of explain_cell: what each origin said, and what its records make.';

CREATE OR REPLACE FUNCTION evidence.explain_records(person uuid, metric_number smallint, day date, unit text) RETURNS TABLE (section text, line text)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT 'record', format('%s%s, %s: %s from %s%s%s, read %s.%s', f.name, COALESCE(' ' || NULLIF(r.store, ''), ''), r.id, COALESCE(trim_scale(r.value) || ' ' || unit, 'no value'),
    COALESCE(NULLIF(r.source, ''), 'no named source'), COALESCE(', ' || evidence.at(r.starts_at) || ' to ' || evidence.at(COALESCE(r.ends_at, r.starts_at)), ''),
    CASE WHEN r.is_manual THEN ', entered by hand' ELSE '' END, evidence.at(r.read_at), COALESCE(' Deleted by its id, read ' || evidence.at(r.deleted_at) || '.', ''))
  FROM evidence.record r JOIN public.platform f ON f.platform_id = r.platform_id
  WHERE r.user_id = person AND r.local_date = day AND r.metric_id = metric_number
  ORDER BY r.starts_at, r.read_at, r.id;
  RETURN QUERY
  SELECT 'deletion', format('%s%s: everything from %s to %s was deleted, read %s.', f.name, COALESCE(' ' || NULLIF(i.store, ''), ''),
    evidence.at(i.starts_at), evidence.at(i.ends_at), evidence.at(i.read_at))
  FROM evidence.person p CROSS JOIN LATERAL evidence.day_span(day, p.zone_from, p.zone_name) s
  JOIN evidence.deleted_interval i ON i.user_id = p.user_id AND i.metric_id = metric_number AND i.starts_at < s.over_at AND i.ends_at > s.starts_at
  JOIN public.platform f ON f.platform_id = i.platform_id
  WHERE p.user_id = person ORDER BY i.read_at;
END $$;
COMMENT ON FUNCTION evidence.explain_records(uuid, smallint, date, text) IS 'Part of explain_cell: the records of the day and the deletions that touch it.';

CREATE OR REPLACE FUNCTION evidence.explain_surroundings(person uuid, metric_number smallint, day date) RETURNS TABLE (section text, line text)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT 'day', format('begins %s and is over %s%s.', evidence.at(s.starts_at), evidence.at(s.over_at),
    CASE WHEN p.zone_name = '{}' THEN '; no time zone is known, so it may be anywhere' ELSE ', by the zones known now: ' || array_to_string(p.zone_name, ', ') END)
  FROM evidence.person p CROSS JOIN LATERAL evidence.day_span(day, p.zone_from, p.zone_name) s WHERE p.user_id = person;
  RETURN QUERY
  SELECT 'origin', format('%s%s reports the metric since %s; its latest read was %s.', f.name, COALESCE(' ' || NULLIF(t.store, ''), ''), t.since, evidence.at(o.last_read_at))
  FROM evidence.tracking t JOIN public.platform f ON f.platform_id = t.platform_id
  JOIN evidence.origin o ON o.user_id = t.user_id AND o.platform_id = t.platform_id AND o.store = t.store
  WHERE t.user_id = person AND t.metric_id = metric_number ORDER BY f.name, t.store;
  RETURN QUERY
  SELECT 'window', format('%s%s: %s %s, stated %s.', f.name, COALESCE(' ' || NULLIF(w.store, ''), ''), w.kind,
    COALESCE('is ' || evidence.at(w.boundary), 'is lifted'), evidence.at(w.read_at))
  FROM evidence.read_window w JOIN public.platform f ON f.platform_id = w.platform_id
  WHERE w.user_id = person AND w.metric_id IN (0, metric_number) ORDER BY w.read_at, w.kind;
  RETURN QUERY
  SELECT 'permission', format('%s%s: %s%s, stated %s.', f.name, COALESCE(' ' || NULLIF(g.store, ''), ''), g.state, COALESCE(' since ' || evidence.at(g.since), ''), evidence.at(g.read_at))
  FROM evidence.permission g JOIN public.platform f ON f.platform_id = g.platform_id
  WHERE g.user_id = person AND g.metric_id IN (0, metric_number) ORDER BY g.read_at;
  RETURN QUERY
  SELECT 'witness', format('%s of %s%s: %s%s%s.', x.source, f.name, COALESCE(' ' || NULLIF(x.store, ''), ''), x.kind, COALESCE(', ' || x.minutes || ' minutes', ''),
    CASE WHEN x.kind::text = ANY (m.licence) THEN '; licenses a zero of this metric' ELSE '; licenses no zero of this metric' END)
  FROM evidence.presence x JOIN public.platform f ON f.platform_id = x.platform_id JOIN public.metric m ON m.metric_id = metric_number
  WHERE x.user_id = person AND x.local_date = day ORDER BY x.kind, x.source;
  RETURN QUERY
  SELECT DISTINCT 'witness', format('%s of %s: has %s that day, which is evidence of %s; licenses a zero of this metric.', COALESCE(NULLIF(source, ''), 'an unnamed source'), f.name, o.name, o.evidence)
  FROM evidence.reading r JOIN public.metric o ON o.metric_id = r.metric_id JOIN public.platform f ON f.platform_id = r.platform_id AND NOT f.is_manual
  JOIN public.metric m ON m.metric_id = metric_number AND o.evidence = ANY (m.licence)
  CROSS JOIN LATERAL unnest(CASE WHEN r.sources = '{}' THEN ARRAY[''] ELSE r.sources END) source
  WHERE r.user_id = person AND r.local_date = day AND r.slot = 'value' AND r.value <> 0 AND r.metric_id <> metric_number;
END $$;
COMMENT ON FUNCTION evidence.explain_surroundings(uuid, smallint, date) IS 'Part of explain_cell: the day''s bounds, who is asked, windows, permissions and witnesses.';

CREATE OR REPLACE FUNCTION evidence.explain_rule(cell public.daily_metric, rules public.metric) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  values_said integer;
  meaning text;
BEGIN
  IF cell.status = 'unknown' THEN
    SELECT r.meaning INTO meaning FROM public.unknown_reason r WHERE r.code = cell.unknown_reason;
    RETURN format('No admissible number and no licence for a zero (%s). Of the reasons of all who are asked the first of the catalogue is shown: %s', rules.zero_policy, meaning);
  END IF;
  SELECT count(*) INTO values_said FROM evidence.reading r
  WHERE r.user_id = cell.user_id AND r.local_date = cell.local_date AND r.metric_id = rules.metric_id AND r.slot = 'value';
  RETURN CASE
    WHEN cell.value = 0 AND rules.zero_policy = 'covered' THEN format('Somebody looked after the day was over and found nothing or 0, and a source was there that would have counted (%s): a measured zero.', array_to_string(rules.licence, ' or '))
    WHEN cell.value = 0 AND rules.zero_policy = 'explicit' THEN 'A named source said 0 after the day was over: a measured zero.'
    WHEN cell.value = 0 AND rules.zero_policy = 'parent' THEN format('The same origin has %s above 0 that day and none of this: a measured zero.', rules.parent)
    WHEN cell.value = 0 THEN 'For this metric 0 is a number like any other.'
    WHEN values_said > 1 AND rules.combine = 'max' THEN 'Several origins have a number: the largest is shown, never the sum.'
    WHEN values_said > 1 THEN 'Several origins have a number: the preferred platform''s, then the latest read is shown, never the sum.'
    ELSE 'An origin has a number, and a number outlasts every silence, failure and zero.' END
    || CASE WHEN cell.is_final THEN '' ELSE ' It was read before the day was over, or the day lies on a boundary: a lower bound.' END;
END $$;
COMMENT ON FUNCTION evidence.explain_rule(public.daily_metric, public.metric) IS 'Part of explain_cell: the rule by which the cell is what it is.';

CREATE OR REPLACE FUNCTION public.explain_cell(p_user uuid, p_metric text, p_date date) RETURNS TABLE (section text, line text)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
#variable_conflict use_column
DECLARE
  cell public.daily_metric;
  rules public.metric;
  finding text;
BEGIN
  SELECT m.* INTO rules FROM public.metric m WHERE m.metric = p_metric;
  IF rules.metric IS NULL THEN
    RETURN QUERY VALUES ('cell', format('There is no metric named %s.', p_metric));
    RETURN;
  END IF;
  SELECT d.* INTO cell FROM public.daily_metric d WHERE d.user_id = p_user AND d.metric = p_metric AND d.local_date = p_date;
  IF cell.user_id IS NOT NULL THEN
    RETURN QUERY VALUES
      ('cell', format('%s on %s is %s.', rules.name, to_char(p_date, 'YYYY-MM-DD'),
        evidence.state_in_words(cell.status, cell.value, rules.noun, cell.unknown_reason, cell.unknown_detail, cell.is_final, cell.covering_sources))),
      ('cell', format('Shown since %s as state %s; last derived %s by rules %s.', COALESCE(evidence.at(cell.shown_since), 'before this was recorded'), cell.revision,
        evidence.at(cell.computed_at), cell.rule_version)),
      ('rule', evidence.explain_rule(cell, rules));
    SELECT c.finding INTO finding FROM evidence.compare_cells(p_user, ARRAY[p_date], cell.computed_at) c WHERE c.metric = p_metric;
    IF finding IS NOT NULL THEN
      RETURN QUERY VALUES ('rule', format('The row is not what its evidence amounts to (%s): dailymetricd rebuild repairs it.', finding));
    END IF;
  ELSIF EXISTS (SELECT FROM evidence.explain_readings(p_user, rules.metric_id, p_date, rules.noun)) THEN
    RETURN QUERY VALUES ('cell', 'There is evidence and no row: it was removed by hand, and dailymetricd rebuild brings it back.');
  ELSE
    RETURN QUERY VALUES ('cell', 'Nothing was ever said about this cell. That is no zero either.');
  END IF;
  RETURN QUERY SELECT * FROM evidence.explain_readings(p_user, rules.metric_id, p_date, rules.noun);
  RETURN QUERY SELECT * FROM evidence.explain_records(p_user, rules.metric_id, p_date, rules.noun);
  RETURN QUERY SELECT * FROM evidence.explain_surroundings(p_user, rules.metric_id, p_date);
  IF cell.user_id IS NOT NULL THEN
    RETURN QUERY VALUES ('next check', COALESCE(evidence.at(cell.next_check_at) || ', by its schedule.', 'only when something arrives that changes what is known.'));
  END IF;
  RETURN QUERY
  SELECT 'history', format('%s to %s: %s.', COALESCE(evidence.at(h.shown_since), 'before this was recorded'), evidence.at(h.superseded_at),
    evidence.state_in_words(h.status, h.value, rules.noun, h.unknown_reason, h.unknown_detail, h.is_final, h.covering_sources))
  FROM public.daily_metric_history h WHERE h.user_id = p_user AND h.metric = p_metric AND h.local_date = p_date ORDER BY h.superseded_at, h.revision;
END $$;
COMMENT ON FUNCTION public.explain_cell(uuid, text, date)
  IS 'Why a cell says what it says, in sentences: the cell and the rule behind it, what each origin said, records and deletions, the day, windows, permissions, witnesses, the next check and what was shown before. Needs the right to read the schema evidence; shows health values.';
