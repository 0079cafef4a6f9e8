-- An entry of 600 characters may lack some of its words: who needs all that have a word reads these, too.
create index search_entries_long on search_entries (tenant_id, customer_id)
  where kind in ('customer', 'contact') and length(words) >= 600;

-- A name that became shorter leaves room for what was cut off a contact's entry, so that one is made anew.
create or replace function search_customer() returns trigger language plpgsql as $$
begin
  if new.archived_at is not null then
    perform drop_search_entry(new.tenant_id, 'customer', new.id);
    return null;
  end if;
  perform keep_search_entry(new.tenant_id, 'customer', new.id, new.id, '', new.created_at);
  if tg_op = 'UPDATE' and old.name_words <> new.name_words then
    update search_entries e
    set words = left(' ' || new.name_words || coalesce(case when e.kind = 'contact' and length(e.words) >= 600 then (
        select ' ' || contact_search_words(k) || ' ' from contacts k where k.tenant_id = e.tenant_id and k.id = e.id) end,
      substr(e.words, length(old.name_words) + 2)), 600)
    where e.tenant_id = new.tenant_id and e.customer_id = new.id and e.kind <> 'customer';
  end if;
  return null;
end $$;

-- Entries that were cut before and shortened afterwards. An owner who is no superuser changes rows of the entered company alone.
do $$
declare company uuid;
begin
  for company in select id from tenants loop
    perform set_config('app.tenant_id', company::text, true);
    update search_entries e set words = w.words from (
      select k.id, left(coalesce(customer_words(k.tenant_id, k.customer_id), '') || ' ' || contact_search_words(k) || ' ', 600) as words
      from contacts k where k.tenant_id = company and k.archived_at is null) w
    where e.tenant_id = company and e.kind = 'contact' and e.id = w.id and e.words <> w.words;
  end loop;
  perform set_config('app.tenant_id', '', true);
end $$;
