-- statements.sql - statements are kept as few as they can be, and judge as if all of them were there.
SELECT plan(12);

CREATE FUNCTION tap.payload(n integer) RETURNS uuid LANGUAGE plpgsql AS $$
BEGIN
  RETURN lpad(n::text, 32, '0')::uuid;
END $$;

-- One payload of one person's origin, read at this hour: permissions as metric_id and state in turn.
CREATE FUNCTION tap.permit(hour integer, VARIADIC said text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  n integer := cardinality(said) / 2;
BEGIN
  PERFORM evidence.note_permissions(
    array_fill(tap.payload(0), ARRAY[n]), array_fill(1::smallint, ARRAY[n]), array_fill(''::text, ARRAY[n]),
    ARRAY(SELECT said[2 * i - 1]::smallint FROM generate_series(1, n) i),
    array_fill('2026-11-01 00:00Z'::timestamptz + hour * interval '1 hour', ARRAY[n]), array_fill(tap.payload(hour), ARRAY[n]),
    ARRAY(SELECT generate_series(0, n - 1)), ARRAY(SELECT said[2 * i] FROM generate_series(1, n) i),
    array_fill(NULL::timestamptz, ARRAY[n]), '2026-11-30 00:00Z');
END $$;

-- The permission of metric 7 as a read at this hour knew it.
CREATE FUNCTION tap.state_at(hour integer) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT s.states[1]::text FROM evidence.standing(ARRAY[tap.payload(0)], '{1}', '{""}', '{7}',
    ARRAY['2026-11-01 00:00Z'::timestamptz + hour * interval '1 hour'], ARRAY[tap.payload(hour)]) s);
END $$;

SELECT evidence.note_origins(ARRAY[tap.payload(0)], '{1}', '{""}', '{2026-11-01 00:00Z}', '{t}', '{NULL}', '2026-11-30 00:00Z');
SELECT tap.permit(1, '0', 'granted', '7', 'denied');
SELECT tap.permit(h, '0', 'granted', '7', 'denied') FROM generate_series(2, 9) h;
SELECT is((SELECT count(*) FROM evidence.permission), 4::bigint, 'of a run of equal payloads the first and the last are kept');
SELECT is(tap.state_at(5), 'denied', 'and judge what was read between them');

SELECT tap.permit(10, '0', 'granted');
SELECT tap.permit(11, '0', 'granted');
SELECT is(tap.state_at(10), 'granted', 'a statement for all metrics that is later than one for a single metric counts, although the next one says the same');
SELECT is(tap.state_at(9), 'denied', 'what was read before it is judged by what was known then');

-- Time zones: the same zone from a later instant on says nothing new, unless another zone is known for before.
CREATE FUNCTION tap.zone(hour integer, valid timestamptz, zone text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM evidence.note_time_zones(ARRAY[tap.payload(0)], ARRAY[valid], ARRAY['2026-11-01 00:00Z'::timestamptz + hour * interval '1 hour'],
    ARRAY[tap.payload(hour)], '{0}', ARRAY[zone], '2026-11-30 00:00Z');
END $$;
SELECT tap.zone(h, '2026-11-01 00:00Z'::timestamptz + h * interval '1 hour', 'Europe/Berlin') FROM generate_series(1, 9) h;
SELECT is((SELECT count(*) FROM evidence.time_zone), 2::bigint, 'a client may state its zone with every payload');
SELECT tap.zone(10, '2026-11-01 05:30Z', 'Asia/Tokyo');
SELECT tap.zone(h, '2026-11-01 00:00Z'::timestamptz + h * interval '1 hour', 'Europe/Berlin') FROM generate_series(11, 14) h;
SELECT is((SELECT p.zone_name FROM evidence.person p), ARRAY['Europe/Berlin', 'Asia/Tokyo', 'Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin'],
  'beside another zone every statement stays');
SELECT is((SELECT p.zone_from[2] FROM evidence.person p), '2026-11-01 05:30Z'::timestamptz, 'each from its instant on');

-- The version of the operating system, from reads as 'HOUR VERSION', - for none.
CREATE FUNCTION tap.version_after(person integer, VARIADIC reads text[]) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1 .. cardinality(reads) LOOP
    PERFORM evidence.note_origins(ARRAY[tap.payload(person)], '{1}', '{""}',
      ARRAY['2026-11-01 00:00Z'::timestamptz + split_part(reads[i], ' ', 1)::integer * interval '1 hour'], '{t}',
      ARRAY[NULLIF(split_part(reads[i], ' ', 2), '-')::integer], '2026-11-30 00:00Z');
  END LOOP;
  RETURN (SELECT o.os_major FROM evidence.origin o WHERE o.user_id = tap.payload(person));
END $$;
SELECT is(tap.version_after(1, '1 16', '2 17'), 17, 'the version of the later read is kept');
SELECT is(tap.version_after(2, '2 17', '1 16'), 17, 'whichever comes first');
SELECT is(tap.version_after(3, '2 -', '1 16'), 16, 'a later read without a version hides none');
SELECT is(tap.version_after(4, '1 16', '3 -', '2 17'), 17, 'and counts for nothing between two that have one');
SELECT is(tap.version_after(5, '1 17', '1 16'), tap.version_after(6, '1 16', '1 17'), 'of two that were read at once the order does not matter');

SELECT * FROM finish();
