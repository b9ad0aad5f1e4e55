-- export.sql — an export holds every table that has rows of a person, and each unknown cell says why in FHIR's words too.
BEGIN;
SELECT plan(16);

-- What is held and what is exported are one list, but for an index.
SELECT bag_eq($$SELECT s.relation::text FROM intake.export_sections() s WHERE s.section NOT IN ('metric', 'unknown_reason', 'forgotten_person')$$,
  $$SELECT t.relation::text FROM intake.tables_of_persons() t WHERE t.relation <> 'evidence.record_id'::regclass$$, 'every table of persons is a section');
SELECT is((SELECT count(*) FROM intake.export_sections()), (SELECT count(DISTINCT s.section) FROM intake.export_sections() s), 'each has a name of its own');
SELECT is_empty($$SELECT s.section FROM intake.export_sections() s WHERE s.key IS NULL$$, 'and an order');
SELECT is((SELECT string_agg(s.section, ' ' ORDER BY s.place) FROM intake.export_sections() s WHERE s.at_once = 1), 'sync_payload load_page dead_letter', 'rows with whole payloads come one by one');
SELECT throws_ok($$SELECT intake.export_query('moon')$$, '22023', 'An export has no section "moon".', 'there is no other section');

-- The words of FHIR.
SELECT is_empty($$SELECT u.code FROM public.unknown_reason u WHERE u.data_absent_reason IS NULL$$, 'each reason has a code');
SELECT is((SELECT string_agg(u.code || ' ' || u.data_absent_reason, ', ' ORDER BY u.rank) FROM public.unknown_reason u),
  'deleted_at_source masked, provider_error error, not_yet_synced temp-unknown, invalid_reading error, not_authorized asked-declined, '
  'before_authorized_history masked, outside_history_window unsupported, not_authorized_or_no_data unknown, no_source_coverage not-performed, '
  'metric_unavailable unsupported, not_connected not-asked', 'the nearest one, of which none claims more than is known');
SELECT throws_ok($$UPDATE public.unknown_reason SET data_absent_reason = 'because' WHERE code = 'provider_error'$$, '23514', NULL, 'no other word is taken');
SELECT is(public.absent_reason(NULL, 'measured'), NULL, 'where there is a value there is nothing to say');

-- What a person has, row by row.
CREATE FUNCTION pg_temp.items(section text) RETURNS SETOF jsonb LANGUAGE plpgsql AS $$
DECLARE
  export_items refcursor := 'export_items';
  item text;
BEGIN
  PERFORM intake.open_export(md5('anna')::uuid, section);
  LOOP
    FETCH export_items INTO item;
    EXIT WHEN NOT FOUND;
    RETURN NEXT item::jsonb;
  END LOOP;
  CLOSE export_items;
END $$;
SELECT ok(NOT intake.is_held(md5('anna')::uuid), 'of nobody nothing is held');
DO $$
DECLARE
  steps constant smallint := (SELECT m.metric_id FROM public.metric m WHERE m.metric = 'steps');
BEGIN
  PERFORM evidence.note_origins('{a70f9e38-ff01-5afa-a9ab-0aacabee2e13}', '{2}', '{""}', '{2026-11-25 07:00Z}', '{true}', '{NULL}', '2026-11-25 07:00Z');
  PERFORM evidence.merge_readings('{a70f9e38-ff01-5afa-a9ab-0aacabee2e13}', '{2}', '{""}', ARRAY[md5('r')::uuid], '{2026-11-25 07:00Z}', '{1,1}', ARRAY[steps, steps], '{2026-11-24,2026-11-23}', '{0,1}',
    '{value,failed}', '{5.25,NULL}', '{"{watch}","{}"}', '{NULL,http.429}', '{NULL,NULL}', '{true,true}', '2026-11-25 07:00Z');
  PERFORM evidence.derive('{a70f9e38-ff01-5afa-a9ab-0aacabee2e13,a70f9e38-ff01-5afa-a9ab-0aacabee2e13}', '{2026-11-24,2026-11-23}', '2026-11-25 07:00Z', false);
END $$;
SELECT ok(intake.is_held(md5('anna')::uuid), 'of somebody something is');
SELECT is((SELECT jsonb_agg(i -> 'local_date') FROM pg_temp.items('daily_metric') i), '["2026-11-23", "2026-11-24"]', 'cells come in the order of their key');
SELECT is((SELECT jsonb_agg(i - '{computed_at,shown_since,next_check_at,rule_version,revision,observed_at,covering_sources}'::text[]) FROM pg_temp.items('daily_metric') i),
  '[{"metric": "steps", "status": "unknown", "is_final": false, "local_date": "2026-11-23", "unknown_reason": "provider_error", "unknown_detail": "rate_limited",
     "dataAbsentReason": {"text": "provider_error: rate_limited", "coding": [{"code": "error", "system": "http://terminology.hl7.org/CodeSystem/data-absent-reason"}]}},
    {"unit": "1", "value": 5.25, "metric": "steps", "status": "measured", "is_final": false, "platform": "health_connect", "local_date": "2026-11-24"}]'::jsonb,
  'a number has its unit, its absence a reason, and never both');
SELECT is((SELECT jsonb_agg(DISTINCT i - '{read_at,payload_id,position,is_over,is_proven,place,slot,sources,local_date,value,outcome,code,store}'::text[]) FROM pg_temp.items('reading') i),
  '[{"metric": "steps", "platform": "health_connect"}]'::jsonb, 'metrics and platforms have names, and the person is not repeated');
-- A number that was deleted at its source is withheld.
INSERT INTO public.daily_metric_history (user_id, metric, local_date, revision, superseded_at, status, value, covering_sources, is_final, rule_version, value_deleted_at)
VALUES (md5('anna')::uuid, 'steps', '2026-11-24', 1, '2026-11-26 07:00Z', 'measured', NULL, 1, true, 1, '2026-11-26 07:00Z');
SELECT is((SELECT i #>> '{dataAbsentReason,coding,0,code}' FROM pg_temp.items('daily_metric_history') i), 'masked', 'a former number that the person has deleted is masked');

-- What was refused because it is about somebody else is told of, and not handed out.
INSERT INTO intake.dead_letter (user_id, code, pointer, payload, received_at, died_at)
VALUES (md5('anna')::uuid, 'user_mismatch', '/user_id', '{"about":"ben"}', '2026-11-25 07:00Z', '2026-11-25 07:00Z'),
       (md5('anna')::uuid, 'not_json', '', '{', '2026-11-25 07:00Z', '2026-11-25 07:00Z');
SELECT is((SELECT jsonb_agg(jsonb_build_array(i -> 'code', i -> 'payload') ORDER BY i -> 'id') FROM pg_temp.items('dead_letter') i),
  '[["user_mismatch", null], ["not_json", "{"]]'::jsonb, 'a payload about another person is left out of an export');

SELECT * FROM finish();
ROLLBACK;
