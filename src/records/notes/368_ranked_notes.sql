-- As before, but at most so many of them; null: all.
drop function notes_matching(tsquery);
create function notes_matching(sought tsquery, most integer) returns table (
  tenant_id uuid, id uuid, subject_type text, subject_id uuid, pinned boolean, created_at timestamptz, updated_at timestamptz,
  created_by uuid, rank real
) language sql stable security definer set search_path = public, pg_temp as $$
  select n.tenant_id, n.id, n.subject_type, n.subject_id, n.pinned, n.created_at, n.updated_at, n.created_by, ts_rank(n.words, sought)
  from notes n
  where n.tenant_id::text = current_setting('app.tenant_id', true) and n.archived_at is null and n.words @@ sought
  limit most
$$;
revoke execute on function notes_matching from public;
grant execute on function notes_matching to callout_app;
