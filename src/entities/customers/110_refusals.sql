-- Refusals that name the field and the way out.
comment on index customers_external_id is 'conflict: external_id is another customer''s; find that one with customers_search, or choose another';
