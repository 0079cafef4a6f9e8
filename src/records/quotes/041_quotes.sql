create table quotes (
  tenant_id uuid not null references tenants,
  id uuid not null,
  number integer not null,
  display_number text not null generated always as ('Q-' || number::text) stored,
  owner_id uuid not null,
  customer_id uuid not null,
  location_id uuid,
  -- the address as it was when the quote left draft
  location_address text,
  contact_id uuid,
  title text not null,
  status text not null check (status in ('draft', 'sent', 'accepted', 'declined', 'expired', 'archived')),
  issue_date date not null,
  valid_until date not null,
  message text,
  terms text,
  line_items jsonb not null,
  discount jsonb,
  -- the rate in effect; not chosen while it is the location's or the tenant's default
  tax_rate_id uuid,
  tax_rate_chosen boolean not null,
  tax_exempt boolean not null,
  taxes jsonb not null,
  fields jsonb not null,
  currency text not null,
  subtotal_cents bigint not null,
  discount_cents bigint not null,
  taxable_cents bigint not null,
  tax_cents bigint not null,
  total_cents bigint not null,
  sent_at timestamptz(3),
  accepted_at timestamptz(3),
  declined_at timestamptz(3),
  decline_reason text,
  converted_job_id uuid,
  converted_invoice_id uuid,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references members,
  foreign key (tenant_id, customer_id) references customers,
  foreign key (tenant_id, location_id) references locations,
  foreign key (tenant_id, contact_id) references contacts,
  foreign key (tenant_id, tax_rate_id) references tax_rates,
  foreign key (tenant_id, converted_job_id) references jobs,
  foreign key (tenant_id, converted_invoice_id) references invoices,
  check ((status = 'archived') = (archived_at is not null))
);
select wall('quotes');
create unique index quotes_number on quotes (tenant_id, number);
create index quotes_newest on quotes (tenant_id, created_at desc, id desc) where status <> 'archived';
create index quotes_by_status on quotes (tenant_id, status, created_at desc, id desc);
create index quotes_of_customer on quotes (tenant_id, customer_id, created_at desc, id desc);
create index quotes_of_owner on quotes (tenant_id, owner_id, created_at desc, id desc);
create index quotes_changed on quotes (tenant_id, updated_at, id, status);
create index quotes_awaiting on quotes (tenant_id, valid_until) where status = 'sent';

alter table invoices add constraint invoices_quote foreign key (tenant_id, quote_id) references quotes;
alter table jobs add constraint jobs_quote foreign key (tenant_id, quote_id) references quotes;

-- A member who leaves hands their quotes to the owner of the account who has been there longest
-- (docs/spec/records.md#quote-owners).
create function hand_over_quotes() returns trigger language plpgsql as $$
begin
  update quotes set updated_at = later_than(updated_at), owner_id = (
    select user_id from members
    where tenant_id = new.tenant_id and role = 'owner' and deactivated_at is null order by created_at, user_id limit 1)
  where tenant_id = new.tenant_id and owner_id = new.user_id;
  return null;
end $$;
create trigger member_left after update of deactivated_at on members for each row
  when (old.deactivated_at is null and new.deactivated_at is not null) execute function hand_over_quotes();
