-- A member who leaves hands their quotes to the owner of the account who has been there longest (records 3.4).
create function hand_over_quotes() returns trigger language plpgsql as $$
begin
  update quotes set updated_at = later_than(updated_at), owner_id = (
    select user_id from members
    where tenant_id = new.tenant_id and role = 'owner' and deactivated_at is null order by created_at, user_id limit 1)
  where tenant_id = new.tenant_id and owner_id = new.user_id;
  return null;
end $$;
create trigger member_left after update of deactivated_at on members for each row
  when (old.deactivated_at is null and new.deactivated_at is not null) execute function hand_over_quotes();
