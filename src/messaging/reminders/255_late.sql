-- Whether customers are told when a technician runs late; off until an owner says so.
alter table notice_settings add column late_customers boolean not null default false;

-- Visits whose customers were told of a delay: once a visit and day.
create table late_messages (
  tenant_id uuid not null references tenants,
  job_id uuid not null,
  day date not null,
  at timestamptz(3) not null default moment(),
  primary key (tenant_id, job_id, day),
  foreign key (tenant_id, job_id) references jobs
);
select wall('late_messages');
