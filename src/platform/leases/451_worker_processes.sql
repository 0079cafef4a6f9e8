-- Worker processes and when each last said that it lives. The leases of one that fell silent are free before they run out.
create table worker_processes (
  id uuid primary key,
  seen_at timestamptz(3) not null default moment()
);

-- The process that has the lease; null while nobody has it.
alter table chore_leases add column holder uuid;
