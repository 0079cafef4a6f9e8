import type { Option } from '../../../platform/html/parts/field.ts'
import { fold } from '../../../platform/validation/text/fold.ts'
import { readMoney, parseNumber } from '../fields.ts'
import { decimalText, digitsOf } from '../../format/formats.ts'
import type { FieldContext, FormValues } from '../form_field.ts'
import { rowsIn, type FormRow } from '../rows.ts'

/** Line item as a document returns it; `tax_rate_id` is present only if the line has its own. */
export type LineView = {
  kind: string
  catalog_item_id: string | null
  name: string
  description: string | null
  quantity: number | null
  unit: string | null
  unit_price_cents: number | null
  taxable: boolean
  tax_rate_id?: string | null
  discount_type: 'percent' | 'amount' | null
  discount_value: number | null
}

export const LINES_FIELD = 'line_items'
const PARTS = ['kind', 'item', 'was', 'name', 'description', 'quantity', 'unit', 'price', 'percent', 'tax'] as const
type Part = (typeof PARTS)[number]

/** Returns the name of an input in a row. */
export const inputOf = (row: number, part: Part): string => `${LINES_FIELD}.${row}.${part}`

export type LineRow = FormRow<Part>

/** Returns the submitted line rows. */
export const lineRows = (values: FormValues): LineRow[] => rowsIn(values, LINES_FIELD)

/** Prefix of a catalog item's choice, since items and tax rates of lines share one list. */
export const ITEM_PREFIX = 'item:'
export const RATE_PREFIX = 'rate:'

/** Returns a line as the form entries of a row. */
export function lineEntries(row: number, line: LineView, currency: string): [string, string][] {
  const digits = digitsOf(currency)
  const kindParts: Partial<Record<Part, string | null>> =
    line.kind === 'discount'
      ? {
          price: line.discount_type === 'amount' ? decimalText(line.discount_value ?? 0, digits) : null,
          percent: line.discount_type === 'percent' ? String(line.discount_value) : null,
        }
      : {
          quantity: String(line.quantity),
          unit: line.unit,
          price: decimalText(line.unit_price_cents ?? 0, digits),
          tax: taxOf(line),
        }
  const parts = {
    kind: line.kind,
    item: line.catalog_item_id,
    was: line.name,
    name: line.name,
    description: line.description,
    ...kindParts,
  }
  return PARTS.flatMap((part): [string, string][] => (parts[part] == null ? [] : [[inputOf(row, part), parts[part]]]))
}

const taxOf = ({ taxable, tax_rate_id }: LineView): string =>
  !taxable || tax_rate_id === null ? 'no' : tax_rate_id === undefined ? 'yes' : RATE_PREFIX + tax_rate_id

/** Returns the rows that have a name as line items for a tool. */
export function readLines(values: FormValues, context: FieldContext): Record<string, unknown>[] {
  const items = itemsOf(context.options)
  return lineRows(values)
    .filter((row) => row.get('name') !== '')
    .map((row, i) => readLine(row, `${LINES_FIELD}[${i}]`, context, items))
}

/**
 * Returns a row as a line item for a tool. The name of a catalog item links the line to it; its price, unit and tax
 * apply where none are entered. Any other name makes a custom line.
 */
function readLine(row: LineRow, path: string, { currency }: FieldContext, items: ItemIndex): Record<string, unknown> {
  const partOf = (part: Part): string | undefined => row.get(part) || undefined
  const price = readMoney(`${path}.unit_price_cents`, row.get('price'), currency)
  const [name, kind, percent, tax] = [partOf('name'), partOf('kind'), partOf('percent'), partOf('tax')]
  if (kind === 'discount' || percent !== undefined) {
    return dropUndefined({
      kind: 'discount',
      name,
      description: partOf('description'),
      discount_type: percent === undefined ? 'amount' : 'percent',
      discount_value: percent === undefined ? price : parseNumber(percent),
    })
  }
  const item = partOf('was') === name ? liveItem(partOf('item'), items) : items.byName.get(fold(name ?? ''))
  const isNew = item !== undefined && item !== partOf('item')
  return dropUndefined({
    kind: isNew ? undefined : kind,
    catalog_item_id: item,
    name,
    description: partOf('description'),
    quantity: partOf('quantity'),
    unit: partOf('unit'),
    unit_price_cents: price,
    ...readTax(tax),
  })
}

/** Returns the item if it is live. A line whose item was archived keeps everything except the item. */
const liveItem = (id: string | undefined, { live }: ItemIndex): string | undefined =>
  id !== undefined && live.has(id) ? id : undefined

/** Catalog items by folded name, where the first item of a name wins, and the ids of all. */
type ItemIndex = { byName: ReadonlyMap<string, string>; live: ReadonlySet<string> }

function itemsOf(options: readonly Option[]): ItemIndex {
  const items = options
    .filter(({ value }) => value.startsWith(ITEM_PREFIX))
    .map(({ value, label }) => [fold(label), value.slice(ITEM_PREFIX.length)] as const)
  return { byName: new Map(items.toReversed()), live: new Set(items.map(([, id]) => id)) }
}

const readTax = (tax: string | undefined): Record<string, unknown> =>
  tax === undefined
    ? {}
    : tax.startsWith(RATE_PREFIX)
      ? { taxable: true, tax_rate_id: tax.slice(RATE_PREFIX.length) }
      : { taxable: tax === 'yes' }

const dropUndefined = (line: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined))
