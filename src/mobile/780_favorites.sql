-- previous release: goes on
-- Catalog items that a member keeps at the top of their phone's list.
create table catalog_favorites (
  tenant_id uuid not null references tenants,
  user_id uuid not null,
  item_id uuid not null,
  primary key (tenant_id, user_id, item_id),
  foreign key (tenant_id, user_id) references members,
  foreign key (tenant_id, item_id) references catalog_items
);
select wall('catalog_favorites');
create index catalog_favorites_of_item on catalog_favorites (tenant_id, item_id);
