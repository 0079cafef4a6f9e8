-- A company's own OpenID provider, which its owners name and control (docs/spec/accounts.md#a-companys-own-provider).
create table company_providers (
  tenant_id uuid primary key references tenants,
  issuer text not null,
  client_id text not null,
  -- sealed by the data key; behind a zero where there is none; null for a client without a secret
  client_secret bytea,
  -- stands on the button
  name text not null,
  -- changes whenever the provider is asked otherwise
  version uuid not null,
  -- what the provider said of the owner who tried it last: user, subject, email, verified, methods, at
  tried jsonb,
  -- when members could begin to sign in by it; null: they can't
  on_since timestamptz(3),
  -- when that became the only way; null: it is one of several
  required_since timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  constraint company_providers_tried check (on_since is null or tried is not null),
  constraint company_providers_required check (required_since is null or on_since is not null)
);
select wall('company_providers');

-- Who of the company is who at its provider.
create table company_identities (
  tenant_id uuid not null references company_providers on delete cascade,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  email text,
  created_at timestamptz(3) not null default moment(),
  used_at timestamptz(3) not null default moment(),
  primary key (tenant_id, issuer, subject),
  foreign key (tenant_id, user_id) references members
);
select wall('company_identities');
create index company_identities_of_member on company_identities (tenant_id, user_id);

-- The one company that a session is good for, begun by that company's provider; null: its person's own, good for all of theirs.
-- It isn't called tenant_id, since whatever ends the sessions of a person ends them all, inside whichever company it is done.
alter table sessions add column bound_to uuid references company_providers on delete cascade;
create index sessions_bound on sessions (bound_to) where bound_to is not null;
alter table pending_sign_ins add column bound_to uuid references company_providers on delete cascade;
create index pending_sign_ins_bound on pending_sign_ins (bound_to) where bound_to is not null;
-- Whoever left for a company's provider comes back to that company; beside it `user_id` is the owner who tries it.
alter table provider_requests add column bound_to uuid references company_providers on delete cascade;
create index provider_requests_bound on provider_requests (bound_to) where bound_to is not null;
