-- previous release: goes on
-- Reports count quotes by their dates.
create index quotes_dated on quotes (tenant_id, issue_date);
