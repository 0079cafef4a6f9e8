-- previous release: goes on
-- A company's public booking page, and how far its customers change visits themselves (docs/spec/booking.md).
create table booking_pages (
  tenant_id uuid primary key references tenants,
  -- null: no page was named yet
  name text check (name ~ '^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$'),
  is_on boolean not null default false,
  needs_approval boolean not null default false,
  -- hours between a booking and the visit, at least
  notice_hours integer not null default 4 check (notice_hours between 0 and 336),
  days_ahead integer not null default 14 check (days_ahead between 1 and 60),
  window_minutes integer not null default 120 check (window_minutes between 0 and 480),
  -- a list of {catalog_item_id, minutes, price: exact | from | none, questions}
  services jsonb not null default '[]' check (jsonb_typeof(services) = 'array' and jsonb_array_length(services) <= 30),
  -- origins of the sites that may show the page in a frame
  frame_origins text[] not null default '{}' check (cardinality(frame_origins) <= 5),
  -- until how many hours before a visit its customer may move or cancel it; null: not at all
  move_hours integer check (move_hours between 0 and 336),
  cancel_hours integer check (cancel_hours between 0 and 336),
  -- customers change only visits of services that can be booked online
  changes_bookable_only boolean not null default false,
  -- signs the steps of a booking
  secret bytea not null check (octet_length(secret) = 32),
  updated_at timestamptz(3) not null default moment(),
  check (not is_on or name is not null)
);
select wall('booking_pages');

-- From the public name of a booking page to its tenant: read before a tenant is known.
create table booking_names (
  name text primary key,
  tenant_id uuid not null references booking_pages on delete cascade
);
select fence('booking_names');
create unique index booking_names_of_tenant on booking_names (tenant_id);

-- What was booked online, and whether the office has confirmed it.
create table online_bookings (
  tenant_id uuid not null references tenants,
  job_id uuid not null,
  state text not null check (state in ('booked', 'waiting', 'approved', 'declined')),
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, job_id),
  foreign key (tenant_id, job_id) references jobs on delete cascade
);
select wall('online_bookings');
create index online_bookings_waiting on online_bookings (tenant_id, created_at) where state = 'waiting';
