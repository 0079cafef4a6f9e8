-- previous release: goes on
-- Days off come with moved visits when somebody is sick, and go with them when that is undone.
select keep_journal('working_exceptions', 'rows');
