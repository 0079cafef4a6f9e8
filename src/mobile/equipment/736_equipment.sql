-- previous release: goes on
-- What stands at a customer's location and is worked on (docs/spec/field_records.md#equipment).
create table equipment (
  tenant_id uuid not null references tenants,
  id uuid not null,
  location_id uuid not null,
  kind text not null check (char_length(kind) between 1 and 100),
  model text check (char_length(model) <= 100),
  serial text check (char_length(serial) <= 100),
  installed_on date,
  note text check (char_length(note) <= 2000),
  -- those of photos of visits there that show it
  photo_ids uuid[] not null default '{}' check (cardinality(photo_ids) <= 24),
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, location_id) references locations
);
select wall('equipment');
create index equipment_of_location on equipment (tenant_id, location_id, kind, id);
create trigger made_once before insert on equipment for each row
  when (new.updated_at > new.created_at and new.created_at >= date_trunc('milliseconds', statement_timestamp()))
  execute function made_once();
