-- Enters a tenant for somebody who changes what others may do in it. Their place must stand until the transaction ends: whatever
-- takes it away waits for the tenant's row, as this does (SQLSTATE CA001 as of every stale right).
create function still_in(tenant uuid, person uuid, roles text[]) returns void language plpgsql as $$
begin
  perform set_config('app.tenant_id', tenant::text, true);
  perform from tenants where id = tenant for no key update;
  if not exists (select from members where tenant_id = tenant and user_id = person and deactivated_at is null and role = any(roles)) then
    raise exception 'stale access' using errcode = 'CA001';
  end if;
end $$;
