-- The numbers that people call records by. A row is held until its transaction ends, so a number is taken last.
create table counters (
  tenant_id uuid not null references tenants,
  name text not null,
  -- the last one taken
  value bigint not null,
  primary key (tenant_id, name)
);
select wall('counters');

-- Takes numbers off a counter that begins at `first`; answers the lowest of them.
create function next_number(tenant uuid, counter text, first bigint, amount integer default 1) returns bigint language sql volatile as $$
  insert into counters as c (tenant_id, name, value) values (tenant, counter, first + amount - 1)
  on conflict (tenant_id, name) do update set value = c.value + amount
  returning c.value - amount + 1
$$;

create table jobs (
  tenant_id uuid not null references tenants,
  id uuid not null,
  number integer not null,
  customer_id uuid not null,
  location_id uuid,
  -- the address as it was when the location was chosen
  location_address text,
  contact_id uuid,
  title text not null,
  title_folded text not null,
  -- the folded title where it fits an index entry; null sends a search to title_folded
  title_key text generated always as (case when octet_length(title_folded) <= 1000 then title_folded end) stored,
  description text,
  instructions text,
  status text not null check (status in ('unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold', 'done', 'cancelled')),
  priority text not null check (priority in ('low', 'normal', 'high', 'urgent')),
  scheduled_start timestamptz(3),
  scheduled_end timestamptz(3),
  duration_minutes integer not null,
  all_day boolean not null,
  arrival_window_minutes integer not null,
  timezone text not null,
  -- in the order in which they were named
  assignee_ids uuid[] not null,
  line_items jsonb not null,
  subtotal_cents bigint not null,
  series_id uuid,
  -- the wall time in the series' zone that the job was made for, wherever it has been moved since
  occurrence_key timestamp(0),
  is_exception boolean not null default false,
  quote_id uuid,
  completed_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancel_reason text,
  fields jsonb not null,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  -- what people call it
  display_number text not null generated always as ('J-' || number::text) stored,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, location_id) references locations,
  foreign key (tenant_id, contact_id) references contacts,
  check (scheduled_end > scheduled_start),
  check ((scheduled_start is null) = (scheduled_end is null)),
  check (status <> 'unscheduled' or scheduled_start is null),
  check (status <> 'scheduled' or scheduled_start is not null),
  check (status <> 'done' or completed_at is not null),
  check ((status = 'cancelled') = (cancelled_at is not null)),
  check ((series_id is null) = (occurrence_key is null))
);
select wall('jobs');
create unique index jobs_number on jobs (tenant_id, number);
create unique index jobs_occurrence on jobs (tenant_id, series_id, (occurrence_key::date)) where series_id is not null;
create index jobs_cancelled on jobs (tenant_id, created_at desc, id desc) where status = 'cancelled';
create index jobs_unassigned on jobs (tenant_id, created_at desc, id desc) where assignee_ids = '{}';
create index jobs_by_schedule on jobs (tenant_id, scheduled_start, id);
create index jobs_by_schedule_latest on jobs (tenant_id, scheduled_start desc nulls last, id desc);
create index jobs_open_by_schedule on jobs (tenant_id, scheduled_start, id) where status not in ('done', 'cancelled');
create index jobs_changed on jobs (tenant_id, updated_at, id);
create index jobs_of_customer on jobs (tenant_id, customer_id, created_at desc, id desc);
create index jobs_of_location on jobs (tenant_id, location_id, created_at desc, id desc) where location_id is not null;
create index jobs_of_contact on jobs (tenant_id, contact_id) where contact_id is not null;
create index jobs_of_quote on jobs (tenant_id, quote_id) where quote_id is not null;
-- Lists by status, and those that pass over a status, read it inside the index.
create index jobs_newest on jobs (tenant_id, created_at desc, id desc) include (title_key, status);
create index jobs_open on jobs (tenant_id, created_at desc, id desc) include (status) where status not in ('done', 'cancelled');
create trigger job_removed after delete on jobs for each row execute function keep_removal(
  'customer_id', 'series_id', 'location_id', 'status', 'scheduled_start', 'created_at', 'title_key', 'assignee_ids');

-- A member's jobs in the orders of the lists, however many the others have: kept from jobs.assignee_ids.
create table job_assignees (
  tenant_id uuid not null,
  user_id uuid not null,
  job_id uuid not null,
  created_at timestamptz(3) not null,
  scheduled_start timestamptz(3),
  status text not null,
  primary key (tenant_id, user_id, job_id)
);
select wall('job_assignees');
create index job_assignees_newest on job_assignees (tenant_id, user_id, created_at desc, job_id desc) include (status);
create index job_assignees_open on job_assignees (tenant_id, user_id, created_at desc, job_id desc) include (status)
  where status not in ('done', 'cancelled');
create index job_assignees_by_schedule on job_assignees (tenant_id, user_id, scheduled_start, job_id) include (status);
create index job_assignees_by_schedule_latest on job_assignees (tenant_id, user_id, scheduled_start desc nulls last, job_id desc) include (status);

create function index_job_assignees() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from job_assignees where tenant_id = old.tenant_id and user_id = any(old.assignee_ids) and job_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into job_assignees (tenant_id, user_id, job_id, created_at, scheduled_start, status)
    select new.tenant_id, unnest(new.assignee_ids), new.id, new.created_at, new.scheduled_start, new.status;
  end if;
  return null;
end $$;
create trigger job_assigned after insert on jobs for each row
  when (new.assignee_ids <> '{}') execute function index_job_assignees();
create trigger job_reassigned after update of assignee_ids, scheduled_start, status on jobs for each row
  when ((old.assignee_ids, old.scheduled_start, old.status) is distinct from (new.assignee_ids, new.scheduled_start, new.status))
  execute function index_job_assignees();
create trigger job_deleted after delete on jobs for each row
  when (old.assignee_ids <> '{}') execute function index_job_assignees();

-- Members by name, in the order of their ids.
create function crew(ids uuid[]) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('user_id', u.id, 'name', u.name) order by a.place), '[]')
  from unnest(ids) with ordinality a(id, place) join users u on u.id = a.id
$$;

-- Pictures and papers of a job, with where their bytes are kept.
create table job_media (
  tenant_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  file_name text not null,
  content_type text not null,
  size_bytes bigint not null,
  storage_key text not null,
  caption text,
  created_at timestamptz(3) not null default moment(),
  created_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, job_id) references jobs
);
select wall('job_media');
create index job_media_of_job on job_media (tenant_id, job_id, created_at, id);

-- The folded titles of jobs beside them, for a search inside a title: an index on jobs itself would be written again with
-- every change of a status.
create table job_titles (
  tenant_id uuid not null,
  job_id uuid not null,
  title text not null,
  primary key (tenant_id, job_id),
  foreign key (tenant_id, job_id) references jobs on delete cascade
);
select wall('job_titles');

create function keep_job_title() returns trigger language plpgsql as $$
begin
  insert into job_titles (tenant_id, job_id, title) values (new.tenant_id, new.id, new.title_folded)
  on conflict (tenant_id, job_id) do update set title = excluded.title;
  return null;
end $$;
create trigger job_titled after insert on jobs for each row execute function keep_job_title();
create trigger job_retitled after update of title_folded on jobs for each row
  when (old.title_folded <> new.title_folded) execute function keep_job_title();

-- Every three characters that follow each other, behind the end of the tenant's id, so that tenants share no index entry.
create function grams(tenant uuid, title text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct right(tenant::text, 6) || substr(title, at, 3)), '{}') from generate_series(1, length(title) - 2) at
$$;
create index job_titles_grams on job_titles using gin (grams(tenant_id, title)) with (fastupdate = off);

-- The entered tenant's jobs with a text of three characters or more in their title, `most` of them at most. It runs as its
-- owner and compares the tenant as text for the reasons of notes_matching.
create function jobs_titled(sought text, most integer) returns setof uuid
language sql stable rows 100 security definer set search_path = public, pg_temp as $$
  select t.job_id from job_titles t
  where t.tenant_id::text = current_setting('app.tenant_id', true)
    and grams(t.tenant_id, t.title) @> grams(current_setting('app.tenant_id', true)::uuid, sought) and strpos(t.title, sought) > 0
  limit most
$$;
revoke execute on function jobs_titled from public;
grant execute on function jobs_titled to callout_app;

-- The owner, as which the function runs, passes the policy even where it is no superuser; otherwise the index would not serve.
create policy searched on job_titles for select to current_user using (true);
