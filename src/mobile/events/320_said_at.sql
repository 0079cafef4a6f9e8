-- What the device's clock said, in milliseconds since 1970; null of acts that were taken before it was kept.
alter table field_acts add column said_ms bigint;
create index field_acts_of on field_acts (tenant_id, user_id, at);
