-- The company whose owner made a confidential client; only there can it be approved. The operator's have none.
alter table oauth_clients add column tenant_id uuid references tenants;
create index oauth_clients_of_tenant on oauth_clients (tenant_id) where tenant_id is not null;
