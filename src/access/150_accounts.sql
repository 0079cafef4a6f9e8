-- An address belongs to nobody until it is proved: until then an account is the own one of the company by whose link its
-- password was set.
alter table users
  -- when a link mailed to the address was opened, or an identity provider vouched for it
  add column proved_at timestamptz(3),
  -- when the operator gave it its password; null: it was chosen by a company's link
  add column vouched_at timestamptz(3),
  -- the company through which it came to be, or by whose link it started over
  add column made_through uuid;

alter table invitations
  -- null: made at the command line
  alter column created_by drop not null,
  -- its use sets a new password for an account that another company made, and ends what was signed in and connected before
  add column starts_over boolean not null default false;

-- Accounts that an invitation made are told by their moment; the others were made at the command line.
alter table invitations no force row level security;
alter table members no force row level security;
update users u set made_through = (
  select i.tenant_id from invitations i
  where i.email = u.email and u.created_at between i.accepted_at - interval '1 minute' and i.accepted_at
  order by i.accepted_at limit 1);
update users u set vouched_at = created_at, made_through = (
  select m.tenant_id from members m where m.user_id = u.id order by m.created_at, m.tenant_id limit 1)
where made_through is null;
alter table members force row level security;
alter table invitations force row level security;
