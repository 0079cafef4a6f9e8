-- Links that prove an address, change it or set a new password, by the SHA-256 of their secret (docs/spec/accounts.md#proof).
create table account_links (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('prove', 'change_address', 'reset')),
  -- where it was mailed to; null for one that somebody handed out
  address text,
  -- the owner who made it, and of which company; null for the operator's
  given_by uuid,
  given_through uuid,
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null
);
create index account_links_of_user on account_links (user_id, kind);
create index account_links_by_age on account_links (expires_at);

-- Nobody but the holder of the address has seen a link that we mailed, so its use proves the address.
alter table invitation_hashes add column is_mailed boolean not null default false;
alter table invitations add column mailed_at timestamptz(3);
