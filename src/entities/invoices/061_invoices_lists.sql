-- A list that is bounded by dates finds its rows, and sorts them, inside the index.
drop index invoices_issued;
drop index invoices_due;
create index invoices_issued on invoices (tenant_id, issue_date, created_at, id) include (status);
create index invoices_due on invoices (tenant_id, due_date, created_at, id) include (status);
