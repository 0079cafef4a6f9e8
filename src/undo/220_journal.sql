-- The rows of records as they were before each change of the last days, from which a change is undone (docs/spec/undo.md#the-journal).
-- A change is one transaction: its id begins with its time, and its audit rows carry it too.
create table journal (
  tenant_id uuid not null,
  change_id uuid not null,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  -- the table, and the row's key in it without the tenant, its parts divided by colons
  kind text not null,
  key text not null,
  op text not null check (op in ('insert', 'update', 'delete')),
  -- the row before; of one that came nothing, but of a row that is nothing but its key that
  image jsonb,
  primary key (tenant_id, change_id, id)
);
select wall('journal');
create index journal_of_row on journal (tenant_id, key, at);

-- Which change was undone by which; it stands until that one is undone itself.
create table undone (
  tenant_id uuid not null,
  change_id uuid not null,
  by_change uuid not null,
  stands boolean not null default true,
  primary key (tenant_id, change_id, by_change)
);
select wall('undone');
create index undone_by on undone (tenant_id, by_change);

-- The id of the change that this transaction is, made with its first write: a UUID of version 7.
create function this_change() returns uuid language plpgsql as $$
declare
  known text := current_setting('app.change_id', true);
begin
  if known is null or known = '' then
    known := encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid::text;
    perform set_config('app.change_id', known, true);
  end if;
  return known::uuid;
end $$;

alter table audit add column change_id uuid;
alter table audit alter column change_id set default nullif(current_setting('app.change_id', true), '')::uuid;
create index audit_of_change on audit (tenant_id, change_id) where change_id is not null;
create index audit_by_time on audit (tenant_id, at) include (credential_id);

create function journal_rows() returns trigger language plpgsql as $$
declare
  change uuid := this_change();
begin
  if tg_op = 'INSERT' then
    insert into journal (tenant_id, change_id, kind, key, op) select r.tenant_id, change, tg_table_name, r.id, 'insert' from come r;
  elsif tg_op = 'UPDATE' then
    insert into journal (tenant_id, change_id, kind, key, op, image)
    select r.tenant_id, change, tg_table_name, r.id, 'update', to_jsonb(r) from gone r;
  else
    insert into journal (tenant_id, change_id, kind, key, op, image)
    select r.tenant_id, change, tg_table_name, r.id, 'delete', to_jsonb(r) from gone r;
  end if;
  return null;
end $$;

-- A customer's words for the search follow others' rows; whatever changes the customer raises updated_at too.
create function journal_customers() returns trigger language plpgsql as $$
begin
  insert into journal (tenant_id, change_id, kind, key, op, image)
  select r.tenant_id, this_change(), 'customers', r.id, 'update', to_jsonb(r)
  from gone r join come n on n.tenant_id = r.tenant_id and n.id = r.id where n.updated_at is distinct from r.updated_at;
  return null;
end $$;

-- Rows whose key is that of two records: the arguments name its columns.
create function journal_pairs() returns trigger language plpgsql as $$
declare
  change uuid := this_change();
begin
  if tg_op = 'INSERT' then
    insert into journal (tenant_id, change_id, kind, key, op, image)
    select r.tenant_id, change, tg_table_name, (i.image ->> tg_argv[0]) || ':' || (i.image ->> tg_argv[1]), 'insert', i.image
    from come r cross join lateral (select to_jsonb(r) as image) i;
  else
    insert into journal (tenant_id, change_id, kind, key, op, image)
    select r.tenant_id, change, tg_table_name, (i.image ->> tg_argv[0]) || ':' || (i.image ->> tg_argv[1]), lower(tg_op), i.image
    from gone r cross join lateral (select to_jsonb(r) as image) i;
  end if;
  return null;
end $$;

-- Keeps the rows of a table in the journal; `writes` says how, and `parts` name the key of a pair.
create function keep_journal(of regclass, writes text, parts text default '') returns void language plpgsql as $$
begin
  execute format('create trigger journal_insert after insert on %s referencing new table as come for each statement execute function journal_%s(%s)',
    of, case writes when 'customers' then 'rows' else writes end, parts);
  execute format('create trigger journal_update after update on %s referencing old table as gone%s for each statement execute function journal_%s(%s)',
    of, case writes when 'customers' then ' new table as come' else '' end, writes, parts);
  execute format('create trigger journal_delete after delete on %s referencing old table as gone for each statement execute function journal_%s(%s)',
    of, case writes when 'customers' then 'rows' else writes end, parts);
end $$;

select keep_journal('customers', 'customers');
select keep_journal(kind::regclass, 'rows') from unnest(array['contacts', 'locations', 'tags', 'notes', 'jobs', 'job_series', 'invoices', 'quotes',
  'catalog_items', 'catalog_categories', 'plans', 'tax_rates']) kind;
select keep_journal('customer_tags', 'pairs', '''customer_id'', ''tag_id''');
select keep_journal('catalog_components', 'pairs', '''bundle_id'', ''item_id''');
select keep_journal('invoice_jobs', 'pairs', '''invoice_id'', ''job_id''');
select keep_journal('deposit_deductions', 'pairs', '''invoice_id'', ''deposit_id''');
