-- compatible: no
-- 0013_forget.sql - who has been forgotten: the proof that it was done, and the ban on what still arrives. Holds no health data.

CREATE TABLE intake.forgotten_person (
  user_id uuid NOT NULL,
  forgotten_at timestamptz NOT NULL,
  erased_at timestamptz,
  allowed_again_at timestamptz,
  times integer NOT NULL DEFAULT 1,
  rows_erased bigint NOT NULL DEFAULT 0,
  letters_read bigint NOT NULL DEFAULT 0,
  payloads_refused bigint NOT NULL DEFAULT 0,
  last_refused_at timestamptz,
  CONSTRAINT forgotten_person_pkey PRIMARY KEY (user_id),
  CONSTRAINT forgotten_person_counts_are_not_negative CHECK (times >= 1 AND rows_erased >= 0 AND letters_read >= 0 AND payloads_refused >= 0),
  CONSTRAINT forgotten_person_is_erased_before_they_come_back CHECK (allowed_again_at IS NULL OR erased_at IS NOT NULL),
  CONSTRAINT forgotten_person_times_are_finite CHECK (
    isfinite(forgotten_at) AND isfinite(erased_at) AND isfinite(allowed_again_at) AND isfinite(last_refused_at))
);
COMMENT ON TABLE intake.forgotten_person IS 'Persons whom somebody has had forgotten: the proof of it, and as long as allowed_again_at is NULL the ban on payloads about them. Says when and how much, nothing of what.';
COMMENT ON COLUMN intake.forgotten_person.user_id IS 'The person, in plain: payloads, the feed and a restored backup name them so, and a digest whose key lies beside it would hide nothing.';
COMMENT ON COLUMN intake.forgotten_person.forgotten_at IS 'When it was asked for, the latest time. Nothing about the person has been merged since.';
COMMENT ON COLUMN intake.forgotten_person.erased_at IS 'When nothing was left. NULL: the erasure is under way, or was ended in the middle; a service goes on with it.';
COMMENT ON COLUMN intake.forgotten_person.allowed_again_at IS 'When the person came back, and payloads were allowed again. NULL: they are refused.';
COMMENT ON COLUMN intake.forgotten_person.times IS 'How often the person was forgotten: 1, and once more for each time that they had come back.';
COMMENT ON COLUMN intake.forgotten_person.rows_erased IS 'How many rows were erased in all.';
COMMENT ON COLUMN intake.forgotten_person.letters_read IS 'Up to which dead_letter.id the letters of others were looked through for the person''s id.';
COMMENT ON COLUMN intake.forgotten_person.payloads_refused IS 'How many payloads about the person arrived since and were let go of, unread.';
COMMENT ON COLUMN intake.forgotten_person.last_refused_at IS 'When the latest of them was let go of. NULL: none has been.';
COMMENT ON CONSTRAINT forgotten_person_pkey ON intake.forgotten_person IS 'One row per person.';
COMMENT ON CONSTRAINT forgotten_person_counts_are_not_negative ON intake.forgotten_person IS 'Counts are counts.';
COMMENT ON CONSTRAINT forgotten_person_is_erased_before_they_come_back ON intake.forgotten_person IS 'What is half erased would be mixed with what is new.';
COMMENT ON CONSTRAINT forgotten_person_times_are_finite ON intake.forgotten_person IS 'Times are instants, not infinity.';
CREATE INDEX forgotten_person_unfinished ON intake.forgotten_person (forgotten_at) WHERE erased_at IS NULL;
COMMENT ON INDEX intake.forgotten_person_unfinished IS 'Whose erasure is not over.';
