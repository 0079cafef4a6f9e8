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
-- What the sweep of old keys looks for, inside one tenant.
create index idempotency_keys_age on idempotency_keys (tenant_id, created_at);

-- What was deleted, for those who list by change, with as much of it as lists filter by; kept for 30 days.
create table removals (
  tenant_id uuid not null references tenants,
  -- the table it was in
  kind text not null,
  id uuid not null,
  at timestamptz(3) not null,
  record jsonb not null,
  primary key (tenant_id, kind, id)
);
select wall('removals');
create index removals_changed on removals (tenant_id, kind, at, id);

-- A table whose rows a list shows and a tool deletes calls this after each; its arguments are the columns to keep.
create function keep_removal() returns trigger language plpgsql as $$
begin
  insert into removals (tenant_id, kind, id, at, record) values (old.tenant_id, tg_table_name, old.id, later_than(old.updated_at),
    (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(to_jsonb(old)) where key = any(tg_argv)));
  return null;
end $$;
