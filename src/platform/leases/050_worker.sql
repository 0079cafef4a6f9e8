-- When each chore of each tenant is next due and who has it now. Read before any tenant is entered, so it has no tenant
-- policy and holds ids and times only. A chore of the whole service stands under the nil UUID.
create table chore_leases (
  tenant_id uuid not null,
  chore text not null,
  -- null while it is being done, and for a chore that waits to be asked for
  due_at timestamptz(3),
  -- taken until then, or not to be tried again before
  locked_until timestamptz(3),
  ready_at timestamptz(3) generated always as (greatest(due_at, locked_until)) stored,
  -- moves with every claim, which ends the claims before it
  fence bigint not null default 0,
  -- claims since it last succeeded
  attempts integer not null default 0,
  -- the reference of the last failure in the log
  last_error uuid,
  primary key (tenant_id, chore)
);
create index chore_leases_ready on chore_leases (ready_at);
select fence('chore_leases');

-- Keeps a claim for the rest of the transaction, or refuses when it was lost (SQLSTATE CA002). KEY SHARE lets
-- ask_chore pass and keeps claims, which lock FOR UPDATE, out.
create function hold_lease(tenant uuid, named text, claim bigint) returns void language plpgsql as $$
begin
  perform from chore_leases where tenant_id = tenant and chore = named and fence = claim for key share;
  if not found then
    raise exception 'the lease of % was lost', named using errcode = 'CA002';
  end if;
end $$;

-- Has a chore done soon. Asked for while it is being done, it is done once more.
create function ask_chore(tenant uuid, named text) returns void language sql as $$
  insert into chore_leases (tenant_id, chore, due_at) values (tenant, named, moment())
  on conflict (tenant_id, chore) do update set due_at = excluded.due_at
$$;

-- A new tenant's chores are put down by the chore "enrolment", since only the running service knows their names.
create function enrol_tenant() returns trigger language plpgsql as $$
begin
  perform ask_chore(new.id, 'enrolment');
  return null;
end $$;
create trigger tenant_enrolled after insert on tenants for each row execute function enrol_tenant();

-- In another zone the local times of the chores are others; each is idempotent and finds its next time by running.
create function reschedule_chores() returns trigger language plpgsql as $$
begin
  update chore_leases set due_at = moment() where tenant_id = new.id and due_at > moment();
  return null;
end $$;
create trigger tenant_moved after update of timezone on tenants for each row
  when (old.timezone <> new.timezone) execute function reschedule_chores();
