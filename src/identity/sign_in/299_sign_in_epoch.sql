-- Counts how often all sessions of a person were ended: whoever was recognized before an ending doesn't come in after it.
alter table users add sign_in_epoch integer not null default 0;
