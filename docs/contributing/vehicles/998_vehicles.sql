create table vehicles (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_folded text not null,
  plate text not null,
  vin text,
  notes text,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  primary key (tenant_id, id)
);
select wall('vehicles');
create unique index vehicles_plate on vehicles (tenant_id, plate) where archived_at is null;
comment on index vehicles_plate is 'conflict: another vehicle has this plate; find it with vehicles_list';
create index vehicles_in_order on vehicles (tenant_id, name_folded, id);
create index vehicles_changed on vehicles (tenant_id, updated_at, id);
