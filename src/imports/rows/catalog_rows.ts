import { recordKey, type IncomingRecord, type MappedRow, type ReadingRules, type Remark } from '../reading/incoming.ts'
import { newPacer } from '../../platform/db/pacer.ts'
import { parseCents, omitUndefined, parseMinutes, parseTaxable } from '../reading/values.ts'

/** Reads the catalog items of a file. Rows with the same content are one item. */
export async function readCatalogItems(rows: readonly MappedRow[], rules: ReadingRules): Promise<IncomingRecord[]> {
  const pace = newPacer()
  const byKey = new Map<string, { first: IncomingRecord; numbers: [number, ...number[]] }>()
  for (const row of rows) {
    const one = itemOf(row, rules)
    const existing = byKey.get(one.key)
    if (existing === undefined) byKey.set(one.key, { first: one, numbers: [...one.numbers] })
    else existing.numbers.push(...one.numbers)
    await pace()
  }
  return [...byKey.values()].map(({ first, numbers }) => ({ ...first, numbers }))
}

const KINDS: Readonly<Record<string, string>> = {
  service: 'service',
  services: 'service',
  product: 'product',
  products: 'product',
  material: 'product',
  materials: 'product',
  equipment: 'product',
  inventory: 'product',
  'non inventory': 'product',
  'non-inventory': 'product',
  noninventory: 'product',
  part: 'product',
  labor: 'labor',
  fee: 'fee',
}

function itemOf({ number, cells, custom }: MappedRow, rules: ReadingRules): IncomingRecord {
  const { seesCost } = rules
  const remarks: Remark[] = []
  const kind = kindOf(cells['kind'], remarks)
  const onlyFor = (kinds: readonly string[], value: unknown): unknown => (kinds.includes(kind) ? value : undefined)
  if (cells['price'] === undefined) remarks.push({ field: 'price', value: '', taken: '0' })
  const [name, categoryInName] = namesOf(cells['name'] ?? '')
  return {
    numbers: [number],
    key: recordKey(cells, ['sku', 'name', 'category', 'kind']),
    name,
    input: omitUndefined({
      kind,
      name,
      description: cells['description'],
      sku: cells['sku'],
      unit: cells['unit'],
      unit_price_cents: cells['price'] === undefined ? 0 : amount(cells['price'], rules),
      cost_cents: seesCost && cells['cost'] !== undefined ? amount(cells['cost'], rules) : undefined,
      taxable: cells['taxable'] === undefined ? undefined : (parseTaxable(cells['taxable']) ?? cells['taxable']),
      duration_minutes: onlyFor(['service'], durationOf(cells)),
      manufacturer: onlyFor(['product'], cells['manufacturer']),
      model: onlyFor(['product'], cells['model']),
      barcode: onlyFor(['product'], cells['barcode']),
      supplier_name: seesCost ? cells['supplier_name'] : undefined,
      supplier_sku: seesCost ? cells['supplier_sku'] : undefined,
      fields: Object.keys(custom).length > 0 ? custom : undefined,
    }),
    needs: [cells['category'] ?? categoryInName].filter((category) => category !== undefined),
    remarks,
  }
}

function kindOf(text: string | undefined, remarks: Remark[]): string {
  const kind = KINDS[text?.toLowerCase() ?? 'service']
  if (kind === undefined) remarks.push({ field: 'kind', value: text ?? '', taken: 'service' })
  return kind ?? 'service'
}

/** Splits `Category:Name`, as QuickBooks writes a categorized item. */
function namesOf(name: string): [string, string | undefined] {
  const parts = name.split(':').map((part) => part.trim())
  const [own, category] = parts.toReversed()
  return own !== undefined && category !== undefined && parts.every((part) => part !== '')
    ? [own, category]
    : [name, undefined]
}

/** Returns minor units, or the text for the tool to refuse. */
const amount = (text: string, rules: ReadingRules): unknown => parseCents(text, rules) ?? text

/** Returns whole minutes; undefined for 0. */
function durationOf(cells: MappedRow['cells']): unknown {
  const { duration_minutes, duration_hours } = cells
  const minutes =
    duration_hours === undefined
      ? duration_minutes !== undefined && /^\d{1,5}$/.test(duration_minutes)
        ? Number(duration_minutes)
        : duration_minutes
      : (parseMinutes(duration_hours) ?? duration_hours)
  return minutes === 0 ? undefined : minutes
}
