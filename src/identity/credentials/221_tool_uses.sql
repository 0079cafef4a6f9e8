-- How often a connection read with a tool, proposed a change and was refused, by the company's day (docs/spec/undo.md#what-the-assistant-did): what it
-- changed is in the audit.
create table tool_uses (
  tenant_id uuid not null references tenants,
  credential_id uuid not null,
  day date not null,
  tool text not null,
  reads integer not null default 0,
  proposals integer not null default 0,
  refusals integer not null default 0,
  primary key (tenant_id, day, credential_id, tool)
);
select wall('tool_uses');
