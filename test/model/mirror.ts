import { entities } from '../../src/records/index.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import type { Company, Result } from '../harness/harness.ts'

type Call = Company['owner']['call']
type List = { tool: string; given: Result }
type Kept = { since: string; rows: Map<string, Result> }

/** Rows per page. Few, so that polls need several pages. */
const LIMIT = 7

const listers = [...toolCatalogOf(entities).tools.values()].filter(
  ({ tool }) => tool.verb === 'list' || tool.verb === 'search',
)
const OF_A_CUSTOMER = new Set(['contacts_list', 'locations_list'])

/**
 * Returns a client's copy of every list of an account, kept only by polling `updated_since` with
 * `include_removed`.
 */
export function mirrorOf(call: Call) {
  const kept = new Map<string, Kept>()
  const customers = new Set<string>()
  const gone: string[] = []
  const keyOf = ({ tool, given }: List): string => `${tool} ${String(given['customer_id'] ?? '')}`

  async function poll(list: List): Promise<void> {
    const mine = kept.get(keyOf(list)) ?? { since: '2000-01-01T00:00:00.000Z', rows: new Map<string, Result>() }
    kept.set(keyOf(list), mine)
    const where: Result = { limit: LIMIT }
    for (let since = mine.since; ;) {
      const { rows, hasMore, nextCursor } = await call(list.tool, {
        ...list.given,
        ...where,
        updated_since: since,
        include_removed: true,
      })
      for (const { removed, ...row } of rows as Result[]) {
        if (removed === true && mine.rows.delete(row['id'])) gone.push(list.tool)
        else if (removed !== true) mine.rows.set(row['id'], row)
      }
      mine.since = rows.at(-1)?.updated_at ?? mine.since
      if (hasMore !== true) return
      if (nextCursor !== undefined) where['cursor'] = nextCursor
      // More rows of one millisecond than fit a page. A second page could skip one if another changes meanwhile.
      else if (mine.since === since) where['limit'] = 100
      else [since, where['limit']] = [mine.since, LIMIT]
    }
  }

  const lists = (): List[] =>
    listers.flatMap(({ wire: tool }) =>
      OF_A_CUSTOMER.has(tool)
        ? [...customers].map((customer_id) => ({ tool, given: { customer_id } }))
        : [{ tool, given: {} }],
    )

  return {
    lists,
    /** Names of the lists that reported a removed row, one per row. */
    gone,
    /** Polls every list. Keeps polling removed customers' lists, whose rows are removed with the customer. */
    poll: async (): Promise<void> => {
      await poll({ tool: 'customers_search', given: {} })
      for (const id of kept.get('customers_search ')!.rows.keys()) customers.add(id)
      for (const list of lists()) await poll(list)
    },
    rows: (list: List): Result[] => [...(kept.get(keyOf(list))?.rows.values() ?? [])],
    holds: (tool: string): Result[] =>
      [...kept].filter(([key]) => key.startsWith(`${tool} `)).flatMap(([, { rows }]) => [...rows.values()]),
  }
}

export type Mirror = ReturnType<typeof mirrorOf>

/** Fields that come from records in other lists, or that depend on the time. */
const BORROWED = new Set([
  'customer_name',
  'primary_phone',
  'primary_email',
  'primary_address',
  'tags',
  'item_count',
  'next_occurrence_at',
])

/** Returns a row without other records' fields. A bundle's price comes from its parts. */
export const ownOf = (row: Result): Result =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name]) =>
        !BORROWED.has(name) && name !== 'updated_at' && !(row['kind'] === 'bundle' && name.endsWith('_cents')),
    ),
  )

/** Computes the fields that a row takes from other records, from the mirror of those records. */
export function computeDerivedFields(mirror: Mirror, tool: string, { id }: Result): Result {
  if (tool === 'catalog_categories_list')
    return { item_count: mirror.holds('catalog_items_list').filter(({ category_id }) => category_id === id).length }
  if (tool !== 'customers_search') return {}
  const [contact] = mirror
    .rows({ tool: 'contacts_list', given: { customer_id: id } })
    .filter(({ is_primary }) => is_primary)
  const location = mirror
    .rows({ tool: 'locations_list', given: { customer_id: id } })
    .filter(({ is_primary }) => is_primary)
    .toSorted((a, b) => (a['type'] < b['type'] ? 1 : -1))[0]
  return {
    primary_phone: contact?.['phone'],
    primary_email: contact?.['email'],
    primary_address: location?.['formatted_address'],
  }
}

/** Returns all current rows of a list. */
export async function liveRows(call: Call, { tool, given }: List): Promise<Result[]> {
  const all: Result[] = []
  for (let where: Result = {}; ;) {
    const { rows, hasMore, nextCursor, page } = await call(tool, { ...given, ...where, limit: 100 })
    all.push(...rows)
    if (hasMore !== true) return all
    where = nextCursor === undefined ? { page: Number(page) + 1 } : { cursor: nextCursor }
  }
}
