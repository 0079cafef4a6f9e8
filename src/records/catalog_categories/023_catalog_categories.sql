create table catalog_categories (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_folded text not null,
  -- the name without case, which is what makes two siblings the same
  identity text not null,
  parent_id uuid,
  position integer not null,
  -- 1 at the root
  depth integer not null check (depth between 1 and 5),
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  primary key (tenant_id, id),
  -- looked at when the transaction ends: a parent goes before its children move up, since one may have its name
  foreign key (tenant_id, parent_id) references catalog_categories deferrable initially deferred
);
select wall('catalog_categories');
create unique index catalog_categories_name on catalog_categories (tenant_id, parent_id, identity) nulls not distinct;
comment on index catalog_categories_name is 'conflict: name is another category''s under the same parent; find that one with catalog_categories_list, or choose another';
create index catalog_categories_in_order on catalog_categories (tenant_id, depth, position, name_folded, id);
create index catalog_categories_changed on catalog_categories (tenant_id, updated_at, id);
create trigger category_removed after delete on catalog_categories for each row execute function keep_removal('parent_id');
