import type { Result } from '../harness/harness.ts'
import { priceOf } from './catalog.ts'
import { computeTotals, scaleDecimal, type Discount, type Line, type Totals } from './money.ts'
import {
  all,
  lacksRate,
  live,
  type Actor,
  type Customer,
  type Location,
  type Priced,
  type Rate,
  type World,
} from './world.ts'

/** Returns the lines, with fields filled in from the catalog. Undefined if a line breaks a rule. */
export function linesOf(world: World, actor: Actor, given: unknown): Line[] | undefined {
  const lines = ((given ?? []) as Result[]).map((line) => lineOf(world, actor, line))
  return lines.includes(undefined) ? undefined : (lines as Line[])
}

function lineOf(world: World, actor: Actor, given: Result): Line | undefined {
  if (lacksRate(world, actor, given['tax_rate_id'])) return undefined
  const milli = scaleDecimal(given['quantity'] ?? 1, 3)
  const none = { milli, cents: 0n, taxable: false, rate: null }
  if (given['kind'] === 'discount')
    return { ...none, discount: { type: given['discount_type'], value: given['discount_value'] } }
  if (!('catalog_item_id' in given))
    return {
      milli,
      cents: BigInt(given['unit_price_cents']),
      taxable: given['taxable'] ?? true,
      rate: given['tax_rate_id'],
      discount: null,
    }
  const item = live(world, actor, 'item', given['catalog_item_id'])
  if (item === undefined) return undefined
  if (item.discount !== null)
    return 'quantity' in given || given['taxable'] === true ? undefined : { ...none, discount: item.discount }
  const own = live(world, actor, 'rate', item.tax_rate_id)?.id
  return {
    milli,
    cents: BigInt(given['unit_price_cents'] ?? priceOf(world, item)),
    taxable: given['taxable'] ?? item.taxable,
    rate: 'tax_rate_id' in given ? given['tax_rate_id'] : own,
    discount: null,
  }
}

type Asked = Pick<Priced, 'lines' | 'discount' | 'chosen' | 'location_id'>

/**
 * Returns a draft's rate and totals at this save. The rate is the requested one, or else the draft's own if it was
 * archived since and the location is the same, or else the location's, or else the default.
 */
export function pricedNow(
  world: World,
  customer: Customer,
  asked: Asked,
  before?: Priced,
): { rate: string | null; totals: Totals } | undefined {
  const place = asked.location_id === null ? undefined : (world.records.get(asked.location_id) as Location)
  const kept =
    before?.rate != null && before.location_id === asked.location_id && !world.records.get(before.rate)!.live
      ? before.rate
      : undefined
  const usual = all(world, 'rate').find(({ live, is_default }) => live && is_default)?.id
  const rate =
    asked.chosen !== undefined ? asked.chosen : (kept ?? liveRate(world, place?.tax_rate_id) ?? usual ?? null)
  const totals = computeTotals(asked.lines, asked.discount, (line) => {
    if (customer.tax_exempt) return null
    const id = line.rate === undefined ? rate : line.rate
    return id === null ? null : { id, percent: (world.records.get(id) as Rate).percent }
  })
  return totals && { rate, totals }
}

const liveRate = (world: World, id: string | null | undefined): string | undefined =>
  typeof id === 'string' && world.records.get(id)?.live === true ? id : undefined

export const computeUntaxedTotals = (lines: Line[]): Totals | undefined => computeTotals(lines, null, () => null)

export const discountOf = (given: Result, present: Discount | null): Discount | null =>
  'discount' in given ? given['discount'] : present
