-- The former import of customers is one of Settings, Import. It kept nothing before it was done, so a file that was not done
-- goes on where its columns are looked at, for 30 days from the day it came; one that is done keeps its report and its file.
alter table customer_imports no force row level security;
alter table imports no force row level security;
insert into imports (tenant_id, id, user_id, source, kind, file_name, digest, content, state, total, done, outcome, created_at)
select tenant_id, id, user_id, 'plain', 'customers', file_name, sha256(content), content,
  case state when 'done' then 'done' else 'mapping' end, total, case state when 'done' then total else 0 end,
  case when state = 'done' then json_build_object('made', coalesce((outcome ->> 'made')::int, total),
    'updated', coalesce((outcome ->> 'updated')::int, 0), 'skipped', coalesce((outcome ->> 'skipped')::int, 0),
    'known', 0, 'left', coalesce(outcome -> 'left', '[]'::json)) end,
  created_at
from customer_imports;
alter table imports force row level security;
drop table customer_imports;
