-- When somebody with this contact's number answered STOP; null: never, or started again since. No tool shows or sets it.
alter table contacts add column sms_stopped_at timestamptz(3);
