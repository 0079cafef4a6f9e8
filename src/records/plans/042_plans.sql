create table plans (
  tenant_id uuid not null references tenants,
  id uuid not null,
  customer_id uuid not null,
  location_id uuid,
  name text not null,
  description text,
  cadence text not null check (cadence in ('weekly', 'biweekly', 'monthly', 'bimonthly', 'quarterly', 'semiannual', 'annual')),
  -- the anchor that run dates are counted from
  start_date date not null,
  -- the last day that may be a run date
  end_date date,
  line_items jsonb not null,
  discount jsonb,
  -- the rate in effect; not chosen while it is the location's or the tenant's default
  tax_rate_id uuid,
  tax_rate_chosen boolean not null,
  tax_exempt boolean not null,
  taxes jsonb not null,
  currency text not null,
  subtotal_cents bigint not null,
  discount_cents bigint not null,
  taxable_cents bigint not null,
  tax_cents bigint not null,
  total_cents bigint not null,
  auto_invoice text not null check (auto_invoice in ('draft', 'none')),
  status text not null check (status in ('active', 'paused', 'cancelled', 'expired')),
  -- null when no run date is left, and unless active
  next_run_date date,
  last_run_date date,
  runs_count integer not null default 0,
  cancelled_at timestamptz(3),
  cancel_reason text,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, location_id) references locations,
  foreign key (tenant_id, tax_rate_id) references tax_rates,
  check (end_date >= start_date),
  check (status = 'active' or next_run_date is null),
  check ((status = 'cancelled') = (cancelled_at is not null))
);
select wall('plans');
create index plans_newest on plans (tenant_id, created_at desc, id desc);
create index plans_by_status on plans (tenant_id, status, created_at desc, id desc);
create index plans_of_customer on plans (tenant_id, customer_id, created_at desc, id desc);
create index plans_changed on plans (tenant_id, updated_at, id);
create index plans_due on plans (tenant_id, next_run_date) where next_run_date is not null;
create index plans_over on plans (tenant_id, end_date) where status in ('active', 'paused') and next_run_date is null;

-- What became of each run date, once.
create table plan_runs (
  tenant_id uuid not null,
  plan_id uuid not null,
  run_date date not null,
  -- null when the plan makes no invoices
  invoice_id uuid,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, plan_id, run_date),
  foreign key (tenant_id, plan_id) references plans,
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('plan_runs');

alter table invoices add constraint invoices_plan foreign key (tenant_id, plan_id) references plans;
create unique index invoices_plan_run on invoices (tenant_id, plan_id, plan_run_date) where plan_id is not null;
