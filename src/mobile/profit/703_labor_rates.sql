-- previous release: goes on
-- What an hour of a member costs the company from a day on. Owners alone see and set it (docs/spec/money.md#profit).
create table labor_rates (
  tenant_id uuid not null references tenants,
  user_id uuid not null,
  from_day date not null,
  cost_cents bigint not null check (cost_cents between 0 and 9999999999),
  created_by uuid not null,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, user_id, from_day),
  foreign key (tenant_id, user_id) references members
);
select wall('labor_rates');
