-- previous release: goes on
-- What members are skilled in, and which skills work with a catalog item needs (docs/spec/scheduling.md#skills).
alter table members add column skills text[] not null default '{}' check (cardinality(skills) <= 20);
alter table catalog_items add column skills text[] not null default '{}' check (cardinality(skills) <= 20);
create index catalog_items_with_skills on catalog_items (tenant_id) where skills <> '{}';
