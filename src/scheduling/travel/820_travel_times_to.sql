-- previous release: goes on
-- Searches for free times read all drives to their place.
create index travel_times_by_destination on travel_times (tenant_id, to_latitude, to_longitude);
