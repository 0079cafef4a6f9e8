-- Lists by status, and those that pass over a status, read it inside the index.
drop index jobs_newest;
create index jobs_newest on jobs (tenant_id, created_at desc, id desc) include (title_key, status);
drop index jobs_open;
create index jobs_open on jobs (tenant_id, created_at desc, id desc) include (status) where status not in ('done', 'cancelled');

-- A member's jobs in the orders of the lists, however many the others have.
alter table job_assignees add column created_at timestamptz(3), add column scheduled_start timestamptz(3), add column status text;
update job_assignees a set created_at = j.created_at, scheduled_start = j.scheduled_start, status = j.status
from jobs j where j.tenant_id = a.tenant_id and j.id = a.job_id;
alter table job_assignees alter column created_at set not null, alter column status set not null;
create index job_assignees_newest on job_assignees (tenant_id, user_id, created_at desc, job_id desc) include (status);
create index job_assignees_open on job_assignees (tenant_id, user_id, created_at desc, job_id desc) include (status)
  where status not in ('done', 'cancelled');
create index job_assignees_by_schedule on job_assignees (tenant_id, user_id, scheduled_start, job_id) include (status);
create index job_assignees_by_schedule_latest on job_assignees (tenant_id, user_id, scheduled_start desc nulls last, job_id desc) include (status);

create or replace function index_job_assignees() returns trigger language plpgsql as $$
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
drop trigger job_reassigned on jobs;
create trigger job_reassigned after update of assignee_ids, scheduled_start, status on jobs for each row
  when ((old.assignee_ids, old.scheduled_start, old.status) is distinct from (new.assignee_ids, new.scheduled_start, new.status))
  execute function index_job_assignees();
