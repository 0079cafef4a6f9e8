-- A page of the payments provider on which a customer pays what was left of an invoice (docs/spec/links.md#checkout). `starting`
-- until the provider has made it; `stale` once something else is left to pay, until the provider has ended it.
create table checkout_sessions (
  tenant_id uuid not null references tenants,
  id uuid not null,
  invoice_id uuid not null,
  account_id text not null,
  -- the provider's id
  session text,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  state text not null check (state in ('starting', 'open', 'stale', 'expired', 'complete', 'failed')),
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices,
  constraint checkout_sessions_named check (session is not null or state in ('starting', 'failed'))
);
select wall('checkout_sessions');
create index checkout_sessions_standing on checkout_sessions (tenant_id, invoice_id) where state in ('starting', 'open', 'stale');

-- A page for an amount that isn't owed any more is ended.
create function end_checkouts() returns trigger language plpgsql as $$
begin
  update checkout_sessions set state = 'stale'
  where tenant_id = new.tenant_id and invoice_id = new.id and state = 'open' and amount_cents <> new.balance_due_cents;
  if found then perform ask_chore(new.tenant_id, 'checkout_endings'); end if;
  return null;
end $$;
create trigger invoice_balance_moved after update of total_cents, amount_paid_cents, status on invoices for each row
  when (old.balance_due_cents is distinct from new.balance_due_cents) execute function end_checkouts();
