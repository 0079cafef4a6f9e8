-- When a member worked on a visit (docs/spec/field_records.md#time).
create table time_entries (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  job_id uuid not null,
  started_at timestamptz(3) not null,
  -- null: it runs
  ended_at timestamptz(3),
  -- pause and end: the member said so; next: they began on another visit; hand: it was corrected
  ended_by text check (ended_by in ('pause', 'end', 'next', 'hand')),
  is_corrected boolean not null default false,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references members,
  foreign key (tenant_id, job_id) references jobs,
  check (ended_at >= started_at),
  check ((ended_at is null) = (ended_by is null))
);
select wall('time_entries');
create unique index time_entries_running on time_entries (tenant_id, user_id) where ended_at is null;
create index time_entries_of_member on time_entries (tenant_id, user_id, started_at);
create index time_entries_of_job on time_entries (tenant_id, job_id, started_at);
create index time_entries_by_time on time_entries (tenant_id, started_at);

-- What an entry was before somebody corrected it by hand, and why.
create table time_corrections (
  tenant_id uuid not null references tenants,
  id uuid not null,
  entry_id uuid not null,
  -- both null: the entry was forgotten, and written afterwards
  started_before timestamptz(3),
  ended_before timestamptz(3),
  started_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  reason text not null check (char_length(reason) between 1 and 500),
  corrected_by uuid,
  corrected_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, entry_id) references time_entries
);
select wall('time_corrections');
create index time_corrections_of on time_corrections (tenant_id, entry_id, corrected_at);
