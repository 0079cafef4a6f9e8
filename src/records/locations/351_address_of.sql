-- A location's address as one line; null without one. A function, for a cluster looks nothing up in the middle of an insert.
create function address_of(tenant uuid, location uuid) returns text language plpgsql stable as $$
begin
  return (select formatted_address from locations where tenant_id = tenant and id = location);
end $$;
