-- A browser in which a person has signed in before, by the SHA-256 of what it was given: others' failures don't keep it out.
create table known_browsers (
  hash bytea not null,
  user_id uuid not null references users on delete cascade,
  seen_at timestamptz(3) not null default moment(),
  primary key (hash, user_id)
);
create index known_browsers_of_user on known_browsers (user_id, seen_at desc);
create index known_browsers_by_age on known_browsers (seen_at);
