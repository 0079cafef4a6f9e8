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
  check ((kind = 'confidential') = (secret_hash is not null))
);
create index oauth_clients_unused on oauth_clients (created_at) where kind = 'registered' and consented_at is null;

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

-- An authorization is a credential: one completed consent, the sid of its tokens. It follows the grant's scopes, and
-- whatever ends it (revoked_at) counts on the next request like the revocation of a key.
alter table credentials
  drop constraint credentials_kind_check,
  add constraint credentials_kind_check check (kind in ('user_key', 'tenant_key', 'oauth')),
  alter column last_four drop not null,
  add column client_id text,
  add constraint credentials_client check ((kind = 'oauth') = (client_id is not null)),
  add constraint credentials_last_four check ((kind = 'oauth') = (last_four is null));
create index credentials_of_client on credentials (tenant_id, client_id, user_id) where kind = 'oauth';

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

-- The keys that sign tokens, private parts included; the newest whose time has come signs, all are published.
create table signing_keys (
  kid text primary key,
  jwk jsonb not null,
  created_at timestamptz(3) not null default moment(),
  -- published before it signs, so that whoever caches the published keys knows it by then
  signs_from timestamptz(3) not null
);
