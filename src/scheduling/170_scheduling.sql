-- The week in which a company works, or a member whose own is another.
create table working_weeks (
  tenant_id uuid not null references tenants,
  id uuid not null,
  -- null: the company's
  user_id uuid,
  -- for each day from Monday a list of [from, to] in minutes since midnight
  days jsonb not null check (jsonb_typeof(days) = 'array' and jsonb_array_length(days) = 7),
  -- what the company keeps free before and after each visit
  travel_minutes integer check (travel_minutes between 0 and 240),
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, user_id),
  foreign key (tenant_id, user_id) references members,
  check ((user_id is null) = (travel_minutes is not null))
);
select wall('working_weeks');

-- Days on which the company or a member doesn't work, or at other hours than the week says.
create table working_exceptions (
  tenant_id uuid not null references tenants,
  id uuid not null,
  user_id uuid,
  day date not null,
  -- none: the whole day is off
  hours jsonb not null default '[]' check (jsonb_typeof(hours) = 'array'),
  note text check (char_length(note) <= 100),
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, user_id, day),
  foreign key (tenant_id, user_id) references members
);
select wall('working_exceptions');
create index working_exceptions_by_day on working_exceptions (tenant_id, day);
