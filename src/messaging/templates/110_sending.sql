-- A company's own words for a kind of message; without a row the default ones hold.
create table message_templates (
  tenant_id uuid not null references tenants,
  kind text not null check (kind ~ '^[a-z_]{1,40}$'),
  channel text not null check (channel in ('email', 'sms')),
  language text not null check (language in ('en', 'es')),
  subject text check (char_length(subject) <= 200),
  body text not null check (char_length(body) between 1 and 5000),
  updated_at timestamptz(3) not null default moment(),
  updated_by uuid,
  primary key (tenant_id, kind, channel, language),
  check ((channel = 'email') = (subject is not null))
);
select wall('message_templates');

-- What a company lets be sent by itself; without a row it is off.
create table reminder_settings (
  tenant_id uuid not null references tenants,
  kind text not null check (kind in ('visit', 'quote', 'invoice', 'plan')),
  is_on boolean not null,
  -- days from what it is about, negative before it; each is one message
  steps integer[] not null check (cardinality(steps) between 1 and 12),
  -- of the company's day
  hour integer not null check (hour between 7 and 20),
  channel text not null check (channel in ('email', 'sms')),
  -- what was due before this moment is not made up for
  since timestamptz(3) not null default moment(),
  primary key (tenant_id, kind)
);
select wall('reminder_settings');

-- A customer who gets no reminders.
create table reminder_exclusions (
  tenant_id uuid not null references tenants,
  customer_id uuid not null,
  excluded_by uuid,
  excluded_at timestamptz(3) not null default moment(),
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customers
);
select wall('reminder_exclusions');

-- Whoever a customer is merged into gets no reminders either.
create function carry_exclusion() returns trigger language plpgsql as $$
begin
  insert into reminder_exclusions (tenant_id, customer_id, excluded_by, excluded_at)
  select e.tenant_id, new.merged_into, e.excluded_by, e.excluded_at from reminder_exclusions e
  where e.tenant_id = new.tenant_id and e.customer_id = new.id
  on conflict do nothing;
  return null;
end $$;
create trigger customer_exclusion after update of merged_into on customers for each row
  when (new.merged_into is not null and old.merged_into is distinct from new.merged_into) execute function carry_exclusion();

-- Each reminder that came due, sent or left out: one a record, occasion and step, whatever crashes or clocks do.
create table reminders (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null check (kind in ('visit', 'quote', 'invoice', 'plan')),
  record_id uuid not null,
  -- the day that the steps are counted from: of the visit, of the sending, of the due date, of the end
  occasion date not null,
  step integer not null,
  -- the message in the outbox
  message_id uuid,
  left_out text check (left_out in ('excluded', 'opted_out', 'no_address', 'no_sender', 'refused')),
  reason text check (char_length(reason) <= 500),
  at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  check ((message_id is null) = (left_out is not null))
);
select wall('reminders');
create unique index reminders_once on reminders (tenant_id, kind, record_id, occasion, step);
create index reminders_newest on reminders (tenant_id, at desc, id desc);
