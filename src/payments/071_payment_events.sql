-- The connected account of a tenant; looked up before any tenant is entered.
create table payment_accounts (
  account_id text primary key,
  tenant_id uuid not null references tenants,
  created_at timestamptz(3) not null default moment()
);
create index payment_accounts_of_tenant on payment_accounts (tenant_id);
select fence('payment_accounts');

-- Verified events of the payments provider as they came, of no tenant until the worker finds whose account they name.
-- `digest` is of the event's id, which may be any JSON string. Once an event has no effect left its bytes may go; the rest of
-- its row stays and tells it from a repetition.
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
  raw bytea,
  -- when it came to its end, with an effect or without
  settled_at timestamptz(3),
  -- whether its object names an invoice in its metadata; null counts as yes
  names_invoice boolean,
  -- the invoice that somebody said it is for, in the place of the one it names
  assigned_invoice_id uuid,
  constraint payment_events_raw check (raw is not null or state in ('stored', 'applied', 'discarded'))
);
create unique index payment_events_once on payment_events (digest, mode_matches);
create index payment_events_open on payment_events (state, id) where state in ('pending', 'review');
create index payment_events_unrouted on payment_events (account_id) where state = 'unrouted';
create index payment_events_routed on payment_events (tenant_id, id) where state = 'routed';
create index payment_events_settled on payment_events (settled_at) where raw is not null and settled_at is not null;
create index payment_events_held on payment_events (id) where state in ('review', 'unrouted');
create index payment_events_held_of_tenant on payment_events (tenant_id, id) where state in ('review', 'unrouted') and tenant_id is not null;
select fence('payment_events', true);

-- Events that wait for the payment they name.
create table payment_waits (
  tenant_id uuid not null references tenants,
  name text not null,
  event_id uuid not null,
  primary key (tenant_id, name, event_id)
);
select wall('payment_waits');

-- What the payments provider last said of a connected account, each part by itself: charges, payouts, details, requirements,
-- account, and capabilities by their names. Of two words about one part the later counts, whenever it came.
create table payment_capabilities (
  tenant_id uuid not null references tenants,
  account_id text not null,
  part text not null,
  status text not null,
  -- what is asked for, and why the account is held back
  detail jsonb,
  occurred_at timestamptz(3) not null,
  -- the event in payment_events, which decides between two of one moment
  source uuid not null,
  primary key (tenant_id, account_id, part)
);
select wall('payment_capabilities');
