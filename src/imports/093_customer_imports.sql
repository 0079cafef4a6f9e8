-- A file of customers on its way in: read, looked at, and then taken over whole or not at all.
create table customer_imports (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  file_name text not null,
  content bytea not null,
  state text not null default 'ready' check (state in ('ready', 'running', 'done', 'failed')),
  total integer not null,
  done integer not null default 0,
  -- why it failed, for people
  problem text,
  -- of a running one: when it last said that it goes on
  beat_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  -- which start of it is the one that counts: one that was given up for lost and goes on after all keeps nothing
  run integer not null default 0,
  -- what was found in it, so that looking at it reads nothing again; json, because a cell may hold any character
  reading json,
  primary key (tenant_id, id)
);
select wall('customer_imports');
create index customer_imports_age on customer_imports (tenant_id, created_at);
