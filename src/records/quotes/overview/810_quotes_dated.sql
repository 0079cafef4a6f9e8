-- previous release: goes on
-- Reports count quotes by their dates without reading their rows.
drop index quotes_dated;
create index quotes_dated on quotes (tenant_id, issue_date)
  include (id, status, total_cents, accepted_at, declined_at, option_set);
