-- Messages of one thread with one counterpart.
create table conversations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  channel text not null check (channel in ('sms', 'email')),
  customer_id uuid,
  subject text,
  last_at timestamptz(3) not null default moment(),
  created_at timestamptz(3) not null default moment(),
  -- of an SMS thread, which is found by its two numbers
  counterpart text,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers
);
select wall('conversations');
create index conversations_of_customer on conversations (tenant_id, customer_id, last_at desc);
-- A number that went from one customer to another starts a thread anew.
create unique index conversations_of_counterpart on conversations (tenant_id, channel, counterpart, customer_id) nulls not distinct
  where counterpart is not null;

-- A message that came in or went out.
create table communications (
  tenant_id uuid not null references tenants,
  id uuid not null,
  conversation_id uuid,
  channel text not null check (channel in ('sms', 'email')),
  direction text not null check (direction in ('inbound', 'outbound')),
  status text not null check (status in ('received', 'queued', 'sending', 'delivered', 'failed')),
  provider text not null,
  -- the provider's id of the message
  provider_message_id text,
  -- as the message says, and bare: E.164 or an address in lower case
  sender text not null,
  sender_address text not null,
  recipients text[] not null,
  customer_id uuid,
  contact_id uuid,
  subject text,
  body text not null default '',
  -- as received; never rendered
  html text,
  in_reply_to text,
  dmarc text check (dmarc in ('pass', 'fail', 'neutral', 'none')),
  -- SHA-256 of what was received, to tell a repetition from another message under the same id
  content_hash bytea,
  error_message text,
  error_code text,
  read_at timestamptz(3),
  occurred_at timestamptz(3) not null default moment(),
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations,
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, contact_id) references contacts
);
select wall('communications');
create unique index communications_provider on communications (tenant_id, provider, provider_message_id) where provider_message_id is not null;
create index communications_outbound on communications (tenant_id, channel, provider_message_id) where direction = 'outbound';
create index communications_of_conversation on communications (tenant_id, conversation_id, occurred_at);
create index communications_of_customer on communications (tenant_id, customer_id, occurred_at desc);
-- The newest messages: all, those that nobody has read yet, and those that are linked to nobody.
create index communications_newest on communications (tenant_id, occurred_at, id);
create index communications_unread on communications (tenant_id, occurred_at, id) where direction = 'inbound' and read_at is null;
create index communications_unlinked on communications (tenant_id, occurred_at, id) where direction = 'inbound' and customer_id is null;

-- A message that is linked to a customer while that one is merged goes to the one that stays.
create function follow_customer() returns trigger language plpgsql as $$
begin
  new.customer_id := standing_customer(new.tenant_id, new.customer_id);
  return new;
end $$;
create trigger conversation_follows before insert or update of customer_id on conversations for each row
  when (new.customer_id is not null) execute function follow_customer();
create trigger communication_follows before insert or update of customer_id on communications for each row
  when (new.customer_id is not null) execute function follow_customer();

-- From a provider's id of a sent message to the tenants that know it, and its status as long as nobody does. A status may
-- overtake the row it is for: both lock this row, so that the later of them finds the other.
create table sent_messages (
  channel text not null,
  provider_id text not null,
  tenants uuid[] not null default '{}',
  status text,
  error_message text,
  error_code text,
  read_at timestamptz(3),
  kept_at timestamptz(3) not null default moment(),
  primary key (channel, provider_id)
);
create index sent_messages_kept on sent_messages (kept_at) where tenants = '{}';

-- Status only moves forward; failed is final, and delivered is left only for a bounce or a complaint (`reversed`).
create function next_status(old text, new text, reversed boolean) returns text language sql immutable return
  case
    when new is null or old = 'failed' then old
    when new = 'failed' then case when old = 'delivered' and not reversed then old else new end
    when array_position(array['queued', 'sending', 'delivered'], new) > coalesce(array_position(array['queued', 'sending', 'delivered'], old), 0) then new
    else old
  end;

-- Gives a sent message its tenant, and the statuses that came before it.
create function register_sent(tenant uuid, of_channel text, of_id text) returns sent_messages language plpgsql as $$
declare kept sent_messages;
begin
  insert into sent_messages (channel, provider_id) values (of_channel, of_id) on conflict do nothing;
  select * into kept from sent_messages where channel = of_channel and provider_id = of_id for update;
  update sent_messages set tenants = case when tenant = any(tenants) then tenants else tenants || tenant end,
    status = null, error_message = null, error_code = null, read_at = null
  where channel = of_channel and provider_id = of_id;
  if kept.kept_at < moment() - interval '7 days' and kept.tenants = '{}' then
    kept.status := null; kept.error_message := null; kept.error_code := null; kept.read_at := null;
  end if;
  return kept;
end $$;

create function register_communication() returns trigger language plpgsql as $$
declare kept sent_messages;
begin
  kept := register_sent(new.tenant_id, new.channel, new.provider_message_id);
  new.status := next_status(new.status, kept.status, true);
  if new.status = 'failed' then
    new.error_message := coalesce(new.error_message, kept.error_message);
    new.error_code := coalesce(new.error_code, kept.error_code);
  end if;
  new.read_at := coalesce(new.read_at, kept.read_at);
  return new;
end $$;
create trigger communication_sent before insert or update of provider_message_id on communications for each row
  when (new.direction = 'outbound' and new.provider_message_id is not null) execute function register_communication();

create function register_invoice_delivery() returns trigger language plpgsql as $$
declare kept sent_messages;
begin
  kept := register_sent(new.tenant_id, new.channel, new.provider_id);
  new.status := next_status(new.status, kept.status, true);
  if new.status = 'failed' then
    new.error_message := coalesce(new.error_message, kept.error_message);
    new.error_code := coalesce(new.error_code, kept.error_code);
  end if;
  new.read_at := coalesce(new.read_at, kept.read_at);
  return new;
end $$;
create trigger invoice_delivery_sent before insert or update of provider_id on invoice_deliveries for each row
  when (new.provider_id is not null) execute function register_invoice_delivery();

-- Applies a status callback: to communications first, then to invoice deliveries; without either it is kept. Answers where
-- it went. It enters the tenants that the message belongs to, and leaves the transaction in the last of them.
create function take_status(of_channel text, of_id text, to_status text, reversed boolean, message text, code text, seen timestamptz)
returns text language plpgsql as $$
declare
  known uuid[];
  tenant uuid;
  went text := 'kept';
begin
  insert into sent_messages as s (channel, provider_id, status, error_message, error_code, read_at)
  values (of_channel, of_id, to_status, case when to_status = 'failed' then message end, case when to_status = 'failed' then code end, seen)
  on conflict (channel, provider_id) do update set
    status = coalesce(next_status(s.status, to_status, reversed), to_status),
    error_message = case when to_status = 'failed' and next_status(s.status, to_status, reversed) is not distinct from 'failed'
      then coalesce(s.error_message, message) else s.error_message end,
    error_code = case when to_status = 'failed' and next_status(s.status, to_status, reversed) is not distinct from 'failed'
      then coalesce(s.error_code, code) else s.error_code end,
    read_at = coalesce(s.read_at, seen)
  where s.tenants = '{}';
  select tenants into known from sent_messages where channel = of_channel and provider_id = of_id for update;
  foreach tenant in array known loop
    perform set_config('app.tenant_id', tenant::text, true);
    update communications c set
      status = next_status(c.status, to_status, reversed), read_at = coalesce(c.read_at, seen),
      error_message = case when to_status = 'failed' and next_status(c.status, to_status, reversed) = 'failed' then coalesce(c.error_message, message) else c.error_message end,
      error_code = case when to_status = 'failed' and next_status(c.status, to_status, reversed) = 'failed' then coalesce(c.error_code, code) else c.error_code end,
      updated_at = later_than(c.updated_at)
    where c.tenant_id = tenant and c.channel = of_channel and c.provider_message_id = of_id and c.direction = 'outbound';
    if found then
      went := 'communications';
      continue;
    end if;
    update invoice_deliveries d set
      status = next_status(d.status, to_status, reversed), read_at = coalesce(d.read_at, seen),
      error_message = case when to_status = 'failed' and next_status(d.status, to_status, reversed) = 'failed' then coalesce(d.error_message, message) else d.error_message end,
      error_code = case when to_status = 'failed' and next_status(d.status, to_status, reversed) = 'failed' then coalesce(d.error_code, code) else d.error_code end
    where d.tenant_id = tenant and d.channel = of_channel and d.provider_id = of_id;
    if found then went := 'invoice_deliveries'; end if;
  end loop;
  return went;
end $$;

-- From a managed number, in E.164, and from an inbound address, in lower case, to the company it belongs to; looked up
-- before any tenant is entered.
create table managed_numbers (
  number text primary key,
  tenant_id uuid not null references tenants,
  created_at timestamptz(3) not null default moment()
);
create index managed_numbers_of_tenant on managed_numbers (tenant_id);
select fence('managed_numbers');
comment on constraint managed_numbers_pkey on managed_numbers is 'conflict: a company has this number already; remove it there first';

create table mailboxes (
  address text primary key,
  tenant_id uuid not null references tenants,
  created_at timestamptz(3) not null default moment()
);
create index mailboxes_of_tenant on mailboxes (tenant_id);
select fence('mailboxes');
comment on constraint mailboxes_pkey on mailboxes is 'conflict: a company has this address already; remove it there first';

-- Messages that wait for the operator: for no company, or under the id of another message of their company.
create table quarantined_messages (
  id uuid primary key,
  channel text not null check (channel in ('sms', 'email')),
  provider_message_id text not null,
  content_hash bytea not null,
  reason text not null check (reason in ('no_tenant', 'other_content')),
  -- the company that has another message under the id
  tenant_id uuid,
  sender text not null,
  recipients text[] not null,
  subject text,
  excerpt text not null,
  -- the message whole, as JSON; gone once the review is over
  raw bytea,
  state text not null default 'open' check (state in ('open', 'assigned', 'discarded')),
  assigned_to uuid[] not null default '{}',
  received_at timestamptz(3) not null default moment(),
  settled_at timestamptz(3),
  -- whose many messages a person puts away at once: bare, an address in lower case or a number
  sender_address text not null default '',
  check ((state = 'open') = (raw is not null))
);
create unique index quarantined_messages_once on quarantined_messages (channel, provider_message_id, content_hash, tenant_id, reason) nulls not distinct;
create index quarantined_messages_open on quarantined_messages (id) where state = 'open';
create index quarantined_messages_settled on quarantined_messages (settled_at) where settled_at is not null;
create index quarantined_messages_held_of_tenant on quarantined_messages (tenant_id, id) where state = 'open' and tenant_id is not null;
create index quarantined_messages_waiting on quarantined_messages (received_at) where state = 'open';
select fence('quarantined_messages', true);
