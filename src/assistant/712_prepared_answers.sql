-- previous release: goes on
-- As whom the assistant prepares an answer to each new conversation of a customer: an owner, who turned it on; null: nobody
-- did. A conversation names the message that it was prepared for.
alter table tenants add column assistant_prepares uuid;
alter table assistant_conversations add column prepared_for uuid;
create unique index assistant_conversations_prepared on assistant_conversations (tenant_id, prepared_for)
  where prepared_for is not null;
