-- A company of which nobody writes: it is on its way to another installation, or came as a copy and wasn't thawed yet
-- (docs/spec/tenant_file.md#freezing). Events of payments are refused by it before their tenant is entered.
create table frozen_companies (
  tenant_id uuid primary key,
  since timestamptz(3) not null default moment()
);
select fence('frozen_companies');

-- Who writes holds the lock before they look, so that whoever freezes can wait for all who had looked before.
create or replace function enter_to_write(tenant uuid, credential uuid, version integer) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext(tenant::text), instant_key(clock_timestamp()));
  if exists (select from frozen_companies where tenant_id = tenant) then
    raise exception 'frozen' using errcode = 'CA003';
  end if;
  perform enter_tenant(tenant, credential, version);
end $$;
