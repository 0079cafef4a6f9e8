-- The pieces of a photo on its way from a phone, until its act comes (docs/spec/field.md#photos).
create table field_pieces (
  tenant_id uuid not null references tenants,
  user_id uuid not null,
  act_id uuid not null,
  -- how many bytes are before it
  from_byte integer not null check (from_byte >= 0),
  bytes bytea not null,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, user_id, act_id, from_byte)
);
select wall('field_pieces');
alter table field_pieces alter column bytes set storage external;
create index field_pieces_oldest on field_pieces (tenant_id, created_at);
