-- previous release: goes on
-- The installation's last backup, drill and archived change, a row each. Doctor, the health page and the metrics read it.
create table backup_status (
  kind text primary key check (kind in ('backup', 'drill', 'archive')),
  -- end of the last attempt
  tried_at timestamptz(3) not null default moment(),
  -- end of the last attempt that succeeded; the columns below describe that one
  succeeded_at timestamptz(3),
  -- moment of its data: what was saved until then survives the loss of DATA_DIR
  as_of timestamptz(3),
  -- size in the backup folder
  bytes bigint,
  ms integer,
  -- name in the backup folder
  name text,
  -- why the last attempt failed, in one sentence for the operator; null if it succeeded
  error text
);
