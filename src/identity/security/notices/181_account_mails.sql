-- Mail of the installation itself to a person, such as a link that proves an address: not mail of a company, which is in `outbox`.
-- No secret is here: a link is made while its mail is handed over (docs/spec/accounts.md#account-mail).
create table account_mails (
  id uuid primary key,
  -- null for an address of which it isn't known yet whether anybody has it
  user_id uuid references users on delete cascade,
  address text not null,
  kind text not null check (kind in ('prove', 'change_address', 'reset', 'invitation', 'notice')),
  language text not null,
  -- what it says, as far as that isn't read when it is written; null once it is handed over or given up
  about jsonb,
  state text not null default 'queued' check (state in ('queued', 'attempting', 'handed_over', 'uncertain', 'failed', 'kept')),
  reply text,
  attempts integer not null default 0,
  next_at timestamptz(3) not null default moment(),
  created_at timestamptz(3) not null default moment(),
  settled_at timestamptz(3)
);
create index account_mails_due on account_mails (next_at, id) where state = 'queued';
create index account_mails_of_address on account_mails (address, created_at);
create index account_mails_by_age on account_mails (created_at);
