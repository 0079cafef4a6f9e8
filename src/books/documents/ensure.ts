import { sql, type Db } from '../../platform/db/tenant.ts'
import { exportCustomer, type ExportedCustomer } from '../../records/invoices/index.ts'
import { BooksError, holdRecord } from '../books_error.ts'
import type { BooksLine } from '../program.ts'
import { findRecord, markProblem } from '../records.ts'
import { sendOnce, type BooksRun, type Unmarked } from '../send.ts'
import { findOwnItem } from './items.ts'
import type { SourceLine } from './lines.ts'
import { findItemSource, isErased, type BooksKey, type ItemSource } from './sources.ts'

/** Creates or updates a customer at the program, and returns its id there. */
export async function ensureCustomer(run: BooksRun, id: string): Promise<string> {
  const [source, before, isShared, isGone] = await run.write((db) =>
    Promise.all([
      exportCustomer(db, id),
      findRecord(db, { key: run.key, kind: 'customer', id }),
      isNameShared(db, run.key, id),
      isErased(db, id),
    ]),
  )
  if (source === undefined) throw holdRecord('gone')
  // An erased customer's record in the books stays unchanged.
  if (isGone && before?.remote != null) return before.remote
  return ensure(run, customerDocument(source, isShared))
}

/** Returns lines with the ids of their items at the program. */
export async function ensureItems(run: BooksRun, lines: readonly SourceLine[]): Promise<BooksLine[]> {
  const remotes = new Map<string, string | null>()
  for (const { item } of lines) if (!remotes.has(item)) remotes.set(item, await ensureItem(run, item))
  return lines.map((line) => ({ ...line, item: remotes.get(line.item) ?? null }))
}

async function ensureItem(run: BooksRun, id: string): Promise<string | null> {
  const own = findOwnItem(id)
  if (own !== undefined && !run.program.needsItems) return null
  if (own !== undefined)
    return ensure(run, { ...own, kind: 'item', code: own.name, description: null, isProduct: false })
  const source = await run.write((db) => findItemSource(db, id))
  if (source === undefined) throw holdRecord('gone')
  return ensure(run, itemDocument(source))
}

async function ensure(run: BooksRun, document: Unmarked & { kind: 'customer' | 'item' }): Promise<string> {
  try {
    return await sendOnce(run, document, 0)
  } catch (error) {
    if (error instanceof BooksError && (error.failure === 'refused' || error.failure === 'held')) {
      const name = { key: run.key, kind: document.kind, id: document.id }
      // It stays `due`: the document that needs it is the one held or failed.
      const { reason, detail } = error
      await run.conclude((db) => markProblem(db, name, { state: 'due', reason, detail, version: 0 }))
    }
    throw error
  }
}

/** Checks whether another customer of the same name is in the books already. */
const isNameShared = async (db: Db, { program, organization }: BooksKey, id: string): Promise<boolean> =>
  (await db.maybe(sql`select from customers c join customers o on o.tenant_id = c.tenant_id
      and o.sort_name = c.sort_name and o.id <> c.id
    join books_records r on r.tenant_id = o.tenant_id and r.record = o.id and r.kind = 'customer'
      and r.program = ${program} and r.organization = ${organization} and r.created_at < coalesce((
        select m.created_at from books_records m where m.tenant_id = ${db.tenant} and m.program = ${program}
          and m.organization = ${organization} and m.kind = 'customer' and m.record = ${id}), 'infinity')
    where c.tenant_id = ${db.tenant} and o.tenant_id = ${db.tenant} and c.id = ${id} limit 1`)) !== undefined

/** Returns a customer with a name that both programs accept; a shared name gets the end of the customer's id. */
const customerDocument = (source: ExportedCustomer, isShared: boolean): Unmarked & { kind: 'customer' } => ({
  kind: 'customer',
  id: source.id,
  name: `${plainName(source.display_name, 90)}${isShared ? ` (${source.id.slice(-6)})` : ''}`,
  company: source.company_name,
  first: source.first_name,
  last: source.last_name,
  email: source.email,
  phone: source.phone,
  street: [source.address_line1, source.address_line2].filter((line) => line !== null).join(', ') || null,
  city: source.city,
  region: source.region,
  postal: source.postal_code,
  country: source.country,
})

const itemDocument = ({ id, name, sku, description, kind }: ItemSource): Unmarked & { kind: 'item' } => ({
  kind: 'item',
  id,
  name: plainName(name, 100),
  code: sku !== null && sku.length <= 30 ? sku : `C-${id.slice(-12)}`,
  description,
  isProduct: kind === 'product',
  account: 'income',
})

/** Returns a name without the characters that QuickBooks reserves: colons, quotation marks, tabs and newlines. */
const plainName = (name: string, maxLength: number): string =>
  name
    .replace(/[:"\t\n]/g, ' ')
    .trim()
    .slice(0, maxLength)
