-- What a connection wrote last (callout://connection); rows of nobody's connection cost nothing.
create index audit_of_connection on audit (tenant_id, credential_id, id desc) where credential_id is not null;
