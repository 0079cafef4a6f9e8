create table invoices (
  tenant_id uuid not null references tenants,
  id uuid not null,
  number integer not null,
  -- the tenant's when the invoice was made
  number_prefix text not null,
  display_number text not null generated always as (number_prefix || number::text) stored,
  customer_id uuid not null,
  location_id uuid,
  -- the address as it was when the invoice left draft
  location_address text,
  contact_id uuid,
  quote_id uuid,
  plan_id uuid,
  -- the date of the plan's run that made it
  plan_run_date date,
  status text not null check (status in ('draft', 'sent', 'partially_paid', 'paid', 'uncollectible', 'void')),
  subject text,
  issue_date date not null,
  due_date date not null,
  po_number text,
  message text,
  internal_memo text,
  line_items jsonb not null,
  discount jsonb,
  -- the rate in effect; not chosen while it is the location's or the tenant's default
  tax_rate_id uuid,
  tax_rate_chosen boolean not null,
  tax_exempt boolean not null,
  taxes jsonb not null,
  fields jsonb not null,
  currency text not null,
  subtotal_cents bigint not null,
  discount_cents bigint not null,
  taxable_cents bigint not null,
  tax_cents bigint not null,
  total_cents bigint not null,
  amount_paid_cents bigint not null default 0,
  balance_due_cents bigint not null generated always as
    (case when status in ('paid', 'void') then 0 else total_cents - amount_paid_cents end) stored,
  sent_at timestamptz(3),
  paid_at timestamptz(3),
  voided_at timestamptz(3),
  void_reason text,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  disputed boolean not null default false,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, location_id) references locations,
  foreign key (tenant_id, contact_id) references contacts,
  foreign key (tenant_id, tax_rate_id) references tax_rates,
  check (due_date >= issue_date),
  check ((status = 'void') = (voided_at is not null))
);
select wall('invoices');
create unique index invoices_number on invoices (tenant_id, number);
-- The dates let a list that is bounded by them pass over other rows inside the index.
create index invoices_newest on invoices (tenant_id, created_at desc, id desc, issue_date, due_date) where status <> 'void';
create index invoices_by_status on invoices (tenant_id, status, created_at desc, id desc);
create index invoices_of_customer on invoices (tenant_id, customer_id, created_at desc, id desc);
create index invoices_open on invoices (tenant_id, created_at desc, id desc) include (due_date) where status in ('sent', 'partially_paid');
create index invoices_changed on invoices (tenant_id, updated_at, id, status);
create index invoices_of_quote on invoices (tenant_id, quote_id) where quote_id is not null;
-- A list that is bounded by dates finds its rows, and sorts them, inside the index.
create index invoices_issued on invoices (tenant_id, issue_date, created_at, id) include (status);
create index invoices_due on invoices (tenant_id, due_date, created_at, id) include (status);

create table invoice_jobs (
  tenant_id uuid not null,
  invoice_id uuid not null,
  job_id uuid not null,
  primary key (tenant_id, invoice_id, job_id),
  foreign key (tenant_id, invoice_id) references invoices,
  foreign key (tenant_id, job_id) references jobs
);
select wall('invoice_jobs');
create index invoice_jobs_of_job on invoice_jobs (tenant_id, job_id, invoice_id);

-- What was paid, and what was taken back (negative). `manual` is the entry that balances an invoice marked paid by hand.
create table payments (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  kind text not null check (kind in ('manual', 'charge', 'refund', 'dispute')),
  amount_cents bigint not null,
  at timestamptz(3) not null default moment(),
  -- what it came from: the provider's event, in payment_events
  source text,
  -- the provider's payment (or dispute) the money belongs to, since one payment is told of by several events
  charge text,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('payments');
create index payments_of_invoice on payments (tenant_id, invoice_id, at);
create unique index payments_source on payments (tenant_id, source) where source is not null;
create unique index payments_charge on payments (tenant_id, kind, charge) where kind in ('charge', 'dispute') and charge is not null;

-- An invoice's amount paid is the sum of its payments. It moves by the difference, so that payments made at once all count.
create function count_payments() returns trigger language plpgsql as $$
begin
  update invoices i
  set amount_paid_cents = i.amount_paid_cents + case tg_op when 'DELETE' then -c.amount else c.amount end, updated_at = later_than(i.updated_at)
  from (select tenant_id, invoice_id, sum(amount_cents) as amount from counted group by 1, 2) c
  where i.tenant_id = c.tenant_id and i.id = c.invoice_id;
  return null;
end $$;
create trigger payments_made after insert on payments referencing new table as counted for each statement execute function count_payments();
create trigger payments_unmade after delete on payments referencing old table as counted for each statement execute function count_payments();

-- The names that the provider has for one payment, its intent and its charges: what happens to it later comes under either of
-- them and says no invoice (docs/spec/money.md#the-invoice-of-a-payment). `charge` is the name it was booked under.
create table payment_names (
  tenant_id uuid not null,
  name text not null,
  charge text not null,
  invoice_id uuid not null,
  primary key (tenant_id, name),
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('payment_names');

-- A refund by its own id, as the provider said; failed is final. The refunded sum of a charge is the greater of these and of
-- payment_refund_sums (docs/spec/money.md#refunds).
create table payment_refunds (
  tenant_id uuid not null references tenants,
  charge text not null,
  refund text not null,
  amount_cents bigint not null,
  failed boolean not null default false,
  made_at timestamptz(3),
  failed_at timestamptz(3),
  primary key (tenant_id, charge, refund)
);
select wall('payment_refunds');

-- All that was refunded of a charge, as it was told at a moment: with refunds that failed later, without those that had failed.
create table payment_refund_sums (
  tenant_id uuid not null references tenants,
  charge text not null,
  told_at timestamptz(3) not null,
  amount_cents bigint not null,
  primary key (tenant_id, charge, told_at)
);
select wall('payment_refund_sums');

-- A dispute by its own id, as the provider said.
create table payment_disputes (
  tenant_id uuid not null,
  dispute text not null,
  invoice_id uuid not null,
  closed boolean not null,
  amount_cents bigint,
  -- as the provider says: why it was opened, how it ended
  reason text,
  outcome text,
  opened_at timestamptz(3),
  closed_at timestamptz(3),
  primary key (tenant_id, dispute),
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('payment_disputes');
create index payment_disputes_of_invoice on payment_disputes (tenant_id, invoice_id);

-- What was sent to the customer, and what became of it.
create table invoice_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  -- the provider's id of the message
  provider_id text,
  status text not null,
  recipient text not null,
  error_message text,
  error_code text,
  at timestamptz(3) not null default moment(),
  read_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('invoice_deliveries');
create index invoice_deliveries_of_invoice on invoice_deliveries (tenant_id, invoice_id, at);
create unique index invoice_deliveries_provider on invoice_deliveries (tenant_id, channel, provider_id) where provider_id is not null;
