-- derive.sql — C1-C5, D1-D5, F2, A8: what is known about a cell, as a table of situations and what must come out.
-- A situation is about one person in UTC on 2026-11-28, read on the next morning from Health Connect, unless it says otherwise.
-- Statements: {"say": outcome, ...}, {"there": source, "kind": ...}, {"window": kind, "at": ...}, {"access": state, ...}.
-- Longer than most: a law that is seen beside its neighbours is worth a long table.
-- A cell: "measured VALUE by SOURCES[, final]" or "unknown REASON[/DETAIL] by SOURCES[, final]".
BEGIN;

CREATE TEMPORARY TABLE situation (number integer GENERATED ALWAYS AS IDENTITY, metric text, statements jsonb, cell text, sentence text);
INSERT INTO situation (metric, statements, cell, sentence) VALUES
  -- D1, F2
  ('steps', '[{"say": "value", "value": 8123}]', 'measured 8123 by 1, final', 'a number read after the day is measured and final'),
  ('steps', '[{"say": "value", "value": 900, "read": "2026-11-28 12:00Z"}]', 'measured 900 by 1', 'a number of an open day is a lower bound'),
  ('steps', '[{"say": "value", "value": 900, "complete": false}]', 'measured 900 by 1', 'a number of a read that was cut short is a lower bound'),
  ('steps', '[{"say": "value", "value": 900, "complete": true, "read": "2026-11-28 12:00Z"}]', 'measured 900 by 1', 'complete does not make an open day final'),
  ('steps', '[{"say": "value", "value": 8123}, {"say": "failed", "code": "http.500", "read": "2026-11-30 07:00Z"}]', 'measured 8123 by 1, final',
   'a later failure takes no number away'),
  ('steps', '[{"say": "value", "value": 8123}, {"say": "value", "value": 0, "read": "2026-11-30 07:00Z"}, {"there": "watch"}]', 'measured 8123 by 1, final',
   'a later zero takes no number away, whoever was there'),
  ('steps', '[{"say": "value", "value": 8123}, {"say": "value", "value": 7900, "read": "2026-11-30 07:00Z"}]', 'measured 7900 by 1, final', 'a later number does'),

  -- C1: who is a witness
  ('steps', '[{"say": "empty"}]', 'unknown no_source_coverage by 0, final', 'an empty day that nobody witnessed is unknown'),
  ('steps', '[{"say": "value", "value": 0}]', 'unknown no_source_coverage by 0, final', 'so is a zero that nobody witnessed'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}]', 'measured 0 by 1, final', 'an empty day beside a worn watch is a measured zero'),
  ('steps', '[{"say": "value", "value": 0}, {"there": "watch"}]', 'measured 0 by 1, final', 'so is a zero'),
  ('steps', '[{"say": "empty"}, {"there": "phone", "kind": "carry"}]', 'measured 0 by 1, final', 'a carried phone witnesses steps'),
  ('active_energy', '[{"say": "empty"}, {"there": "phone", "kind": "carry"}]', 'unknown no_source_coverage by 0, final', 'a carried phone does not witness energy'),
  ('workout_count', '[{"say": "empty"}, {"there": "bike", "kind": "activity_sync"}]', 'measured 0 by 1, final', 'a synced activity witnesses workouts'),
  ('steps', '[{"say": "empty"}, {"there": "watch", "minutes": 0}]', 'unknown no_source_coverage by 0, final', 'a watch worn for 0 minutes was not there'),
  ('steps', '[{"say": "empty"}, {"there": "watch", "minutes": 1}]', 'measured 0 by 1, final', 'a watch worn for a minute was'),
  ('steps', '[{"say": "empty"}, {"say": "value", "metric": "heart_rate_avg", "value": 61}]', 'measured 0 by 1, final', 'a heartbeat shows that the watch was worn'),
  ('flights_climbed', '[{"say": "empty"}, {"say": "value", "metric": "steps", "value": 10, "sources": ["phone"]}]', 'measured 0 by 1, final',
   'steps show that the phone was carried'),
  ('active_energy', '[{"say": "empty"}, {"say": "value", "metric": "steps", "value": 10, "sources": ["phone"]}]', 'unknown no_source_coverage by 0, final',
   'but not that a watch was worn'),
  ('flights_climbed', '[{"say": "empty"}, {"say": "value", "metric": "steps", "value": 0, "sources": ["phone"]}]', 'unknown no_source_coverage by 0, final',
   'a zero is no witness of anything'),
  ('steps', '[{"say": "empty"}, {"say": "value", "metric": "wrist_temp_deviation", "value": 0}]', 'unknown no_source_coverage by 0, final',
   'an ordinary zero neither'),
  ('steps', '[{"say": "empty"}, {"say": "value", "metric": "weight", "value": 80, "sources": ["scale"]}]', 'unknown no_source_coverage by 0, final',
   'a scale is no witness of steps'),
  ('flights_climbed', '[{"say": "empty"}, {"say": "value", "metric": "steps", "value": 5000, "platform": "manual"}]', 'unknown no_source_coverage by 0, final',
   'what was entered by hand is no witness'),
  ('steps', '[{"say": "empty"}, {"say": "value", "metric": "heart_rate_avg", "value": 61, "sources": []}]', 'measured 0 by 1, final',
   'a heartbeat without a name is one anonymous witness'),
  ('steps', '[{"say": "empty"}, {"there": "ring", "platform": "oura"}]', 'measured 0 by 1, final', 'a witness may come from another platform'),
  ('steps', '[{"say": "empty"}, {"there": "watch", "day": "2026-11-27"}]', 'unknown no_source_coverage by 0, final', 'a witness of the day before is none'),
  ('sleep_duration', '[{"say": "empty"}, {"there": "watch"}]', 'unknown no_source_coverage by 0, final', 'a worn watch does not license an hour without sleep'),

  -- C2: how many were there
  ('steps', '[{"say": "value", "value": 5, "sources": ["watch", "phone"]}]', 'measured 5 by 2, final', 'each source of a number counts'),
  ('steps', '[{"say": "value", "value": 5}, {"there": "watch"}, {"there": "phone", "kind": "carry"}]', 'measured 5 by 2, final', 'witnesses count beside them, each once'),
  ('steps', '[{"say": "value", "value": 5}, {"there": "watch"}, {"there": "watch", "kind": "carry"}]', 'measured 5 by 1, final', 'however they witness'),
  ('steps', '[{"say": "value", "value": 5}, {"say": "value", "value": 6, "platform": "garmin"}]', 'measured 6 by 2, final', 'a name on two platforms is two sources'),
  ('steps', '[{"say": "value", "value": 5}, {"say": "value", "value": 6, "store": "second"}]', 'measured 6 by 1, final', 'a name in two stores of a platform is one'),
  ('steps', '[{"say": "value", "value": 5, "sources": []}, {"say": "value", "value": 6, "sources": [], "store": "second"}]', 'measured 6 by 2, final',
   'two origins without a name are two'),
  ('steps', '[{"say": "value", "value": 500, "platform": "manual", "sources": ["me"]}]', 'measured 500 by 1, final', 'what was entered by hand has its source'),
  ('steps', '[{"say": "value", "value": 8000}, {"say": "value", "value": 500, "platform": "manual", "sources": ["me"]}]', 'measured 8000 by 1, final',
   'which does not count where a device has measured'),
  ('steps', '[{"say": "failed", "code": "http.500"}, {"there": "watch"}]', 'unknown provider_error/http.500 by 1', 'an absence has its witnesses too'),

  -- A8
  ('steps', '[{"say": "value", "value": 5, "sources": ["android", "com.android.healthconnect.phone.j1"]}]', 'measured 5 by 1, final', 'android beside its own synthetic name is one phone'),
  ('steps', '[{"say": "value", "value": 5, "sources": ["android"]}]', 'measured 5 by 1, final', 'android alone is one'),
  ('steps', '[{"say": "value", "value": 5, "sources": ["android", "com.android.healthconnect.phone.j1", "com.android.healthconnect.phone.k2"]}]',
   'measured 5 by 2, final', 'two synthetic names are two'),
  ('steps', '[{"say": "value", "value": 5, "sources": ["com.android.healthconnect.phone.j1"]}, {"there": "android", "kind": "carry"}]', 'measured 5 by 1, final',
   'also where android is a witness'),
  ('steps', '[{"say": "value", "value": 5, "platform": "garmin", "sources": ["android", "com.android.healthconnect.phone.j1"]}]', 'measured 5 by 2, final',
   'on another platform they are names like any other'),
  ('steps', '[{"say": "value", "value": 5, "sources": ["com.android.healthconnect.phone.j1"]}, {"say": "value", "value": 4, "sources": ["android"], "store": "second"}]',
   'measured 5 by 2, final', 'in another store android is another phone'),

  -- C3: policies
  ('hydration', '[{"say": "value", "value": 0, "sources": ["app"]}]', 'measured 0 by 1, final', 'an explicit zero is its own witness'),
  ('hydration', '[{"say": "value", "value": 0, "sources": ["app", "bottle"]}]', 'measured 0 by 2, final', 'with as many sources as it names'),
  ('hydration', '[{"say": "value", "value": 0, "sources": []}]', 'unknown no_source_coverage by 0, final', 'an explicit zero that names nobody is none'),
  ('hydration', '[{"say": "empty"}, {"there": "watch"}]', 'unknown no_source_coverage by 0, final', 'silence is no explicit zero'),
  ('hydration', '[{"say": "value", "value": 0, "sources": ["app"], "read": "2026-11-28 12:00Z"}]', 'unknown not_yet_synced by 0', 'an explicit zero of an open day is none'),
  ('hydration', '[{"say": "value", "value": 0, "sources": ["app"]}, {"say": "value", "value": 0, "sources": [], "read": "2026-11-30 07:00Z"}]', 'measured 0 by 1, final',
   'an explicit zero is not lost by one without a name'),
  ('sleep_deep', '[{"say": "value", "value": 0, "sources": []}, {"say": "value", "metric": "sleep_duration", "value": 400, "sources": ["watch", "ring"]}]',
   'measured 0 by 2, final', 'a zero inside a measured parent has the parent''s sources'),
  ('sleep_deep', '[{"say": "value", "value": 0, "sources": ["ring"]}, {"say": "value", "metric": "sleep_duration", "value": 400, "sources": ["watch"]}]',
   'measured 0 by 1, final', 'unless it names its own'),
  ('sleep_deep', '[{"say": "empty"}, {"say": "value", "metric": "sleep_duration", "value": 400}]', 'measured 0 by 1, final', 'silence inside a measured parent is a zero too'),
  ('sleep_deep', '[{"say": "empty"}]', 'unknown no_source_coverage by 0, final', 'without a parent it is none'),
  ('sleep_deep', '[{"say": "empty"}, {"say": "value", "metric": "sleep_duration", "value": 0, "sources": ["watch"]}]', 'unknown no_source_coverage by 0, final',
   'a parent of zero licenses nothing'),
  ('sleep_deep', '[{"say": "empty"}, {"say": "value", "metric": "sleep_duration", "value": 400, "platform": "oura"}]', 'unknown no_source_coverage by 0, final',
   'the parent of another origin licenses nothing'),
  ('wrist_temp_deviation', '[{"say": "value", "value": 0, "sources": []}]', 'measured 0 by 1, final', 'an ordinary zero is measured by an anonymous source'),
  ('wrist_temp_deviation', '[{"say": "value", "value": 0, "read": "2026-11-28 12:00Z"}]', 'measured 0 by 1', 'on an open day too, though not final'),
  ('wrist_temp_deviation', '[{"say": "value", "value": 0.4}, {"say": "value", "value": 0, "read": "2026-11-30 07:00Z"}]', 'measured 0 by 1, final', 'and replaces an earlier number'),
  ('wrist_temp_deviation', '[{"say": "empty"}, {"there": "watch"}]', 'unknown no_source_coverage by 0, final', 'silence is no ordinary zero'),
  ('resting_heart_rate', '[{"say": "empty"}, {"there": "watch"}]', 'unknown no_source_coverage by 0, final', 'a heart that never beats is no measurement'),
  ('steps', '[{"say": "empty", "read": "2026-11-28 12:00Z"}, {"there": "watch"}]', 'unknown not_yet_synced by 1', 'an open day is never zero'),
  ('steps', '[{"say": "empty", "complete": false}, {"there": "watch"}]', 'unknown not_yet_synced by 1', 'a read that was cut short is never zero'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"say": "failed", "code": "http.500", "platform": "garmin"}]', 'measured 0 by 1, final',
   'what another origin failed to read takes no licence away'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"say": "empty", "complete": false, "read": "2026-11-30 07:00Z"}]', 'measured 0 by 1, final', 'a licence is not lost by a later look without one'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"say": "denied", "read": "2026-11-30 07:00Z"}]', 'measured 0 by 1, final', 'nor by a later denial'),

  -- C4: hidden denial and permissions
  ('steps', '[{"say": "empty", "platform": "healthkit", "proven": false}, {"there": "watch"}]', 'unknown not_authorized_or_no_data by 1, final',
   'where denial is hidden, silence without proof may be either'),
  ('steps', '[{"say": "empty", "platform": "healthkit"}, {"there": "watch"}]', 'measured 0 by 1, final', 'with proof from the same read it is a zero'),
  ('steps', '[{"say": "empty", "platform": "healthkit"}, {"there": "watch"}, {"say": "empty", "platform": "healthkit", "proven": false, "read": "2026-11-30 07:00Z"}]',
   'measured 0 by 1, final', 'which a later read without proof does not take away'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"access": "denied"}]', 'unknown not_authorized by 1', 'under denial silence is no look'),
  ('steps', '[{"say": "value", "value": 0}, {"there": "watch"}, {"access": "not_asked"}]', 'unknown not_authorized/not_asked by 1', 'nor is a zero, before anybody was asked'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"access": "not_connected"}]', 'unknown not_connected by 1', 'nor without a connection'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"access": "denied"}, {"access": "granted", "read": "2026-11-15 00:00Z"}]', 'measured 0 by 1, final', 'the latest state counts'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"access": "denied", "read": "2026-11-30 00:00Z"}]', 'measured 0 by 1, final', 'as it was when the store was read'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"access": "denied", "payload": 1}, {"access": "granted", "metric": "steps", "payload": 1}]',
   'measured 0 by 1, final', 'of one payload a state of the metric counts before one of all'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"access": "denied", "since": "2026-11-29 00:00Z"}]', 'measured 0 by 1, final', 'a denial since later says nothing about this day'),
  ('steps', '[{"say": "value", "value": 8123}, {"access": "denied"}]', 'measured 8123 by 1, final', 'a number under denial is a number'),

  -- C5
  ('basal_energy', '[{"say": "empty", "code": "derived_default"}]', 'unknown no_source_coverage/derived_default by 0, final', 'a number made up by the platform is no number'),
  ('basal_energy', '[{"say": "empty", "code": "derived_default", "platform": "healthkit", "proven": false}]', 'unknown no_source_coverage/derived_default by 0, final',
   'and no sign of a hidden denial'),

  -- D2
  ('steps', '[{"say": "value", "value": 8000}, {"say": "value", "value": 7000, "platform": "garmin", "read": "2026-11-30 07:00Z"}]', 'measured 8000 by 2, final',
   'of several origins of a sum the largest counts, never the sum'),
  ('weight', '[{"say": "value", "value": 82}, {"say": "value", "value": 81, "platform": "withings", "read": "2026-11-30 07:00Z"}]', 'measured 81 by 2, final',
   'of several origins of a weight the latest read counts'),
  ('sleep_deep', '[{"say": "value", "value": 60}, {"say": "value", "value": 90, "platform": "oura", "read": "2026-11-30 07:00Z"},
     {"say": "value", "metric": "sleep_duration", "value": 400, "read": "2026-11-30 08:00Z"},
     {"say": "value", "metric": "sleep_duration", "value": 420, "platform": "oura"}]', 'measured 60 by 2, final', 'a part follows the origin of its whole'),
  ('sleep_deep', '[{"say": "value", "value": 90, "platform": "oura"}, {"say": "value", "metric": "sleep_duration", "value": 400}]', 'measured 90 by 1, final',
   'if that origin has it'),
  ('steps', '[{"say": "value", "value": 8000, "read": "2026-11-28 12:00Z"}, {"say": "value", "value": 7000, "platform": "garmin"}]', 'measured 8000 by 2',
   'the largest counts although it is not final, and says so'),

  -- D3
  ('steps', '[{"say": "empty"}, {"window": "authorized_from", "at": "2026-11-29 00:00Z"}]', 'unknown before_authorized_history by 0', 'a day before the shared history says so'),
  ('steps', '[{"say": "empty"}, {"window": "platform_floor", "at": "2026-11-29 00:00Z"}]', 'unknown outside_history_window/platform_floor by 0', 'a day before the platform''s floor says so'),
  ('steps', '[{"say": "empty"}, {"window": "history_window", "at": "2026-11-29 00:00Z"}]', 'unknown outside_history_window/history_window by 0', 'a day before the platform''s window says so'),
  ('steps', '[{"say": "empty"}, {"window": "counting_since", "at": "2026-11-29 00:00Z"}]', 'unknown metric_unavailable/not_counting_yet by 0', 'a day before anything counted says so'),
  ('steps', '[{"say": "empty"}, {"window": "authorized_from", "at": "2026-11-29 00:00Z"}, {"window": "platform_floor", "at": "2026-11-29 00:00Z"}]',
   'unknown outside_history_window/platform_floor by 0', 'before several boundaries the floor speaks first'),
  ('steps', '[{"say": "value", "value": 8123}, {"window": "authorized_from", "at": "2026-11-29 00:00Z"}]', 'measured 8123 by 1', 'a boundary takes no number away, but makes it a lower bound'),
  ('steps', '[{"say": "value", "value": 0}, {"there": "watch"}, {"window": "authorized_from", "at": "2026-11-29 00:00Z"}]', 'unknown before_authorized_history by 1',
   'a day before a boundary is never zero'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"window": "authorized_from", "at": "2026-11-28 12:00Z"}]', 'unknown before_authorized_history by 1, final',
   'nor is the day that contains it'),
  ('steps', '[{"say": "value", "value": 300}, {"window": "authorized_from", "at": "2026-11-28 12:00Z"}]', 'measured 300 by 1', 'a number of that day is a lower bound'),
  ('steps', '[{"say": "failed", "code": "HKError.6"}, {"window": "authorized_from", "at": "2026-11-28 12:00Z"}]', 'unknown not_yet_synced/device_locked by 0', 'failures of that day keep their reason'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"window": "authorized_from", "at": "2026-11-28 00:00Z"}]', 'measured 0 by 1, final', 'a boundary at midnight leaves the day whole'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"window": "authorized_from", "at": "2026-11-29 00:00Z", "metric": "weight"}]', 'measured 0 by 1, final', 'the boundary of another metric says nothing'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"window": "authorized_from", "at": "2026-11-29 00:00Z", "platform": "garmin"}]', 'measured 0 by 1, final', 'nor that of another origin'),
  ('steps', '[{"say": "empty"}, {"window": "authorized_from", "at": "2026-11-29 00:00Z"}, {"window": "authorized_from", "at": null, "read": "2026-11-30 00:00Z"}, {"there": "watch"}]',
   'unknown not_yet_synced by 1', 'silence from outside a window is no evidence once the window is lifted'),
  ('steps', '[{"say": "empty"}, {"there": "watch"}, {"window": "authorized_from", "at": "2026-11-29 00:00Z", "read": "2026-11-30 00:00Z"}]', 'measured 0 by 1, final',
   'a window that closed after the read takes no zero away'),

  -- D4, D5
  ('steps', '[{"say": "failed", "code": "HKError.5"}]', 'unknown not_authorized/not_asked by 0', 'HealthKit that was not asked'),
  ('steps', '[{"say": "failed", "code": "http.418"}]', 'unknown provider_error/http.418 by 0', 'a code that nobody knows is a failure with its name'),
  ('steps', '[{"say": "failed"}]', 'unknown provider_error by 0', 'a failure without a code is a failure'),
  ('steps', '[{"say": "denied", "code": "SecurityException"}]', 'unknown not_authorized by 0', 'a denial'),
  ('steps', '[{"say": "unavailable"}]', 'unknown metric_unavailable by 0', 'a device that cannot measure it'),
  ('steps', '[{"say": "invalid", "code": "out_of_range"}]', 'unknown invalid_reading/out_of_range by 0', 'a value that cannot be'),
  ('steps', '[{"say": "failed", "code": "http.500"}, {"say": "denied", "read": "2026-11-30 07:00Z"}]', 'unknown not_authorized by 0', 'of two that are no look the later gives the reason'),
  ('steps', '[{"say": "empty"}, {"say": "failed", "code": "http.500", "read": "2026-11-30 07:00Z"}]', 'unknown no_source_coverage by 0, final', 'a look after the day gives the reason before any failure'),
  ('steps', '[{"say": "empty", "read": "2026-11-28 12:00Z"}, {"say": "failed", "code": "http.500"}]', 'unknown provider_error/http.500 by 0', 'a look at the open day gives way to a later failure'),
  ('steps', '[{"say": "failed", "code": "http.500", "read": "2026-11-28 11:00Z"}, {"say": "empty", "read": "2026-11-28 12:00Z"}]', 'unknown not_yet_synced by 0', 'but not to an earlier one'),
  ('steps', '[{"say": "empty"}, {"say": "failed", "code": "http.500", "platform": "garmin"}]', 'unknown provider_error/http.500 by 0, final', 'of several origins the strongest reason is shown'),
  ('steps', '[{"say": "unavailable"}, {"say": "empty", "platform": "garmin"}]', 'unknown no_source_coverage by 0, final', 'silence is stronger than a missing sensor'),
  ('steps', '[{"say": "failed", "code": "http.500"}, {"say": "failed", "code": "http.503", "platform": "garmin", "read": "2026-11-30 07:00Z"}]', 'unknown provider_error/http.503 by 0',
   'of equal reasons the latest read gives the detail'),
  ('steps', '[{"say": "unavailable"}, {"say": "value", "value": 100, "platform": "garmin", "day": "2026-11-20"}]', 'unknown not_yet_synced by 0',
   'an origin that tracks the metric and has said nothing is asked too'),
  ('weight', '[{"say": "unavailable"}, {"say": "value", "value": 80, "platform": "garmin", "day": "2026-11-20"}]', 'unknown metric_unavailable by 0',
   'not about a metric that comes now and then');

-- Replays one statement for a person.
CREATE FUNCTION pg_temp.replay(person uuid, main_metric text, s jsonb, number integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  users uuid[] := ARRAY[person];
  platforms smallint[];
  stores text[] := ARRAY[COALESCE(s ->> 'store', '')];
  metrics smallint[];
  reads timestamptz[] := ARRAY[COALESCE(s ->> 'read', CASE WHEN s ? 'say' THEN '2026-11-29 07:00Z' ELSE '2026-11-01 00:00Z' END)];
  payloads uuid[] := ARRAY[md5(COALESCE(s ->> 'payload', number::text))::uuid];
  days date[] := ARRAY[COALESCE(s ->> 'day', '2026-11-28')];
  now constant timestamptz := '2026-12-01 00:00Z';
BEGIN
  SELECT ARRAY[p.platform_id] INTO platforms FROM public.platform p WHERE p.platform = COALESCE(s ->> 'platform', 'health_connect');
  SELECT ARRAY[COALESCE(min(m.metric_id), 0)] INTO metrics FROM public.metric m WHERE m.metric = COALESCE(s ->> 'metric', CASE WHEN s ? 'say' THEN main_metric END);
  PERFORM evidence.note_origins(users, platforms, stores, reads, '{true}', '{NULL}', now);
  IF s ? 'say' THEN
    PERFORM evidence.merge_readings(users, platforms, stores, payloads, reads, '{1}', metrics, days, '{0}', ARRAY[s ->> 'say'], ARRAY[s ->> 'value'],
      ARRAY[CASE WHEN s ->> 'say' <> 'value' THEN '{}' ELSE translate(COALESCE(s ->> 'sources', '{watch}'), '[]', '{}') END], ARRAY[s ->> 'code'],
      ARRAY[(s ->> 'complete')::boolean], ARRAY[COALESCE((s ->> 'proven')::boolean, true)], now);
  ELSIF s ? 'there' THEN
    PERFORM evidence.note_presence(users, days, platforms, stores, ARRAY[s ->> 'there'], ARRAY[COALESCE(s ->> 'kind', 'wear')], ARRAY[(s ->> 'minutes')::integer]);
  ELSIF s ? 'window' THEN
    PERFORM evidence.note_windows(users, platforms, stores, metrics, ARRAY[s ->> 'window'], reads, payloads, '{0}', ARRAY[(s ->> 'at')::timestamptz], now);
  ELSE
    PERFORM evidence.note_permissions(users, platforms, stores, metrics, reads, payloads, '{0}', ARRAY[s ->> 'access'], ARRAY[(s ->> 'since')::timestamptz], now);
  END IF;
END $$;

-- What becomes of a situation. Windows and permissions come first: a statement that arrives late judges only what comes after it.
CREATE FUNCTION pg_temp.play(person uuid, metric text, statements jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  statement record;
BEGIN
  PERFORM evidence.note_origins(ARRAY[person], '{2}', '{""}', '{2026-11-01 00:00Z}', '{true}', '{NULL}', '2026-12-01 00:00Z');
  PERFORM evidence.note_time_zones(ARRAY[person], '{NULL}', '{2026-11-01 00:00Z}', ARRAY['00000000-0000-0000-0000-000000000000']::uuid[], '{0}', '{UTC}', '2026-12-01 00:00Z');
  FOR statement IN
    SELECT s.value, s.ordinality::integer AS number FROM jsonb_array_elements(statements) WITH ORDINALITY s
    ORDER BY COALESCE(s.value ->> 'read', '') > '2026-11-29 07:00Z', s.value ? 'say', s.ordinality
  LOOP
    PERFORM pg_temp.replay(person, metric, statement.value, statement.number);
  END LOOP;
  PERFORM evidence.derive(ARRAY[person], '{2026-11-28}', '2026-12-01 00:00Z', false);
  RETURN (
    SELECT format('%s %s%s by %s%s', d.status, COALESCE(trim_scale(d.value)::text, d.unknown_reason), '/' || d.unknown_detail, d.covering_sources,
                  CASE WHEN d.is_final THEN ', final' END)
    FROM public.daily_metric d WHERE d.user_id = person AND d.metric = play.metric AND d.local_date = '2026-11-28');
END $$;

SELECT plan((SELECT count(*)::integer FROM situation) + 11);

SELECT is(pg_temp.play(md5(number::text)::uuid, metric, statements), cell, sentence) FROM situation ORDER BY number;

SELECT results_eq(
  $$SELECT e.code, pg_temp.play(md5(e.code)::uuid, 'steps', jsonb_build_array(jsonb_build_object('say', 'failed', 'code', e.code))) COLLATE "C"
    FROM public.platform_error e WHERE e.reason IS NOT NULL ORDER BY e.code$$,
  $$SELECT e.code, format('unknown %s%s by 0', e.reason, '/' || e.detail) COLLATE "C" FROM public.platform_error e WHERE e.reason IS NOT NULL ORDER BY e.code$$,
  'every code of the table platform_error gives its reason and detail');

SELECT is_empty(
  $$SELECT m.metric FROM public.metric m
    WHERE m.zero_policy IN ('covered', 'never', 'parent', 'explicit')
      AND pg_temp.play(md5(m.metric)::uuid, m.metric, '[{"say": "empty"}]') IS DISTINCT FROM 'unknown no_source_coverage by 0, final'$$,
  'silence alone is a zero of no metric');

-- The platform and the time of what is shown.
SELECT is((SELECT d.platform || ' ' || d.observed_at FROM public.daily_metric d JOIN situation s ON d.user_id = md5(s.number::text)::uuid
           WHERE s.sentence LIKE 'of several origins of a sum%'), 'health_connect 2026-11-29 07:00:00+00',
  'platform and observed_at are those of the reading that is shown');
SELECT is((SELECT d.platform || ' ' || d.observed_at FROM public.daily_metric d JOIN situation s ON d.user_id = md5(s.number::text)::uuid
           WHERE s.sentence LIKE 'of several origins of a weight%'), 'withings 2026-11-30 07:00:00+00',
  'also where the latest is shown');
SELECT is_empty(
  $$SELECT 1 FROM public.daily_metric d WHERE d.status = 'unknown' AND (d.platform IS NOT NULL OR d.observed_at IS NOT NULL)$$,
  'an absence has neither');

-- D6 and many at once.
CREATE TEMPORARY TABLE before AS SELECT d.* FROM public.daily_metric d;
SELECT is(
  (SELECT evidence.derive(array_agg(md5(s.number::text)::uuid), array_agg(date '2026-11-28'), '2026-12-01 00:01Z', false) FROM situation s),
  0, 'deriving again without news writes nothing');
SELECT results_eq($$SELECT d.* FROM public.daily_metric d ORDER BY 1, 2, 3$$, $$SELECT b.* FROM before b ORDER BY 1, 2, 3$$, 'and changes nothing');
SELECT is(
  (SELECT evidence.derive(array_agg(d.user_id), array_agg(d.local_date), '2026-12-01 00:01Z', true) FROM before d),
  (SELECT count(*)::integer FROM before b WHERE NOT (b.status = 'measured' AND b.is_final)), 'a re-check writes each cell that is not settled');
SELECT results_eq(
  $$SELECT d.user_id, d.metric, d.local_date, d.status, d.value, d.unknown_reason, d.covering_sources, d.unknown_detail, d.is_final, d.observed_at, d.platform, d.computed_at
    FROM public.daily_metric d WHERE d.local_date = '2026-11-28' ORDER BY 1, 2$$,
  $$SELECT d.user_id, d.metric, d.local_date, d.status, d.value, d.unknown_reason, d.covering_sources, d.unknown_detail, d.is_final, d.observed_at, d.platform,
           CASE WHEN d.status = 'measured' AND d.is_final THEN d.computed_at ELSE '2026-12-01 00:01Z' END
    FROM before d WHERE d.local_date = '2026-11-28' ORDER BY 1, 2$$,
  'of all persons at once what it found for each alone, only later where it is not settled');

-- The operator's preference.
UPDATE public.platform SET preference = 1 WHERE platform = 'health_connect';
SELECT is(pg_temp.play(gen_random_uuid(), 'weight', '[{"say": "value", "value": 82}, {"say": "value", "value": 81, "platform": "withings", "read": "2026-11-30 07:00Z"}]'),
  'measured 82 by 2, final', 'of several origins of a weight the one that the operator prefers counts before the latest');
SELECT is(pg_temp.play(gen_random_uuid(), 'steps', '[{"say": "value", "value": 82}, {"say": "value", "value": 83, "platform": "garmin"}]'),
  'measured 83 by 2, final', 'a preference does not make a sum smaller');

SELECT * FROM finish();
ROLLBACK;
