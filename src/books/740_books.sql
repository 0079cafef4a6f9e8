-- previous release: goes on
-- A company's connection to its accounting program (docs/spec/books.md).
create table books_connections (
  tenant_id uuid primary key references tenants,
  program text not null check (program in ('quickbooks', 'xero')),
  -- the program's id of the company there, once it is chosen, and what it says of it
  organization text,
  organization_name text,
  organization_country text,
  -- {access, refresh, expires_at} as JSON, sealed by the data key; behind a zero where there is none
  tokens bytea not null,
  -- rises with each renewal, which one process makes at a time, until then
  tokens_version integer not null default 0,
  renewing_until timestamptz(3),
  -- the program's id of the account that takes what
  accounts jsonb,
  -- first issue date of the invoices that are sent
  from_day date,
  started_at timestamptz(3),
  paused_at timestamptz(3),
  -- when the program refused us for good: an owner connects again
  revoked_at timestamptz(3),
  -- nothing is sent before, as the program asked
  wait_until timestamptz(3),
  connected_by uuid,
  created_at timestamptz(3) not null default moment(),
  constraint books_connections_started check (started_at is null
    or (organization is not null and accounts is not null and from_day is not null))
);
select wall('books_connections');

-- What became of a record in an accounting program. Rows stay after a disconnection, so that connecting again sends nothing twice.
create table books_records (
  tenant_id uuid not null references tenants,
  program text not null check (program in ('quickbooks', 'xero')),
  organization text not null,
  -- `credit`: of a write-off; `reversal`: of an invoice that was void after it was paid there
  kind text not null check (kind in ('customer', 'item', 'invoice', 'payment', 'refund', 'credit', 'reversal')),
  -- our id; of an item that the sync itself needs, one that it has in every company
  record uuid not null,
  state text not null check (state in ('due', 'sending', 'sent', 'held', 'failed', 'cancelled')),
  -- how often it was made there, and the name of the request that makes it once
  edition integer not null default 1,
  request uuid not null,
  -- the program's ids of it, and of the customer it was made for
  remote text,
  customer text,
  -- number and day under which it was made, by which it is found there after a crash
  number text,
  day date,
  -- time in milliseconds of our record as it was looked at last, and a hash of what was sent
  version bigint not null default 0,
  sent text,
  cents bigint,
  attempts integer not null default 0,
  -- why it isn't there: our word, and what the program said
  reason text,
  detail text,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  primary key (tenant_id, program, organization, kind, record),
  constraint books_records_sent check (state <> 'sent' or remote is not null)
);
select wall('books_records');
create unique index books_records_remote on books_records (tenant_id, program, organization, kind, remote)
  where remote is not null and kind in ('customer', 'item');
create index books_records_open on books_records (tenant_id, state, updated_at) where state <> 'sent';
create trigger made_once before insert on books_records for each row
  when (new.updated_at > new.created_at and new.created_at >= date_trunc('milliseconds', statement_timestamp()))
  execute function made_once();
