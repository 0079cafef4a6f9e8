-- Whether a company is told by e-mail what customers answer to quotes; without a row it is.
create table notice_settings (
  tenant_id uuid primary key references tenants,
  quote_answers boolean not null,
  updated_at timestamptz(3) not null default moment()
);
select wall('notice_settings');
