-- Every write: who, with what, which tool, which record, when, which fields from what to what.
create table audit (
  tenant_id uuid not null references tenants,
  id uuid not null,
  at timestamptz(3) not null default moment(),
  user_id uuid,
  credential_id uuid,
  client text,
  tool text not null,
  record_type text not null,
  record_id uuid not null,
  changed jsonb not null,
  primary key (tenant_id, id)
);
select wall('audit');
create index audit_of_record on audit (tenant_id, record_id, at desc);

-- The first answer to a keyed create, for 24 hours; answer is null while it is being made.
create table idempotency_keys (
  tenant_id uuid not null references tenants,
  credential_id uuid not null,
  tool text not null,
  key text not null,
  fingerprint bytea not null,
  answer text,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, credential_id, tool, key)
);
select wall('idempotency_keys');
create index idempotency_keys_age on idempotency_keys (created_at);
