-- A message whose words are no longer true when its turn comes isn't sent.
alter table outbox
  -- what its words say of the record that it is about, as that was when it was queued; null: nothing
  add column facts jsonb,
  drop constraint outbox_reason_check,
  add constraint outbox_reason_check check (reason in ('later', 'retry', 'quiet_hours', 'daily_limit', 'no_sender', 'refused', 'gave_up',
    'bounced', 'opted_out', 'suppressed', 'unreadable', 'interrupted', 'no_answer', 'by_hand', 'overtaken', 'too_late'));
