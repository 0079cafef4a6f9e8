-- Who approved a write that a connection had only proposed.
alter table audit add column approved_by uuid;
