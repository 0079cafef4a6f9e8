-- Domains of a company for whose addresses its own provider is trusted where it sends no email_verified.
-- previous release: goes on
alter table company_providers add column trusted_domains text[] not null default '{}';
