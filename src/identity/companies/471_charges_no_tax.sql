-- Whether a company has said that it charges no tax (docs/spec/money.md#no-tax): then untaxed invoices are no surprise.
alter table tenants add column charges_no_tax boolean not null default false;
