-- Which apps members may connect: anything, those that an owner lists, or whatever an owner is asked for first
-- (docs/spec/oauth.md#policy-on-apps).
alter table tenants add column app_policy text not null default 'anything' check (app_policy in ('anything', 'listed', 'ask'));

-- An app that every member may connect under any policy: each whose metadata document is at a host, or a single client.
create table listed_apps (
  tenant_id uuid not null references tenants,
  kind text not null check (kind in ('host', 'client')),
  -- the host, or the client's id
  value text not null,
  name text not null,
  listed_by uuid,
  listed_at timestamptz(3) not null default moment(),
  primary key (tenant_id, kind, value)
);
select wall('listed_apps');

-- An app that a member asked an owner for, with what it is to be given, and what the owner said. It holds until it is asked
-- for anew, declined, or disconnected.
create table app_requests (
  tenant_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  -- as it calls itself, and where that is: the host of its metadata document, else where its redirect leads
  name text not null,
  kind text not null check (kind in ('registered', 'document')),
  host text not null,
  scopes text[] not null,
  proposes text[] not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'declined')),
  asked_at timestamptz(3) not null default moment(),
  decided_at timestamptz(3),
  decided_by uuid,
  primary key (tenant_id, user_id, client_id),
  foreign key (tenant_id, user_id) references members
);
select wall('app_requests');
