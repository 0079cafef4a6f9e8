create table notes (
  tenant_id uuid not null references tenants,
  id uuid not null,
  body text not null,
  -- the folded words of the body and where they stand, each behind the end of the tenant's id, so that tenants
  -- share no index entry, however common the word
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
create index notes_of_subject on notes (tenant_id, subject_type, subject_id, created_at desc, id desc) where archived_at is null;
create index notes_of_author on notes (tenant_id, created_by, created_at desc, id desc) where archived_at is null;
create index notes_pinned on notes (tenant_id, created_at desc, id desc) where pinned and archived_at is null;
create index notes_words on notes using gin (words) with (fastupdate = off) where archived_at is null;
-- A list by change tells what was archived, too.
create index notes_changed on notes (tenant_id, updated_at, id);

-- The entered tenant's live notes that match. It runs as its owner, because under row-level security no index serves
-- @@, which is not leakproof (PostgreSQL 39.5). The tenant is compared as text, so that no index on it is read beside
-- the one on words, which knows the tenant already.
create function notes_matching(sought tsquery) returns table (
  tenant_id uuid, id uuid, subject_type text, subject_id uuid, pinned boolean, created_at timestamptz, updated_at timestamptz,
  created_by uuid, rank real
) language sql stable security definer set search_path = public, pg_temp as $$
  select n.tenant_id, n.id, n.subject_type, n.subject_id, n.pinned, n.created_at, n.updated_at, n.created_by, ts_rank(n.words, sought)
  from notes n
  where n.tenant_id::text = current_setting('app.tenant_id', true) and n.archived_at is null and n.words @@ sought
$$;
revoke execute on function notes_matching from public;
grant execute on function notes_matching to callout_app;

-- The owner, as which notes_matching runs, passes the policy even where it is no superuser; otherwise the index would not serve.
create policy searched on notes for select to current_user using (true);
