-- Refusals that name the field and the way out.
comment on index tags_name is 'conflict: name is another tag''s; find that one with tags_list, or choose another';
