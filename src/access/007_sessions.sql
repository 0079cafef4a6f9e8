-- A person at a browser. Only the SHA-256 of the cookie's value is kept.
create table sessions (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null default moment(),
  seen_at timestamptz(3) not null default moment()
);
create index sessions_of_user on sessions (user_id);
create index sessions_by_age on sessions (seen_at);

-- In which companies to look for a person: the one look-up made before a tenant is known.
create table user_tenants (
  user_id uuid not null,
  tenant_id uuid not null,
  primary key (user_id, tenant_id)
);
create function note_user_tenant() returns trigger language plpgsql as $$
begin
  insert into user_tenants (user_id, tenant_id) values (new.user_id, new.tenant_id) on conflict do nothing;
  return null;
end $$;
create trigger member_noted after insert on members for each row execute function note_user_tenant();
alter table members no force row level security;
insert into user_tenants (user_id, tenant_id) select user_id, tenant_id from members;
alter table members force row level security;

-- How often something that can be guessed was tried in the present window, by the SHA-256 of who or what it was tried on.
create table attempts (
  subject bytea primary key,
  begun_at timestamptz(3) not null,
  tries integer not null
);
create index attempts_by_age on attempts (begun_at);
