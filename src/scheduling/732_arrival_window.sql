-- previous release: goes on
-- Minutes from a visit's start within which the company promises to arrive, for visits without a window of their own; 0
-- promises the start. null: a member's week, or two hours (docs/spec/scheduling.md#arrival-windows).
alter table working_weeks add column arrival_window_minutes integer
  check (arrival_window_minutes = 0 or arrival_window_minutes between 30 and 480);
