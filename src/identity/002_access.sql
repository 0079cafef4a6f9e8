-- People are the same person in every company they belong to. An address belongs to nobody until it is proved: until then an
-- account is the own one of the company by whose link its password was set (docs/spec/oauth.md#accounts).
create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamptz(3) not null default moment(),
  -- when a link mailed to the address was opened, or an identity provider vouched for it
  proved_at timestamptz(3),
  -- when the operator gave it its password; null: it was chosen by a company's link
  vouched_at timestamptz(3),
  -- the company through which it came to be, or by whose link it started over
  made_through uuid
);
create unique index users_email on users (email);
comment on index users_email is 'conflict: another user has this e-mail';

create table members (
  tenant_id uuid not null references tenants,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'office', 'tech')),
  -- consent area to none, view or edit; an owner's ceiling is always full
  ceiling jsonb not null,
  deactivated_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, user_id)
);
select wall('members');

-- Whoever can call: a user key, a tenant key, an app, a member's browser. access_version moves with every change of what it
-- may do. An authorization of an app is one completed consent, the sid of its tokens: it follows the grant's scopes, and
-- whatever ends it (revoked_at) counts on the next request. A browser is one a member, so that its rights are checked with
-- each transaction, its writes are told apart in the audit, and a form sent twice is known.
create table credentials (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null check (kind in ('user_key', 'tenant_key', 'oauth', 'browser')),
  user_id uuid,
  name text not null,
  last_four text,
  scopes text[] not null,
  access_version integer not null default 1,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  client_id text,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references members,
  check ((kind = 'tenant_key') = (user_id is null)),
  constraint credentials_client check ((kind = 'oauth') = (client_id is not null)),
  constraint credentials_last_four check ((kind in ('oauth', 'browser')) = (last_four is null))
);
select wall('credentials');
create index credentials_of_member on credentials (tenant_id, user_id);
create index credentials_of_client on credentials (tenant_id, client_id, user_id) where kind = 'oauth';
create unique index credentials_browser on credentials (tenant_id, user_id) where kind = 'browser';

-- From the SHA-256 of a presented key to its tenant: read before a tenant is known.
create table key_hashes (
  hash bytea primary key,
  tenant_id uuid not null,
  credential_id uuid not null,
  foreign key (tenant_id, credential_id) references credentials on delete cascade
);
select fence('key_hashes');

create function bump_own_access() returns trigger language plpgsql as $$
begin
  new.access_version := old.access_version + 1;
  return new;
end $$;
create trigger access_changed before update of scopes, expires_at, revoked_at, user_id on credentials
  for each row execute function bump_own_access();

create function bump_member_access() returns trigger language plpgsql as $$
begin
  update credentials set access_version = access_version + 1
  where tenant_id = old.tenant_id and user_id = old.user_id;
  return null;
end $$;
create trigger member_changed after update on members for each row execute function bump_member_access();

create function bump_tenant_access() returns trigger language plpgsql as $$
begin
  update credentials set access_version = access_version + 1 where tenant_id = old.id;
  return null;
end $$;
create trigger tenant_changed after update on tenants for each row execute function bump_tenant_access();

-- Enters a tenant for the rest of the transaction and refuses when the caller was made from an older
-- access_version than the credential has now (SQLSTATE CA001).
create function enter_tenant(tenant uuid, credential uuid, version integer) returns void language plpgsql as $$
begin
  perform set_config('app.tenant_id', tenant::text, true);
  if credential is not null and not exists (
    select from credentials where tenant_id = tenant and id = credential and access_version = version
  ) then
    raise exception 'stale access' using errcode = 'CA001';
  end if;
end $$;

-- Enters a tenant for somebody who changes what others may do in it. Their place must stand until the transaction ends: whatever
-- takes it away waits for the tenant's row, as this does (SQLSTATE CA001 as of every stale right).
create function still_in(tenant uuid, person uuid, roles text[]) returns void language plpgsql as $$
begin
  perform set_config('app.tenant_id', tenant::text, true);
  perform from tenants where id = tenant for no key update;
  if not exists (select from members where tenant_id = tenant and user_id = person and deactivated_at is null and role = any(roles)) then
    raise exception 'stale access' using errcode = 'CA001';
  end if;
end $$;

-- One row per limited subject (a credential, a tenant): how much of its newest minute is given out,
-- and how much of that the last lease was granted.
create table rate_windows (
  subject uuid primary key,
  minute bigint not null,
  given integer not null,
  granted integer not null
);

-- A person at a browser. Only the SHA-256 of the cookie's value is kept.
create table sessions (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default moment(),
  seen_at timestamptz(3) not null default moment()
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_age on sessions (seen_at);

-- In which companies to look for a person: read before a tenant is known.
create table user_tenants (
  user_id uuid not null,
  tenant_id uuid not null,
  primary key (user_id, tenant_id)
);
select fence('user_tenants');
-- Asked for inside a company too: what is changed for the person is changed in all of theirs.
create policy persons on user_tenants for select using (true);

create function note_user_tenant() returns trigger language plpgsql as $$
begin
  insert into user_tenants (user_id, tenant_id) values (new.user_id, new.tenant_id) on conflict do nothing;
  return null;
end $$;
create trigger member_noted after insert on members for each row execute function note_user_tenant();

-- How often something that can be guessed was tried in the present window, by the SHA-256 of who or what it was tried on.
create table attempts (
  subject bytea primary key,
  begun_at timestamptz(3) not null,
  tries integer not null
);
create index attempts_by_age on attempts (begun_at);

-- A browser in which a person has signed in before, by the SHA-256 of what it was given: others' failures don't keep it out.
create table known_browsers (
  hash bytea not null,
  user_id uuid not null references users on delete cascade,
  seen_at timestamptz(3) not null default moment(),
  primary key (hash, user_id)
);
create index known_browsers_of_user on known_browsers (user_id, seen_at desc);
create index known_browsers_by_age on known_browsers (seen_at);

-- A one-time link by which a person becomes a member.
create table invitations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  email text not null,
  name text,
  role text not null check (role in ('owner', 'office', 'tech')),
  ceiling jsonb not null,
  -- null: made at the command line
  created_by uuid,
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  -- its use sets a new password for an account that another company made, and ends what was signed in and connected before
  starts_over boolean not null default false,
  primary key (tenant_id, id)
);
select wall('invitations');
create unique index invitations_open on invitations (tenant_id, email) where accepted_at is null and withdrawn_at is null;

-- From the SHA-256 of a link's secret to its tenant: read before a tenant is known.
create table invitation_hashes (
  hash bytea primary key,
  tenant_id uuid not null,
  invitation_id uuid not null,
  foreign key (tenant_id, invitation_id) references invitations on delete cascade
);
select fence('invitation_hashes');

-- Who looks after the installation: what waits for a person and belongs to no company. Made at the command line.
create table operators (
  user_id uuid primary key references users on delete cascade,
  created_at timestamptz(3) not null default moment()
);

-- What the operator did with a message or an event that was kept for review; they may belong to no tenant yet.
create table reviews (
  id uuid primary key,
  at timestamptz(3) not null default moment(),
  -- null: at the command line
  user_id uuid,
  act text not null,
  record_type text not null,
  record_id uuid not null,
  changed jsonb not null
);
create index reviews_of_record on reviews (record_id, at desc);
