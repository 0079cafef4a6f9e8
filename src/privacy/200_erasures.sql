-- Who was erased, as ids alone, so that a restored backup can be brought to forget them again (docs/spec/erasure.md).
create table erasures (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null check (kind in ('customer', 'member')),
  subject_id uuid not null,
  at timestamptz(3) not null default moment(),
  -- null: by the operator, or again after a restore
  erased_by uuid,
  -- until this day the invoices that were issued keep the name and the address
  keep_until date,
  -- how many of what
  counts jsonb not null,
  -- when the list beside the data named it
  noted_at timestamptz(3),
  primary key (tenant_id, id)
);
select wall('erasures');
create unique index erasures_subject on erasures (tenant_id, kind, subject_id);
create index erasures_newest on erasures (tenant_id, at desc, id desc);
create index erasures_kept on erasures (tenant_id, keep_until) where keep_until is not null;

-- Whom an issued invoice names although its customer was erased; null for every other invoice.
alter table invoices add column billed_name text;
