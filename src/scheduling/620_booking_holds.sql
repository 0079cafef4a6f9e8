-- previous release: goes on
-- A time that is kept free for somebody who books online, until it is booked or ends (docs/spec/booking.md#holds).
create table booking_holds (
  tenant_id uuid not null references tenants,
  -- made from the step token, so that one proof of work holds one time
  id uuid not null,
  user_id uuid not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null,
  -- the job that was booked from it
  job_id uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references members,
  foreign key (tenant_id, job_id) references jobs,
  check (starts_at < ends_at)
);
select wall('booking_holds');
create index booking_holds_by_end on booking_holds (tenant_id, expires_at);
create index booking_holds_of_job on booking_holds (tenant_id, job_id) where job_id is not null;
