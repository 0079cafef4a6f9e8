import { sql, type Db } from '../platform/db/tenant.ts'
import { findPaymentAccounts } from './accounts.ts'

/** Returns the company's account that accepts charges, as far as the provider has reported. */
export const payableAccount = async (db: Db): Promise<string | undefined> =>
  (await findPaymentAccounts(db)).find(({ closed, charges_enabled }) => !closed && charges_enabled !== false)
    ?.account_id

type Payer = { customer_id: string; contact_id: string | null }

/** Returns the email address for the provider's receipt: the given contact's first, then the primary one's. */
export const findPayerEmail = async (db: Db, { customer_id, contact_id }: Payer): Promise<string | null> =>
  (
    await db.maybe<{ email: string }>(sql`select email from contacts
      where tenant_id = ${db.tenant} and customer_id = ${customer_id} and archived_at is null and email is not null
      order by (id = ${contact_id}::uuid) desc nulls last, is_primary desc, created_at, id limit 1`)
  )?.email ?? null

/** Currencies with no decimals at the provider, and currencies with three, charged in steps of ten. */
const ZERO_DECIMAL_CURRENCIES = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THREE_DECIMAL_CURRENCIES = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Checks whether the provider takes an amount in our minor unit: amounts are never converted. */
export function isPayableAmount(currency: string, cents: number): boolean {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  if (digits !== (ZERO_DECIMAL_CURRENCIES.has(currency) ? 0 : THREE_DECIMAL_CURRENCIES.has(currency) ? 3 : 2))
    return false
  return digits !== 3 || cents % 10 === 0
}
