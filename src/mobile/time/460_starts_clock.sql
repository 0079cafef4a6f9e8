-- "In progress" starts the clock of whoever sets it on site (docs/spec/field_records.md#time).
alter table tenants add column starts_clock boolean not null default true;
