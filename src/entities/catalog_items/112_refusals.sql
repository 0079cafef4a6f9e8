-- Refusals that name the field and the way out.
comment on index catalog_items_sku is 'conflict: sku is another item''s; find that one with catalog_items_list, or choose another';
comment on constraint catalog_items_category on catalog_items is 'invalid_input: category_id is not a category of this account; find its id with catalog_categories_list';
