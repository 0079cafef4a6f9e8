-- Whose many messages a person puts away at once: bare, an address in lower case or a number.
alter table quarantined_messages add column sender_address text;
update quarantined_messages set sender_address = lower(trim(coalesce(substring(sender from '<([^<>]+)>\s*$'), sender)));
alter table quarantined_messages alter column sender_address set default '', alter column sender_address set not null;
create index quarantined_messages_waiting on quarantined_messages (received_at) where state = 'open';
