-- previous release: goes on
-- Names of the columns of a list that a member chose, of those that the list declares. No row is the columns it has at first.
create table list_columns (
  tenant_id uuid not null references tenants,
  user_id uuid not null,
  list text not null,
  columns text[] not null check (cardinality(columns) between 1 and 20),
  primary key (tenant_id, user_id, list),
  foreign key (tenant_id, user_id) references members
);
select wall('list_columns');
