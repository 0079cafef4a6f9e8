-- The connected account of a tenant; looked up before any tenant is entered.
create table payment_accounts (
  account_id text primary key,
  tenant_id uuid not null references tenants,
  created_at timestamptz(3) not null default moment()
);
create index payment_accounts_of_tenant on payment_accounts (tenant_id);

-- Verified events of the payments provider as they came, of no tenant until the worker finds whose account they name.
-- `digest` is of the event's id, which may be any JSON string.
create table payment_events (
  id uuid primary key,
  digest bytea not null,
  -- whether test or live was the deployment's own; one that was not is not ingested
  mode_matches boolean not null,
  event_id text not null,
  endpoint text not null check (endpoint in ('platform', 'connect')),
  type text,
  account_id text,
  livemode boolean,
  state text not null check (state in ('pending', 'routed', 'unrouted', 'stored', 'applied', 'review', 'discarded')),
  -- why it is kept for review, or had no effect
  reason text,
  tenant_id uuid,
  received_at timestamptz(3) not null default moment(),
  raw bytea not null
);
create unique index payment_events_once on payment_events (digest, mode_matches);
create index payment_events_open on payment_events (state, id) where state in ('pending', 'review');
create index payment_events_unrouted on payment_events (account_id) where state = 'unrouted';
create index payment_events_routed on payment_events (tenant_id, id) where state = 'routed';

-- `source` is the event in payment_events; `charge` the provider's payment (or dispute) the money belongs to, since one
-- payment is told of by several events.
alter table payments add column charge text;
create unique index payments_source on payments (tenant_id, source) where source is not null;
create unique index payments_charge on payments (tenant_id, kind, charge) where kind in ('charge', 'dispute') and charge is not null;

-- What the provider said of a refund, all of a charge or one by one; the refunded sum is the greater of both readings.
create table payment_refunds (
  tenant_id uuid not null references tenants,
  charge text not null,
  -- the refund's own id, or the charge's for the sum of its refunds
  refund text not null,
  amount_cents bigint not null,
  primary key (tenant_id, charge, refund)
);
select wall('payment_refunds');

create table payment_disputes (
  tenant_id uuid not null,
  dispute text not null,
  invoice_id uuid not null,
  closed boolean not null,
  primary key (tenant_id, dispute),
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('payment_disputes');
create index payment_disputes_of_invoice on payment_disputes (tenant_id, invoice_id);

alter table invoices add column disputed boolean not null default false;
