-- The operator at the command line, who is the schema's owner, sees which companies there are; the application role does not.
create policy operator on tenants for select to current_user using (true);
