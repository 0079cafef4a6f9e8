-- previous release: goes on
-- Payments that a bank decides days later (docs/spec/money.md#pending-bank-payments), by the provider's name of the payment.
-- Each time is the latest that an event reported, so events end in the same state in any order.
create table pending_payments (
  tenant_id uuid not null,
  invoice_id uuid not null,
  payment text not null,
  -- the page that it was made on
  session text,
  amount_cents bigint,
  pending_at timestamptz(3),
  failed_at timestamptz(3),
  reported_at timestamptz(3) not null default moment(),
  primary key (tenant_id, invoice_id, payment),
  foreign key (tenant_id, invoice_id) references invoices
);
select wall('pending_payments');
