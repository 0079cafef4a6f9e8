create table notes (
  tenant_id uuid not null references tenants,
  id uuid not null,
  body text not null,
  -- the folded words of the body and where they stand
  words tsvector not null,
  subject_type text check (subject_type in
    ('customer', 'contact', 'location', 'job', 'job_series', 'invoice', 'quote', 'plan', 'catalog_item')),
  subject_id uuid,
  pinned boolean not null default false,
  created_at timestamptz(3) not null default moment(),
  updated_at timestamptz(3) not null default moment(),
  created_by uuid,
  updated_by uuid,
  archived_at timestamptz(3),
  primary key (tenant_id, id),
  check ((subject_type is null) = (subject_id is null))
);
select wall('notes');
create index notes_newest on notes (tenant_id, created_at desc, id desc) where archived_at is null;
create index notes_changed on notes (tenant_id, updated_at, id) where archived_at is null;
create index notes_of_subject on notes (tenant_id, subject_type, subject_id, created_at desc, id desc) where archived_at is null;
create index notes_of_author on notes (tenant_id, created_by, created_at desc, id desc) where archived_at is null;
create index notes_pinned on notes (tenant_id, created_at desc, id desc) where pinned and archived_at is null;

-- Each word behind its tenant, so that a search meets no index entry of another tenant, however common the word.
create function tenant_words(tenant uuid, words tsvector) returns tsvector language sql immutable parallel safe cost 1000
  return array_to_tsvector(array(select tenant::text || lexeme from unnest(words)));

create index notes_words on notes using gin (tenant_words(tenant_id, words)) where archived_at is null;

-- All of the words, each behind `lead`; the last may be the beginning of one.
create function all_words(words text[], lead text) returns tsquery language sql stable parallel safe
  return ('''' || lead || array_to_string(words, ''' & ''' || lead) || ''':*')::tsquery;

-- The entered tenant's live notes that hold all of the words, which are letters and digits only. It runs as its
-- owner because under row-level security no index serves @@, which is not leakproof (PostgreSQL 39.5).
create function notes_matching(words text[]) returns table (id uuid, rank real)
language sql stable security definer rows 100 set search_path = public, pg_temp as $$
  select n.id, ts_rank(n.words, all_words($1, ''))
  from notes n, (select nullif(current_setting('app.tenant_id', true), '')::uuid as id) tenant
  where n.tenant_id = tenant.id and n.archived_at is null and $1 <> '{}'
    and tenant_words(n.tenant_id, n.words) @@ all_words($1, tenant.id::text)
$$;
revoke execute on function notes_matching from public;
grant execute on function notes_matching to callout_app;
