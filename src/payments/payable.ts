import type { Db } from '../platform/db/tenant.ts'
import { findPaymentAccounts } from './accounts.ts'

/** Returns the company's account that takes charges, as far as the provider said. */
export const payableAccount = async (db: Db): Promise<string | undefined> =>
  (await findPaymentAccounts(db)).find(({ closed, charges_enabled }) => !closed && charges_enabled !== false)
    ?.account_id

/**
 * Lists currencies whose smallest unit at the provider is the currency itself, or a thousandth of it in steps of ten.
 */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Checks whether our minor unit is the provider's; an amount is never converted. */
export function isPayableAmount(currency: string, cents: number): boolean {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
  if (digits !== (WHOLE.has(currency) ? 0 : THOUSANDTHS.has(currency) ? 3 : 2)) return false
  return digits !== 3 || cents % 10 === 0
}
