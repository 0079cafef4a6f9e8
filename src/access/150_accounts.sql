-- An address belongs to nobody until it is proved: until then an account is the own one of the company by whose link its
-- password was set.
alter table users
  -- when a link mailed to the address was opened, or an identity provider vouched for it
  add column proved_at timestamptz(3),
  -- the company by whose link the password was set; null: it was given at the command line
  add column made_through uuid;

alter table invitations
  -- null: made at the command line
  alter column created_by drop not null,
  -- its use sets a new password for an account that another company made, and ends what was signed in and connected before
  add column starts_over boolean not null default false;

-- Accounts that an invitation made are told by their moment.
alter table invitations no force row level security;
update users u set made_through = (
  select i.tenant_id from invitations i
  where i.email = u.email and u.created_at between i.accepted_at - interval '1 minute' and i.accepted_at
  order by i.accepted_at limit 1);
alter table invitations force row level security;
