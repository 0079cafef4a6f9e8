-- Leaves the tenant that a transaction has entered. A function, as entering is, for a cluster to say it to its other machines.
create function leave_tenant() returns void language plpgsql as $$
begin
  perform set_config('app.tenant_id', '', true);
end $$;
