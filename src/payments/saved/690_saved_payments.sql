-- previous release: goes on
-- How a company charges saved payment methods (docs/spec/saved_payments.md); without a row by the defaults.
create table payment_settings (
  tenant_id uuid primary key references tenants,
  -- whether customers may save a card or bank account, and agree to automatic payments
  saves_methods boolean not null,
  offers_autopay boolean not null,
  -- most that a person may charge at once; 0: nobody may
  max_charge_cents bigint not null check (max_charge_cents between 0 and 1000000000000),
  updated_at timestamptz(3) not null default moment()
);
select wall('payment_settings');

-- A card or bank account that a customer saved on the provider's page, with what they agreed to. Numbers of cards never come
-- here: `method` is the provider's name of it.
create table payment_methods (
  tenant_id uuid not null references tenants,
  id uuid not null,
  customer_id uuid not null,
  account_id text not null,
  state text not null check (state in ('starting', 'open', 'active', 'removed', 'failed')),
  -- the provider's names of the page, of its own record of the customer, and of what was saved
  session text,
  provider_customer text,
  method text,
  kind text,
  brand text,
  last_four text,
  -- last day on which a card is good
  expires_on date,
  -- what the customer agreed to, as they read it, and from where
  consent text not null check (char_length(consent) <= 2000),
  consented_at timestamptz(3) not null default moment(),
  link_id uuid not null,
  address text not null,
  user_agent text check (char_length(user_agent) <= 300),
  saved_at timestamptz(3),
  removed_at timestamptz(3),
  removed_by text check (removed_by in ('customer', 'office', 'provider', 'replaced', 'merged')),
  -- whether the provider was told of the removal
  is_detached boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers,
  constraint payment_methods_named check (state <> 'active' or (method is not null and provider_customer is not null)),
  constraint payment_methods_removed check ((state = 'removed') = (removed_at is not null))
);
select wall('payment_methods');
create unique index payment_methods_active on payment_methods (tenant_id, customer_id) where state = 'active';
create index payment_methods_of_customer on payment_methods (tenant_id, customer_id, consented_at desc);
create index payment_methods_unsettled on payment_methods (tenant_id, consented_at)
  where state in ('starting', 'open') or (state = 'removed' and not is_detached);
create index payment_methods_by_name on payment_methods (tenant_id, method) where method is not null;

-- A charge of a saved method: its row is written before the provider is asked, and one of an invoice is open at a time.
create table saved_charges (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  method_id uuid not null,
  cause text not null check (cause in ('person', 'autopay')),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  state text not null check (state in ('starting', 'created', 'processing', 'succeeded', 'failed', 'canceled')),
  -- the provider's name of the payment, once it is known
  intent text,
  -- why it failed, in the provider's words
  code text,
  message text,
  created_by uuid,
  created_at timestamptz(3) not null default moment(),
  ended_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices,
  foreign key (tenant_id, method_id) references payment_methods,
  constraint saved_charges_named check (intent is not null or state in ('starting', 'failed', 'canceled')),
  constraint saved_charges_ended check ((ended_at is null) = (state in ('starting', 'created', 'processing')))
);
select wall('saved_charges');
create unique index saved_charges_open on saved_charges (tenant_id, invoice_id)
  where state in ('starting', 'created', 'processing');
create index saved_charges_of_invoice on saved_charges (tenant_id, invoice_id, created_at desc);
create index saved_charges_of_intent on saved_charges (tenant_id, intent) where intent is not null;

-- What a customer agreed to have charged when it is due: the invoices of a plan, or all of theirs (no plan).
create table autopay (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  plan_id uuid,
  consent text not null check (char_length(consent) <= 2000),
  consented_at timestamptz(3) not null default moment(),
  link_id uuid not null,
  address text not null,
  user_agent text check (char_length(user_agent) <= 300),
  stopped_at timestamptz(3),
  stopped_by text check (stopped_by in ('customer', 'office', 'provider', 'merged')),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, plan_id) references plans,
  constraint autopay_stopped check ((stopped_at is null) = (stopped_by is null))
);
select wall('autopay');
create unique index autopay_active on autopay (tenant_id, customer_id, coalesce(plan_id, '00000000-0000-0000-0000-000000000000'))
  where stopped_at is null;

-- How far the automatic payment of an invoice is. `failed`: a person decides; `stopped`: the customer, the office or the provider
-- ended it before it was paid.
create table autopay_runs (
  tenant_id uuid not null,
  invoice_id uuid not null,
  autopay_id uuid not null,
  state text not null check (state in ('waiting', 'charging', 'paid', 'failed', 'stopped')),
  -- company day of the next charge
  charge_on date not null,
  -- what the customer is told, and when they were; nothing is charged before
  told_cents bigint not null,
  told_at timestamptz(3),
  failures integer not null default 0,
  -- why it failed last: the provider's word, or ours
  reason text,
  charge_id uuid,
  updated_at timestamptz(3) not null default moment(),
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoices,
  foreign key (tenant_id, autopay_id) references autopay,
  foreign key (tenant_id, charge_id) references saved_charges
);
select wall('autopay_runs');
create index autopay_runs_due on autopay_runs (tenant_id, charge_on) where state in ('waiting', 'charging');
create index autopay_runs_failed on autopay_runs (tenant_id, updated_at) where failures > 0 and state <> 'paid';

-- A customer who is merged keeps what they saved, unless the other has saved something too.
create function saved_payments_follow_customer() returns trigger language plpgsql as $$
begin
  update payment_methods m set state = 'removed', removed_at = moment(), removed_by = 'merged'
  where m.tenant_id = new.tenant_id and m.customer_id = new.id and m.state = 'active'
    and exists (select 1 from payment_methods o
      where o.tenant_id = new.tenant_id and o.customer_id = new.merged_into and o.state = 'active');
  if found then perform ask_chore(new.tenant_id, 'saved_payments'); end if;
  update autopay a set stopped_at = moment(), stopped_by = 'merged'
  where a.tenant_id = new.tenant_id and a.customer_id = new.id and a.stopped_at is null and a.plan_id is null
    and exists (select 1 from autopay o
      where o.tenant_id = new.tenant_id and o.customer_id = new.merged_into and o.stopped_at is null and o.plan_id is null);
  update payment_methods set customer_id = new.merged_into where tenant_id = new.tenant_id and customer_id = new.id;
  update autopay set customer_id = new.merged_into where tenant_id = new.tenant_id and customer_id = new.id;
  return null;
end $$;
create trigger saved_payments_follow after update of merged_into on customers for each row
  when (new.merged_into is not null) execute function saved_payments_follow_customer();
