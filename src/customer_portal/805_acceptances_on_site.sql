-- previous release: goes on
-- What a customer signs on a member's phone comes by no link and from no address: who held it and when is kept.
alter table acceptances
  alter column link_id drop not null,
  alter column address drop not null,
  add column taken_by uuid,
  -- null: when it was accepted
  add column signed_at timestamptz(3);
