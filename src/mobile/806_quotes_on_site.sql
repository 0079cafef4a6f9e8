-- previous release: goes on
-- Quotes that were written on a visit by phone.
create index field_acts_quotes on field_acts (tenant_id, job_id) where kind = 'quote';
