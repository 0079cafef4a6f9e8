-- A link by which a customer sees one quote, one invoice or their visits without an account (docs/spec/links.md).
create table customer_links (
  tenant_id uuid not null references tenants,
  id uuid not null,
  quote_id uuid,
  invoice_id uuid,
  customer_id uuid,
  -- what a quote offered when the link was made, which its page shows
  offer jsonb,
  -- null: made by the service itself
  created_by uuid,
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  views integer not null default 0,
  viewed_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, quote_id) references quotes,
  foreign key (tenant_id, invoice_id) references invoices,
  foreign key (tenant_id, customer_id) references customers,
  constraint customer_links_one check (num_nonnulls(quote_id, invoice_id, customer_id) = 1),
  constraint customer_links_offer check ((offer is null) = (quote_id is null))
);
select wall('customer_links');
create index customer_links_of_quote on customer_links (tenant_id, quote_id, created_at desc) where quote_id is not null;
create index customer_links_of_invoice on customer_links (tenant_id, invoice_id, created_at desc) where invoice_id is not null;
create index customer_links_of_customer on customer_links (tenant_id, customer_id, created_at desc) where customer_id is not null;

-- From the SHA-256 of a link's secret to its tenant: read before a tenant is known.
create table customer_link_hashes (
  hash bytea primary key,
  tenant_id uuid not null,
  link_id uuid not null,
  foreign key (tenant_id, link_id) references customer_links on delete cascade
);
select fence('customer_link_hashes');
create index customer_link_hashes_of_link on customer_link_hashes (tenant_id, link_id);

-- When a link was opened, and from where: the newest of each, an address once an hour.
create table customer_link_views (
  tenant_id uuid not null,
  id uuid not null,
  link_id uuid not null,
  at timestamptz(3) not null default moment(),
  address text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, link_id) references customer_links on delete cascade
);
select wall('customer_link_views');
create index customer_link_views_of_link on customer_link_views (tenant_id, link_id, at desc);

-- A customer who is merged keeps the links they were given.
create function links_follow_customer() returns trigger language plpgsql as $$
begin
  update customer_links set customer_id = new.merged_into where tenant_id = new.tenant_id and customer_id = new.id;
  return null;
end $$;
create trigger customer_links_follow after update of merged_into on customers for each row
  when (new.merged_into is not null) execute function links_follow_customer();
