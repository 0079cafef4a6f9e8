-- A conversation of the assistant that was never changed says the same of when it was made and changed, as every record.
-- previous release: goes on
create trigger made_once before insert on assistant_conversations for each row
  when (new.updated_at > new.created_at and new.created_at >= date_trunc('milliseconds', statement_timestamp()))
  execute function made_once();
