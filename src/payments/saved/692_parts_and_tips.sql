-- previous release: goes on
-- Whether customers may pay a part of an invoice, and add a tip (docs/spec/money.md#parts-and-tips).
alter table payment_settings
  add column takes_parts boolean not null default false,
  add column takes_tips boolean not null default false;

-- `amount_cents` is what is paid on the invoice; the tip is paid on the same page, and isn't the invoice's.
alter table checkout_sessions
  add column is_part boolean not null default false,
  add column tip_cents bigint not null default 0 check (tip_cents >= 0);

-- A page for a part stands while that much is still owed.
create or replace function end_checkouts() returns trigger language plpgsql as $$
begin
  update checkout_sessions set state = 'stale'
  where tenant_id = new.tenant_id and invoice_id = new.id and state = 'open'
    and case when is_part then amount_cents > new.balance_due_cents else amount_cents <> new.balance_due_cents end;
  if found then perform ask_chore(new.tenant_id, 'checkout_endings'); end if;
  return null;
end $$;

-- Tips that came with payments, and went back (negative): no part of the invoice's total, balance or tax.
create table tips (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  kind text not null check (kind in ('tip', 'refund', 'dispute')),
  amount_cents bigint not null check (amount_cents <> 0),
  -- the provider's payment, as in payments
  charge text not null,
  paid_on date not null,
  at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('tips');
create unique index tips_once on tips (tenant_id, charge, kind) where kind <> 'refund';
create index tips_of_invoice on tips (tenant_id, invoice_id);
create index tips_by_day on tips (tenant_id, paid_on);
create trigger tips_dated before insert on tips for each row when (new.paid_on is null) execute function date_payment();
