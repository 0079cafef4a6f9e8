import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { conflictField, invalidField } from '../../platform/errors/refusal.ts'
import { longText, text } from '../../platform/validation/text/text.ts'
import { auditChange, type Actor } from '../audit.ts'
import { parseField, readCountry, readCurrency, readEmail, readName, readTimezone } from '../inputs.ts'
import { requireOwner } from '../permissions/rights.ts'
import { refusals } from './refusals.ts'

/** Describes a company's own details, which its documents carry. */
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
  /** How to pay without a card, shown on the page of an invoice. */
  how_to_pay: string | null
  default_net_days: number
  invoice_prefix: string
  /** Number of the next invoice; it only goes up. */
  next_invoice_number: number
}

/** Describes a company as a form gives it: text. */
export type CompanyDraft = Record<keyof Company, string>

const columnsOf = (
  tenant: string,
) => sql`name, timezone, country, currency, address, phone, email, website, license_number, document_footer, how_to_pay,
  default_net_days, invoice_prefix,
  coalesce((select value from counters where tenant_id = ${tenant} and name = 'invoice'), 1000) + 1 as next_invoice_number`

export const companyOf = (db: Db): Promise<Company> =>
  db.present<Company>(sql`select ${columnsOf(db.tenant)} from tenants where id = ${db.tenant}`, 'company')

export const findCompany = (database: Database, tenant: string): Promise<Company> =>
  readTenant(database, { tenant }, companyOf)

/** Marks a company as a demo, whose assistants' work counts from its first sign-in on. */
export const markAsDemo = (db: Db): Promise<number> =>
  db.run(sql`update tenants set is_demo = true where id = ${db.tenant}`)

/** Saves a company's settings. Invoice numbers never go down, and a used currency stays. */
export async function changeCompany(
  database: Database,
  tenant: string,
  typed: CompanyDraft,
  by: Actor,
): Promise<Company> {
  const given = parseDraft(typed)
  const { after } = await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      await db.present(sql`select id from tenants where id = ${db.tenant} for no key update`, 'company')
      const before = await companyOf(db)
      await requireUnpriced(db, before, given)
      await raiseInvoiceNumber(db, before, given)
      await db.run(sql`update tenants set name = ${given.name}, timezone = ${given.timezone}, country = ${given.country}, currency = ${given.currency},
      address = ${given.address}, phone = ${given.phone}, email = ${given.email},
      website = ${given.website}, license_number = ${given.license_number}, document_footer = ${given.document_footer}, how_to_pay = ${given.how_to_pay},
      default_net_days = ${given.default_net_days}, invoice_prefix = ${given.invoice_prefix} where id = ${db.tenant}`)
      return { before, after: given }
    },
    ({ before, after }) => [auditChange(tenant, by, 'companies.set', tenant, changesBetween(before, after))],
  )
  return after
}

function parseDraft(typed: CompanyDraft): Company {
  return {
    name: readName(typed.name),
    timezone: readTimezone(typed.timezone),
    country: readCountry(typed.country),
    currency: readCurrency(typed.currency),
    address: parseField(longText(500), typed.address, 'address') ?? null,
    phone: parseField(text(40), typed.phone, 'phone') ?? null,
    email: typed.email.trim() === '' ? null : readEmail(typed.email),
    website: parseField(text(200), typed.website, 'website') ?? null,
    license_number: parseField(text(100), typed.license_number, 'license_number') ?? null,
    document_footer: parseField(longText(1000), typed.document_footer, 'document_footer') ?? null,
    how_to_pay: parseField(longText(1000), typed.how_to_pay, 'how_to_pay') ?? null,
    default_net_days: parseWholeNumber(typed.default_net_days, 'default_net_days', 0, 365),
    invoice_prefix: parseField(text(20), typed.invoice_prefix, 'invoice_prefix') ?? '',
    next_invoice_number: parseWholeNumber(typed.next_invoice_number, 'next_invoice_number', 1, 2_000_000_000),
  }
}

function parseWholeNumber(given: string, field: string, least: number, most: number): number {
  const value = Number(given.trim())
  if (!/^\d+$/.test(given.trim()) || value < least || value > most)
    throw invalidField(field, refusals.wholeNumber({ field, min: least, max: most, given: given.slice(0, 60) }))
  return value
}

async function requireUnpriced(db: Db, before: Company, { currency }: Company): Promise<void> {
  if (currency === before.currency) return
  const priced = await db.maybe(sql`select 1 from invoices where tenant_id = ${db.tenant}
    union all select 1 from quotes where tenant_id = ${db.tenant} union all select 1 from plans where tenant_id = ${db.tenant} limit 1`)
  if (priced !== undefined) throw conflictField('currency', refusals.currencyInUse({ currency: before.currency }))
}

/** Returns the next number, never lower than before: a number is never given twice (docs/spec/money.md#invoice-numbers). */
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
