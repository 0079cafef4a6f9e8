-- A list by change tells what was archived, too.
drop index catalog_items_changed;
create index catalog_items_changed on catalog_items (tenant_id, updated_at, id);
