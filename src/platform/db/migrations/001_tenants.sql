-- The application role: neither owner nor superuser, so the policies below hold for every query of the service.
do $$ begin
  create role callout_app nologin nosuperuser nobypassrls noinherit;
exception when duplicate_object or unique_violation then null; end $$;
grant callout_app to current_user;
grant usage on schema public to callout_app;

-- Every tenant-led table calls this once: a row is visible and writable only inside its tenant.
create function wall(of regclass, by name default 'tenant_id') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', of);
  execute format('alter table %s force row level security', of);
  execute format(
    'create policy tenant on %s using (%I = nullif(current_setting(''app.tenant_id'', true), '''')::uuid)', of, by);
end $$;

-- The tenant that the transaction has entered, if any.
create function entered() returns uuid language sql stable return nullif(current_setting('app.tenant_id', true), '')::uuid;

-- Every table that names a tenant and is read before one is known, or for all of them at once, calls this once: outside a tenant
-- it is open; inside one, rows of another are not there. Not forced: the owner looks after all of them. Rows of nobody yet are
-- there inside a tenant where it can take them.
create function fence(of regclass, nobodys boolean default false) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', of);
  execute format('create policy own on %s using (entered() is null or tenant_id = entered()%s)', of, case when nobodys then ' or tenant_id is null' else '' end);
end $$;

-- An updated_at that is later than the one before, even within the same millisecond.
create function later_than(before timestamptz) returns timestamptz language sql volatile
  return greatest(date_trunc('milliseconds', clock_timestamp()), before + interval '1 millisecond');

create function moment() returns timestamptz language sql volatile
  return date_trunc('milliseconds', clock_timestamp());

create table tenants (
  id uuid primary key,
  name text not null,
  timezone text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  country text not null check (country ~ '^[A-Z]{2}$'),
  created_at timestamptz(3) not null default moment(),
  default_net_days integer not null default 14 check (default_net_days between 0 and 365),
  invoice_prefix text not null default 'INV-' check (char_length(invoice_prefix) <= 20),
  -- what stands at the head of a printed document
  address text check (char_length(address) <= 500),
  phone text check (char_length(phone) <= 40),
  email text check (char_length(email) <= 254),
  document_footer text check (char_length(document_footer) <= 1000)
);
select wall('tenants', 'id');
-- The operator at the command line, who is the schema's owner, sees which companies there are; the application role does not.
create policy operator on tenants for select to current_user using (true);

-- A list by change must not pass a row whose transaction is still under way: whoever polls goes on from the last one seen.
-- Each writing transaction holds a shared lock that says since when (in milliseconds, modulo 2^31, with which 25 days are
-- told apart); what was changed before the oldest of them, and before now, is settled.
create function instant_key(at timestamptz) returns integer language sql immutable
  return (floor(extract(epoch from at) * 1000)::bigint & 2147483647)::integer;

-- Enters a tenant to write in it.
create function enter_to_write(tenant uuid, credential uuid, version integer) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext(tenant::text), instant_key(clock_timestamp()));
  perform enter_tenant(tenant, credential, version);
end $$;

-- Enters a tenant to list by change: the next statements see at least what was settled now.
create function enter_settled(tenant uuid, credential uuid, version integer) returns void language plpgsql as $$
declare
  now timestamptz := moment();
  oldest bigint;
begin
  perform enter_tenant(tenant, credential, version);
  -- a lock from after `now` is younger than nothing, and comes out as most of the way round
  select max(age) into oldest from (
    select (instant_key(now)::bigint - objid::bigint) & 2147483647 as age from pg_locks
    where locktype = 'advisory' and objsubid = 2 and database = (select oid from pg_database where datname = current_database())
      and classid = (hashtext(tenant::text)::bigint & 4294967295)::oid
  ) as held where age < 1073741824;
  perform set_config('app.settled', (now - make_interval(secs => coalesce(oldest, 0) / 1000.0))::text, true);
end $$;

-- Until when changes are settled; without `enter_settled` all are.
create function settled() returns timestamptz language sql stable
  return coalesce(nullif(current_setting('app.settled', true), '')::timestamptz, 'infinity');

-- What the service signs in with, a role for each database: several may lie on one server, and be copies of each other. In a
-- schema that the application role can't enter and that no backup holds.
create schema if not exists callout_owner;
create table if not exists callout_owner.logins (
  role text primary key,
  password text not null,
  created_at timestamptz(3) not null default moment()
);
