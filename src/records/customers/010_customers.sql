create table customers (
  tenant_id uuid not null references tenants,
  id uuid not null,
  customer_type text not null check (customer_type in ('individual', 'company')),
  first_name text,
  last_name text,
  company_name text,
  display_name text not null,
  -- the beginning of the folded display name: order of search, exact match
  sort_name text not null,
  -- its words, and the parts of words joined by punctuation
  name_words text not null,
  status text not null check (status in ('lead', 'active', 'inactive')),
  lead_source text,
  tax_exempt boolean not null,
  payment_terms_days integer,
  do_not_service boolean not null,
  preferred_language text,
  external_id text,
  fields jsonb not null,
  search_text text not null default '',
  -- the search text where it fits an index entry; null sends a search to search_text
  search_key text generated always as (case when octet_length(search_text) <= 1500 then search_text end) stored,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  -- the customer that this one, emptied, was merged into; links to the one that went lead there
  merged_into uuid,
  primary key (tenant_id, id),
  constraint customers_merged foreign key (tenant_id, merged_into) references customers,
  check (merged_into is null or (archived_at is not null and merged_into <> id))
);
select wall('customers');
create unique index customers_external_id on customers (tenant_id, external_id) where external_id is not null;
comment on index customers_external_id is 'conflict: external_id is another customer''s; find that one with customers_search, or choose another';
create index customers_newest on customers (tenant_id, created_at desc, id desc) include (status, customer_type) where archived_at is null;
create index customers_by_name on customers (tenant_id, sort_name, id) include (search_key, status, customer_type) where archived_at is null;
-- A list by change tells what was archived, too.
create index customers_changed on customers (tenant_id, updated_at, id);

-- What a search looks through, section by section: words of names, then |status|tags|, then after a
-- record separator the phones, then after a unit separator the e-mails. Contacts and tags fill their parts in.
create function customer_contact_words(tenant uuid, customer uuid, out names text, out phones text, out emails text)
language sql stable as $$ select '', '', '' $$;
create function customer_tag_words(tenant uuid, customer uuid) returns text language sql stable as $$ select '' $$;

create function customer_search_text(tenant uuid, customer uuid, name_words text, status text) returns text
language sql stable as $$
  select ' ' || name_words || ' ' || c.names || ' |' || status || '|' || customer_tag_words(tenant, customer) || '|'
    || e'\x1e' || c.phones || e'\x1f' || c.emails
  from customer_contact_words(tenant, customer) c
$$;

create function index_customer() returns trigger language plpgsql as $$
begin
  new.search_text := customer_search_text(new.tenant_id, new.id, new.name_words, new.status);
  return new;
end $$;
create trigger customer_named before insert or update of name_words, status on customers
  for each row execute function index_customer();

-- Made anew after a change of contacts or tags; the customer's own updated_at stays.
create function index_customers(ids uuid[]) returns void language sql as $$
  update customers set name_words = name_words
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid and id = any(ids)
$$;

-- Who a customer is now. It waits for a merge that is under way.
create function standing_customer(tenant uuid, customer uuid) returns uuid language plpgsql as $$
declare
  standing uuid := customer;
  successor uuid;
begin
  loop
    select merged_into into successor from customers where tenant_id = tenant and id = standing for key share;
    if successor is null then return standing; end if;
    standing := successor;
  end loop;
end $$;
