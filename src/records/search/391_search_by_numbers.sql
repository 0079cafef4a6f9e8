-- The entered tenant's entries of a kind that have a word that begins with each text of `sought`, `most` of them at most. The index
-- is asked for `asked` alone: it gathers all that begins with any text before it compares, so that a rare number finds sooner by
-- itself. It runs as its owner for the reasons of notes_matching; tenant and kind are compared so that no other index is read for
-- them.
drop function search_matching(text, text[], integer);
create function search_matching(of_kind text, asked text[], sought text[], most integer)
returns table (id uuid, customer_id uuid, words text, at timestamptz)
language sql stable rows 100 security definer set search_path = public, pg_temp as $$
  select e.id, e.customer_id, e.words, e.at from search_entries e
  where e.tenant_id::text = current_setting('app.tenant_id', true) and e.kind || '' = of_kind
    and e.keys @@ (
      select string_agg('''' || replace(replace(right(current_setting('app.tenant_id', true), 6) || left(of_kind, 2) || ltrim(one),
        '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery from unnest(asked) one)
    and (select bool_and(strpos(e.words, one) > 0) from unnest(sought) one)
  limit most
$$;
revoke execute on function search_matching from public;
grant execute on function search_matching to callout_app;
