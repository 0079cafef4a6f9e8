-- The e-mails of live contacts by every three characters that follow each other in them; other words and digits of a customer
-- are found by search_entries. On all that a search looks through such an index cost a customer's update seven times as much; entered
-- by the 128 kB, with what waits read by each search, it costs a new customer a quarter more and nothing where the e-mail stays.
create index contacts_email_grams on contacts using gin (grams(tenant_id, email)) with (fastupdate = on, gin_pending_list_limit = 128)
  where archived_at is null and email is not null;

-- The entered tenant's customers with a text of three characters or more in an e-mail, once a contact, `most` of them at most. It
-- runs as its owner and compares the tenant as text for the reasons of notes_matching. What follows an @ is mostly what many have,
-- so no more than its first character is asked of the index.
create function customers_by_email(sought text, most integer) returns setof uuid
language sql stable rows 100 security definer set search_path = public, pg_temp as $$
  select k.customer_id from contacts k
  where k.tenant_id::text = current_setting('app.tenant_id', true) and k.archived_at is null and k.email is not null
    and grams(k.tenant_id, k.email) @> grams(current_setting('app.tenant_id', true)::uuid, case when strpos(sought, '@') > 3
      then left(sought, strpos(sought, '@') + 1) else sought end) and strpos(k.email, sought) > 0
  limit most
$$;
revoke execute on function customers_by_email from public;
grant execute on function customers_by_email to callout_app;

-- The owner, as which the function runs, passes the policy even where it is no superuser; otherwise the index would not serve.
create policy searched on contacts for select to current_user using (true);
