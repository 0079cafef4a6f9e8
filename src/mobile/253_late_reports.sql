-- What technicians said of running late, for the office (docs/spec/field.md#running-late).
create table late_reports (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  job_id uuid not null,
  minutes integer not null check (minutes between 5 and 480),
  -- how many customers a message was queued for
  told integer not null,
  at timestamptz(3) not null,
  primary key (tenant_id, id)
);
select wall('late_reports');
create index late_reports_newest on late_reports (tenant_id, at desc);
