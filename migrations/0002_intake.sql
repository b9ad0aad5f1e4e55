-- compatible: no
-- 0002_intake.sql - what arrives and what became of it. The queue is insert-and-delete only; nothing that was enqueued is ever lost:
-- it is merged, or it is a dead letter, or an entry of it is in quarantine.

CREATE TABLE intake.sync_payload (
  user_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  payload text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  is_retry boolean NOT NULL DEFAULT false,
  is_consented boolean NOT NULL DEFAULT false,
  CONSTRAINT sync_payload_pkey PRIMARY KEY (user_id, id),
  CONSTRAINT sync_payload_is_not_too_large CHECK (octet_length(payload) <= 67108864),
  CONSTRAINT sync_payload_arrived_at_a_real_time CHECK (received_at >= '1900-01-01 00:00Z' AND received_at < '2201-01-01 00:00Z')
) WITH (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000000,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_cost_delay = 0
);
COMMENT ON TABLE intake.sync_payload IS 'The queue: payloads that are not merged yet. A row is deleted in the transaction that merges it.';
COMMENT ON COLUMN intake.sync_payload.user_id IS 'The person that the payload is about. The nil UUID: the producer could not tell.';
COMMENT ON COLUMN intake.sync_payload.id IS 'Order of arrival. Not the order in which payloads commit.';
COMMENT ON COLUMN intake.sync_payload.payload IS 'JSON text as it was sent (dailymetricd.sync/1). Text, not jsonb: duplicate keys, number tokens and byte offsets are evidence.';
COMMENT ON COLUMN intake.sync_payload.received_at IS 'When it was enqueued. Stands in for a read_at that is missing or in the future.';
COMMENT ON COLUMN intake.sync_payload.is_retry IS 'True: it was a dead letter and is tried again by an operator''s wish, whatever its receipt says.';
COMMENT ON COLUMN intake.sync_payload.is_consented IS 'True: it may delete as much as it says; somebody has looked at it.';
COMMENT ON CONSTRAINT sync_payload_pkey ON intake.sync_payload IS 'By user, then in order of arrival: the claim walks this index and nothing else.';
COMMENT ON CONSTRAINT sync_payload_arrived_at_a_real_time ON intake.sync_payload IS 'In the years 1900 to 2200, like all times of a payload. Infinity would stop every batch that takes the row.';
COMMENT ON CONSTRAINT sync_payload_is_not_too_large ON intake.sync_payload IS 'At most 64 MiB, so that one row cannot exhaust a worker''s memory. The daemon''s own limit (default 32 MiB) is lower and leads to a dead letter.';

CREATE TABLE intake.receipt (
  user_id uuid NOT NULL,
  payload_id uuid NOT NULL,
  first_seen timestamptz NOT NULL,
  read_at timestamptz NOT NULL,
  content_hash bytea NOT NULL,
  outcome text NOT NULL,
  cells integer NOT NULL,
  quarantined integer NOT NULL,
  repetitions integer NOT NULL DEFAULT 0,
  processed_at timestamptz NOT NULL,
  CONSTRAINT receipt_pkey PRIMARY KEY (user_id, payload_id),
  CONSTRAINT receipt_outcome_is_known CHECK (outcome IN ('merged', 'held', 'load_abandoned', 'mass_deletion', 'dropped')),
  CONSTRAINT receipt_hash_has_its_length CHECK (octet_length(content_hash) = 16),
  CONSTRAINT receipt_counts_are_not_negative CHECK (cells >= 0 AND quarantined >= 0 AND repetitions >= 0),
  CONSTRAINT receipt_times_are_finite CHECK (isfinite(first_seen) AND isfinite(read_at) AND isfinite(processed_at))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
COMMENT ON TABLE intake.receipt IS 'What became of each payload that was understood. A payload_id that has a receipt is a repetition and changes nothing.';
COMMENT ON COLUMN intake.receipt.user_id IS 'The person.';
COMMENT ON COLUMN intake.receipt.payload_id IS 'The producer''s id of the payload.';
COMMENT ON COLUMN intake.receipt.first_seen IS 'When it first arrived.';
COMMENT ON COLUMN intake.receipt.read_at IS 'The read time that was used for it: as stated, or first_seen where that was missing or in the future.';
COMMENT ON COLUMN intake.receipt.content_hash IS 'Hash of the JSON content, whatever its white space and the order of its keys.';
COMMENT ON COLUMN intake.receipt.outcome IS 'merged, held (a page of a load that is not complete yet), load_abandoned or mass_deletion (see dead_letter), or dropped (it was a mass deletion, and somebody let go of it).';
COMMENT ON COLUMN intake.receipt.cells IS 'Number of statements about days that were merged: day entries, records, and days that were seen empty.';
COMMENT ON COLUMN intake.receipt.quarantined IS 'Number of entries that were quarantined.';
COMMENT ON COLUMN intake.receipt.repetitions IS 'How many more times the same payload has arrived.';
COMMENT ON COLUMN intake.receipt.processed_at IS 'When it was processed.';
COMMENT ON CONSTRAINT receipt_pkey ON intake.receipt IS 'One receipt per payload of a person.';
COMMENT ON CONSTRAINT receipt_outcome_is_known ON intake.receipt IS 'The outcome is one of the words.';
COMMENT ON CONSTRAINT receipt_hash_has_its_length ON intake.receipt IS 'A hash that is missing would make every payload a repetition.';
COMMENT ON CONSTRAINT receipt_counts_are_not_negative ON intake.receipt IS 'Counts are counts.';
COMMENT ON CONSTRAINT receipt_times_are_finite ON intake.receipt IS 'Times are instants, not infinity.';
CREATE INDEX receipt_processed ON intake.receipt (processed_at);
COMMENT ON INDEX intake.receipt_processed IS 'The latest success, and what is old enough to be forgotten.';

CREATE TABLE intake.format (
  format text COLLATE "C" NOT NULL,
  said text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  CONSTRAINT format_pkey PRIMARY KEY (format, said),
  CONSTRAINT format_platform_is_known FOREIGN KEY (platform) REFERENCES public.platform (platform)
);
COMMENT ON TABLE intake.format IS 'For which platform a delivery in another format than ours stands. Filled from catalogue/formats.csv, always.';
COMMENT ON COLUMN intake.format.format IS 'The name in the delivery''s field format.';
COMMENT ON COLUMN intake.format.said IS 'What the document names as its provider, in small letters; empty: the format stands for one platform, whatever the document says.';
COMMENT ON COLUMN intake.format.platform IS 'The platform, as in the table platform.';
COMMENT ON CONSTRAINT format_pkey ON intake.format IS 'One platform per format, or per provider that a document names.';
COMMENT ON CONSTRAINT format_platform_is_known ON intake.format IS 'A format stands for a platform that there is.';

CREATE TABLE intake.dead_letter (
  user_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  payload_id uuid,
  code text COLLATE "C" NOT NULL,
  pointer text NOT NULL,
  byte_offset bigint,
  detail text,
  payload text NOT NULL,
  received_at timestamptz NOT NULL,
  died_at timestamptz NOT NULL,
  platform_id smallint,
  store text COLLATE "C",
  load_id text COLLATE "C",
  format text COLLATE "C" GENERATED ALWAYS AS (
    CASE WHEN left(payload, 65536) !~ '"schema"\s*:\s*"dailymetricd\.'
      THEN COALESCE(substring(left(payload, 65536) FROM '"format"\s*:\s*"([^"\\]{1,64})"'), substring(right(payload, 65536) FROM '"format"\s*:\s*"([^"\\]{1,64})"')) END) STORED,
  platform text COLLATE "C" GENERATED ALWAYS AS (
    CASE WHEN left(payload, 65536) ~ '"schema"\s*:\s*"dailymetricd\.' OR left(payload, 65536) || right(payload, 65536) !~ '"format"\s*:\s*"'
      THEN substring(left(payload, 65536) FROM '"platform"\s*:\s*"([^"\\]{1,64})"')
      ELSE lower(COALESCE(substring(left(payload, 65536) FROM '"provider"\s*:\s*"([^"\\]{1,64})"'), substring(right(payload, 65536) FROM '"provider"\s*:\s*"([^"\\]{1,64})"'))) END) STORED,
  CONSTRAINT dead_letter_pkey PRIMARY KEY (user_id, id),
  CONSTRAINT dead_letter_names_a_whole_load_or_none CHECK (num_nulls(platform_id, store, load_id) IN (0, 3))
);
COMMENT ON TABLE intake.dead_letter IS 'Payloads that could not be merged, whole, with the reason. Nothing of them counts until someone retries them.';
COMMENT ON COLUMN intake.dead_letter.user_id IS 'The person of the queue row.';
COMMENT ON COLUMN intake.dead_letter.id IS 'Order in which payloads died.';
COMMENT ON COLUMN intake.dead_letter.payload_id IS 'The producer''s id, where it could be read.';
COMMENT ON COLUMN intake.dead_letter.code IS 'Why, as catalogue/codes.csv names it, such as not_json or missing_field.';
COMMENT ON COLUMN intake.dead_letter.pointer IS 'JSON pointer to the place; empty: the whole document.';
COMMENT ON COLUMN intake.dead_letter.byte_offset IS 'Byte offset of the place in payload, from 0; NULL: no single place.';
COMMENT ON COLUMN intake.dead_letter.detail IS 'A sentence more. Never contains a health value.';
COMMENT ON COLUMN intake.dead_letter.payload IS 'The payload as it was sent.';
COMMENT ON COLUMN intake.dead_letter.received_at IS 'When it had been enqueued.';
COMMENT ON COLUMN intake.dead_letter.died_at IS 'When it was parked here.';
COMMENT ON COLUMN intake.dead_letter.platform_id IS 'public.platform.platform_id of the load that was parked as a whole; NULL: it stands alone.';
COMMENT ON COLUMN intake.dead_letter.store IS 'The store of that load''s origin; NULL: it stands alone.';
COMMENT ON COLUMN intake.dead_letter.load_id IS 'The load that was parked as a whole: its letters are retried and dropped together; NULL: it stands alone.';
COMMENT ON COLUMN intake.dead_letter.format IS 'The format that a delivery names; looked for as a text in its first and last 65,536 characters, because it may be no JSON. NULL: it names none, or it names our schema.';
COMMENT ON COLUMN intake.dead_letter.platform IS 'The platform that the payload names, as it stands there, or the provider that the document of a delivery names; looked for as a text in the same way. NULL: none was found. Which platform that is, the view letter says.';
COMMENT ON CONSTRAINT dead_letter_names_a_whole_load_or_none ON intake.dead_letter IS 'A load''s id is its own for each origin.';
COMMENT ON CONSTRAINT dead_letter_pkey ON intake.dead_letter IS 'By person, in order of death.';
CREATE INDEX dead_letter_payload ON intake.dead_letter (user_id, payload_id);
COMMENT ON INDEX intake.dead_letter_payload IS 'What became of a payload.';
CREATE INDEX dead_letter_number ON intake.dead_letter (id);
COMMENT ON INDEX intake.dead_letter_number IS 'One letter by the number that an operator types; the latest ones.';

CREATE TABLE intake.quarantined_entry (
  user_id uuid NOT NULL,
  payload_id uuid NOT NULL,
  pointer text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  entry text NOT NULL,
  quarantined_at timestamptz NOT NULL,
  platform_id smallint NOT NULL,
  store text COLLATE "C" NOT NULL,
  read_at timestamptz NOT NULL,
  CONSTRAINT quarantined_entry_pkey PRIMARY KEY (user_id, payload_id, pointer),
  CONSTRAINT quarantined_entry_times_are_finite CHECK (isfinite(quarantined_at) AND isfinite(read_at))
);
COMMENT ON TABLE intake.quarantined_entry IS 'Single entries that were refused while the rest of their payload was merged.';
COMMENT ON COLUMN intake.quarantined_entry.user_id IS 'The person.';
COMMENT ON COLUMN intake.quarantined_entry.payload_id IS 'The payload that the entry came with.';
COMMENT ON COLUMN intake.quarantined_entry.pointer IS 'JSON pointer to what is wrong, such as /days/3/value.';
COMMENT ON COLUMN intake.quarantined_entry.code IS 'Why, as catalogue/codes.csv names it, such as out_of_range.';
COMMENT ON COLUMN intake.quarantined_entry.entry IS 'The entry''s JSON text, for replay. May contain a health value: keep it as safe as daily_metric.';
COMMENT ON COLUMN intake.quarantined_entry.quarantined_at IS 'When it was refused.';
COMMENT ON COLUMN intake.quarantined_entry.platform_id IS 'public.platform.platform_id of the payload, for replay.';
COMMENT ON COLUMN intake.quarantined_entry.store IS 'The store of the payload''s origin.';
COMMENT ON COLUMN intake.quarantined_entry.read_at IS 'The read time that was used for the payload.';
COMMENT ON CONSTRAINT quarantined_entry_times_are_finite ON intake.quarantined_entry IS 'Times are instants, not infinity.';
COMMENT ON CONSTRAINT quarantined_entry_pkey ON intake.quarantined_entry IS 'One place of one payload is refused once.';
