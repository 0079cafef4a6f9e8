-- Which start of an import is the one that counts: one that was given up for lost and goes on after all keeps nothing.
alter table customer_imports add column run integer not null default 0;
