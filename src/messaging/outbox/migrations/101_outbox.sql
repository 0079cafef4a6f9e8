-- What is to be sent of an outbound message, beside it under the same id.
create table outbox (
  tenant_id uuid not null references tenants,
  id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  cause text not null check (cause in ('sent', 'reply', 'reminder', 'on_my_way', 'test')),
  state text not null default 'queued' check (state in ('queued', 'attempting', 'handed_over', 'delivered', 'failed', 'uncertain', 'held', 'cancelled')),
  -- bare: an address in lower case, or E.164
  recipient text not null,
  recipient_name text,
  about_kind text check (about_kind in ('invoices', 'quotes', 'jobs', 'customers', 'plans')),
  about_id uuid,
  -- null: by itself
  queued_by uuid,
  attachments jsonb not null default '[]',
  -- not to be tried before
  next_at timestamptz(3) not null default moment(),
  -- why it waits until then, or why it ended
  reason text check (reason in ('later', 'retry', 'quiet_hours', 'daily_limit', 'no_sender', 'refused', 'gave_up', 'bounced', 'opted_out',
    'suppressed', 'unreadable', 'interrupted', 'no_answer', 'by_hand')),
  -- the provider's last words
  reply text,
  attempts integer not null default 0,
  first_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  settled_at timestamptz(3),
  -- who cancelled it, sent it again or said that it was sent
  settled_by uuid,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, id) references communications,
  check ((about_kind is null) = (about_id is null))
);
select wall('outbox');
create index outbox_due on outbox (tenant_id, channel, next_at, id) where state = 'queued';
create index outbox_attempting on outbox (tenant_id, channel) where state = 'attempting';
create index outbox_newest on outbox (tenant_id, created_at, id);
create index outbox_of_state on outbox (tenant_id, state, created_at, id);
create index outbox_about on outbox (tenant_id, about_id, created_at) where about_id is not null;
create index outbox_tried on outbox (tenant_id, channel, last_attempt_at) where last_attempt_at is not null;

-- How much a company sends a day, and when it sends nothing that nobody waits for; without a row, as the defaults say.
create table outbox_limits (
  tenant_id uuid primary key references tenants,
  emails_a_day integer not null default 500 check (emails_a_day between 0 and 100000),
  texts_a_day integer not null default 250 check (texts_a_day between 0 and 100000),
  -- local times; the same twice: no quiet hours
  quiet_from time not null default '21:00',
  quiet_until time not null default '08:00',
  updated_at timestamptz(3) not null default moment()
);
select wall('outbox_limits');

-- Has a chore done by then at the latest.
create function ask_chore_by(tenant uuid, named text, at timestamptz) returns void language sql as $$
  insert into chore_leases (tenant_id, chore, due_at) values (tenant, named, at)
  on conflict (tenant_id, chore) do update set due_at = least(chore_leases.due_at, excluded.due_at)
$$;

-- A status of the provider moves what is sent: proof that it was handed over, that it arrived, or that it did not.
create function follow_status() returns trigger language plpgsql as $$
begin
  update outbox o set
    state = case new.status when 'sending' then 'handed_over' else new.status end,
    reason = case when new.status = 'failed' then 'bounced' end,
    reply = case when new.status = 'failed' then coalesce(new.error_message, o.reply) else o.reply end,
    settled_at = moment(), updated_at = later_than(o.updated_at)
  where o.tenant_id = new.tenant_id and o.id = new.id
    and (o.state in ('attempting', 'uncertain') or (o.state = 'queued' and o.attempts > 0)
      or (o.state = 'handed_over' and new.status <> 'sending') or (o.state = 'delivered' and new.status = 'failed'));
  return null;
end $$;
create trigger communication_followed after update on communications for each row
  when (new.direction = 'outbound' and new.status is distinct from old.status and new.status in ('sending', 'delivered', 'failed'))
  execute function follow_status();

-- A status that names our own message proves that the provider has it, and tells the provider's id where its answer never came.
create function learn_sent(tenant uuid, message uuid, of_channel text, of_id text) returns void language plpgsql as $$
begin
  perform set_config('app.tenant_id', tenant::text, true);
  update communications set provider_message_id = of_id, status = next_status(status, 'queued', false), updated_at = later_than(updated_at)
  where tenant_id = tenant and id = message and channel = of_channel and direction = 'outbound' and provider_message_id is null
    and exists (select from outbox o where o.tenant_id = tenant and o.id = message and o.attempts > 0);
  update outbox set state = 'handed_over', reason = null, settled_at = moment(), updated_at = later_than(updated_at)
  where tenant_id = tenant and id = message and (state in ('attempting', 'uncertain') or (state = 'queued' and attempts > 0));
  perform set_config('app.tenant_id', '', true);
end $$;
