-- previous release: goes on
-- Whoever changes a job neither waits for a browser that goes at that moment nor fails over it: its tasks go when they are due.
alter table push_tasks drop constraint push_tasks_tenant_id_device_id_fkey;
drop index push_tasks_of_device;
