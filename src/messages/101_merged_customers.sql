-- A message that is linked to a customer while that one is merged goes to the one that stays.
create function follow_customer() returns trigger language plpgsql as $$
begin
  new.customer_id := standing_customer(new.tenant_id, new.customer_id);
  return new;
end $$;
create trigger conversation_follows before insert or update of customer_id on conversations for each row
  when (new.customer_id is not null) execute function follow_customer();
create trigger communication_follows before insert or update of customer_id on communications for each row
  when (new.customer_id is not null) execute function follow_customer();
