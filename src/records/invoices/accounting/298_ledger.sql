-- What went to another program's books: one file of double entries (docs/spec/money.md#the-ledger).
create table ledger_batches (
  tenant_id uuid not null references tenants,
  id uuid not null,
  number integer not null,
  format text not null check (format in ('csv', 'quickbooks', 'xero')),
  from_day date not null,
  to_day date not null,
  -- as they were, so that the file stays the same
  country text not null,
  currency text not null,
  entries integer not null,
  debit_cents bigint not null,
  created_by uuid,
  created_at timestamptz(3) not null default moment(),
  taken_back_at timestamptz(3),
  taken_back_by uuid,
  primary key (tenant_id, id),
  unique (tenant_id, number)
);
select wall('ledger_batches');

-- An entry of such a file. Debits are above 0, credits below, and they balance.
create table ledger_entries (
  tenant_id uuid not null references tenants,
  batch_id uuid not null,
  position integer not null,
  source text not null check (source in ('invoice', 'write_off', 'payment')),
  -- the invoice or the payment
  source_id uuid not null,
  -- the invoice's number
  document text not null,
  day date not null,
  is_correction boolean not null,
  -- what the books say of the source from here on; null: nothing
  booking jsonb,
  receivable bigint not null,
  undeposited bigint not null,
  clearing bigint not null,
  bad_debts bigint not null,
  income bigint not null,
  deposits bigint not null,
  tax bigint not null,
  primary key (tenant_id, batch_id, position),
  foreign key (tenant_id, batch_id) references ledger_batches on delete cascade,
  check (receivable + undeposited + clearing + bad_debts + income + deposits + tax = 0)
);
select wall('ledger_entries');
create index ledger_entries_of_source on ledger_entries (tenant_id, source, source_id);
