-- previous release: goes on
-- Messages about automatic payments, which tell a customer what is charged and when, and that it failed.
alter table outbox
  drop constraint outbox_cause_check,
  add constraint outbox_cause_check
    check (cause in ('sent', 'reply', 'reminder', 'on_my_way', 'late', 'test', 'notice', 'receipt', 'autopay'));
