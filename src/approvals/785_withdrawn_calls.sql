-- previous release: goes on
-- A call that its connection withdrew before anybody decided: the others of its plan go on to wait. A plan whose last
-- call is withdrawn is withdrawn as a whole.
alter table proposed_calls add column withdrawn_at timestamptz(3);
alter table proposals drop constraint proposals_state_check;
alter table proposals add constraint proposals_state_check
  check (state in ('open', 'approved', 'declined', 'sent_back', 'expired', 'withdrawn'));
