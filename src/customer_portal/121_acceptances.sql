-- What a customer accepted by a link, as it was, and who signed it (docs/spec/links.md#acceptance).
create table acceptances (
  tenant_id uuid not null references tenants,
  id uuid not null,
  quote_id uuid not null,
  link_id uuid not null,
  accepted_at timestamptz(3) not null,
  -- as typed
  name text not null check (char_length(name) between 1 and 100),
  -- path data of an SVG of 600 by 200; null: a typed name alone
  signature text check (char_length(signature) <= 20000),
  address text not null,
  user_agent text check (char_length(user_agent) <= 300),
  -- SHA-256 of the canonical text of the content
  hash bytea not null check (octet_length(hash) = 32),
  content jsonb not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, quote_id) references quotes,
  foreign key (tenant_id, link_id) references customer_links
);
select wall('acceptances');
create index acceptances_of_quote on acceptances (tenant_id, quote_id, accepted_at desc);
-- Who accepted what stays as it was.
create function stays_as_accepted() returns trigger language plpgsql as $$
begin
  raise exception 'an acceptance never changes';
end $$;
create trigger acceptance_stays before update on acceptances for each row execute function stays_as_accepted();
