-- previous release: goes on
-- Stages of a job without a quote: deposit_of names what is billed on account, which for these is the job
-- (docs/spec/money.md#stages). Quotes are never deleted.
alter table invoices add column stage_of_job uuid,
  drop constraint invoices_deposit_of,
  add constraint invoices_stage_of_job foreign key (tenant_id, stage_of_job) references jobs,
  add constraint invoices_on_account check (stage_of_job is null or (deposit_of = stage_of_job and stage is not null));
create index invoices_of_job_stages on invoices (tenant_id, stage_of_job) where stage_of_job is not null;
