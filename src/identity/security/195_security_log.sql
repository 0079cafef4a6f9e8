-- What a company's owners read in the security log of the rows of its audit.
create index audit_of_access on audit (tenant_id, at desc, id desc) where record_type in ('member', 'key', 'grant', 'client');
