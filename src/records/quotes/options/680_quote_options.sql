-- previous release: goes on
-- Options of one offer are quotes of one set, of which the customer accepts one; lines that the customer may add stand
-- beside those of the quote (docs/spec/records.md#options-of-a-quote).
alter table quotes add column option_set uuid, add column optional_lines jsonb;
create index quotes_of_set on quotes (tenant_id, option_set, number) where option_set is not null;
create unique index quotes_accepted_option on quotes (tenant_id, option_set)
  where option_set is not null and status = 'accepted';
comment on index quotes_accepted_option is
  'conflict: status can''t be accepted, as another option of the set is; set that one to declined first';

-- Accepting an option closes the others, whoever accepts it.
create function close_options() returns trigger language plpgsql as $$
begin
  perform from quotes where tenant_id = new.tenant_id and option_set = new.option_set and id <> new.id
    and status in ('draft', 'sent') order by id for no key update;
  insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  select new.tenant_id, gen_random_uuid(), new.updated_by, 'quotes.option_closed', 'quote', q.id,
    jsonb_build_object('status', jsonb_build_array(q.status, 'declined'),
      'accepted', jsonb_build_array(null, new.display_number))
  from quotes q where q.tenant_id = new.tenant_id and q.option_set = new.option_set and q.id <> new.id
    and q.status in ('draft', 'sent');
  update quotes q set status = 'declined', declined_at = moment(), decline_reason = 'superseded',
    location_address = coalesce(q.location_address, address_of(q.tenant_id, q.location_id)),
    updated_by = new.updated_by, updated_at = later_than(q.updated_at)
  where q.tenant_id = new.tenant_id and q.option_set = new.option_set and q.id <> new.id
    and q.status in ('draft', 'sent');
  return null;
end $$;
create trigger option_accepted after update of status on quotes for each row
  when (new.status = 'accepted' and old.status <> 'accepted' and new.option_set is not null)
  execute function close_options();

-- Options go out together.
create function send_options() returns trigger language plpgsql as $$
begin
  perform from quotes where tenant_id = new.tenant_id and option_set = new.option_set and id <> new.id
    and status = 'draft' order by id for no key update;
  insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  select new.tenant_id, gen_random_uuid(), new.updated_by, 'quotes.option_sent', 'quote', q.id,
    jsonb_build_object('status', jsonb_build_array('draft', 'sent'))
  from quotes q where q.tenant_id = new.tenant_id and q.option_set = new.option_set and q.id <> new.id
    and q.status = 'draft';
  update quotes q set status = 'sent', sent_at = coalesce(q.sent_at, moment()),
    location_address = address_of(q.tenant_id, q.location_id),
    updated_by = new.updated_by, updated_at = later_than(q.updated_at)
  where q.tenant_id = new.tenant_id and q.option_set = new.option_set and q.id <> new.id and q.status = 'draft';
  return null;
end $$;
create trigger option_sent after update of status on quotes for each row
  when (new.status = 'sent' and old.status = 'draft' and new.option_set is not null)
  execute function send_options();
