-- The language that a person reads pages in; null: that of their browser.
alter table users add language text check (language in ('en', 'es'));
