import type { Result } from '../harness/harness.ts'
import type { Command } from '../model/commands.ts'

/** Record that a history made, with the tool's answer. */
export type CreatedRecord = { id: string; result: Result }

/** Tool that creates the records of a reference, and the field of its answer that holds them. */
const MAKERS: Readonly<Record<string, { tool: string; inside?: string }>> = {
  customer: { tool: 'customers_create' },
  contact: { tool: 'customers_create', inside: 'contacts' },
  location: { tool: 'customers_create', inside: 'locations' },
  tag: { tool: 'tags_create' },
  note: { tool: 'notes_create' },
  job: { tool: 'jobs_create' },
  invoice: { tool: 'invoices_create' },
  quote: { tool: 'quotes_create' },
  rate: { tool: 'tax_rates_create' },
  category: { tool: 'catalog_categories_create' },
  item: { tool: 'catalog_items_create' },
  part: { tool: 'catalog_items_create' },
  plan: { tool: 'plans_create' },
}

const UNKNOWN = '00000000-0000-7000-8000-000000000000'

/** Returns arguments with references filled in, or undefined when their subject doesn't exist. */
export function fillReferences(
  { given }: Command,
  made: ReadonlyMap<string, readonly CreatedRecord[]>,
  n: number,
): Result | undefined {
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string' && value.startsWith('@')) return resolveReference(value.slice(1), made)
    if (typeof value === 'string') return value.replaceAll('~', String(n))
    if (Array.isArray(value)) return value.map(fill).filter((one) => one !== undefined)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, one]) => [name, fill(one)] as const)
        .filter(([, one]) => one !== undefined),
    )
  }
  const filled = fill(given) as Result
  return ['id', 'customer_id'].some((name) => name in given && filled[name] === undefined) ? undefined : filled
}

function resolveReference(reference: string, made: ReadonlyMap<string, readonly CreatedRecord[]>): string | undefined {
  const [kind = '', which = ''] = reference.split(':')
  if (kind === 'day')
    return Temporal.Now.plainDateISO('America/New_York')
      .add({ days: Number(which) })
      .toString()
  if (which === 'unknown' || which === 'foreign') return UNKNOWN
  const maker = MAKERS[kind]
  const records = made.get(maker?.tool ?? '') ?? []
  const ids = records.flatMap(({ id, result }) =>
    maker!.inside === undefined ? [id] : (result[maker!.inside] as { id: string }[]).map((one) => one.id),
  )
  return ids.length === 0 ? undefined : ids[Number(which) % ids.length]
}
