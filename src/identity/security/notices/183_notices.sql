-- What a person is told of their account: by mail where that is possible, else on their next page until they have read it.
create table notices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null,
  about jsonb not null default '{}',
  at timestamptz(3) not null default moment(),
  mail_id uuid references account_mails on delete set null,
  dismissed_at timestamptz(3)
);
create index notices_of_user on notices (user_id, at desc);
create index notices_of_mail on notices (mail_id);
