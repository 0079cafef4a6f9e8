-- previous release: goes on
-- Where a location is, as a geocoder found it. A pin that a person sets is on the location itself, and the center of a ZIP
-- code is read from a table in the code.
create table location_positions (
  tenant_id uuid not null references tenants,
  location_id uuid not null,
  -- MD5 of the address that was looked up: another address is looked up anew
  address_hash text not null,
  -- null where nothing was found
  latitude numeric(8, 6) check (latitude between -90 and 90),
  longitude numeric(9, 6) check (longitude between -180 and 180),
  source text not null check (source in ('nominatim', 'pelias', 'census')),
  attempts integer not null default 1,
  -- when a failed look-up is tried again; null where it is done
  next_at timestamptz(3),
  found_at timestamptz(3) not null default moment(),
  primary key (tenant_id, location_id),
  foreign key (tenant_id, location_id) references locations on delete cascade,
  check ((latitude is null) = (longitude is null))
);
select wall('location_positions');
