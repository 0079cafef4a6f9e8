-- A list by change tells what was archived, too.
drop index notes_changed;
create index notes_changed on notes (tenant_id, updated_at, id);
