import type { Priceable } from '../document.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/**
 * Independent implementation of the pricing rules (docs/spec/money.md#pricing-a-document) for property tests: exact
 * fractions, one cent assigned at a time, loops instead of one pass. Values come only from the generators' units, so
 * it shares no parser with the code under test.
 */
type Fraction = { over: bigint; under: bigint }

export type OracleLine =
  | { sells: Fraction; price: bigint; rate: { id: string; value: Fraction } | null }
  | OracleDiscount
type OracleDiscount = { percentOff: Fraction } | { centsOff: bigint }
export type OracleDocument = { lines: OracleLine[]; off: OracleDiscount | null; exempt: boolean }

type OracleResult = {
  gross: bigint[]
  shares: bigint[]
  lineTax: bigint[]
  subtotal: bigint
  discount: bigint
  base: bigint
  tax: bigint
  total: bigint
  rates: { id: string; base: bigint; tax: bigint }[]
}

const MAX_CENTS = 10n ** 12n

export function oracle({ lines, off, exempt }: OracleDocument): OracleResult | 'refused' {
  const gross: bigint[] = []
  for (const line of lines) gross.push('sells' in line ? nearest(times(line.sells, whole(line.price))) : 0n)
  let subtotal = 0n
  for (const cents of gross) {
    if (cents > MAX_CENTS) return 'refused'
    subtotal += cents
  }

  let discount = 0n
  for (const [i, line] of lines.entries()) {
    if ('sells' in line) continue
    const cents = 'centsOff' in line ? line.centsOff : nearest(times(whole(subtotal), line.percentOff))
    gross[i] = -cents
    discount += cents
  }
  if (discount > subtotal || subtotal > MAX_CENTS) return 'refused'
  if (off) discount += 'centsOff' in off ? off.centsOff : nearest(times(whole(subtotal - discount), off.percentOff))
  if (discount > subtotal) return 'refused'

  const shares = allocate(
    discount,
    lines.map((line, i) => ('sells' in line ? itemAt(gross, i) : 0n)),
  )
  const lineTax = lines.map(() => 0n)
  const rates: OracleResult['rates'] = []
  const ids = new Set(lines.flatMap((line) => ('sells' in line && line.rate ? [line.rate.id] : [])))
  for (const id of ids) {
    let value = whole(0n)
    const due = lines.map((line, i) => {
      if (!('sells' in line) || line.rate?.id !== id) return 0n
      value = line.rate.value
      return exempt ? 0n : itemAt(gross, i) - itemAt(shares, i)
    })
    const base = due.reduce((a, b) => a + b, 0n)
    const tax = nearest(times(whole(base), value))
    for (const [i, cents] of allocate(tax, due).entries()) lineTax[i]! += cents
    rates.push({ id, base, tax })
  }

  const base = rates.reduce((a, rate) => a + rate.base, 0n)
  const tax = rates.reduce((a, rate) => a + rate.tax, 0n)
  const total = subtotal - discount + tax
  return total > MAX_CENTS ? 'refused' : { gross, shares, lineTax, subtotal, discount, base, tax, total, rates }
}

/** Gives each part its floor, then one cent at a time to the largest shortfall, the first on ties. */
function allocate(total: bigint, weights: bigint[]): bigint[] {
  const all = weights.reduce((a, b) => a + b, 0n)
  if (all === 0n) return weights.map(() => 0n)
  const exactShares = weights.map((weight) => times(whole(total), { over: weight, under: all }))
  const parts = exactShares.map(({ over, under }) => over / under)
  let remaining = total - parts.reduce((a, b) => a + b, 0n)
  while (remaining-- > 0n) {
    let neediest = 0
    for (let i = 1; i < exactShares.length; i++) if (less(shortfall(neediest), shortfall(i))) neediest = i
    parts[neediest]! += 1n
  }
  return parts

  function shortfall(i: number): Fraction {
    const { over, under } = itemAt(exactShares, i)
    return { over: over - itemAt(parts, i) * under, under }
  }
}

const itemAt = <T>(list: readonly T[], i: number): T => requireValue(list[i], `Number ${i}`)
const whole = (n: bigint): Fraction => ({ over: n, under: 1n })
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under })
const less = (a: Fraction, b: Fraction): boolean => a.over * b.under < b.over * a.under

/** Rounds to the nearest integer, halves up, for non-negative amounts. */
function nearest({ over, under }: Fraction): bigint {
  const floor = over / under
  return less({ over: over - floor * under, under }, { over: 1n, under: 2n }) ? floor : floor + 1n
}

/** Converts the oracle's document to input of the code under test. */
export function toPriceable({ lines, off, exempt }: OracleDocument): Priceable {
  const line_items = lines.map((line): Priceable['line_items'][number] => {
    if (!('sells' in line)) return { kind: 'discount', ...toDiscountInput(line) }
    const { sells, price } = line
    const rate = line.rate && {
      tax_rate_id: line.rate.id,
      name: line.rate.id,
      rate_decimal: toDecimalText(line.rate.value),
    }
    return {
      kind: 'service',
      quantity: toDecimalText(sells),
      unit_price_cents: Number(price),
      taxable: rate !== null,
      rate,
    }
  })
  if (!off) return { line_items, discount: null, tax_exempt: exempt }
  const { discount_type: type, discount_value: value } = toDiscountInput(off)
  return { line_items, discount: { type, value }, tax_exempt: exempt }
}

const toDiscountInput = (off: OracleDiscount) =>
  'centsOff' in off
    ? { discount_type: 'amount' as const, discount_value: Number(off.centsOff) }
    : { discount_type: 'percent' as const, discount_value: toDecimalText(off.percentOff, 100n) }

/** Converts a fraction to decimal text by long division; all fractions here terminate. */
function toDecimalText({ over, under }: Fraction, factor = 1n): string {
  let text = `${(over * factor) / under}.`
  for (let rest = (over * factor) % under; rest !== 0n; rest = (rest * 10n) % under) text += (rest * 10n) / under
  return text.endsWith('.') ? text.slice(0, -1) : text
}
