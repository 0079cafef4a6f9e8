-- What is to be checked on a kind of work, as the office writes it (docs/spec/field_records.md#checklists).
create table checklist_templates (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  -- every: each visit; words: those whose title has one of the words; chosen: where somebody adds it
  applies text not null check (applies in ('every', 'words', 'chosen')),
  -- as they were typed
  words text[] not null default '{}',
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  check ((applies = 'words') = (words <> '{}'))
);
select wall('checklist_templates');
create index checklist_templates_in_use on checklist_templates (tenant_id, created_at, id) where archived_at is null;

-- An item of a template. One that is reworded is another item, so that an answer is never read under words that nobody saw.
create table checklist_template_items (
  tenant_id uuid not null references tenants,
  id uuid not null,
  template_id uuid not null,
  position integer not null,
  text text not null check (char_length(text) between 1 and 200),
  kind text not null check (kind in ('check', 'text', 'number')),
  is_required boolean not null,
  -- taken off the template; a phone that was offline may still answer it
  dropped_at timestamptz(3),
  primary key (tenant_id, id),
  foreign key (tenant_id, template_id) references checklist_templates
);
select wall('checklist_template_items');
create index checklist_template_items_of on checklist_template_items (tenant_id, template_id, position, id);

-- A job's own copy of a template, made when somebody first answers, adds or leaves out a list of it.
create table job_checklists (
  tenant_id uuid not null references tenants,
  job_id uuid not null,
  template_id uuid not null,
  name text not null,
  position integer not null,
  added_at timestamptz(3) not null default moment(),
  added_by uuid,
  -- taken off this job; what was answered stays
  left_out_at timestamptz(3),
  primary key (tenant_id, job_id, template_id),
  foreign key (tenant_id, job_id) references jobs,
  foreign key (tenant_id, template_id) references checklist_templates
);
select wall('job_checklists');

create table job_checklist_items (
  tenant_id uuid not null references tenants,
  job_id uuid not null,
  -- that of the template's item
  id uuid not null,
  template_id uuid not null,
  position integer not null,
  text text not null,
  kind text not null check (kind in ('check', 'text', 'number')),
  is_required boolean not null,
  -- true, a text or a number; null: open
  value jsonb,
  -- when somebody answered last, or took the answer back
  answered_at timestamptz(3),
  answered_by uuid,
  primary key (tenant_id, job_id, id),
  foreign key (tenant_id, job_id, template_id) references job_checklists
);
select wall('job_checklist_items');
