-- What an import found row by row before it was started, and what came of each: rows that are right are imported, the
-- others are left out and said.
alter table customer_imports
  drop constraint customer_imports_state_check,
  add constraint customer_imports_state_check check (state in ('checking', 'ready', 'running', 'done', 'failed')),
  -- how many were made, updated and skipped, and what the tool refused
  add outcome json;
-- Files that an earlier version looked at are looked at again.
update customer_imports set state = 'checking', reading = null, problem = null, beat_at = null where state in ('ready', 'failed');
