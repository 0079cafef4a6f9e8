import type { Caller } from '../access/credentials/caller.ts'
import { sql, type Database, type Db, type WritableDb } from '../db/tenant.ts'
import { fold } from '../shape/fold.ts'
import type { ToolCatalog, Listed } from '../tools/catalog.ts'
import type { Outcome } from '../tools/outcome.ts'
import { parse } from '../tools/problems.ts'
import type { Wire } from '../tools/results.ts'
import type { ImportKind } from './dialect.ts'
import type { ForExisting } from './imported_file.ts'
import type { Incoming } from './incoming.ts'

/** Holds what an import runs with; `as` runs work that takes its caller's rights itself, and again when they have changed. */
export type Bringing = {
  database: Database
  actions: ToolCatalog['tools']
  baseUrl: string
  as<T>(work: (caller: Caller) => Promise<T>): Promise<T>
}

/** Is what one call of a tool wrote, for the audit. */
export type ToolWrite = { listed: Listed; outcome: Outcome }

/** Says what came of a record on its way in. */
export type Brought = { way: 'made' | 'updated' | 'skipped'; id: string; name: string; writes: readonly ToolWrite[] }

/** Undoes a record that turned out to be there already. */
class Twin extends Error {
  readonly twin: { id: string; name: string }
  constructor(twin: { id: string; name: string }) {
    super('It is there already')
    this.twin = twin
  }
}

const MAKES: Readonly<Record<ImportKind, Wire>> = {
  customers: 'customers_create',
  catalog_items: 'catalog_items_create',
}
const CHANGES: Readonly<Record<ImportKind, Wire>> = {
  customers: 'customers_update',
  catalog_items: 'catalog_items_update',
}

/** Are what an update leaves as it is: a customer's people and addresses have tools of their own, and a kind never changes. */
const STAYS: ReadonlySet<string> = new Set([
  'customer_type',
  'kind',
  'email',
  'phone',
  'contacts',
  'locations',
  'fields',
  'tag_ids',
])

/**
 * Makes a record by the tool that people use, or does with one that is there already as was chosen. `needed` are the ids
 * of its tags or its category, by folded name.
 */
export async function bring(
  bringing: Bringing,
  caller: Caller,
  db: WritableDb,
  { kind, existing }: { kind: ImportKind; existing: ForExisting },
  incoming: Incoming,
  needed: ReadonlyMap<string, string>,
): Promise<Brought> {
  const whole = { ...incoming.given, ...neededOf(kind, incoming, needed) }
  const runs = (own: Db, wire: Wire, given: Record<string, unknown>): Promise<ToolWrite> =>
    runTool(bringing, caller, own, wire, given)
  try {
    return await db.separately(async (own): Promise<Brought> => {
      const holder = existing === 'create' ? undefined : await HOLDERS[kind](own, whole)
      if (holder !== undefined) throw new Twin(holder)
      const made = await runs(own, MAKES[kind], whole)
      const id = String(made.outcome.result['id'])
      if (existing !== 'create') {
        const twin = await TWINS[kind](own, made.outcome.result)
        if (twin !== undefined) throw new Twin(twin)
      }
      const note =
        incoming.note !== undefined && kind === 'customers' && caller.scopes.has('write:notes')
          ? [await runs(own, 'notes_create', { body: incoming.note, subject_type: 'customer', subject_id: id })]
          : []
      return { way: 'made', id, name: incoming.name, writes: [made, ...note] }
    })
  } catch (error) {
    if (!(error instanceof Twin)) throw error
    if (existing === 'skip') return { way: 'skipped', ...error.twin, writes: [] }
    return changeOne(runs, db, kind, error.twin, incoming)
  }
}

/** Changes a record that an earlier file brought, or that was there: what the row says of it, and nothing else. */
export async function changeOne(
  runs: (own: Db, wire: Wire, given: Record<string, unknown>) => Promise<ToolWrite>,
  db: WritableDb,
  kind: ImportKind,
  { id, name }: { id: string; name: string },
  { given }: Incoming,
): Promise<Brought> {
  const names = given['customer_type'] === 'company' ? ['first_name', 'last_name'] : ['company_name']
  const patch = Object.fromEntries(
    Object.entries(given).filter(([field]) => !STAYS.has(field) && !(kind === 'customers' && names.includes(field))),
  )
  try {
    const written = await db.separately(async (own) => {
      const written = await runs(own, CHANGES[kind], { id, ...patch })
      if (Object.keys(written.outcome.written?.changes ?? {}).length === 0) throw new Unchanged()
      return written
    })
    return { way: 'updated', id, name, writes: [written] }
  } catch (error) {
    if (error instanceof Unchanged) return { way: 'skipped', id, name, writes: [] }
    throw error
  }
}

/** Undoes an update that says what is there already. */
class Unchanged extends Error {}

/** Runs a tool inside a transaction, under the rights of its caller. */
export async function runTool(
  { actions, baseUrl }: Bringing,
  caller: Caller,
  db: Db,
  wire: Wire,
  given: Record<string, unknown>,
): Promise<ToolWrite> {
  const listed = actions.get(wire)!
  return { listed, outcome: await listed.tool.run({ db, caller, baseUrl }, parse(listed.tool, given)) }
}

function neededOf(kind: ImportKind, { needs }: Incoming, needed: ReadonlyMap<string, string>): Record<string, unknown> {
  const ids = needs.flatMap((name) => needed.get(fold(name)) ?? [])
  if (ids.length === 0) return {}
  return kind === 'customers' ? { tag_ids: ids } : { category_id: ids[0] }
}

type Result = Outcome['result']
type Found = Promise<{ id: string; name: string } | undefined>

/** Holds which record has the name that only one may have. */
const HOLDERS: Readonly<Record<ImportKind, (db: Db, given: Record<string, unknown>) => Found>> = {
  customers: async (db, { external_id }) =>
    typeof external_id === 'string'
      ? db.maybe(sql`select id, display_name as name from customers
          where tenant_id = ${db.tenant} and external_id = ${external_id} and archived_at is null`)
      : undefined,
  catalog_items: async (db, { sku }) =>
    typeof sku === 'string'
      ? db.maybe(
          sql`select id, name from catalog_items where tenant_id = ${db.tenant} and sku = ${sku} and archived_at is null`,
        )
      : undefined,
}

/** Holds who else a record is, as it was made. */
const TWINS: Readonly<Record<ImportKind, (db: Db, made: Result) => Found>> = {
  customers: (db, { id, contacts }) => {
    const people = contacts as readonly { phone: string | null; email: string | null }[]
    const phones = people.flatMap(({ phone }) => phone ?? [])
    const emails = people.flatMap(({ email }) => email ?? [])
    return phones.length + emails.length > 0
      ? db.maybe(sql`select c.id, c.display_name as name from contacts k join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
          where k.tenant_id = ${db.tenant} and k.archived_at is null and c.archived_at is null and c.id <> ${id}
            and (k.phone = any(${phones}) or k.email = any(${emails})) order by c.created_at, c.id limit 1`)
      : db.maybe(sql`select c.id, c.display_name as name from customers c join customers m on m.tenant_id = c.tenant_id and m.id = ${id}
          where c.tenant_id = ${db.tenant} and c.sort_name = m.sort_name and c.archived_at is null and c.id <> m.id order by c.created_at, c.id limit 1`)
  },
  catalog_items: (db, { id }) =>
    db.maybe(sql`select c.id, c.name from catalog_items c join catalog_items m on m.tenant_id = c.tenant_id and m.id = ${id}
      where c.tenant_id = ${db.tenant} and c.name_folded = m.name_folded and c.kind = m.kind and c.archived_at is null and c.id <> m.id
        and (c.sku is null or m.sku is null) order by c.created_at, c.id limit 1`),
}
