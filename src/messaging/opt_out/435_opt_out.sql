-- A text that begins like an opt-out waits for a person, and its number gets nothing until somebody decides: `unclear`.
alter table suppressions drop constraint suppressions_reason_check;
alter table suppressions add constraint suppressions_reason_check check (reason in ('bounced', 'complained', 'stopped', 'unclear'));

-- Opting out of texts is one act, whoever reports it: the person by an answer, or the provider by refusing the number. A clear
-- reason takes the place of a bounce, which people may lift, and of an answer that nobody has decided on.
create or replace function suppress(tenant uuid, of_channel text, addresses text[], why text, told text) returns void language sql as $$
  insert into suppressions (tenant_id, channel, address, reason, detail)
  select tenant, of_channel, a, why, told from unnest(addresses) a
  on conflict (tenant_id, channel, address) do update set reason = excluded.reason, detail = excluded.detail, at = excluded.at
    where suppressions.reason in ('bounced', 'unclear') and excluded.reason not in ('bounced', 'unclear');
  update contacts set sms_stopped_at = moment()
  where of_channel = 'sms' and why = 'stopped' and tenant_id = tenant and phone = any(addresses) and sms_stopped_at is null
$$;
