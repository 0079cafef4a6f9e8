-- What a technician's phone said that was done, once each: the id is the phone's own (docs/spec/field.md#acts).
create table field_acts (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  job_id uuid not null,
  -- of what was sent, so that another act under the same id is told apart
  fingerprint bytea not null,
  -- when it was done, by our clock
  at timestamptz(3) not null,
  taken_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id)
);
select wall('field_acts');
create index field_acts_taken on field_acts (tenant_id, taken_at);
