-- Tables that name a tenant and are read before one is known, or for all of them at once: outside a tenant they are open as
-- before; inside one, rows of another are not there. Not forced: the owner looks after all of them.
create function entered() returns uuid language sql stable return nullif(current_setting('app.tenant_id', true), '')::uuid;

-- Every such table calls this once. Rows of nobody yet are there inside a tenant where it can take them.
create function fence(of regclass, nobodys boolean default false) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', of);
  execute format('create policy own on %s using (entered() is null or tenant_id = entered()%s)', of, case when nobodys then ' or tenant_id is null' else '' end);
end $$;

select fence(of) from unnest(array['key_hashes', 'invitation_hashes', 'chore_leases', 'oauth_authorizations', 'oauth_grants',
  'payment_accounts', 'managed_numbers', 'mailboxes']::regclass[]) of;
select fence(of, true) from unnest(array['oauth_clients', 'payment_events', 'quarantined_messages']::regclass[]) of;

-- A person's companies are asked for inside one too: what is changed for the person is changed in all of them.
select fence('user_tenants');
create policy persons on user_tenants for select using (true);
