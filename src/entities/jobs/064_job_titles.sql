-- The folded titles of jobs beside them, for a search inside a title: an index on jobs itself would be written again with
-- every change of a status.
create table job_titles (
  tenant_id uuid not null,
  job_id uuid not null,
  title text not null,
  primary key (tenant_id, job_id),
  foreign key (tenant_id, job_id) references jobs on delete cascade
);

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

alter table jobs no force row level security;
insert into job_titles (tenant_id, job_id, title) select tenant_id, id, title_folded from jobs;
alter table jobs force row level security;
select wall('job_titles');
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
