-- A file of another product on its way in: read, mapped, looked at, taken over row by row, and taken back as one act
-- (docs/spec/coming.md).
create table imports (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  source text not null check (source in ('jobber', 'housecall_pro', 'servicetitan', 'quickbooks', 'plain')),
  kind text not null check (kind in ('customers', 'catalog_items')),
  file_name text not null,
  digest bytea not null,
  content bytea not null,
  state text not null default 'mapping'
    check (state in ('mapping', 'checking', 'ready', 'running', 'done', 'failed', 'taking_back', 'taken_back')),
  -- which column is which field; null until a person has seen it
  mapping json,
  -- what is done with records that are there already
  existing text not null default 'skip' check (existing in ('skip', 'update', 'create')),
  total integer not null,
  done integer not null default 0,
  -- why it stopped, for people
  problem text,
  -- which start of it counts, and when that last said that it goes on
  run integer not null default 0,
  beat_at timestamptz(3),
  -- what was found in it before anything was saved; json, because a cell may hold any character
  findings json,
  outcome json,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id)
);
select wall('imports');
create index imports_newest on imports (tenant_id, created_at desc, id desc);

-- What came of a row: each is done once, however often its import is started. Numbers below 0 are of names that rows
-- needed first, such as a category.
create table import_rows (
  tenant_id uuid not null references tenants,
  import_id uuid not null,
  number integer not null,
  way text not null check (way in ('made', 'updated', 'skipped')),
  record_id uuid not null,
  -- what it wrote, by which it is undone; null: nothing
  change_id uuid,
  is_taken_back boolean not null default false,
  -- why it stayed when the import was taken back
  stays json,
  primary key (tenant_id, import_id, number),
  foreign key (tenant_id, import_id) references imports on delete cascade
);
select wall('import_rows');

-- Which of our records a record of another product became, so that later files find it and a repeated one changes nothing.
create table import_links (
  tenant_id uuid not null references tenants,
  source text not null,
  kind text not null,
  -- their id, or the digest of what the row said where it has none
  source_id text not null check (char_length(source_id) <= 200),
  record_id uuid not null,
  import_id uuid not null,
  primary key (tenant_id, source, kind, source_id)
);
select wall('import_links');
create index import_links_of_record on import_links (tenant_id, record_id);

-- How a company maps the columns of a kind of file, by the digest of its header.
create table import_mappings (
  tenant_id uuid not null references tenants,
  kind text not null,
  fingerprint bytea not null,
  mapping json not null,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, kind, fingerprint)
);
select wall('import_mappings');
