-- A text to a number whose answer waits for a person's decision (suppressed as `unclear`) waits, too.
alter table outbox
  drop constraint outbox_reason_check,
  add constraint outbox_reason_check check (reason in ('later', 'retry', 'quiet_hours', 'daily_limit', 'no_sender', 'refused', 'gave_up',
    'bounced', 'opted_out', 'suppressed', 'unreadable', 'interrupted', 'no_answer', 'by_hand', 'overtaken', 'too_late', 'unclear'));

-- Once somebody decided, whichever way, what waits is looked at again.
create function decide_unclear() returns trigger language plpgsql as $$
begin
  update outbox set next_at = moment(), reason = null, updated_at = later_than(updated_at)
  where tenant_id = old.tenant_id and channel = old.channel and recipient = old.address and state = 'queued' and reason = 'unclear';
  if found then perform ask_chore_by(old.tenant_id, 'sms_sending', moment()); end if;
  return null;
end $$;
create trigger suppression_lifted after delete on suppressions for each row
  when (old.reason = 'unclear') execute function decide_unclear();
create trigger suppression_decided after update of reason on suppressions for each row
  when (old.reason = 'unclear' and new.reason <> 'unclear') execute function decide_unclear();
