-- Lists that people sort by an amount find their rows, and sort them, inside the index.
create index invoices_by_total on invoices (tenant_id, total_cents, created_at, id) include (status);
create index invoices_by_balance on invoices (tenant_id, balance_due_cents, created_at, id) include (status);
