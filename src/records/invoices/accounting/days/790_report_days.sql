-- previous release: goes on
-- What records come to by day, for each group that a report splits them by (docs/spec/money.md#sums-by-day). A day with
-- a mark isn't read from here but from its records, so that a sum is never stale.
create table report_days (
  tenant_id uuid not null references tenants,
  report text not null,
  split text not null,
  day date not null,
  -- of the group, such as a person; all zeros: none
  key uuid not null,
  records integer not null,
  -- in the order of the report
  sums bigint[] not null,
  primary key (tenant_id, report, split, day, key)
);

-- Days whose records changed since they were added up: from a day to a day, or those that an invoice or a job counts
-- on. Every change has a row of its own, so that none waits for another.
create table report_marks (
  tenant_id uuid not null references tenants,
  id uuid not null default gen_random_uuid(),
  report text not null,
  from_day date,
  to_day date,
  record_id uuid,
  primary key (tenant_id, id),
  check ((record_id is null) = (from_day is not null and to_day is not null))
);
insert into report_marks (tenant_id, report, from_day, to_day)
select id, report, '-infinity', 'infinity' from tenants, unnest('{sales,profit}'::text[]) report;
select wall('report_days');
select wall('report_marks');

-- Adds up amounts without numeric, as many groups need it.
create aggregate sum_cents(bigint)
  (sfunc = int8pl, stype = bigint, combinefunc = int8pl, initcond = '0', parallel = safe);

-- Few customers have a source, and reports by source need no others.
create index customers_with_source on customers (tenant_id, id) include (lead_source) where lead_source is not null;

create function mark_days(tenant uuid, of text, since date, until date) returns void language sql as $$
  insert into report_marks (tenant_id, report, from_day, to_day) values (tenant, of, since, until)
$$;
create function mark_record(tenant uuid, of text, record uuid) returns void language sql as $$
  insert into report_marks (tenant_id, report, record_id) values (tenant, of, record)
$$;
create function mark_every_day() returns trigger language plpgsql as $$
begin
  perform mark_days(coalesce(new.tenant_id, old.tenant_id), tg_argv[0], '-infinity', 'infinity');
  return null;
end $$;

create function mark_invoice() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform mark_days(old.tenant_id, 'sales', old.issue_date, old.issue_date);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.issue_date <> old.issue_date) then
    perform mark_days(new.tenant_id, 'sales', new.issue_date, new.issue_date);
  end if;
  perform mark_record(coalesce(new.tenant_id, old.tenant_id), 'profit', coalesce(new.id, old.id));
  return null;
end $$;
create trigger invoice_sold after insert on invoices for each row
  when (new.status not in ('draft', 'void')) execute function mark_invoice();
create trigger invoice_sold_gone after delete on invoices for each row
  when (old.status not in ('draft', 'void')) execute function mark_invoice();
create trigger invoice_sold_changed after update on invoices for each row
  when ((old.status in ('draft', 'void')) <> (new.status in ('draft', 'void')) or new.status not in ('draft', 'void')
    and (old.issue_date, old.subtotal_cents, old.discount_cents, old.deducted_cents, old.taxable_cents, old.tax_cents,
      old.deposit_of, old.tax_exempt, old.line_items)
    is distinct from (new.issue_date, new.subtotal_cents, new.discount_cents, new.deducted_cents, new.taxable_cents,
      new.tax_cents, new.deposit_of, new.tax_exempt, new.line_items))
  execute function mark_invoice();

-- Which jobs an invoice bills, and who did them.
create function mark_invoice_job() returns trigger language plpgsql as $$
begin
  perform mark_record(tenant, 'sales', invoice), mark_record(tenant, 'profit', invoice),
    mark_record(tenant, 'profit', job)
  from (select coalesce(new.tenant_id, old.tenant_id), coalesce(new.invoice_id, old.invoice_id),
    coalesce(new.job_id, old.job_id)) as changed(tenant, invoice, job);
  return null;
end $$;
create trigger invoice_job_marked after insert or delete on invoice_jobs for each row
  execute function mark_invoice_job();

-- All days are taken that it may be in some time zone.
create function mark_job() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.status = 'done' then
    perform mark_days(old.tenant_id, 'profit', (old.completed_at - interval '12 hours')::date,
      (old.completed_at + interval '14 hours')::date);
  end if;
  if tg_op <> 'DELETE' and new.status = 'done' then
    perform mark_days(new.tenant_id, 'profit', (new.completed_at - interval '12 hours')::date,
      (new.completed_at + interval '14 hours')::date);
  end if;
  if tg_op = 'UPDATE' then
    perform mark_record(new.tenant_id, report, new.id) from unnest('{sales,profit}'::text[]) report;
  end if;
  return null;
end $$;
create trigger job_done after insert on jobs for each row when (new.status = 'done') execute function mark_job();
create trigger job_done_gone after delete on jobs for each row when (old.status = 'done') execute function mark_job();
create trigger job_done_changed after update on jobs for each row
  when (old.assignee_ids <> new.assignee_ids or old.subtotal_cents <> new.subtotal_cents
    or (old.status = 'done' or new.status = 'done')
      and (old.status, old.completed_at, old.customer_id, old.line_items)
        is distinct from (new.status, new.completed_at, new.customer_id, new.line_items))
  execute function mark_job();

create function mark_time() returns trigger language plpgsql as $$
begin
  perform mark_record(coalesce(new.tenant_id, old.tenant_id), 'profit', job)
  from (select new.job_id union select old.job_id) as changed(job) where job is not null;
  return null;
end $$;
create trigger time_marked after insert or update or delete on time_entries for each row execute function mark_time();

create function mark_cost() returns trigger language plpgsql as $$
begin
  perform mark_days(coalesce(new.tenant_id, old.tenant_id), 'profit',
    least(new.since, old.since)::date - 1, 'infinity');
  return null;
end $$;
create trigger cost_marked after insert or update or delete on catalog_item_costs for each row
  execute function mark_cost();
create trigger rate_marked after insert or update or delete on labor_rates for each row
  execute function mark_every_day('profit');
create trigger component_marked after insert or update or delete on catalog_components for each row
  execute function mark_every_day('profit');

-- An item's category and kind of now count for all days; an item that is back has its name again.
create trigger item_moved after update of category_id on catalog_items for each row
  when (old.category_id is distinct from new.category_id) execute function mark_every_day('sales');
create trigger item_turned after update of kind on catalog_items for each row
  when (old.kind <> new.kind) execute function mark_every_day('profit');
create trigger item_gone_sales after delete on catalog_items for each row execute function mark_every_day('sales');
create trigger item_gone_profit after delete on catalog_items for each row execute function mark_every_day('profit');
create trigger item_back_sales after insert on catalog_items for each row
  when (new.created_at < now() - interval '1 minute') execute function mark_every_day('sales');
create trigger item_back_profit after insert on catalog_items for each row
  when (new.created_at < now() - interval '1 minute') execute function mark_every_day('profit');

create function mark_zone() returns trigger language plpgsql as $$
begin
  perform mark_days(new.id, 'profit', '-infinity', 'infinity');
  return null;
end $$;
create trigger zone_marked after update of timezone on tenants for each row
  when (old.timezone <> new.timezone) execute function mark_zone();
