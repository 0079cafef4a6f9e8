-- What a person is recognized by beside a password (docs/spec/accounts.md#passkeys, #second-factor).
create table passkeys (
  -- as the authenticator named it
  id bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- what the authenticator knows the person by
  handle uuid not null,
  name text not null,
  public_key bytea not null,
  -- grows with each use where the authenticator counts
  counter bigint not null,
  transports text[] not null,
  -- its maker keeps a copy for the person's other devices
  is_synced boolean not null,
  created_at timestamptz(3) not null default moment(),
  last_used_at timestamptz(3)
);
comment on constraint passkeys_pkey on passkeys is 'conflict: this passkey is registered already';
create index passkeys_of_user on passkeys (user_id, created_at);

-- What a browser was asked to sign, each good once and for a few minutes. Only SHA-256 of the challenge and of the cookie are kept.
create table passkey_challenges (
  hash bytea primary key,
  browser bytea not null,
  purpose text not null check (purpose in ('sign_in', 'second', 'confirm', 'add', 'join')),
  -- null where whoever holds the passkey says who they are
  user_id uuid references users on delete cascade,
  -- what a new passkey will know its person by
  handle uuid,
  created_at timestamptz(3) not null default moment()
);
create index passkey_challenges_by_age on passkey_challenges (created_at);

-- The secret that a person's authenticator app shares with us (RFC 6238). It counts once a code of it was shown.
create table totp_secrets (
  user_id uuid primary key references users on delete cascade,
  secret bytea not null,
  -- the time step of the last code that was taken: none is taken twice
  last_step bigint not null default 0,
  created_at timestamptz(3) not null default moment(),
  confirmed_at timestamptz(3)
);

-- Codes for whoever lost the app, each good once, by SHA-256.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  hash bytea not null,
  used_at timestamptz(3),
  primary key (user_id, hash)
);

-- A sign-in that waits for its second factor, by the SHA-256 of a cookie of its browser.
create table pending_sign_ins (
  hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- how the person was recognized so far
  methods text[] not null,
  created_at timestamptz(3) not null default moment()
);
create index pending_sign_ins_of_user on pending_sign_ins (user_id);
create index pending_sign_ins_by_age on pending_sign_ins (created_at);
