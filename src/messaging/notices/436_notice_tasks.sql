-- People to be written to about what happened: a customer's receipt, a notice to the office. A row is written in the transaction
-- of the event, and deleted in the transaction that queues the mail, so that each is sent once.
create table notice_tasks (
  tenant_id uuid not null references tenants,
  id uuid not null,
  kind text not null,
  record_id uuid not null,
  detail jsonb not null,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id)
);
select wall('notice_tasks');

-- Asks for a notice or a receipt, by the transaction of the event.
create function announce(tenant uuid, task uuid, what text, record uuid, details jsonb) returns void language plpgsql as $$
begin
  insert into notice_tasks (tenant_id, id, kind, record_id, detail) values (tenant, task, what, record, details) on conflict do nothing;
  perform ask_chore_by(tenant, 'notices', moment());
end $$;

-- A customer's message that came back or was refused.
create function announce_failure() returns trigger language plpgsql as $$
begin
  perform announce(new.tenant_id, gen_random_uuid(), 'message_failed', new.id, '{}');
  return null;
end $$;
create trigger outbox_failed after update of state on outbox for each row
  when (new.state = 'failed' and old.state <> 'failed' and new.reason in ('bounced', 'refused', 'gave_up') and new.cause not in ('notice', 'test'))
  execute function announce_failure();

alter table outbox
  drop constraint outbox_cause_check,
  add constraint outbox_cause_check check (cause in ('sent', 'reply', 'reminder', 'on_my_way', 'late', 'test', 'notice', 'receipt'));
alter table notice_settings
  add column receipts boolean not null default true,
  add column payment_notices boolean not null default true;
