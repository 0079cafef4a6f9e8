import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { conflictField, invalidField } from '../../platform/errors/refusal.ts'
import { longText, text } from '../../platform/validation/text/text.ts'
import { auditChange, type Actor } from '../audit.ts'
import { parseField, readCountry, readCurrency, readEmail, readName, readTimezone } from '../inputs.ts'
import { requireOwner } from '../permissions/rights.ts'
import { refusals } from './refusals.ts'

/** Company details, as its documents show them. */
export type Company = {
  name: string
  timezone: string
  country: string
  /** ISO 4217 code; fixed once there is an invoice, quote or plan (docs/spec/money.md#currency). */
  currency: string
  address: string | null
  phone: string | null
  email: string | null
  website: string | null
  license_number: string | null
  document_footer: string | null
  /** Instructions for paying without a card, shown on the invoice page. */
  how_to_pay: string | null
  default_net_days: number
  invoice_prefix: string
  /** Number of the next invoice; it only goes up. */
  next_invoice_number: number
}

/** Company details as form text. */
export type CompanyDraft = Record<keyof Company, string>

const columnsOf = (
  tenant: string,
) => sql`name, timezone, country, currency, address, phone, email, website, license_number, document_footer, how_to_pay,
  default_net_days, invoice_prefix,
  coalesce((select value from counters where tenant_id = ${tenant} and name = 'invoice'),
    1000) + 1 as next_invoice_number`

export const companyOf = (db: Db): Promise<Company> =>
  db.present<Company>(sql`select ${columnsOf(db.tenant)} from tenants where id = ${db.tenant}`, 'company')

export const findCompany = (database: Database, tenant: string): Promise<Company> =>
  readTenant(database, { tenant }, companyOf)

/** Marks a company as a demo. Its assistants' activity counts only from its first sign-in. */
export const markAsDemo = (db: Db): Promise<number> =>
  db.run(sql`update tenants set is_demo = true where id = ${db.tenant}`)

/** Saves a company's settings. Invoice numbers never go down, and a currency in use can't change. */
export async function changeCompany(
  database: Database,
  tenant: string,
  draft: CompanyDraft,
  by: Actor,
): Promise<Company> {
  const values = parseDraft(draft)
  const { after } = await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      await db.present(sql`select id from tenants where id = ${db.tenant} for no key update`, 'company')
      const before = await companyOf(db)
      await requireUnusedCurrency(db, before, values)
      await raiseInvoiceNumber(db, before, values)
      await db.run(sql`update tenants
        set name = ${values.name}, timezone = ${values.timezone}, country = ${values.country},
          currency = ${values.currency}, address = ${values.address}, phone = ${values.phone}, email = ${values.email},
      website = ${values.website}, license_number = ${values.license_number},
      document_footer = ${values.document_footer}, how_to_pay = ${values.how_to_pay},
      default_net_days = ${values.default_net_days}, invoice_prefix = ${values.invoice_prefix} where id = ${db.tenant}`)
      return { before, after: values }
    },
    ({ before, after }) => [auditChange(tenant, by, 'companies.set', tenant, changesBetween(before, after))],
  )
  return after
}

function parseDraft(draft: CompanyDraft): Company {
  return {
    name: readName(draft.name),
    timezone: readTimezone(draft.timezone),
    country: readCountry(draft.country),
    currency: readCurrency(draft.currency),
    address: parseField(longText(500), draft.address, 'address') ?? null,
    phone: parseField(text(40), draft.phone, 'phone') ?? null,
    email: draft.email.trim() === '' ? null : readEmail(draft.email),
    website: parseField(text(200), draft.website, 'website') ?? null,
    license_number: parseField(text(100), draft.license_number, 'license_number') ?? null,
    document_footer: parseField(longText(1000), draft.document_footer, 'document_footer') ?? null,
    how_to_pay: parseField(longText(1000), draft.how_to_pay, 'how_to_pay') ?? null,
    default_net_days: parseWholeNumber(draft.default_net_days, 'default_net_days', 0, 365),
    invoice_prefix: parseField(text(20), draft.invoice_prefix, 'invoice_prefix') ?? '',
    next_invoice_number: parseWholeNumber(draft.next_invoice_number, 'next_invoice_number', 1, 2_000_000_000),
  }
}

function parseWholeNumber(input: string, field: string, min: number, max: number): number {
  const value = Number(input.trim())
  if (!/^\d+$/.test(input.trim()) || value < min || value > max)
    throw invalidField(field, refusals.wholeNumber({ field, min, max, given: input.slice(0, 60) }))
  return value
}

async function requireUnusedCurrency(db: Db, before: Company, { currency }: Company): Promise<void> {
  if (currency === before.currency) return
  const pricedDocument = await db.maybe(sql`select 1 from invoices where tenant_id = ${db.tenant}
    union all select 1 from quotes where tenant_id = ${db.tenant} union all select 1 from plans
    where tenant_id = ${db.tenant} limit 1`)
  if (pricedDocument !== undefined)
    throw conflictField('currency', refusals.currencyInUse({ currency: before.currency }))
}

/** Raises the next invoice number. Throws `conflict` for a used one (docs/spec/money.md#invoice-numbers). */
async function raiseInvoiceNumber(db: Db, before: Company, { next_invoice_number: next }: Company): Promise<void> {
  if (next === before.next_invoice_number) return
  const raised =
    next < before.next_invoice_number
      ? undefined
      : await db.maybe(sql`
    insert into counters as c (tenant_id, name, value) values (${db.tenant}, 'invoice', ${next - 1})
    on conflict (tenant_id, name) do update set value = excluded.value where c.value < excluded.value returning value`)
  if (raised === undefined)
    throw conflictField('next_invoice_number', refusals.invoiceNumberUsed({ next: before.next_invoice_number }))
}

const changesBetween = (before: Company, after: Company) =>
  Object.fromEntries(
    (Object.keys(after) as (keyof Company)[])
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, [before[name], after[name]] as const]),
  )
