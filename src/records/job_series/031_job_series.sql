create table job_series (
  tenant_id uuid not null references tenants,
  id uuid not null,
  customer_id uuid not null,
  location_id uuid,
  contact_id uuid,
  title text not null,
  title_folded text not null,
  description text,
  instructions text,
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  duration_minutes integer not null,
  all_day boolean not null,
  arrival_window_minutes integer not null,
  assignee_ids uuid[] not null,
  line_items jsonb not null,
  subtotal_cents bigint not null,
  -- RFC 5545 RRULE, normalised
  rrule text not null,
  timezone text not null,
  -- wall time in the zone; local midnight when all day
  dtstart timestamp(0) not null,
  -- the last local day that happens
  end_date date,
  status text not null check (status in ('active', 'ended')),
  -- the last local day whose jobs are made
  generated_through date,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, location_id) references locations,
  foreign key (tenant_id, contact_id) references contacts,
  check ((status = 'ended') = (ended_at is not null))
);
select wall('job_series');
create index job_series_newest on job_series (tenant_id, created_at desc, id desc);
create index job_series_changed on job_series (tenant_id, updated_at, id);
create index job_series_of_customer on job_series (tenant_id, customer_id, created_at desc, id desc);
create index job_series_active on job_series (tenant_id, id) where status = 'active';

alter table jobs add constraint jobs_series foreign key (tenant_id, series_id) references job_series;

-- A template's lines as a job's own.
create function own_lines(lines jsonb) returns jsonb language sql volatile as $$
  select coalesce(jsonb_agg(line || jsonb_build_object('id', gen_random_uuid()) order by place), '[]')
  from jsonb_array_elements(lines) with ordinality as l(line, place)
$$;
