-- Lists that people sort by a column find their rows, and sort them, inside the index.
create index quotes_by_total on quotes (tenant_id, total_cents, created_at, id) include (status);
create index quotes_by_validity on quotes (tenant_id, valid_until, created_at, id) include (status);
