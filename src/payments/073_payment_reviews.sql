-- Once an event has no effect left its bytes may go; the rest of its row stays and tells it from a repetition.
alter table payment_events alter column raw drop not null;
alter table payment_events
  add constraint payment_events_raw check (raw is not null or state in ('stored', 'applied', 'discarded')),
  -- when it came to its end, with an effect or without
  add column settled_at timestamptz(3),
  -- whether its object names an invoice in its metadata; null for those from before this was kept
  add column names_invoice boolean,
  -- the invoice that somebody said it is for, in the place of the one it names
  add column assigned_invoice_id uuid;
update payment_events set settled_at = received_at where state in ('stored', 'applied', 'discarded');
update payment_events set reason = case when account_id is null then 'no_account' else 'unknown_account' end where state = 'unrouted';
create index payment_events_settled on payment_events (settled_at) where raw is not null and settled_at is not null;
create index payment_events_held on payment_events (id) where state in ('review', 'unrouted');
create index payment_events_held_of_tenant on payment_events (tenant_id, id) where state in ('review', 'unrouted') and tenant_id is not null;

alter table payment_disputes
  add column amount_cents bigint,
  -- as the provider says: why it was opened, how it ended
  add column reason text,
  add column outcome text,
  add column opened_at timestamptz(3),
  add column closed_at timestamptz(3);
