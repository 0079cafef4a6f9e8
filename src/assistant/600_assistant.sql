-- The assistant acts as a connection of the person who talks to it, one a member: it has their rights, proposes by default,
-- and the audit names both.
-- previous release: goes on
alter table credentials drop constraint credentials_kind_check;
alter table credentials add constraint credentials_kind_check
  check (kind in ('user_key', 'tenant_key', 'oauth', 'browser', 'assistant'));
alter table credentials drop constraint credentials_last_four;
alter table credentials add constraint credentials_last_four
  check ((kind in ('oauth', 'browser', 'assistant')) = (last_four is null));
create unique index credentials_assistant on credentials (tenant_id, user_id) where kind = 'assistant';

-- A person's conversation with the assistant, seen by that person alone.
create table assistant_conversations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  -- the beginning of its first message
  title text not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  -- millionths of a dollar
  cost_micros bigint not null default 0,
  -- until when an answer is being written; null: none is
  running_until timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references members
);
select wall('assistant_conversations');
create index assistant_conversations_of_member on assistant_conversations (tenant_id, user_id, updated_at desc, id desc);
create index assistant_conversations_running on assistant_conversations (tenant_id, running_until)
  where running_until is not null;
create index assistant_conversations_by_age on assistant_conversations (tenant_id, updated_at);

-- What was said: by the person, by the model with its calls, the results of those calls, and why an answer ended early.
create table assistant_messages (
  tenant_id uuid not null references tenants,
  conversation_id uuid not null,
  position integer not null,
  role text not null check (role in ('user', 'assistant', 'tool', 'notice')),
  -- JSON
  content text not null,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, conversation_id, position),
  foreign key (tenant_id, conversation_id) references assistant_conversations on delete cascade
);
select wall('assistant_messages');

-- What the assistant used in a company on a day, deleted conversations included.
create table assistant_days (
  tenant_id uuid not null references tenants,
  day date not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  primary key (tenant_id, day)
);
select wall('assistant_days');

-- A company's own model, which its owners connect.
create table assistant_models (
  tenant_id uuid primary key references tenants,
  provider text not null check (provider in ('anthropic', 'openai-compatible')),
  model text not null,
  url text,
  -- sealed by the data key; behind a zero where there is none
  api_key bytea,
  -- dollars per million tokens
  input_price numeric(9, 4),
  output_price numeric(9, 4),
  created_at timestamptz(3) not null default moment()
);
select wall('assistant_models');
