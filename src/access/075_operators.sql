-- Who looks after the installation: what waits for a person and belongs to no company. Made at the command line.
create table operators (
  user_id uuid primary key references users on delete cascade,
  created_at timestamptz(3) not null default moment()
);
