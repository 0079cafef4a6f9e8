create table tags (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null,
  name_folded text not null,
  -- the name without case and inner white space, which is what makes two tags the same
  identity text not null,
  color text,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  primary key (tenant_id, id)
);
select wall('tags');
create unique index tags_name on tags (tenant_id, identity);
comment on index tags_name is 'conflict: name is another tag''s; find that one with tags_list, or choose another';
create index tags_in_order on tags (tenant_id, name_folded, id);
create index tags_changed on tags (tenant_id, updated_at, id);
create trigger tag_removed after delete on tags for each row execute function keep_removal('name_folded');

create table customer_tags (
  tenant_id uuid not null,
  customer_id uuid not null,
  tag_id uuid not null,
  -- the customer's, which never changes
  customer_created_at timestamptz(3),
  primary key (tenant_id, customer_id, tag_id),
  foreign key (tenant_id, customer_id) references customers on delete cascade,
  constraint customer_tags_tag foreign key (tenant_id, tag_id) references tags on delete cascade
);
select wall('customer_tags');
comment on constraint customer_tags_tag on customer_tags is 'not_found: tag not found';
-- A tag's customers in the order of the list, however many others there are.
create index customer_tags_newest on customer_tags (tenant_id, tag_id, customer_created_at desc, customer_id desc);

create function place_customer_tag() returns trigger language plpgsql as $$
begin
  new.customer_created_at := (select created_at from customers where tenant_id = new.tenant_id and id = new.customer_id);
  return new;
end $$;
create trigger customer_tag_placed before insert on customer_tags for each row execute function place_customer_tag();

create function index_tagged_customers() returns trigger language plpgsql as $$
begin
  perform index_customers((select array_agg(distinct customer_id) from changed));
  return null;
end $$;
create trigger customer_tags_added after insert on customer_tags referencing new table as changed
  for each statement execute function index_tagged_customers();
create trigger customer_tags_removed after delete on customer_tags referencing old table as changed
  for each statement execute function index_tagged_customers();

create function index_renamed_tag() returns trigger language plpgsql as $$
begin
  perform index_customers(array(select customer_id from customer_tags where tenant_id = new.tenant_id and tag_id = new.id));
  return null;
end $$;
create trigger tag_renamed after update of name_folded on tags for each row
  when (old.name_folded <> new.name_folded) execute function index_renamed_tag();

create or replace function customer_tag_words(tenant uuid, customer uuid) returns text language sql stable as $$
  select coalesce(string_agg(translate(t.name_folded, ' |', '__'), '|' order by t.name_folded), '')
  from customer_tags a join tags t on t.tenant_id = a.tenant_id and t.id = a.tag_id
  where a.tenant_id = tenant and a.customer_id = customer
$$;
