-- A notice tells somebody of the company what a customer did; it is in no conversation.
alter table outbox
  drop constraint outbox_cause_check,
  add constraint outbox_cause_check check (cause in ('sent', 'reply', 'reminder', 'on_my_way', 'test', 'notice'));
