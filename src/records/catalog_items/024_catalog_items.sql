create table catalog_items (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null check (kind in ('service', 'product', 'labor', 'fee', 'bundle', 'discount')),
  name text not null,
  name_folded text not null,
  -- the folded name and sku, which a search looks through
  search_text text not null,
  description text,
  sku text,
  category_id uuid,
  unit text not null,
  -- null for a discount, and for a bundle that costs the sum of its components
  unit_price_cents bigint,
  taxable boolean not null,
  tax_rate_id uuid,
  image_url text,
  fields jsonb not null,
  duration_minutes integer,
  manufacturer text,
  model text,
  barcode text,
  pricing text check (pricing in ('sum', 'fixed')),
  discount_type text check (discount_type in ('percent', 'amount')),
  discount_value numeric(17, 4),
  cost_cents bigint,
  supplier_name text,
  supplier_sku text,
  supplier_url text,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  constraint catalog_items_category foreign key (tenant_id, category_id) references catalog_categories,
  constraint catalog_items_tax_rate foreign key (tenant_id, tax_rate_id) references tax_rates
);
select wall('catalog_items');
comment on constraint catalog_items_category on catalog_items is 'invalid_input: category_id is not a category of this account; find its id with catalog_categories_list';
create unique index catalog_items_sku on catalog_items (tenant_id, sku) where archived_at is null;
comment on index catalog_items_sku is 'conflict: sku is another item''s; find that one with catalog_items_list, or choose another';
create index catalog_items_in_order on catalog_items (tenant_id, name_folded, id) where archived_at is null;
create index catalog_items_of_category on catalog_items (tenant_id, category_id);
-- A list by change tells what was archived, too.
create index catalog_items_changed on catalog_items (tenant_id, updated_at, id);

create table catalog_components (
  tenant_id uuid not null,
  bundle_id uuid not null,
  item_id uuid not null,
  quantity numeric(7, 3) not null,
  position integer not null,
  primary key (tenant_id, bundle_id, item_id),
  foreign key (tenant_id, bundle_id) references catalog_items,
  foreign key (tenant_id, item_id) references catalog_items
);
select wall('catalog_components');
create index catalog_components_of_item on catalog_components (tenant_id, item_id);
