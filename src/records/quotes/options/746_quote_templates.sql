-- previous release: goes on
-- Quotes and sets of options that a company makes again and again (docs/spec/records.md#quote-templates).
create table quote_templates (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  -- what each option offers, without customer and address
  options jsonb not null,
  created_by uuid,
  created_at timestamptz(3) not null default moment(),
  primary key (tenant_id, id)
);
select wall('quote_templates');
create unique index quote_templates_name on quote_templates (tenant_id, lower(name));
