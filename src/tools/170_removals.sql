-- What was deleted, for those who list by change, with as much of it as lists filter by; kept for 30 days.
create table removals (
  tenant_id uuid not null references tenants,
  -- the table it was in
  kind text not null,
  id uuid not null,
  at timestamptz(3) not null,
  record jsonb not null,
  primary key (tenant_id, kind, id)
);
select wall('removals');
create index removals_changed on removals (tenant_id, kind, at, id);

-- A table whose rows a list shows and a tool deletes calls this after each; its arguments are the columns to keep.
create function keep_removal() returns trigger language plpgsql as $$
begin
  insert into removals (tenant_id, kind, id, at, record) values (old.tenant_id, tg_table_name, old.id, later_than(old.updated_at),
    (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(to_jsonb(old)) where key = any(tg_argv)));
  return null;
end $$;
