-- previous release: goes on
-- Profit is read by the days on which jobs were finished.
create index jobs_done on jobs (tenant_id, completed_at, id) where status = 'done';
