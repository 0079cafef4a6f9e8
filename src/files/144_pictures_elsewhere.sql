-- Pictures of SMS lie with the provider until they are fetched.
alter table attachments
  drop constraint attachments_state_check,
  add constraint attachments_state_check check (state in ('pending', 'stored', 'rejected', 'elsewhere')),
  -- where the provider has it
  add column source_url text;
