import type { Caller } from '../identity/credentials/caller.ts'
import type { Db } from '../platform/db/tenant.ts'
import { requireValue } from '../platform/errors/require_value.ts'
import { newId } from '../platform/validation/id.ts'
import { locationQuery } from '../records/locations/index.ts'
import { unpriceLines, type SoldLine } from '../records/line_items/line.ts'
import { priceLines } from '../records/line_items/price.ts'
import { rateOf, toBillLines, type BillLine, type BillRate } from './bill_lines.ts'
import { mayQuote, type VisitRow } from './visit_rows.ts'

/** Contents of a visit's invoice, from which an offline phone computes the total. */
export type VisitBill = {
  lines: BillLine[]
  /** Tax rate of items added on site that have no rate of their own. */
  rate: BillRate | null
  exempt: boolean
  /** Unused deposits of the visit's quote. */
  deposit_cents: number
}

/** Checks the right to bill visits on site. */
export const mayBill = ({ scopes }: Pick<Caller, 'scopes'>): boolean =>
  scopes.has('read:jobs') && scopes.has('read:invoices') && scopes.has('write:invoices')

/** Bill until an invoice exists, for those who may bill; taxation of quotes, for those who may quote. */
type VisitPrices = { bill: VisitBill | null; quote_tax: Pick<VisitBill, 'rate' | 'exempt'> | null }

/** Returns the prices of visits and the taxation of their quotes, by visit. */
export async function findPrices(
  db: Db,
  caller: Caller,
  visits: readonly VisitRow[],
): Promise<ReadonlyMap<string, VisitPrices>> {
  const [bills, quotes] = [mayBill(caller), mayQuote(caller)]
  const isBilled = ({ invoices }: VisitRow): boolean => bills && invoices.length === 0
  const visitsToPrice = visits.filter((visit) => quotes || isBilled(visit))
  return new Map(
    await Promise.all(
      visitsToPrice.map(async (visit): Promise<[string, VisitPrices]> => {
        const bill = await billOf(db, visit)
        const quote_tax = quotes ? { rate: bill.rate, exempt: bill.exempt } : null
        return [visit.id, { bill: isBilled(visit) ? bill : null, quote_tax }]
      }),
    ),
  )
}

/** Prices a visit like its invoice, plus a sample line that reveals the tax rate of lines without their own. */
async function billOf(db: Db, { customer_id, line_items, tax_exempt, deposit_cents }: VisitRow): Promise<VisitBill> {
  const { line_items: priced, tax_rate_id } = await priceLines(db, {
    lines: [...unpriceLines(line_items.slice(0, MAX_LINES)), sampleLine()],
    location_id: locationQuery(db, customer_id, undefined, ['billing', 'service']),
    tax_exempt,
    hasTax: true,
  })
  const lines = toBillLines(priced, tax_rate_id)
  return {
    lines: lines.slice(0, -1),
    rate: rateOf(requireValue(priced.at(-1), 'The sample line'), tax_rate_id),
    exempt: tax_exempt,
    deposit_cents,
  }
}

/** Maximum lines of a bill; one more is priced with them. */
const MAX_LINES = 199

const sampleLine = (): SoldLine => ({
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
