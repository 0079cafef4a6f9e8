-- previous release: goes on
-- Reports count jobs by their customers' source without reading their rows.
drop index jobs_newest;
create index jobs_newest on jobs (tenant_id, created_at desc, id desc) include (title_key, status, customer_id);
