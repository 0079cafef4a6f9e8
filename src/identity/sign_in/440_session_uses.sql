-- From which networks and browsers members used a company's pages: what its owners may know of their sessions, and what tells
-- a customer's acceptance from one that was made in the office.
create table session_uses (
  tenant_id uuid not null references tenants,
  session_id uuid not null,
  user_id uuid not null,
  -- a part of the address, as sessions have it
  network text not null,
  -- empty where the browser has no known name
  device text not null,
  first_at timestamptz(3) not null default moment(),
  last_at timestamptz(3) not null default moment(),
  primary key (tenant_id, session_id, network, device)
);
select wall('session_uses');
create index session_uses_of_user on session_uses (tenant_id, user_id);
create index session_uses_of_network on session_uses (tenant_id, network, device);
