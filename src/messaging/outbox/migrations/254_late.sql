-- A technician runs late, and the next customers are told.
alter table outbox
  drop constraint outbox_cause_check,
  add constraint outbox_cause_check check (cause in ('sent', 'reply', 'reminder', 'on_my_way', 'late', 'test', 'notice'));
