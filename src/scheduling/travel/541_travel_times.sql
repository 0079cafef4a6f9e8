-- previous release: goes on
-- Driving times that the routing server gave, by places rounded to about 100 m: thousandths of a degree.
create table travel_times (
  tenant_id uuid not null references tenants,
  from_latitude integer not null,
  from_longitude integer not null,
  to_latitude integer not null,
  to_longitude integer not null,
  minutes integer not null check (minutes between 0 and 1440),
  at timestamptz(3) not null default moment(),
  primary key (tenant_id, from_latitude, from_longitude, to_latitude, to_longitude)
);
select wall('travel_times');
create index travel_times_by_age on travel_times (tenant_id, at);
