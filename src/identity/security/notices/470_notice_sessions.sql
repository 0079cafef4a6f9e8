-- The session that did what a notice tells of: its own page needs no word of it.
alter table notices add column session_id uuid;
