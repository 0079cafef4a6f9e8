-- How many texts a message counts as: a long SMS travels, and is charged, in parts.
alter table outbox add column segments integer not null default 1 check (segments between 1 and 50);
