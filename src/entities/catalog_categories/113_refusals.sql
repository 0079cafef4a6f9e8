-- Refusals that name the field and the way out.
comment on index catalog_categories_name is 'conflict: name is another category''s under the same parent; find that one with catalog_categories_list, or choose another';
