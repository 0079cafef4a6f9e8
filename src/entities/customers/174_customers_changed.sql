-- A list by change tells what was archived, too.
drop index customers_changed;
create index customers_changed on customers (tenant_id, updated_at, id);
