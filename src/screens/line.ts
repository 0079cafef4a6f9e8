import type { Option } from '../html/field.ts'
import { fold } from '../shape/fold.ts'
import { readMoney, typedNumber } from './fields.ts'
import { decimalText, digitsOf } from './formats.ts'
import type { Posed, Typed } from './form_field.ts'

/** A line as a document answers it; `tax_rate_id` is there only when the line has a say of its own. */
export type Line = {
  kind: string; catalog_item_id: string | null; name: string; description: string | null; quantity: number | null; unit: string | null
  unit_price_cents: number | null; taxable: boolean; tax_rate_id?: string | null
  discount_type: 'percent' | 'amount' | null; discount_value: number | null
}

export const LINES = 'line_items'
const PARTS = ['kind', 'item', 'was', 'name', 'description', 'quantity', 'unit', 'price', 'percent', 'tax'] as const
type Part = (typeof PARTS)[number]

/** The name of an input of a row. */
export const inputOf = (row: number, part: Part): string => `${LINES}.${row}.${part}`

/** What was typed into a part of a row. */
export const partOf = (typed: Typed, row: number, part: Part): string => (typed.get(inputOf(row, part)) ?? '').replaceAll('\r\n', '\n').trim()

/** The numbers of the rows that were sent, in their order. */
export const rowsOf = (typed: Typed): number[] =>
  [...new Set([...typed.keys()].flatMap((key) => /^line_items\.(\d{1,4})\./.exec(key)?.slice(1).map(Number) ?? []))].sort((a, b) => a - b)

/** Choices of the lines: catalogue items and tax rates share one list. */
export const ITEM = 'item:'
export const RATE = 'rate:'

/** A line as it would be typed into a row. */
export function typedLine(row: number, line: Line, currency: string): [string, string][] {
  const digits = digitsOf(currency)
  const own: Partial<Record<Part, string | null>> = line.kind === 'discount' ? {
    price: line.discount_type === 'amount' ? decimalText(line.discount_value ?? 0, digits) : null,
    percent: line.discount_type === 'percent' ? String(line.discount_value) : null,
  } : {
    quantity: String(line.quantity), unit: line.unit, price: decimalText(line.unit_price_cents ?? 0, digits), tax: taxOf(line),
  }
  const parts = { kind: line.kind, item: line.catalog_item_id, was: line.name, name: line.name, description: line.description, ...own }
  return PARTS.flatMap((part): [string, string][] => (parts[part] == null ? [] : [[inputOf(row, part), parts[part]]]))
}

const taxOf = ({ taxable, tax_rate_id }: Line): string => (!taxable || tax_rate_id === null ? 'no' : tax_rate_id === undefined ? 'yes' : RATE + tax_rate_id)

/**
 * A row as a tool takes a line. The name of a catalogue item makes it that item's, whose price, unit and tax hold where
 * nothing else is typed; another name in its place makes it a line of its own.
 */
export function readLine(typed: Typed, row: number, path: string, { currency, options }: Posed): Record<string, unknown> {
  const said = (part: Part): string | undefined => partOf(typed, row, part) || undefined
  const price = readMoney(`${path}.unit_price_cents`, partOf(typed, row, 'price'), currency)
  const [name, kind, percent, tax] = [said('name'), said('kind'), said('percent'), said('tax')]
  if (kind === 'discount' || percent !== undefined) {
    return given({ kind: 'discount', name, description: said('description'), discount_type: percent === undefined ? 'amount' : 'percent', discount_value: percent === undefined ? price : typedNumber(percent) })
  }
  const item = said('was') === name ? liveItem(said('item'), options) : itemNamed(name, options)
  const isNew = item !== undefined && item !== said('item')
  return given({
    kind: isNew ? undefined : kind, catalog_item_id: item, name, description: said('description'), quantity: said('quantity'),
    unit: said('unit'), unit_price_cents: price, ...readTax(tax),
  })
}

/** A line that was made from an item since archived keeps all but the item. */
const liveItem = (id: string | undefined, options: readonly Option[]): string | undefined =>
  (options.some(({ value }) => value === `${ITEM}${id}`) ? id : undefined)

const itemNamed = (name: string | undefined, options: readonly Option[]): string | undefined =>
  options.find(({ value, label }) => value.startsWith(ITEM) && fold(label) === fold(name ?? ''))?.value.slice(ITEM.length)

const readTax = (tax: string | undefined): Record<string, unknown> =>
  (tax === undefined ? {} : tax.startsWith(RATE) ? { taxable: true, tax_rate_id: tax.slice(RATE.length) } : { taxable: tax === 'yes' })

const given = (line: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined))
