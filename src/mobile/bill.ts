import type { Caller } from '../identity/credentials/caller.ts'
import type { Db } from '../platform/db/tenant.ts'
import { requireValue } from '../platform/errors/require_value.ts'
import { newId } from '../platform/validation/id.ts'
import { locationQuery } from '../records/locations/index.ts'
import { unpriceLines, type SoldLine } from '../records/line_items/line.ts'
import { priceLines } from '../records/line_items/price.ts'
import { rateOf, toBillLines, type BillLine, type BillRate } from './bill_lines.ts'
import { mayQuote, type VisitRow } from './visit_rows.ts'

/** What an invoice of a visit would be made of, from which a phone without a signal computes its total. */
export type VisitBill = {
  lines: BillLine[]
  /** Rate of what is added on site and names none. */
  rate: BillRate | null
  exempt: boolean
  /** What is left of the deposits of the visit's quote. */
  deposit_cents: number
}

/** Checks whether somebody may bill visits on site. */
export const mayBill = ({ scopes }: Pick<Caller, 'scopes'>): boolean =>
  scopes.has('read:jobs') && scopes.has('read:invoices') && scopes.has('write:invoices')

/** A bill while no invoice stands for it, for those who may bill; how quotes are taxed, for those who may quote. */
type VisitPrices = { bill: VisitBill | null; quote_tax: Pick<VisitBill, 'rate' | 'exempt'> | null }

/** Returns what visits cost, and how their quotes are taxed, by visit. */
export async function findPrices(
  db: Db,
  caller: Caller,
  visits: readonly VisitRow[],
): Promise<ReadonlyMap<string, VisitPrices>> {
  const [bills, quotes] = [mayBill(caller), mayQuote(caller)]
  const isBilled = ({ invoices }: VisitRow): boolean => bills && invoices.length === 0
  const priced = visits.filter((visit) => quotes || isBilled(visit))
  return new Map(
    await Promise.all(
      priced.map(async (visit): Promise<[string, VisitPrices]> => {
        const bill = await billOf(db, visit)
        const quote_tax = quotes ? { rate: bill.rate, exempt: bill.exempt } : null
        return [visit.id, { bill: isBilled(visit) ? bill : null, quote_tax }]
      }),
    ),
  )
}

/** Prices a visit as its invoice would be, with one more line that shows the rate of lines without their own. */
async function billOf(db: Db, { customer_id, line_items, tax_exempt, deposit_cents }: VisitRow): Promise<VisitBill> {
  const { line_items: priced, tax_rate_id } = await priceLines(db, {
    lines: [...unpriceLines(line_items.slice(0, MAX_LINES)), sample()],
    location_id: locationQuery(db, customer_id, undefined, ['billing', 'service']),
    tax_exempt,
    taxed: true,
  })
  const lines = toBillLines(priced, tax_rate_id)
  return {
    lines: lines.slice(0, -1),
    rate: rateOf(requireValue(priced.at(-1), 'The sample line'), tax_rate_id),
    exempt: tax_exempt,
    deposit_cents,
  }
}

/** Limits the lines of a bill, since one more is priced with them. */
const MAX_LINES = 199

const sample = (): SoldLine => ({
  id: newId(),
  catalog_item_id: null,
  name: '-',
  description: null,
  kind: 'service',
  quantity: 1,
  unit: '',
  unit_price_cents: 0,
  taxable: true,
})
