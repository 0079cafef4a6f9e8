-- People that a company writes with: a customer, or an address that is nobody's yet. A row each, kept by triggers on messages.
create table correspondents (
  tenant_id uuid not null references tenants,
  id uuid not null,
  customer_id uuid,
  -- of nobody known: bare, E.164 or an address in lower case
  address text,
  last_id uuid not null,
  last_at timestamptz(3) not null,
  -- messages that came in and that nobody of the company has read
  unread integer not null default 0,
  assigned_to uuid,
  -- put away until the next message comes in
  archived_at timestamptz(3),
  -- kept out of the lists, whatever comes in, until it is lifted
  blocked_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, assigned_to) references members,
  check ((customer_id is null) <> (address is null))
);
select wall('correspondents');
create unique index correspondents_customer on correspondents (tenant_id, customer_id) where customer_id is not null;
create unique index correspondents_address on correspondents (tenant_id, address) where address is not null;
create index correspondents_open on correspondents (tenant_id, last_at desc, id desc) where archived_at is null and blocked_at is null;
create index correspondents_unread on correspondents (tenant_id, last_at desc, id desc)
  where unread > 0 and archived_at is null and blocked_at is null;
create index correspondents_assigned on correspondents (tenant_id, assigned_to, last_at desc, id desc)
  where assigned_to is not null and archived_at is null and blocked_at is null;
create index correspondents_unknown on correspondents (tenant_id, last_at desc, id desc)
  where customer_id is null and archived_at is null and blocked_at is null;
create index correspondents_archived on correspondents (tenant_id, last_at desc, id desc) where archived_at is not null and blocked_at is null;
create index correspondents_blocked on correspondents (tenant_id, last_at desc, id desc) where blocked_at is not null;

-- With whom a message is, where no customer is known.
create function counterpart_of(direction text, sender_address text, recipients text[]) returns text language sql immutable
  return case direction when 'inbound' then sender_address else recipients[1] end;
create index communications_of_stranger on communications
  (tenant_id, counterpart_of(direction, sender_address, recipients), occurred_at desc, id desc) where customer_id is null;
create index communications_unread_of on communications (tenant_id, customer_id) where direction = 'inbound' and read_at is null;

-- Reads anew what a correspondent's messages say of it, behind a lock, so that of two writers the later one sees both. A
-- message that came brings it back from the archive.
create function refresh_correspondent(tenant uuid, customer uuid, stranger text, came boolean) returns void language plpgsql as $$
declare
  own uuid;
  newest record;
  waiting integer;
begin
  insert into correspondents (tenant_id, id, customer_id, address, last_id, last_at)
  values (tenant, gen_random_uuid(), customer, case when customer is null then stranger end, gen_random_uuid(), moment())
  on conflict do nothing;
  if customer is not null then
    select c.id into own from correspondents c where c.tenant_id = tenant and c.customer_id = customer for update;
    select m.id, m.occurred_at into newest from communications m
    where m.tenant_id = tenant and m.customer_id = customer order by m.occurred_at desc, m.id desc limit 1;
    select count(*) into waiting from communications m
    where m.tenant_id = tenant and m.customer_id = customer and m.direction = 'inbound' and m.read_at is null;
  else
    select c.id into own from correspondents c where c.tenant_id = tenant and c.address = stranger for update;
    select m.id, m.occurred_at into newest from communications m
    where m.tenant_id = tenant and m.customer_id is null and counterpart_of(m.direction, m.sender_address, m.recipients) = stranger
    order by m.occurred_at desc, m.id desc limit 1;
    select count(*) into waiting from communications m
    where m.tenant_id = tenant and m.customer_id is null and counterpart_of(m.direction, m.sender_address, m.recipients) = stranger
      and m.direction = 'inbound' and m.read_at is null;
  end if;
  if newest is null then
    delete from correspondents c where c.tenant_id = tenant and c.id = own;
  else
    update correspondents c set last_id = newest.id, last_at = newest.occurred_at, unread = waiting,
      archived_at = case when not came then c.archived_at end
    where c.tenant_id = tenant and c.id = own;
  end if;
end $$;

-- Messages as they are told to whom they belong: one without a customer and a conversation is not placed yet.
create function correspond_with_new() returns trigger language plpgsql as $$
begin
  perform refresh_correspondent(w.tenant_id, w.customer_id, w.stranger, w.came) from (
    select tenant_id, customer_id, case when customer_id is null then counterpart_of(direction, sender_address, recipients) end as stranger,
      bool_or(direction = 'inbound') as came
    from after where customer_id is not null or conversation_id is not null group by 1, 2, 3 order by 1, 2, 3) w;
  return null;
end $$;
create trigger communication_new after insert on communications referencing new table as after
  for each statement execute function correspond_with_new();

create function correspond_with_changed() returns trigger language plpgsql as $$
begin
  perform refresh_correspondent(w.tenant_id, w.customer_id, w.stranger, w.came) from (
    select t.tenant_id, t.customer_id, t.stranger, bool_or(t.came) as came from (
      select a.id, a.tenant_id, a.customer_id, case when a.customer_id is null then counterpart_of(a.direction, a.sender_address, a.recipients) end as stranger,
        a.direction = 'inbound' and b.customer_id is null and b.conversation_id is null as came
      from after a join before b on b.tenant_id = a.tenant_id and b.id = a.id
      where (a.customer_id is not null or a.conversation_id is not null)
        and (a.customer_id, a.read_at, a.conversation_id is null) is distinct from (b.customer_id, b.read_at, b.conversation_id is null)
      union all
      select b.id, b.tenant_id, b.customer_id, case when b.customer_id is null then counterpart_of(b.direction, b.sender_address, b.recipients) end, false
      from before b join after a on a.tenant_id = b.tenant_id and a.id = b.id
      where (b.customer_id is not null or b.conversation_id is not null) and a.customer_id is distinct from b.customer_id) t
    group by 1, 2, 3 order by 1, 2, 3) w;
  return null;
end $$;
create trigger communication_changed after update on communications referencing old table as before new table as after
  for each statement execute function correspond_with_changed();

-- An owner who is no superuser reads rows of the entered company alone.
do $$
declare company uuid;
begin
  for company in select id from tenants loop
    perform set_config('app.tenant_id', company::text, true);
    perform refresh_correspondent(company, w.customer_id, w.stranger, false) from (
      select distinct customer_id, case when customer_id is null then counterpart_of(direction, sender_address, recipients) end as stranger
      from communications where tenant_id = company and (customer_id is not null or conversation_id is not null)) w;
  end loop;
  perform set_config('app.tenant_id', '', true);
end $$;
