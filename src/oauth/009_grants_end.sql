-- What a member gave dies with the membership: who returns is asked again.
create function end_member_grants() returns trigger language plpgsql as $$
begin
  delete from oauth_grants where user_id = new.user_id and tenant_id = new.tenant_id;
  return null;
end $$;
create trigger member_grants_ended after update of deactivated_at on members for each row
  when (old.deactivated_at is null and new.deactivated_at is not null) execute function end_member_grants();
