import { decimalText } from '../../money/decimal.ts'
import { round } from '../../money/rounding.ts'
import type { MappedRow } from '../reading/incoming.ts'
import { bareAmount, parseCents, parseTaxable, type AmountCurrency } from '../reading/values.ts'
import type { Cells } from './cells.ts'
import type { LineInput } from './source_document.ts'
import { quoteText } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

const MAX_NAME = 200
const MAX_TEXT = 2_000

const KINDS: Readonly<Record<string, 'service' | 'product' | 'labor' | 'fee'>> = {
  service: 'service',
  services: 'service',
  product: 'product',
  products: 'product',
  material: 'product',
  materials: 'product',
  equipment: 'product',
  part: 'product',
  inventory: 'product',
  labor: 'labor',
  labour: 'labor',
  fee: 'fee',
}

/** Returns the line items of a document's rows, exact to the cent. `isTaxed` applies to lines without a tax cell. */
export function toLines(rows: readonly MappedRow[], cells: Cells, isTaxed: boolean): LineInput[] {
  return rows.flatMap(({ number, cells: row }) => {
    const isFilled = ['line_name', 'line_description', 'line_price', 'line_total'].some(
      (field) => row[field] !== undefined,
    )
    return isFilled ? [lineOf(number, row, cells, isTaxed)] : []
  })
}

/** Returns the only line of a document whose file has an amount but no lines. */
export const singleLine = (name: string, amount: number, isTaxed: boolean, about: string | undefined): LineInput => ({
  kind: 'service',
  name: name.slice(0, MAX_NAME),
  ...(about === undefined ? {} : { description: about.slice(0, MAX_TEXT) }),
  quantity: '1',
  unit_price_cents: amount,
  taxable: isTaxed,
})

function lineOf(number: number, row: MappedRow['cells'], cells: Cells, isTaxed: boolean): LineInput {
  const [name, description] = namesOf(row)
  const total = amountOf(number, 'line_total', row, cells)
  const quantity = row['line_quantity'] ?? '1'
  const price = row['line_price']
  const product = price === undefined ? undefined : multiplyAmount(quantity, price, cells.rules)
  if (price !== undefined && product === undefined && total === undefined)
    cells.addProblem('line_price', refusals.linePrice({ currency: cells.rules.currency, number }))
  const amount = total ?? product?.cents ?? 0
  if (amount < 0) return { kind: 'discount', name, discount_type: 'amount', discount_value: -amount }
  const fields = {
    kind: KINDS[row['line_kind']?.toLowerCase() ?? 'service'] ?? 'service',
    name,
    taxable: parseTaxable(row['line_taxable'] ?? '') ?? isTaxed,
  }
  if (product?.factors !== undefined && product.cents === amount)
    return {
      ...fields,
      ...(description === undefined ? {} : { description }),
      quantity: product.factors.quantity,
      ...(row['line_unit'] === undefined ? {} : { unit: row['line_unit'].slice(0, 20) }),
      unit_price_cents: product.factors.price,
    }
  const sum = price === undefined ? undefined : `${quantity} × ${price}`
  const text = [description, sum].filter((part) => part !== undefined).join('\n')
  return {
    ...fields,
    ...(text === '' ? {} : { description: text.slice(0, MAX_TEXT) }),
    quantity: '1',
    unit_price_cents: amount,
  }
}

/** Returns the name of a line and its description. */
function namesOf(row: MappedRow['cells']): [string, string | undefined] {
  const [name, description] = [row['line_name'], row['line_description']]
  const whole = name ?? description ?? ''
  const [first = ''] = whole.split('\n')
  const short = first.slice(0, MAX_NAME)
  const rest = name === undefined ? (whole === short ? undefined : whole) : description
  return [short, rest?.slice(0, MAX_TEXT)]
}

function amountOf(number: number, field: string, row: MappedRow['cells'], cells: Cells): number | undefined {
  const text = row[field]
  if (text === undefined) return undefined
  const amount = parseCents(text, cells.rules)
  if (amount === undefined)
    cells.addProblem(
      field,
      refusals.lineAmount({ currency: cells.rules.currency, number, value: quoteText(text.slice(0, 60)) }),
    )
  return amount
}

type Product = { cents: number; factors?: { quantity: string; price: number } }

/** Multiplies a quantity and a price exactly as written. `factors` is set if our lines can represent both. */
export function multiplyAmount(quantity: string, price: string, of: AmountCurrency): Product | undefined {
  const [count, each] = [parseDecimal(quantity, of), parseDecimal(price, of)]
  if (count === undefined || each === undefined) return undefined
  const scale = 10n ** BigInt(count.scale + each.scale)
  const cents = Number(round(count.units * each.units * 10n ** BigInt(of.digits), scale))
  if (!Number.isSafeInteger(cents)) return undefined
  const unit = parseCents(price, of)
  const isRepresentable = count.units > 0n && count.scale <= 3 && unit !== undefined && unit >= 0
  return isRepresentable
    ? { cents, factors: { quantity: decimalText(count.units, count.scale), price: unit } }
    : { cents }
}

type ParsedDecimal = { units: bigint; scale: number }

/** Parses a number of at most six decimals exactly, ignoring trailing zeros. */
function parseDecimal(text: string, { currency }: AmountCurrency): ParsedDecimal | undefined {
  const inner = /^\((.*)\)$/.exec(text.trim())
  const bare = bareAmount(inner?.[1] ?? text, currency)
  const [, sign = '', whole, part = ''] = /^(-?)(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?:\.(\d{1,9}))?$/.exec(bare) ?? []
  if (whole === undefined) return undefined
  const decimals = part.replace(/0+$/, '')
  if (decimals.length > 6) return undefined
  const units = BigInt(whole.replaceAll(',', '') + decimals)
  return { units: (sign === '-') !== (inner !== null) ? -units : units, scale: decimals.length }
}
