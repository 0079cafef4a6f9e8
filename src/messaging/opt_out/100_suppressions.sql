-- To whom a company sends nothing: it came back, they complained, or they asked for no more.
create table suppressions (
  tenant_id uuid not null references tenants,
  channel text not null check (channel in ('email', 'sms')),
  -- bare: an address in lower case, or E.164
  address text not null,
  reason text not null check (reason in ('bounced', 'complained', 'stopped')),
  -- what the provider said
  detail text,
  at timestamptz(3) not null default moment(),
  primary key (tenant_id, channel, address)
);
select wall('suppressions');
create index suppressions_newest on suppressions (tenant_id, at, address);

-- Only a bounce gives way to a later reason, since people may lift it.
create function suppress(tenant uuid, of_channel text, addresses text[], why text, told text) returns void language sql as $$
  insert into suppressions (tenant_id, channel, address, reason, detail)
  select tenant, of_channel, a, why, told from unnest(addresses) a
  on conflict (tenant_id, channel, address) do update set reason = excluded.reason, detail = excluded.detail, at = excluded.at
    where suppressions.reason = 'bounced' and excluded.reason <> 'bounced'
$$;

-- Of a message that nobody knows yet: why its recipient is to be suppressed once somebody does.
alter table sent_messages add column suppressed_for text, add column suppressed_detail text;

-- Suppresses the recipients of a sent message in every tenant that knows it, or keeps that until one does.
create function suppress_recipients(of_channel text, of_id text, why text, told text) returns void language plpgsql as $$
declare
  known uuid[];
  tenant uuid;
begin
  insert into sent_messages as s (channel, provider_id, suppressed_for, suppressed_detail) values (of_channel, of_id, why, told)
  on conflict (channel, provider_id) do update set suppressed_for = excluded.suppressed_for, suppressed_detail = excluded.suppressed_detail;
  select tenants into known from sent_messages where channel = of_channel and provider_id = of_id for update;
  foreach tenant in array known loop
    perform set_config('app.tenant_id', tenant::text, true);
    perform suppress(tenant, of_channel, c.recipients, why, told) from communications c
    where c.tenant_id = tenant and c.channel = of_channel and c.provider_message_id = of_id and c.direction = 'outbound';
  end loop;
end $$;

create function suppress_late() returns trigger language plpgsql as $$
begin
  perform suppress(new.tenant_id, new.channel, new.recipients, s.suppressed_for, s.suppressed_detail) from sent_messages s
  where s.channel = new.channel and s.provider_id = new.provider_message_id and s.suppressed_for is not null;
  return null;
end $$;
create trigger communication_suppressed after insert or update of provider_message_id on communications for each row
  when (new.direction = 'outbound' and new.provider_message_id is not null) execute function suppress_late();
