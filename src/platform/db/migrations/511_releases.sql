-- previous release: goes on
-- Which releases ran on this database, in their order: a row each time that another one begins. Only the owner reads it.
create table releases (
  started_at timestamptz(3) primary key default now(),
  version text not null
);
alter table releases enable row level security;
