-- Whether the burst limit holds API keys too, which people make for programs of their own; apps are held by it always.
alter table tenants add column burst_limits_keys boolean not null default false;
