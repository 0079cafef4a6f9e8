create table locations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  customer_id uuid not null,
  type text not null check (type in ('service', 'billing')),
  name text,
  address_line1 text not null,
  address_line2 text,
  city text,
  region text,
  postal_code text,
  country text not null,
  formatted_address text not null,
  latitude numeric(8, 6),
  longitude numeric(9, 6),
  access_notes text,
  tax_rate_id uuid,
  is_primary boolean not null,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers
);
select wall('locations');
create unique index locations_primary on locations (tenant_id, customer_id, type) where is_primary and archived_at is null;
create index locations_of_customer on locations (tenant_id, customer_id, type, created_at, id) where archived_at is null;

-- Where a customer is found, in a list: its primary service location, else the billing one.
create function customer_address(tenant uuid, customer uuid) returns text language sql stable as $$
  select formatted_address from locations
  where tenant_id = tenant and customer_id = customer and is_primary and archived_at is null order by type desc limit 1
$$;
