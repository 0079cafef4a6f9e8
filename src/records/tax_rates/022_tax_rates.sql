create table tax_rates (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_folded text not null,
  rate_decimal numeric(9, 6) not null check (rate_decimal between 0 and 1),
  is_default boolean not null,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  check (archived_at is null or not is_default)
);
select wall('tax_rates');
create unique index tax_rates_default on tax_rates (tenant_id) where is_default;
comment on index tax_rates_default is 'conflict: is_default went to another rate just now; read them again with tax_rates_list';
create index tax_rates_in_order on tax_rates (tenant_id, is_default desc, name_folded, id);
create index tax_rates_changed on tax_rates (tenant_id, updated_at, id);

alter table locations add constraint locations_tax_rate foreign key (tenant_id, tax_rate_id) references tax_rates;
comment on constraint locations_tax_rate on locations is 'invalid_input: tax_rate_id is not a tax rate of this account; find its id with tax_rates_list';
