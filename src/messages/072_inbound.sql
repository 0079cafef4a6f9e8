-- From a managed number, in E.164, and from an inbound address, in lower case, to the company it belongs to; looked up
-- before any tenant is entered.
create table managed_numbers (
  number text primary key,
  tenant_id uuid not null references tenants,
  created_at timestamptz(3) not null default moment()
);
create index managed_numbers_of_tenant on managed_numbers (tenant_id);
comment on constraint managed_numbers_pkey on managed_numbers is 'conflict: a company has this number already; remove it there first';

create table mailboxes (
  address text primary key,
  tenant_id uuid not null references tenants,
  created_at timestamptz(3) not null default moment()
);
create index mailboxes_of_tenant on mailboxes (tenant_id);
comment on constraint mailboxes_pkey on mailboxes is 'conflict: a company has this address already; remove it there first';

-- What an SMS thread is found by: the two numbers. A number that went from one customer to another starts a thread anew.
alter table conversations add column counterpart text;
create unique index conversations_of_counterpart on conversations (tenant_id, channel, counterpart, customer_id) nulls not distinct
  where counterpart is not null;

create table attachments (
  tenant_id uuid not null references tenants,
  id uuid not null,
  communication_id uuid not null,
  position integer not null,
  -- for people to see; never a path
  file_name text not null,
  content_type text not null,
  size_bytes integer,
  state text not null check (state in ('pending', 'stored', 'rejected')),
  reason text,
  storage_key text,
  stored_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, communication_id) references communications,
  check ((state = 'rejected') = (reason is not null)),
  check ((state = 'stored') = (storage_key is not null))
);
select wall('attachments');
create unique index attachments_of_communication on attachments (tenant_id, communication_id, position);
create index attachments_pending on attachments (tenant_id, id) where state = 'pending';

-- The bytes of pending attachments, from the transaction of their message until storage has them.
create table attachment_spool (
  tenant_id uuid not null references tenants,
  attachment_id uuid not null,
  bytes bytea not null,
  primary key (tenant_id, attachment_id),
  foreign key (tenant_id, attachment_id) references attachments on delete cascade
);
select wall('attachment_spool');
alter table attachment_spool alter column bytes set storage external;

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
  check ((state = 'open') = (raw is not null))
);
create unique index quarantined_messages_once on quarantined_messages (channel, provider_message_id, content_hash, tenant_id, reason) nulls not distinct;
create index quarantined_messages_open on quarantined_messages (id) where state = 'open';
