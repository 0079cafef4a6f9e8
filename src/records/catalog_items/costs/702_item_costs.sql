-- previous release: goes on
-- What an item cost since when, so that the profit of earlier work stays as it was (docs/spec/money.md#profit). The first
-- cost of an item also holds before it was entered.
create table catalog_item_costs (
  tenant_id uuid not null references tenants,
  item_id uuid not null,
  since timestamptz(3) not null,
  -- null: it has none since then
  cost_cents bigint,
  primary key (tenant_id, item_id, since),
  foreign key (tenant_id, item_id) references catalog_items on delete cascade
);
alter table catalog_items no force row level security;
insert into catalog_item_costs (tenant_id, item_id, since, cost_cents)
select tenant_id, id, timestamptz '1970-01-01 00:00:00+00', cost_cents from catalog_items where cost_cents is not null;
alter table catalog_items force row level security;
select wall('catalog_item_costs');

create function keep_item_cost() returns trigger language plpgsql as $$
begin
  insert into catalog_item_costs (tenant_id, item_id, since, cost_cents)
  values (new.tenant_id, new.id,
    case when exists (select from catalog_item_costs c where c.tenant_id = new.tenant_id and c.item_id = new.id)
      then moment_of(new.tenant_id) else timestamptz '1970-01-01 00:00:00+00' end,
    new.cost_cents)
  on conflict (tenant_id, item_id, since) do update set cost_cents = excluded.cost_cents;
  return null;
end $$;
create trigger catalog_item_costs_begun after insert on catalog_items for each row
  when (new.cost_cents is not null) execute function keep_item_cost();
create trigger catalog_item_costs_changed after update of cost_cents on catalog_items for each row
  when (new.cost_cents is distinct from old.cost_cents) execute function keep_item_cost();
