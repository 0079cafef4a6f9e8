-- What the menu counts on every page is read from indexes that hold nothing else.
create index invoices_awaited on invoices (tenant_id, due_date) where status in ('sent', 'partially_paid');
create index jobs_unscheduled on jobs (tenant_id, created_at desc, id desc) where status = 'unscheduled';

-- Whether keys such as / and n work without a modifier (WCAG 2.1.4), as each person likes.
alter table users add column uses_keys boolean not null default true;
