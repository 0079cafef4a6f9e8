-- A picture of the place before the work or after it.
alter table job_media add column stage text check (stage in ('before', 'after'));
