-- A company's logo: small, and part of every document, so that it is read with the record in one round trip.
create table logos (
  tenant_id uuid not null references tenants,
  -- changes with the picture, and its address with it
  id uuid not null,
  content_type text not null check (content_type in ('image/png', 'image/jpeg')),
  width integer not null check (width between 1 and 4000),
  height integer not null check (height between 1 and 4000),
  bytes bytea not null check (octet_length(bytes) <= 524288),
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id)
);
select wall('logos');
alter table logos alter column bytes set storage external;
