-- Words as src/shape/fold.ts folds them, without the punctuation around and inside of them.
create function search_words(given text) returns text language sql immutable parallel safe as $$
  select regexp_replace(lower(translate(
    replace(replace(replace(replace(replace(replace(replace(replace(regexp_replace(normalize(left(given, 300), nfkd), '[\u0300-\u036f]', '', 'g'),
      'ß', 'ss'), 'ẞ', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'),
    'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςØøŁłĐđÐðı.,;:!?()[]{}<>"`/\|&+*=#_@-''',
    'абвгдежзиклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωσoollddddi                            ')), '\s+', ' ', 'g')
$$;

-- What an entry is found by: each of its words behind the end of the tenant's id and the kind, so that neither tenants nor kinds
-- share an entry of the index.
create function search_keys(tenant uuid, of_kind text, words text) returns tsvector language sql immutable parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(distinct right(tenant::text, 6) || left(of_kind, 2) || word)), '')
  from regexp_split_to_table(words, ' ') word where word <> ''
$$;

-- What the search of every page finds: one row for a customer, a contact, a place, a job, a quote, an invoice and a message,
-- with the words that find it. Triggers keep it, in the transaction of each write.
create table search_entries (
  tenant_id uuid not null references tenants,
  kind text not null check (kind in ('customer', 'contact', 'location', 'job', 'quote', 'invoice', 'message')),
  id uuid not null,
  -- null: a message of nobody known
  customer_id uuid,
  -- folded, a space before each word: the customer's name, then its own
  words text not null,
  keys tsvector not null generated always as (search_keys(tenant_id, kind, words)) stored,
  at timestamptz(3) not null,
  primary key (tenant_id, kind, id),
  foreign key (tenant_id, customer_id) references customers,
  check (customer_id is not null or kind = 'message')
);
select wall('search_entries');
create index search_entries_newest on search_entries (tenant_id, kind, at desc, id desc);
create index search_entries_of_customer on search_entries (tenant_id, customer_id);

-- The entered tenant's entries of a kind that have a word that begins with each text, `most` of them at most. It runs as its
-- owner for the reasons of notes_matching; tenant and kind are compared so that no other index is read for them.
create function search_matching(of_kind text, sought text[], most integer)
returns table (id uuid, customer_id uuid, words text, at timestamptz)
language sql stable rows 100 security definer set search_path = public, pg_temp as $$
  select e.id, e.customer_id, e.words, e.at from search_entries e
  where e.tenant_id::text = current_setting('app.tenant_id', true) and e.kind || '' = of_kind
    and e.keys @@ (
      select string_agg('''' || replace(replace(right(current_setting('app.tenant_id', true), 6) || left(of_kind, 2) || ltrim(one),
        '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery from unnest(sought) one)
  limit most
$$;
revoke execute on function search_matching from public;
grant execute on function search_matching to callout_app;

-- The owner, as which the function runs, passes the policy even where it is no superuser; otherwise the index would not serve.
create policy searched on search_entries for select to current_user using (true);

create function customer_words(tenant uuid, customer uuid) returns text language sql stable as $$
  select ' ' || name_words from customers where tenant_id = tenant and id = customer
$$;

create function keep_search_entry(tenant uuid, of_kind text, entry uuid, customer uuid, own text, made timestamptz) returns void
language sql as $$
  insert into search_entries (tenant_id, kind, id, customer_id, words, at)
  values (tenant, of_kind, entry, customer, left(coalesce(customer_words(tenant, customer), '') || ' ' || own || ' ', 600), made)
  on conflict (tenant_id, kind, id) do update set customer_id = excluded.customer_id, words = excluded.words
$$;

create function drop_search_entry(tenant uuid, of_kind text, entry uuid) returns void language sql as $$
  delete from search_entries where tenant_id = tenant and kind = of_kind and id = entry
$$;

-- A contact's own words: names, the e-mail as it is and its parts, the digits of its phone from each of them on.
create function contact_search_words(c contacts) returns text language sql immutable as $$
  select concat_ws(' ', c.name_folded, c.email, search_words(c.email), (
    select string_agg(substr(digits, at), ' ') from regexp_replace(c.phone, '\D', '', 'g') digits, generate_series(1, length(digits) - 2) at))
$$;

create function search_customer() returns trigger language plpgsql as $$
begin
  if new.archived_at is not null then
    perform drop_search_entry(new.tenant_id, 'customer', new.id);
    return null;
  end if;
  perform keep_search_entry(new.tenant_id, 'customer', new.id, new.id, '', new.created_at);
  if tg_op = 'UPDATE' and old.name_words <> new.name_words then
    update search_entries set words = left(' ' || new.name_words || substr(words, length(old.name_words) + 2), 600)
    where tenant_id = new.tenant_id and customer_id = new.id and kind <> 'customer';
  end if;
  return null;
end $$;
create trigger customer_searched after insert on customers for each row execute function search_customer();
create trigger customer_found after update on customers for each row
  when (old.name_words <> new.name_words or old.archived_at is distinct from new.archived_at) execute function search_customer();

create function search_contact() returns trigger language plpgsql as $$
begin
  if new.archived_at is not null then perform drop_search_entry(new.tenant_id, 'contact', new.id);
  else perform keep_search_entry(new.tenant_id, 'contact', new.id, new.customer_id, contact_search_words(new), new.created_at);
  end if;
  return null;
end $$;
create trigger contact_searched after insert on contacts for each row execute function search_contact();
create trigger contact_found after update on contacts for each row
  when ((old.customer_id, old.name_folded, old.email, old.phone, old.archived_at)
    is distinct from (new.customer_id, new.name_folded, new.email, new.phone, new.archived_at)) execute function search_contact();

create function search_location() returns trigger language plpgsql as $$
begin
  if new.archived_at is not null then perform drop_search_entry(new.tenant_id, 'location', new.id);
  else perform keep_search_entry(new.tenant_id, 'location', new.id, new.customer_id,
    search_words(concat_ws(' ', new.name, new.formatted_address)), new.created_at);
  end if;
  return null;
end $$;
create trigger location_searched after insert on locations for each row execute function search_location();
create trigger location_found after update on locations for each row
  when ((old.customer_id, old.name, old.formatted_address, old.archived_at)
    is distinct from (new.customer_id, new.name, new.formatted_address, new.archived_at)) execute function search_location();

create function search_job() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then perform drop_search_entry(old.tenant_id, 'job', old.id);
  else perform keep_search_entry(new.tenant_id, 'job', new.id, new.customer_id, search_words(new.title), new.created_at);
  end if;
  return null;
end $$;
create trigger job_searched after insert or delete on jobs for each row execute function search_job();
create trigger job_found after update on jobs for each row
  when (old.title <> new.title or old.customer_id <> new.customer_id) execute function search_job();

create function search_quote() returns trigger language plpgsql as $$
begin
  if new.status = 'archived' then perform drop_search_entry(new.tenant_id, 'quote', new.id);
  else perform keep_search_entry(new.tenant_id, 'quote', new.id, new.customer_id, search_words(new.title), new.created_at);
  end if;
  return null;
end $$;
create trigger quote_searched after insert on quotes for each row execute function search_quote();
create trigger quote_found after update on quotes for each row
  when (old.title <> new.title or old.customer_id <> new.customer_id or (old.status = 'archived') <> (new.status = 'archived'))
  execute function search_quote();

create function search_invoice() returns trigger language plpgsql as $$
begin
  perform keep_search_entry(new.tenant_id, 'invoice', new.id, new.customer_id, search_words(coalesce(new.subject, '')), new.created_at);
  return null;
end $$;
create trigger invoice_searched after insert on invoices for each row execute function search_invoice();
create trigger invoice_found after update on invoices for each row
  when (old.subject is distinct from new.subject or old.customer_id <> new.customer_id) execute function search_invoice();

-- A message's own words: from whom it came or to whom it went, its subject, the beginning of its text.
create function message_search_words(m communications) returns text language sql immutable as $$
  select search_words(concat_ws(' ', case m.direction when 'inbound' then m.sender else m.recipients[1] end, m.subject, left(m.body, 300)))
$$;

create function search_message() returns trigger language plpgsql as $$
begin
  perform keep_search_entry(new.tenant_id, 'message', new.id, new.customer_id, message_search_words(new), new.occurred_at);
  return null;
end $$;
create trigger message_searched after insert on communications for each row execute function search_message();
create trigger message_found after update on communications for each row
  when (old.customer_id is distinct from new.customer_id) execute function search_message();

-- Writes the entries of all that a company has; for companies that were there before, and for rows that came without triggers.
create function fill_search(company uuid) returns void language sql as $$
  insert into search_entries (tenant_id, kind, id, customer_id, words, at)
  select w.tenant_id, w.kind, w.id, w.customer_id, left(coalesce(' ' || c.name_words, '') || ' ' || w.own || ' ', 600), w.at from (
    select tenant_id, 'customer' as kind, id, id as customer_id, '' as own, created_at as at from customers where archived_at is null
    union all select tenant_id, 'contact', id, customer_id, contact_search_words(k), created_at from contacts k where archived_at is null
    union all select tenant_id, 'location', id, customer_id, search_words(concat_ws(' ', name, formatted_address)), created_at
      from locations where archived_at is null
    union all select tenant_id, 'job', id, customer_id, search_words(title), created_at from jobs
    union all select tenant_id, 'quote', id, customer_id, search_words(title), created_at from quotes where status <> 'archived'
    union all select tenant_id, 'invoice', id, customer_id, search_words(coalesce(subject, '')), created_at from invoices
    union all select tenant_id, 'message', id, customer_id, message_search_words(m), occurred_at from communications m
  ) w left join customers c on c.tenant_id = w.tenant_id and c.id = w.customer_id where w.tenant_id = company
$$;

-- An owner who is no superuser reads rows of the entered company alone.
do $$
declare company uuid;
begin
  for company in select id from tenants loop
    perform set_config('app.tenant_id', company::text, true);
    perform fill_search(company);
  end loop;
  perform set_config('app.tenant_id', '', true);
end $$;

-- Made last: an index of rows that are there is far cheaper than one that each of them is added to.
create index search_entries_keys on search_entries using gin (keys) with (fastupdate = off);
