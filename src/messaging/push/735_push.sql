-- previous release: goes on
-- Browsers in which members turned notifications on: the address at a push service that takes messages for one, and the keys that
-- they are encrypted with (docs/spec/notifications.md).
create table push_devices (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  -- the session that it belongs to: once that has ended, nothing is sent there
  session_id uuid not null,
  endpoint text not null check (octet_length(endpoint) <= 1000),
  -- the browser's public key and its secret (RFC 8291, section 3)
  p256dh bytea not null,
  auth bytea not null,
  kinds text[] not null check (cardinality(kinds) between 1 and 4),
  -- how the browser names itself; null where it has no known name
  device text,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id)
);
select wall('push_devices');
create unique index push_devices_of_endpoint on push_devices (tenant_id, endpoint);
create index push_devices_of_user on push_devices (tenant_id, user_id);

-- What browsers are to be told, one row a browser and event, for seconds. Ids and a kind alone: companies are found by it before
-- any is entered, so that no change of a job waits for another's.
create table push_tasks (
  tenant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  device_id uuid not null,
  kind text not null,
  attempts integer not null default 0,
  next_at timestamptz(3) not null default moment(),
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, device_id) references push_devices on delete cascade
);
select fence('push_tasks');
create index push_tasks_due on push_tasks (next_at);
create index push_tasks_of_device on push_tasks (tenant_id, device_id);

-- Tells the browsers that want to hear of it, of some people or (null) of all, but of whoever did it.
create function push(tenant uuid, what text, people uuid[], doer uuid) returns void language plpgsql as $$
begin
  insert into push_tasks (tenant_id, device_id, kind)
  select d.tenant_id, d.id, what from push_devices d
  where d.tenant_id = tenant and what = any(d.kinds) and (people is null or d.user_id = any(people))
    and d.user_id is distinct from doer;
end $$;

-- A visit of today or tomorrow, which phones have: whose it is, when, where, and what is to be done.
create function push_visit() returns trigger language plpgsql as $$
declare
  until timestamptz;
begin
  select (date_trunc('day', now() at time zone timezone) + interval '2 days') at time zone timezone into until
  from tenants where id = new.tenant_id;
  if new.scheduled_start < until or old.scheduled_start < until then
    perform push(new.tenant_id, 'visits', old.assignee_ids || new.assignee_ids, new.updated_by);
  end if;
  return null;
end $$;
create function is_near(starts timestamptz, ends timestamptz) returns boolean language sql stable
  return starts < now() + interval '50 hours' and ends > now() - interval '1 day';
create trigger job_made_pushed after insert on jobs for each row
  when (new.assignee_ids <> '{}' and new.status <> 'cancelled' and is_near(new.scheduled_start, new.scheduled_end))
  execute function push_visit();
create trigger job_changed_pushed after update on jobs for each row
  when ((is_near(new.scheduled_start, new.scheduled_end) or is_near(old.scheduled_start, old.scheduled_end))
    and (old.assignee_ids, old.scheduled_start, old.scheduled_end, old.all_day, old.status = 'cancelled', old.location_id, old.title,
      old.description, old.instructions, old.priority)
    is distinct from (new.assignee_ids, new.scheduled_start, new.scheduled_end, new.all_day, new.status = 'cancelled',
      new.location_id, new.title, new.description, new.instructions, new.priority))
  execute function push_visit();

create function push_office() returns trigger language plpgsql as $$
begin
  perform push(new.tenant_id, tg_argv[0], null, (to_jsonb(new) ->> tg_argv[1])::uuid);
  return null;
end $$;
create trigger message_pushed after insert on communications for each row
  when (new.direction = 'inbound' and new.occurred_at > now() - interval '1 day') execute function push_office('messages', '');
create trigger quote_accepted_pushed after update of status on quotes for each row
  when (new.status = 'accepted' and old.status <> 'accepted') execute function push_office('quotes', 'updated_by');
create trigger late_pushed after insert on late_reports for each row execute function push_office('late', 'user_id');
