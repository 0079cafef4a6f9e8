-- previous release: goes on
-- A price from a day on (docs/spec/records.md#prices-from-a-day): {unit_price_cents, from, recurring}, whose last part are
-- ids of the recurring jobs and plans that take it too.
alter table catalog_items add column next_price jsonb;
create index catalog_items_next_price on catalog_items (tenant_id, id) where next_price is not null;
