-- What stands at the head of a printed document.
alter table tenants
  add column address text check (char_length(address) <= 500),
  add column phone text check (char_length(phone) <= 40),
  add column email text check (char_length(email) <= 254),
  add column document_footer text check (char_length(document_footer) <= 1000);

-- A one-time link by which a person becomes a member.
create table invitations (
  tenant_id uuid not null references tenants,
  id uuid not null,
  email text not null,
  name text,
  role text not null check (role in ('owner', 'office', 'tech')),
  ceiling jsonb not null,
  created_by uuid not null,
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  primary key (tenant_id, id)
);
select wall('invitations');
create unique index invitations_open on invitations (tenant_id, email) where accepted_at is null and withdrawn_at is null;

-- From the SHA-256 of a link's secret to its tenant: read before a tenant is known.
create table invitation_hashes (
  hash bytea primary key,
  tenant_id uuid not null,
  invitation_id uuid not null,
  foreign key (tenant_id, invitation_id) references invitations on delete cascade
);
