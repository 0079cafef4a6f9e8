-- What the service signs in with, a role for each database: several may lie on one server, and be copies of each other. In a
-- schema that the application role can't enter and that no backup holds.
create schema if not exists callout_owner;
create table if not exists callout_owner.logins (
  role text primary key,
  password text not null,
  created_at timestamptz(3) not null default moment()
);
