-- A client (RFC 6749 2): it registered itself, an administrator made it, or a document at the address that is its id
-- describes it; of the last kind those are kept that somebody approved, for when the document can't be read.
create table oauth_clients (
  id text primary key,
  kind text not null check (kind in ('registered', 'confidential', 'document')),
  name text not null,
  redirect_uris text[] not null,
  -- what it said about itself and is told back, never relied on
  about jsonb not null default '{}',
  secret_hash bytea,
  -- the scopes it may be given at most; null: whatever the member may give
  allow_list text[],
  created_at timestamptz(3) not null default moment(),
  -- the first completed consent
  consented_at timestamptz(3),
  -- the company whose owner made a confidential client; only there can it be approved. The operator's have none
  tenant_id uuid references tenants,
  -- the network that it registered itself from: an IPv4 /24 or an IPv6 /48
  network text,
  check ((kind = 'confidential') = (secret_hash is not null))
);
create index oauth_clients_unused on oauth_clients (created_at) where kind = 'registered' and consented_at is null;
create index oauth_clients_of_tenant on oauth_clients (tenant_id) where tenant_id is not null;
create index oauth_clients_unused_of_network on oauth_clients (network, created_at) where kind = 'registered' and consented_at is null;
-- A list of clients, page by page: administrators' first, then by age, newest first.
create index oauth_clients_listed on oauth_clients ((kind = 'confidential'), created_at, id);
select fence('oauth_clients', true);

-- What a person gave a client, once for the pair: of which company, which scopes.
create table oauth_grants (
  client_id text not null references oauth_clients,
  user_id uuid not null references users,
  tenant_id uuid not null references tenants,
  scopes text[] not null,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  primary key (client_id, user_id)
);
create index oauth_grants_of_user on oauth_grants (user_id);
select fence('oauth_grants');

-- What a member gave dies with the membership: who returns is asked again.
create function end_member_grants() returns trigger language plpgsql as $$
begin
  delete from oauth_grants where user_id = new.user_id and tenant_id = new.tenant_id;
  return null;
end $$;
create trigger member_grants_ended after update of deactivated_at on members for each row
  when (old.deactivated_at is null and new.deactivated_at is not null) execute function end_member_grants();

-- From an authorization to its tenant, and what its authorize request said: read before a tenant is known.
create table oauth_authorizations (
  id uuid primary key,
  tenant_id uuid not null,
  client_id text not null,
  user_id uuid not null,
  -- openid, email or both
  scope text not null,
  -- whether the authorize request named the resource; only then may a token request
  names_resource boolean not null,
  created_at timestamptz(3) not null default moment(),
  foreign key (tenant_id, id) references credentials on delete cascade
);
create index oauth_authorizations_of_pair on oauth_authorizations (client_id, user_id);
select fence('oauth_authorizations');

-- What the protocol remembers between requests: authorize requests under way, codes, refresh tokens. Each is found by
-- the SHA-256 of its secret and holds no secret; access tokens are not kept at all.
create table oauth_records (
  hash bytea primary key,
  kind text not null,
  payload jsonb not null,
  authorization_id uuid,
  consumed_at timestamptz(3),
  -- of a refresh token: when its holder was told that the session has ended
  told_at timestamptz(3),
  -- of an authorize request: SHA-256 of the cookie of the browser that started it, and of the token that resumes it
  browser bytea,
  resume bytea,
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null
);
create index oauth_records_age on oauth_records (expires_at);
-- Whether anything is left that an authorization could be continued with.
create index oauth_records_of_authorization on oauth_records (authorization_id) where authorization_id is not null;
-- Whether an authorization of a client is under way.
create index oauth_records_under_way on oauth_records ((payload -> 'params' ->> 'client_id')) where kind = 'Interaction';

-- The keys that sign tokens, private parts included; the newest whose time has come signs, all are published.
create table signing_keys (
  kid text primary key,
  jwk jsonb not null,
  created_at timestamptz(3) not null default moment(),
  -- published before it signs, so that whoever caches the published keys knows it by then
  signs_from timestamptz(3) not null
);
