-- The names that the provider has for one payment, its intent and its charges: what happens to it later comes under either of
-- them and says no invoice (money 7). `charge` is the name it was booked under.
create table payment_names (
  tenant_id uuid not null,
  name text not null,
  charge text not null,
  invoice_id uuid not null,
  primary key (tenant_id, name),
  foreign key (tenant_id, invoice_id) references invoices
);

-- Events that wait for the payment they name.
create table payment_waits (
  tenant_id uuid not null references tenants,
  name text not null,
  event_id uuid not null,
  primary key (tenant_id, name, event_id)
);
select wall('payment_waits');

-- All that was refunded of a charge, as it was told at a moment: with refunds that failed later, without those that had failed.
create table payment_refund_sums (
  tenant_id uuid not null references tenants,
  charge text not null,
  told_at timestamptz(3) not null,
  amount_cents bigint not null,
  primary key (tenant_id, charge, told_at)
);

-- A refund by its own id; failed is final.
alter table payment_refunds
  add column failed boolean not null default false,
  add column made_at timestamptz(3),
  add column failed_at timestamptz(3);

-- The names in an event that was applied, as far as its bytes are kept and can be read.
create function names_in_event(raw bytea) returns text[] language plpgsql as $$
declare object jsonb;
begin
  object := convert_from(raw, 'UTF8')::jsonb #> '{data,object}';
  return array(select n from unnest(array[
    case when object ->> 'object' in ('payment_intent', 'charge') then object ->> 'id' end,
    coalesce(object #>> '{payment_intent,id}', object ->> 'payment_intent'), coalesce(object #>> '{latest_charge,id}', object ->> 'latest_charge'),
    coalesce(object #>> '{charge,id}', object ->> 'charge')]) n where n ~ '^[!-~]{1,255}$');
exception when others then
  return '{}';
end $$;

alter table payments no force row level security;
alter table payment_refunds no force row level security;
insert into payment_names (tenant_id, name, charge, invoice_id)
  select tenant_id, charge, charge, invoice_id from payments where kind = 'charge' and charge is not null
  on conflict do nothing;
insert into payment_names (tenant_id, name, charge, invoice_id)
  select p.tenant_id, n, p.charge, p.invoice_id
  from payments p join payment_events e on e.tenant_id = p.tenant_id and e.id = case when p.source ~ '^[0-9a-f-]{36}$' then p.source::uuid end
    cross join unnest(names_in_event(e.raw)) n
  where p.kind = 'charge' and p.charge is not null and e.raw is not null
  on conflict do nothing;
insert into payment_refund_sums (tenant_id, charge, told_at, amount_cents)
  select tenant_id, charge, moment(), amount_cents from payment_refunds where refund = charge;
delete from payment_refunds where refund = charge;
alter table payments force row level security;
alter table payment_refunds force row level security;
drop function names_in_event;
select wall('payment_names');
select wall('payment_refund_sums');
