import { fraction } from './bounds.ts'
import { decimalNumber, parseDecimal } from './decimal.ts'
import type { Rate } from './rates.ts'
import { percentOf, sum } from './rounding.ts'
import { spread } from './spread.ts'

/** Tax fields of a line: its share of the rate's tax, and the snapshot of the rate. */
export type TaxedLine = { tax_cents: number; rate_decimal: number | null; tax_name: string | null }

/** Tax of one rate over the whole document. */
export type RateTotal = {
  tax_rate_id: string
  name: string
  rate_decimal: number
  base_cents: number
  tax_cents: number
}

type TaxedDocument = { lines: TaxedLine[]; rates: RateTotal[]; base: bigint; tax: bigint }
type RateGroup = { rate: Rate; positions: number[] }

/**
 * Taxes lines on their amounts after discounts (docs/spec/money.md#tax): rounds once per rate and document, then
 * spreads the tax over the lines of that rate. An exemption sets every base to 0; the rates stay listed.
 */
export function taxDocument(rates: readonly (Rate | null)[], nets: readonly bigint[], exempt: boolean): TaxedDocument {
  const taxed: TaxedDocument = { lines: rates.map(() => untaxed), rates: [], base: 0n, tax: 0n }
  for (const { rate, positions } of byRate(rates)) {
    const millionths = parseDecimal(rate.rate_decimal, fraction, `tax rate ${rate.name}`)
    const rate_decimal = decimalNumber(millionths, fraction.scale)
    const bases = positions.map((position) => (exempt ? 0n : (nets[position] ?? 0n)))
    const base = sum(bases)
    const tax = percentOf(base, millionths)

    const shares = spread(tax, bases)
    positions.forEach((position, i) => {
      taxed.lines[position] = { tax_cents: Number(shares[i]), rate_decimal, tax_name: rate.name }
    })
    const { tax_rate_id, name } = rate
    taxed.rates.push({ tax_rate_id, name, rate_decimal, base_cents: Number(base), tax_cents: Number(tax) })
    taxed.base += base
    taxed.tax += tax
  }
  return taxed
}

const untaxed: TaxedLine = { tax_cents: 0, rate_decimal: null, tax_name: null }

/** Returns the rates in order of first appearance, with the positions of their lines. */
function byRate(rates: readonly (Rate | null)[]): RateGroup[] {
  const groups = new Map<string, RateGroup>()
  rates.forEach((rate, position) => {
    if (!rate) return
    const group = groups.get(rate.tax_rate_id)
    if (group) group.positions.push(position)
    else groups.set(rate.tax_rate_id, { rate, positions: [position] })
  })
  return [...groups.values()]
}
