-- Files of a message, with where their bytes are kept.
create table attachments (
  tenant_id uuid not null references tenants,
  id uuid not null,
  communication_id uuid not null,
  position integer not null,
  -- for people to see; never a path
  file_name text not null,
  content_type text not null,
  size_bytes integer,
  state text not null check (state in ('pending', 'stored', 'rejected', 'elsewhere')),
  reason text,
  storage_key text,
  stored_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  -- of one that lies elsewhere: where the provider has it until it is fetched
  source_url text,
  primary key (tenant_id, id),
  foreign key (tenant_id, communication_id) references communications,
  check ((state = 'rejected') = (reason is not null)),
  check ((state = 'stored') = (storage_key is not null))
);
select wall('attachments');
create unique index attachments_of_communication on attachments (tenant_id, communication_id, position);
create index attachments_pending on attachments (tenant_id, id) where state = 'pending';

-- The bytes of pending attachments, from the transaction of their message until storage has them.
create table attachment_spool (
  tenant_id uuid not null references tenants,
  attachment_id uuid not null,
  bytes bytea not null,
  primary key (tenant_id, attachment_id),
  foreign key (tenant_id, attachment_id) references attachments on delete cascade
);
select wall('attachment_spool');
alter table attachment_spool alter column bytes set storage external;

-- Files that storage is to let go of: those that were taken off, and those that are being put there and have no row yet.
create table file_removals (
  tenant_id uuid not null references tenants,
  storage_key text not null,
  due_at timestamptz(3) not null,
  primary key (tenant_id, storage_key)
);
select wall('file_removals');
create index file_removals_due on file_removals (tenant_id, due_at);

-- Bytes too many for one statement, on their way into the row that they are for: they are gone before their transaction ends.
create unlogged table incoming_pieces (
  tenant_id uuid not null references tenants,
  id uuid not null,
  position integer not null,
  bytes bytea not null,
  primary key (tenant_id, id, position)
);
select wall('incoming_pieces');
alter table incoming_pieces alter column bytes set storage external;
