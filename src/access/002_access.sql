-- People are the same person in every company they belong to.
create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamptz(3) not null default moment()
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

-- Whoever can call: a user key, a tenant key. access_version moves with every change of what it may do.
create table credentials (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null check (kind in ('user_key', 'tenant_key')),
  user_id uuid,
  name text not null,
  last_four text not null,
  scopes text[] not null,
  access_version integer not null default 1,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references members,
  check ((kind = 'tenant_key') = (user_id is null))
);
select wall('credentials');
create index credentials_of_member on credentials (tenant_id, user_id);

-- From the SHA-256 of a presented key to its tenant: the one look-up made before a tenant is known.
create table key_hashes (
  hash bytea primary key,
  tenant_id uuid not null,
  credential_id uuid not null,
  foreign key (tenant_id, credential_id) references credentials on delete cascade
);

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

-- One row per limited subject (a credential, a tenant): how much of its newest minute is given out,
-- and how much of that the last lease was granted.
create table rate_windows (
  subject uuid primary key,
  minute bigint not null,
  given integer not null,
  granted integer not null
);
