-- previous release: goes on

-- What the checks of the installation found last, as one row: findings, measures, and what operators were told.
create table health_reports (
  id smallint primary key check (id = 1),
  checked_at timestamptz(3) not null,
  report jsonb not null,
  -- status of each check that operators know of, and since when each has its present one
  standing jsonb not null default '{}'
);

-- How large and how busy each company is; counts only, none of its records. Written company by company, read for all of them.
create table company_measures (
  tenant_id uuid primary key,
  name text not null,
  waiting integer not null,
  overdue integer not null,
  failed integer not null,
  uncertain integer not null,
  held integer not null,
  sent integer not null,
  -- when the message that has waited longest was queued
  oldest_at timestamptz(3),
  measured_at timestamptz(3) not null default moment(),
  members integer not null default 0,
  customers integer not null default 0,
  jobs integer not null default 0,
  -- changes and reads of the last day
  changes integer not null default 0,
  reads integer not null default 0,
  sized_at timestamptz(3)
);
select fence('company_measures');
create index company_measures_oldest on company_measures (measured_at);

-- What a process last said of itself: its version, memory, connections and webhooks.
alter table worker_processes add column state jsonb;

-- The latest step of the schema, which the service's own role may not read in the table.
create function latest_migration() returns table (name text, release text, allows_previous boolean)
language sql stable rows 1 security definer set search_path = public, pg_temp as $$
  select m.name, m.release, m.allows_previous from migrations m order by m.name collate "C" desc limit 1
$$;

-- Mail to operators when something turns wrong, and when it is right again.
alter table account_mails drop constraint account_mails_kind_check,
  add constraint account_mails_kind_check
    check (kind in ('prove', 'change_address', 'reset', 'invitation', 'notice', 'health'));
