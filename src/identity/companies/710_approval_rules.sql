-- previous release: goes on
-- The company's further rules for connections (docs/spec/proposals.md#what-waits): the write scopes under which every one
-- only proposes, whether write-offs and voided invoices wait, and above which amount a document waits; null: any amount.
alter table tenants
  add column all_propose text[] not null default '{}',
  add column write_offs_propose boolean not null default false,
  add column proposes_above_cents bigint check (proposes_above_cents >= 0);
