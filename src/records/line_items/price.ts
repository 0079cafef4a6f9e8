import type { Db, Sql } from '../../platform/db/tenant.ts'
import { defaultRate, rateOfLocation, ratesById } from '../tax_rates/index.ts'
import {
  priceDocument,
  type Discount,
  type DocumentLine,
  type DocumentPrice,
  type PricedLine,
} from '../../money/document.ts'
import { rateFor, type Rate } from '../../money/rates.ts'
import type { LineItem, ResolvedLine } from './line.ts'

export type PricingInput = {
  /** The lines, or a promise of them (`resolveLines`), whose round trip also reads the rates. */
  lines: readonly ResolvedLine[] | Promise<readonly ResolvedLine[]>
  discount?: Discount | null | undefined
  /** The document's own rate; null means untaxed, undefined the location's rate or the tenant's default. */
  tax_rate_id?: string | null | undefined
  /** Id of the location, or a query for it, whose round trip also reads its rate. */
  location_id?: string | Sql | null | undefined
  tax_exempt?: boolean | Promise<boolean> | undefined
  /** False for jobs and series, which have no tax. */
  hasTax: boolean
}

/**
 * Lines with their server fields, and the totals, in the currency's minor unit. `tax_rate_id` is the rate in effect for
 * lines without their own.
 */
export type PricedDocument = Omit<DocumentPrice, 'line_items'> & {
  line_items: LineItem[]
  discount: Discount | null
  tax_rate_id: string | null
}

/**
 * Prices a document at current rates (docs/spec/money.md#pricing-a-document, docs/spec/money.md#which-rate-applies). An
 * archived rate still applies where it is already used; `requireLiveRate` checks a newly entered one.
 */
export async function priceLines(
  db: Db,
  { lines, discount = null, tax_exempt = false, hasTax, ...rateSource }: PricingInput,
): Promise<PricedDocument> {
  const [resolved, rateOf, isExempt] = await Promise.all([
    lines,
    hasTax ? rateResolver(db, rateSource) : noRate,
    tax_exempt,
  ])
  const lineRates = hasTax ? await findLineRates(db, resolved) : new Map<string, Rate>()
  const { line_items, ...totals } = priceDocument({
    line_items: resolved.map((line): DocumentLine =>
      line.kind === 'discount' ? line : { ...line, rate: rateOf(rateOfLine(line, lineRates)) },
    ),
    discount,
    tax_exempt: isExempt,
  })
  return {
    line_items: resolved.map((line, position) => toLineItem(line, position, line_items[position]!)),
    discount,
    tax_rate_id: rateOf(undefined)?.tax_rate_id ?? null,
    ...totals,
  }
}

type RateResolver = (lineRate: Rate | null | undefined) => Rate | null

const noRate: RateResolver = () => null

/** Returns a function that maps a line's own rate to the rate that applies. */
async function rateResolver(
  db: Db,
  { tax_rate_id, location_id }: Pick<PricingInput, 'tax_rate_id' | 'location_id'>,
): Promise<RateResolver> {
  const [document, location, tenantDefault] = await Promise.all([
    tax_rate_id == null ? tax_rate_id : ratesById(db, [tax_rate_id]).then((rates) => rates.get(tax_rate_id)),
    tax_rate_id === undefined && location_id != null ? rateOfLocation(db, location_id) : undefined,
    tax_rate_id === undefined ? defaultRate(db) : undefined,
  ])
  return (lineRate) => rateFor(lineRate, document, location, tenantDefault)
}

/** Returns the rates that lines name without a snapshot, as jobs' lines do. */
const findLineRates = (db: Db, lines: readonly ResolvedLine[]): Promise<Map<string, Rate>> =>
  ratesById(db, [
    ...new Set(
      lines.flatMap((line) => (line.kind === 'discount' || line.rate !== undefined ? [] : (line.tax_rate_id ?? []))),
    ),
  ])

function rateOfLine(
  line: Exclude<ResolvedLine, { kind: 'discount' }>,
  rates: ReadonlyMap<string, Rate>,
): Rate | null | undefined {
  return line.tax_rate_id == null ? line.tax_rate_id : (line.rate ?? rates.get(line.tax_rate_id))
}

function toLineItem(line: ResolvedLine, position: number, amounts: PricedLine): LineItem {
  const { id, catalog_item_id, name, description, kind } = line
  const common = { id, position, kind, catalog_item_id, name, description }
  if (line.kind === 'discount') {
    const { discount_type, discount_value } = line
    return {
      ...common,
      quantity: null,
      unit: null,
      unit_price_cents: null,
      taxable: false,
      discount_type,
      discount_value,
      ...amounts,
    }
  }
  const { quantity, unit, unit_price_cents, taxable, tax_rate_id } = line
  return {
    ...common,
    quantity,
    unit,
    unit_price_cents,
    taxable,
    ...(tax_rate_id === undefined ? {} : { tax_rate_id }),
    discount_type: null,
    discount_value: null,
    ...amounts,
  }
}
