-- previous release: goes on
-- Statements that are mailed to many customers at once: a run goes on while nobody looks (docs/spec/sending.md#statements).
create table statement_runs (
  tenant_id uuid not null references tenants,
  id uuid not null,
  from_day date not null,
  to_day date not null,
  created_by uuid not null,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  check (to_day >= from_day)
);
select wall('statement_runs');

-- A customer's statement over some days, mailed by a run or, without one, by hand.
create table statement_sendings (
  tenant_id uuid not null references tenants,
  id uuid not null,
  run_id uuid,
  customer_id uuid not null,
  from_day date not null,
  to_day date not null,
  state text not null check (state in ('waiting', 'sent', 'skipped')),
  reason text check (reason in ('nothing_owed', 'no_address', 'opted_out', 'archived', 'already_sent', 'stopped')),
  -- the queued mail
  message_id uuid,
  settled_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, run_id) references statement_runs on delete cascade,
  foreign key (tenant_id, customer_id) references customers,
  check ((state = 'skipped') = (reason is not null)),
  check ((state = 'sent') = (message_id is not null))
);
select wall('statement_sendings');
create unique index statement_sendings_of_run on statement_sendings (tenant_id, run_id, customer_id);
create index statement_sendings_waiting on statement_sendings (tenant_id, id) where state = 'waiting';
create index statement_sendings_of_customer on statement_sendings (tenant_id, customer_id, from_day, to_day);
