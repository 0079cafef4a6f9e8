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
