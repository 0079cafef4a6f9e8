-- Accounts at identity providers by which people sign in (OpenID Connect): the provider's own name for them.
create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  email text,
  created_at timestamptz(3) not null default moment(),
  used_at timestamptz(3) not null default moment(),
  primary key (issuer, subject)
);
create index identities_of_user on identities (user_id);

-- Sign-ins that are on their way to a provider and back, by the secret that the browser holds.
create table provider_requests (
  hash bytea primary key,
  state text not null,
  nonce text not null,
  verifier text not null,
  -- where to go afterwards
  path text not null,
  -- who was signed in and links their account, else null
  user_id uuid references users on delete cascade,
  created_at timestamptz(3) not null default moment()
);
create index provider_requests_by_age on provider_requests (created_at);
