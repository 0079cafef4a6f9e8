alter table quarantined_messages add column settled_at timestamptz(3);
update quarantined_messages set settled_at = received_at where state <> 'open';
create index quarantined_messages_settled on quarantined_messages (settled_at) where settled_at is not null;
create index quarantined_messages_held_of_tenant on quarantined_messages (tenant_id, id) where state = 'open' and tenant_id is not null;

-- The newest messages: all, those that nobody has read yet, and those that are linked to nobody.
create index communications_newest on communications (tenant_id, occurred_at, id);
create index communications_unread on communications (tenant_id, occurred_at, id) where direction = 'inbound' and read_at is null;
create index communications_unlinked on communications (tenant_id, occurred_at, id) where direction = 'inbound' and customer_id is null;
