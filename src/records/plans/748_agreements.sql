-- previous release: goes on
-- The visits that belong to a plan, with which it is one agreement (docs/spec/records.md#agreements).
alter table plans add column series_id uuid,
  add constraint plans_series foreign key (tenant_id, series_id) references job_series;
create unique index plans_of_series on plans (tenant_id, series_id) where series_id is not null;
create index plans_ending on plans (tenant_id, end_date) where status in ('active', 'paused') and end_date is not null;
