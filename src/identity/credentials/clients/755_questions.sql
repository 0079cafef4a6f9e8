-- previous release: goes on
-- Which software of a connection said that it shows forms to its person, as opens_pages does, and the one question that
-- its person has before them (docs/spec/tools.md#questions-to-the-person): the answer may come to another process.
alter table credentials
  add column fills_forms bytea,
  add column question_id uuid,
  add column question_at timestamptz,
  add column question_answer text;
