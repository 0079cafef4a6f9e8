-- A plan: calls that a connection proposed, which a person decides on together (docs/spec/proposals.md).
create table proposals (
  tenant_id uuid not null references tenants,
  id uuid not null,
  credential_id uuid not null,
  -- the person of the connection; null: a company's key
  user_id uuid,
  -- what the key or app is called, also after it is gone
  connection text not null,
  client text,
  state text not null default 'open' check (state in ('open', 'approved', 'declined', 'sent_back', 'expired')),
  -- what its calls need of whoever decides
  scopes text[] not null,
  calls integer not null default 0,
  applied integer,
  bytes integer not null default 0,
  -- what the person who sent it back or declined it says to the connection
  word text check (char_length(word) <= 500),
  decided_by uuid,
  decided_at timestamptz(3),
  -- when the connection was told of the decision
  told_at timestamptz(3),
  created_at timestamptz(3) not null default moment(),
  expires_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
select wall('proposals');
create unique index proposals_open on proposals (tenant_id, credential_id) where state = 'open';
create index proposals_newest on proposals (tenant_id, created_at desc, id desc);
create index proposals_of_connection on proposals (tenant_id, credential_id, created_at desc);
create index proposals_waiting on proposals (tenant_id, expires_at) where state = 'open';

-- One call of a plan: what was asked, which ids it made, and what came of it when it was tried. JSON is kept as it was written.
create table proposed_calls (
  tenant_id uuid not null references tenants,
  proposal_id uuid not null,
  position integer not null,
  -- the wire name
  tool text not null,
  given text not null,
  ids uuid[] not null,
  result text not null,
  -- what the audit would have recorded
  written text not null,
  -- updated_at of the record that it changes, where it was there before the plan
  seen_at timestamptz(3),
  idempotency_key text,
  fingerprint bytea,
  -- null: not decided yet
  is_applied boolean,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, proposal_id, position),
  foreign key (tenant_id, proposal_id) references proposals on delete cascade
);
select wall('proposed_calls');
create index proposed_calls_keyed on proposed_calls (tenant_id, tool, idempotency_key) where idempotency_key is not null;
