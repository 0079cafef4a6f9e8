-- An owner's rule: nobody opens the company without a second factor (docs/spec/accounts.md#second-factor).
alter table tenants add column asks_second_factor boolean not null default false;
