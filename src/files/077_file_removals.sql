-- Files that storage is to let go of: those that were taken off, and those that are being put there and have no row yet.
create table file_removals (
  tenant_id uuid not null references tenants,
  storage_key text not null,
  due_at timestamptz(3) not null,
  primary key (tenant_id, storage_key)
);
select wall('file_removals');
create index file_removals_due on file_removals (tenant_id, due_at);
