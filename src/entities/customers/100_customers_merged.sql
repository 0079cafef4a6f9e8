-- The customer that an emptied one was merged into; links to the one that went lead there.
alter table customers
  add column merged_into uuid,
  add constraint customers_merged foreign key (tenant_id, merged_into) references customers,
  add check (merged_into is null or (archived_at is not null and merged_into <> id));

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
