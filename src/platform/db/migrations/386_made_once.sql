-- A record that was never changed says the same of when it was made and changed: the two defaults are read one after the other, and
-- the clock may go on between them. A record that was made before this statement, and comes back, keeps its own.
create function made_once() returns trigger language plpgsql as $$
begin
  new.updated_at := new.created_at;
  return new;
end $$;
do $$
declare made regclass;
begin
  for made in select a.attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not a.attisdropped and a.attname in ('created_at', 'updated_at')
      and exists (select from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum)
    group by 1 having count(*) = 2 order by 1
  loop
    execute format('create trigger made_once before insert on %s for each row
      when (new.updated_at > new.created_at and new.created_at >= date_trunc(''milliseconds'', statement_timestamp())) execute function made_once()', made);
  end loop;
end $$;
