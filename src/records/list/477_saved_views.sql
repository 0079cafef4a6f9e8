-- Filters and an order of a list under a name of a member, who may share them with the company. Texts that are searched for and
-- single records are left out, so that no word of a customer is in it.
create table saved_views (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid not null,
  list text not null,
  name text not null check (char_length(name) between 1 and 40),
  query text not null check (char_length(query) between 1 and 500),
  is_shared boolean not null,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references members
);
select wall('saved_views');
create index saved_views_of_list on saved_views (tenant_id, list, user_id);
