-- Under which of its write scopes a connection only proposes (docs/spec/proposals.md#what-waits), and since when it is held
-- because it removed much in a short time.
alter table credentials
  add column proposes text[] not null default '{}',
  add column held_at timestamptz(3);
alter table oauth_grants add column proposes text[] not null default '{}';

create or replace trigger access_changed before update of scopes, proposes, held_at, expires_at, revoked_at, user_id on credentials
  for each row execute function bump_own_access();

-- The company's rules for connections: whether all that removes, voids or ends is only proposed, and how much of it in ten
-- minutes holds a connection; 0: any number.
alter table tenants
  add column destructive_proposes boolean not null default false,
  add column burst_limit integer not null default 20 check (burst_limit between 0 and 1000);

-- When a connection removed, voided or ended something, as far as the brake looks back.
create table removal_marks (
  tenant_id uuid not null references tenants,
  credential_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null default moment(),
  primary key (tenant_id, credential_id, id)
);
select wall('removal_marks');
create index removal_marks_age on removal_marks (tenant_id, credential_id, at);
