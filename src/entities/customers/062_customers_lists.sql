-- A tag's customers in the order of the list, however many others there are; a customer's created_at never changes.
alter table customer_tags add column customer_created_at timestamptz(3);
update customer_tags a set customer_created_at = c.created_at from customers c where c.tenant_id = a.tenant_id and c.id = a.customer_id;
create index customer_tags_newest on customer_tags (tenant_id, tag_id, customer_created_at desc, customer_id desc);
drop index customer_tags_of_tag;

create function place_customer_tag() returns trigger language plpgsql as $$
begin
  new.customer_created_at := (select created_at from customers where tenant_id = new.tenant_id and id = new.customer_id);
  return new;
end $$;
create trigger customer_tag_placed before insert on customer_tags for each row execute function place_customer_tag();
