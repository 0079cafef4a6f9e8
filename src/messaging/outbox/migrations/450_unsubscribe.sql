-- What the unsubscribe link of a reminder by mail proves itself with (RFC 8058); null: the mail has no such link.
alter table outbox add column unsubscribe_secret bytea check (octet_length(unsubscribe_secret) = 16);
