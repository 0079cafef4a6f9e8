-- previous release: goes on
-- Last week's figures by mail each Monday, for owners who want them; off until one turns it on.
alter table notice_settings
  add column weekly_report boolean not null default false,
  -- Monday of the report that was queued last
  add column weekly_report_on date;
