create table contacts (
  tenant_id uuid not null references tenants,
  id uuid not null,
  customer_id uuid not null,
  first_name text,
  last_name text,
  name_folded text not null,
  role_label text,
  email text,
  phone text,
  phone_extension text,
  is_primary boolean not null,
  sms_opt_out boolean not null,
  email_opt_out boolean not null,
  notes text,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  -- when somebody with this contact's number answered STOP; null: never, or started again since. No tool shows or sets it.
  sms_stopped_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customers
);
select wall('contacts');
create unique index contacts_primary on contacts (tenant_id, customer_id) where is_primary and archived_at is null;
create index contacts_of_customer on contacts (tenant_id, customer_id, created_at, id) where archived_at is null;
create index contacts_phone on contacts (tenant_id, phone) where archived_at is null;
create index contacts_email on contacts (tenant_id, email) where archived_at is null;

create function index_customers_of_contacts() returns trigger language plpgsql as $$
begin
  perform index_customers((select array_agg(distinct customer_id) from changed));
  return null;
end $$;
create trigger contacts_added after insert on contacts referencing new table as changed
  for each statement execute function index_customers_of_contacts();
create trigger contacts_changed after update on contacts referencing new table as changed
  for each statement execute function index_customers_of_contacts();

create or replace function customer_contact_words(tenant uuid, customer uuid, out names text, out phones text, out emails text)
language sql stable as $$
  select coalesce(string_agg(c.name_folded, ' '), ''), coalesce(string_agg(c.phone, '|'), ''), coalesce(string_agg(c.email, '|'), '')
  from contacts c where c.tenant_id = tenant and c.customer_id = customer and c.archived_at is null
$$;
