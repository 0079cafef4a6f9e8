-- Who signed the work order of a visit, and what it said then (docs/spec/field_records.md#signatures).
create table job_signatures (
  tenant_id uuid not null references tenants,
  id uuid not null,
  job_id uuid not null,
  signed_at timestamptz(3) not null,
  -- as typed
  name text not null check (char_length(name) between 1 and 100),
  -- path data of an SVG of 600 by 200; null: a typed name alone
  drawing text check (char_length(drawing) <= 20000),
  -- the member on whose device it was drawn
  taken_by uuid,
  taken_at timestamptz(3) not null default moment(),
  -- SHA-256 of the canonical text of the content
  hash bytea not null check (octet_length(hash) = 32),
  content jsonb not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, job_id) references jobs
);
select wall('job_signatures');
create index job_signatures_of_job on job_signatures (tenant_id, job_id, signed_at desc, id desc);
-- What was signed stays as it was; only who took it may become a former member.
create function stays_as_signed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'taken_by' is distinct from to_jsonb(old) - 'taken_by' then
    raise exception 'a signature never changes';
  end if;
  return new;
end $$;
create trigger job_signature_stays before update on job_signatures for each row execute function stays_as_signed();
