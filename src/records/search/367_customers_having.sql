-- The entered tenant's customers with an entry of these kinds that has every word, `most` of them at most, once an entry. The last
-- word begins one, the others are whole, which an index tells far sooner. It runs as its owner like search_matching.
create function customers_having(kinds text[], sought text[], most integer) returns setof uuid
language sql stable rows 100 security definer set search_path = public, pg_temp as $$
  select e.customer_id from search_entries e
  where e.tenant_id::text = current_setting('app.tenant_id', true) and e.kind || '' = any(kinds)
    and e.keys @@ (select string_agg(every.word, ' | ')::tsquery from (
      select '(' || string_agg('''' || replace(replace(right(current_setting('app.tenant_id', true), 6) || left(of_kind, 2) || one,
        '\', '\\'), '''', '''''') || '''' || case when place = cardinality(sought) then ':*' else '' end, ' & ') || ')' as word
      from unnest(kinds) of_kind, unnest(sought) with ordinality each (one, place) group by of_kind) every)
  limit most
$$;
revoke execute on function customers_having from public;
grant execute on function customers_having to callout_app;
