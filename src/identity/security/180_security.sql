-- What happened to accounts: signing in and failing to, changes of how somebody signs in. What companies' owners change is in `audit`.
create table account_events (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  at timestamptz(3) not null default moment(),
  kind text not null,
  -- of the browser: its network (never the whole address), and what it calls itself, in words
  network text,
  device text,
  about jsonb not null default '{}'
);
create index account_events_of_user on account_events (user_id, at desc, id desc);
create index account_events_by_age on account_events (at);

alter table sessions
  add column id uuid not null default gen_random_uuid(),
  -- how the person was recognized: password, passkey, provider, link; totp and recovery beside them
  add column methods text[] not null default '{password}',
  -- when they were last recognized in this session
  add column confirmed_at timestamptz(3) not null default moment(),
  add column network text,
  add column device text;
create unique index sessions_by_id on sessions (user_id, id);
