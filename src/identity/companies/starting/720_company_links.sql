-- previous release: goes on
-- Links by which the reader of a mail starts a company, by the SHA-256 of their secret (docs/spec/accounts.md#a-new-company).
create table company_links (
  hash bytea primary key,
  address text not null,
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null
);
create index company_links_of_address on company_links (address);
create index company_links_by_age on company_links (expires_at);

-- How many companies visitors started on a day of UTC, and how many asked for a link: both have a limit.
create table company_starts (
  day date primary key,
  companies integer not null default 0,
  mails integer not null default 0
);

alter table account_mails drop constraint account_mails_kind_check,
  add constraint account_mails_kind_check
    check (kind in ('prove', 'change_address', 'reset', 'invitation', 'notice', 'health', 'company'));
