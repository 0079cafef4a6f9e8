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
  created_at timestamptz(3) not null default moment()
);
select wall('tenants', 'id');
