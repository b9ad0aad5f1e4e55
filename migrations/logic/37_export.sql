-- 37_export.sql - all that is held of a person, as JSON, section by section.
-- Called by the command export, in one snapshot. A section is a cursor, so that neither side holds more of it than some rows. Reads everything,
-- writes nothing.

CREATE OR REPLACE FUNCTION public.absent_reason(p_code text, p_text text) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN p_code IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object(
    'coding', jsonb_build_array(jsonb_build_object('system', 'http://terminology.hl7.org/CodeSystem/data-absent-reason', 'code', p_code)),
    'text', p_text)) END;
END $$;
COMMENT ON FUNCTION public.absent_reason(text, text)
  IS 'A CodeableConcept of FHIR that says why there is no value: a code of data-absent-reason, and words of ours. NULL where there is no code: there is a value.';

CREATE OR REPLACE FUNCTION intake.is_held(person uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off AS $$
DECLARE
  part regclass;
  found_here boolean;
BEGIN
  FOR part IN SELECT t.relation FROM intake.tables_of_persons() t ORDER BY t.place LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s t WHERE t.user_id = $1)', part) INTO found_here USING person;
    IF found_here THEN RETURN true; END IF;
  END LOOP;
  RETURN EXISTS (SELECT FROM intake.forgotten_person f WHERE f.user_id = person);
END $$;
COMMENT ON FUNCTION intake.is_held(uuid) IS 'Whether anything is held of a person, the proof of having been forgotten included.';

CREATE OR REPLACE FUNCTION intake.export_sections() RETURNS TABLE (place integer, section text, relation regclass, key text, at_once integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  -- What the person knows comes first, then what it is made of, then what arrived. Each in the order of its primary key. Rows that may hold a whole
  -- payload are fetched one by one.
  RETURN QUERY
  WITH held AS (
    SELECT t.relation, c.relname::text AS name, c.relnamespace::regnamespace::text AS of_schema, t.place,
           (SELECT string_agg(format('r.%I', a.attname), ', ' ORDER BY k.n)
            FROM pg_index x CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k (attnum, n)
            JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum
            WHERE x.indrelid = t.relation AND x.indisprimary) AS key,
           CASE WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.relation AND a.attname = 'payload') THEN 1 ELSE 500 END AS at_once
    FROM intake.tables_of_persons() t JOIN pg_class c ON c.oid = t.relation
    -- An index of evidence.record_day, which says no more than that.
    WHERE t.relation <> 'evidence.record_id'::regclass
    UNION ALL
    SELECT 'intake.forgotten_person'::regclass, 'forgotten_person', 'intake', 1000, 'r.user_id', 500)
  SELECT row_number() OVER (ORDER BY array_position('{public,evidence,intake}', h.of_schema), h.place)::integer + 2,
         CASE h.name WHEN 'record_day' THEN 'record' ELSE h.name END, h.relation, h.key, h.at_once
  FROM held h
  UNION ALL
  SELECT 1, 'metric', 'public.metric'::regclass, 'm.metric', 500
  UNION ALL
  SELECT 2, 'unknown_reason', 'public.unknown_reason'::regclass, 'u.rank', 500
  ORDER BY 1;
END $$;
COMMENT ON FUNCTION intake.export_sections()
  IS 'What an export consists of: the names of its sections in their order, the table behind each, in which order its rows come and how many are fetched at once. All tables of intake.tables_of_persons, and the catalogues that they speak of.';

CREATE OR REPLACE FUNCTION intake.export_query(of_section text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  part record;
  columns text[];
  hidden text[] := '{user_id}';
  joins text := '';
  extra text[] := '{}';
BEGIN
  SELECT s.* INTO part FROM intake.export_sections() s WHERE s.section = of_section;
  IF part.section IS NULL THEN
    RAISE EXCEPTION 'An export has no section "%".', of_section USING ERRCODE = 'invalid_parameter_value';
  ELSIF of_section = 'metric' THEN
    RETURN 'SELECT jsonb_strip_nulls(jsonb_build_object(''metric'', m.metric, ''name'', m.name, ''unit'', m.unit, ''aggregation'', m.aggregation,'
      ' ''loinc'', m.loinc))::text FROM public.metric m WHERE $1 IS NOT NULL ORDER BY m.metric';
  ELSIF of_section = 'unknown_reason' THEN
    RETURN 'SELECT (jsonb_build_object(''code'', u.code, ''meaning'', u.meaning) || jsonb_build_object(''dataAbsentReason'', public.absent_reason(u.data_absent_reason, NULL)))::text'
      ' FROM public.unknown_reason u WHERE $1 IS NOT NULL ORDER BY u.rank';
  END IF;
  columns := ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = part.relation AND a.attnum > 0 AND NOT a.attisdropped);
  -- Numbers that only this database knows become the words that payloads use.
  IF 'metric_id' = ANY (columns) THEN
    joins := joins || ' LEFT JOIN public.metric m ON m.metric_id = r.metric_id';
    hidden := hidden || 'metric_id'::text;
    extra := extra || 'jsonb_build_object(''metric'', m.metric)'::text;
  END IF;
  IF 'platform_id' = ANY (columns) THEN
    joins := joins || ' LEFT JOIN public.platform f ON f.platform_id = r.platform_id';
    hidden := hidden || 'platform_id'::text;
    extra := extra || 'CASE WHEN f.platform IS NOT NULL THEN jsonb_build_object(''platform'', f.platform) ELSE ''{}'' END'::text;
  END IF;
  IF 'unknown_reason' = ANY (columns) THEN
    joins := joins || ' LEFT JOIN public.unknown_reason u ON u.code = r.unknown_reason LEFT JOIN public.metric n ON n.metric = r.metric';
    extra := extra || 'CASE WHEN r.value IS NOT NULL THEN jsonb_build_object(''unit'', n.unit) ELSE ''{}'' END'::text;
    -- A number that the person has deleted at its source is withheld.
    extra := extra || format('jsonb_build_object(''dataAbsentReason'', public.absent_reason(%s, concat_ws('': '', r.unknown_reason, r.unknown_detail)))',
      CASE WHEN 'value_deleted_at' = ANY (columns) THEN 'CASE WHEN r.value_deleted_at IS NOT NULL AND r.value IS NULL THEN ''masked'' ELSE u.data_absent_reason END'
           ELSE 'u.data_absent_reason' END)::text;
  END IF;
  IF of_section = 'dead_letter' THEN
    -- What came under one name and is about another is nobody's to read here.
    extra := extra || 'CASE WHEN r.code = ''user_mismatch'' THEN ''{"payload": null}''::jsonb ELSE ''{}'' END'::text;
  END IF;
  RETURN format('SELECT jsonb_strip_nulls(%s)::text FROM %s r%s WHERE r.user_id = $1 ORDER BY %s',
    array_to_string(format('(to_jsonb(r) - %L::text[])', hidden) || extra, ' || '),
    CASE of_section WHEN 'record' THEN 'evidence.record' ELSE part.relation::text END, joins,
    part.key || CASE of_section WHEN 'record' THEN ', r.id' ELSE '' END);
END $$;
COMMENT ON FUNCTION intake.export_query(text)
  IS 'The question whose answer is a section: one JSON object per row, $1 is the person. What is NULL is left out; metrics and platforms have their names; a cell without a value says why as FHIR does.';

CREATE OR REPLACE FUNCTION intake.open_export(person uuid, of_section text) RETURNS void
LANGUAGE plpgsql SET jit = off SET enable_seqscan = off AS $$
DECLARE
  export_items refcursor := 'export_items';
BEGIN
  OPEN export_items FOR EXECUTE intake.export_query(of_section) USING person;
END $$;
COMMENT ON FUNCTION intake.open_export(uuid, text) IS 'Opens the cursor export_items on a section, for this transaction. Whoever opens the next one closes it first.';
