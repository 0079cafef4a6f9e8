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
