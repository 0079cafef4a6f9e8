-- A list by change must not pass a row whose transaction is still under way: whoever polls goes on from the last one seen.
-- Each writing transaction holds a shared lock that says since when (in milliseconds, modulo 2^31, with which 25 days are
-- told apart); what was changed before the oldest of them, and before now, is settled.

create function instant_key(at timestamptz) returns integer language sql immutable
  return (floor(extract(epoch from at) * 1000)::bigint & 2147483647)::integer;

-- Enters a tenant to write in it.
create function enter_to_write(tenant uuid, credential uuid, version integer) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext(tenant::text), instant_key(clock_timestamp()));
  perform enter_tenant(tenant, credential, version);
end $$;

-- Enters a tenant to list by change: the next statements see at least what was settled now.
create function enter_settled(tenant uuid, credential uuid, version integer) returns void language plpgsql as $$
declare
  now timestamptz := moment();
  oldest bigint;
begin
  perform enter_tenant(tenant, credential, version);
  -- a lock from after `now` is younger than nothing, and comes out as most of the way round
  select max(age) into oldest from (
    select (instant_key(now)::bigint - objid::bigint) & 2147483647 as age from pg_locks
    where locktype = 'advisory' and objsubid = 2 and database = (select oid from pg_database where datname = current_database())
      and classid = (hashtext(tenant::text)::bigint & 4294967295)::oid
  ) as held where age < 1073741824;
  perform set_config('app.settled', (now - make_interval(secs => coalesce(oldest, 0) / 1000.0))::text, true);
end $$;

-- Until when changes are settled; without `enter_settled` all are.
create function settled() returns timestamptz language sql stable
  return coalesce(nullif(current_setting('app.settled', true), '')::timestamptz, 'infinity');
