-- What reports add up is read from an index alone (docs/spec/money.md#reports).
create index invoices_sold on invoices (tenant_id, issue_date) include (customer_id, deposit_of, subtotal_cents, discount_cents, deducted_cents, taxable_cents, tax_cents, total_cents)
  where status not in ('draft', 'void');
create index invoices_owed on invoices (tenant_id, customer_id) include (due_date, balance_due_cents) where status in ('sent', 'partially_paid');
