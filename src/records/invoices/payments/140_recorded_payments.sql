-- What people record beside what the provider reports (docs/spec/money.md#recorded-payments): who took it, how, and when. A row
-- that takes one back is negative and points to it.
alter table payments
  add column paid_on date,
  add column method text check (method in ('cash', 'check', 'card', 'bank_transfer', 'other')),
  add column reference text,
  add column note text,
  add column created_by uuid,
  add column takes_back uuid,
  drop constraint payments_kind_check,
  add constraint payments_kind_check check (kind in ('manual', 'charge', 'refund', 'dispute', 'recorded', 'taken_back')),
  add constraint payments_recorded_check check ((kind in ('recorded', 'taken_back')) = (method is not null)),
  add constraint payments_taken_back_check check ((kind = 'taken_back') = (takes_back is not null)),
  add constraint payments_taken_back foreign key (tenant_id, takes_back) references payments;
create unique index payments_taken_back_once on payments (tenant_id, takes_back) where takes_back is not null;

alter table payments no force row level security;
update payments p set paid_on = (p.at at time zone t.timezone)::date from tenants t where t.id = p.tenant_id;
alter table payments force row level security;
alter table payments alter column paid_on set not null;

-- A payment that nobody gave a day has that of the company when it came.
create function date_payment() returns trigger language plpgsql as $$
begin
  new.paid_on := (select (new.at at time zone timezone)::date from tenants where id = new.tenant_id);
  return new;
end $$;
create trigger payments_dated before insert on payments for each row when (new.paid_on is null) execute function date_payment();

create index payments_by_day on payments (tenant_id, paid_on, id) include (kind, method, amount_cents, invoice_id);
