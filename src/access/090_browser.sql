-- A member at work in the browser is a credential like the others, so that its rights are checked with each transaction,
-- its writes are told apart in the audit, and a form sent twice is known. One a member, without a key.
alter table credentials
  drop constraint credentials_kind_check,
  drop constraint credentials_last_four,
  add constraint credentials_kind_check check (kind in ('user_key', 'tenant_key', 'oauth', 'browser')),
  add constraint credentials_last_four check ((kind in ('oauth', 'browser')) = (last_four is null));
create unique index credentials_browser on credentials (tenant_id, user_id) where kind = 'browser';
