create trigger job_removed after delete on jobs for each row execute function keep_removal(
  'customer_id', 'series_id', 'location_id', 'status', 'scheduled_start', 'created_at', 'title_key', 'assignee_ids');
