-- What a statement says where a cluster takes no function but an immutable one, which are made such there (docs/distributed.md):
-- the time now, by a column or value of the row, and a time with a length added. A PostgreSQL by itself plans both as what they are.
create or replace function moment_of(tenant uuid) returns timestamptz language sql volatile
  return date_trunc('milliseconds', clock_timestamp());
create or replace function later_by(at timestamptz, length interval) returns timestamptz language sql stable return at + length;
