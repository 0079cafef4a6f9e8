-- Whether a person's name is only the part of their address before the @, because nobody gave one: they are asked for it.
alter table users add column is_name_assumed boolean not null default false;
