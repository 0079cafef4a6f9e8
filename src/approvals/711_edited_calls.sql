-- previous release: goes on
-- A call that somebody edited before its plan was decided: what its connection had proposed, who edited it, and which of
-- its arguments. The connection is told of it with the decision.
alter table proposed_calls
  add column given_before text,
  add column edited_by uuid,
  add column edited text[] not null default '{}';
