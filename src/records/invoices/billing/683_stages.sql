-- previous release: goes on
-- Stages of an accepted quote are billed on account, as its deposit is: invoices that name the quote in deposit_of and
-- have a number, which later invoices deduct (docs/spec/money.md#stages). A deposit has none.
alter table invoices add column stage integer check (stage > 0);
drop index invoices_deposit;
create unique index invoices_deposit on invoices (tenant_id, deposit_of, coalesce(stage, 0))
  where deposit_of is not null and status <> 'void';

-- As in 141_deposits.sql, for the deposit alone.
create or replace function draft_deposit() returns trigger language plpgsql as $$
declare
  amount bigint := deposit_of(new.deposit, new.total_cents);
  drafted uuid := gen_random_uuid();
  line jsonb;
begin
  if amount = 0 or exists (select from invoices where tenant_id = new.tenant_id and quote_id = new.id and deposit_of is null and status <> 'void') then
    return null;
  end if;
  line := jsonb_build_object('id', gen_random_uuid(), 'position', 0, 'kind', 'fee', 'catalog_item_id', null,
    'name', (select case when preferred_language like 'es%' then 'Anticipo de ' else 'Deposit for ' end
      from customers where tenant_id = new.tenant_id and id = new.customer_id) || new.display_number,
    'description', new.title, 'quantity', 1, 'unit', 'each', 'unit_price_cents', amount, 'taxable', false, 'discount_type', null,
    'discount_value', null, 'line_total_cents', amount, 'discount_share_cents', 0, 'tax_cents', 0, 'rate_decimal', null, 'tax_name', null);
  update invoices set line_items = jsonb_build_array(line), discount = null, taxes = '[]', subtotal_cents = amount, discount_cents = 0,
    taxable_cents = 0, tax_cents = 0, total_cents = amount, updated_by = new.updated_by, updated_at = later_than(updated_at)
  where tenant_id = new.tenant_id and deposit_of = new.id and stage is null and status = 'draft';
  if exists (select from invoices where tenant_id = new.tenant_id and deposit_of = new.id and stage is null and status <> 'void') then
    return null;
  end if;
  insert into invoices (tenant_id, id, number, number_prefix, customer_id, location_id, contact_id, quote_id, deposit_of, status, subject,
    issue_date, due_date, line_items, tax_rate_chosen, tax_exempt, taxes, fields, currency, subtotal_cents, discount_cents, taxable_cents,
    tax_cents, total_cents, created_by, updated_by)
  select new.tenant_id, drafted, next_number(new.tenant_id, 'invoice', 1001), t.invoice_prefix, new.customer_id,
    (select id from locations where tenant_id = new.tenant_id and id = new.location_id and archived_at is null),
    (select id from contacts where tenant_id = new.tenant_id and id = new.contact_id and archived_at is null),
    new.id, new.id, 'draft', new.title, d.today, d.today + coalesce(c.payment_terms_days, t.default_net_days), jsonb_build_array(line),
    true, c.tax_exempt, '[]', '{}', new.currency, amount, 0, 0, 0, amount, new.updated_by, new.updated_by
  from tenants t join customers c on c.tenant_id = t.id and c.id = new.customer_id
    cross join lateral (select (clock_timestamp() at time zone t.timezone)::date as today) d
  where t.id = new.tenant_id;
  insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  values (new.tenant_id, gen_random_uuid(), new.updated_by, 'invoices.deposit_drafted', 'invoice', drafted,
    jsonb_build_object('total_cents', jsonb_build_array(null, amount)));
  return null;
end $$;
