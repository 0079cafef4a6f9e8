-- previous release: goes on
-- The company's own copy of an item's picture, so that no page or phone asks another site for it.
create table catalog_pictures (
  tenant_id uuid not null references tenants,
  item_id uuid not null,
  -- address of the item that was asked; another one by now has no copy yet
  source_url text not null,
  -- changes with the picture; null: it couldn't be had
  picture_id uuid,
  content_type text check (content_type in ('image/png', 'image/jpeg')),
  size_bytes integer check (size_bytes between 1 and 524288),
  storage_key text,
  tries smallint not null,
  tried_at timestamptz(3) not null default moment(),
  primary key (tenant_id, item_id),
  foreign key (tenant_id, item_id) references catalog_items,
  check (num_nulls(picture_id, content_type, size_bytes, storage_key) in (0, 4))
);
select wall('catalog_pictures');
create unique index catalog_pictures_id on catalog_pictures (tenant_id, picture_id);
