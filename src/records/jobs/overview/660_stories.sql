-- previous release: goes on
-- A customer's visits in the order in which they happened, and those to come, without reading all of their jobs.
create index jobs_of_story on jobs
  (tenant_id, customer_id, (coalesce(completed_at, cancelled_at, scheduled_start, created_at)) desc, id desc);
