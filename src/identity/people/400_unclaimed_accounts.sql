-- Since when somebody besides its person may have a way into an account: the company whose link made it, or whoever was handed
-- a link that set its password. Null: nobody has, or all of it ended when its person claimed it (docs/spec/oauth.md#claiming).
alter table users add column unclaimed_since timestamptz(3);

-- Accounts of before: those that nobody vouches for, and those whose address was proved while earlier ways in stayed.
update users u set unclaimed_since = u.created_at
where u.made_through is not null and u.vouched_at is null and (u.proved_at is null or (u.proved_at > u.created_at
  and not exists (select from account_events e where e.user_id = u.id and e.kind = 'account_started_over' and e.at >= u.proved_at)));
