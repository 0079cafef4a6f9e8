-- A company's own archive on its way out: asked for by an owner, made by the worker, kept for a day.
create table company_exports (
  tenant_id uuid not null references tenants,
  id uuid not null,
  asked_by uuid not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'ready', 'failed')),
  done integer not null default 0,
  total integer not null default 0,
  -- how it is in storage: so many parts, of so many bytes together
  parts integer not null default 0,
  bytes bigint not null default 0,
  created_at timestamptz(3) not null default moment(),
  ready_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (tenant_id, id)
);
select wall('company_exports');
create unique index company_exports_one on company_exports (tenant_id) where state in ('waiting', 'running');
comment on index company_exports_one is 'conflict: an archive is being made already; wait until it is done';
create index company_exports_newest on company_exports (tenant_id, created_at desc);
