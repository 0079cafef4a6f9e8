import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db, type WritableDb } from '../../platform/db/tenant.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import type { Outcome } from '../../tools/call/outcome.ts'
import type { Wire } from '../../tools/declare/results.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { parseArguments } from '../../tools/call/problems.ts'
import { importDocument } from '../documents/make/import_document.ts'
import type { ExistingPolicy } from '../reading/imported_file.ts'
import type { IncomingRecord } from '../reading/incoming.ts'
import { isDocument, type EntryKind, type ImportKind } from '../rows/kinds.ts'
import type { LinkScope } from '../rows/links.ts'
import { needTool } from '../rows/records.ts'
import { runTool, type ImportContext, type ImportRowResult, type ToolWrite } from './import_context.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Thrown to roll back a record that turned out to exist already. */
class DuplicateFound extends Error {
  readonly duplicate: { id: string; name: string }
  constructor(duplicate: { id: string; name: string }) {
    super('It already exists')
    this.duplicate = duplicate
  }
}

const CREATE_TOOLS: Readonly<Record<EntryKind, Wire>> = {
  customers: 'customers_create',
  catalog_items: 'catalog_items_create',
}
const UPDATE_TOOLS: Readonly<Record<EntryKind, Wire>> = {
  customers: 'customers_update',
  catalog_items: 'catalog_items_update',
}

/** Fields that an update never changes: contacts and locations have tools of their own, and a kind is final. */
const UNCHANGED_FIELDS: ReadonlySet<string> = new Set([
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
 * Creates a record with the tool that people use, or applies the chosen policy to an existing one. `needed` has the ids
 * of its tags or category by folded name.
 */
export const importRow = (
  context: ImportContext,
  caller: Caller,
  db: WritableDb,
  { source, kind, existing }: LinkScope & { existing: ExistingPolicy },
  incoming: IncomingRecord,
  needed: ReadonlyMap<string, string>,
): Promise<ImportRowResult> =>
  isDocument(kind)
    ? db.separately((own) => importDocument(context, caller, own, { source, kind }, incoming))
    : importEntry(context, caller, db, { kind, existing }, incoming, needed)

/** Imports a record again: updates it from its row, except jobs, quotes and invoices, which stay unchanged. */
export const reimportRow = async (
  context: ImportContext,
  caller: Caller,
  db: WritableDb,
  kind: ImportKind,
  id: string,
  incoming: IncomingRecord,
): Promise<ImportRowResult> =>
  isDocument(kind)
    ? { status: 'skipped', id, name: incoming.name, writes: [] }
    : updateEntry(
        (own, wire, args) => runTool(context, caller, own, wire, args),
        db,
        kind,
        { id, name: incoming.name },
        incoming,
      )

async function importEntry(
  context: ImportContext,
  caller: Caller,
  db: WritableDb,
  { kind, existing }: { kind: EntryKind; existing: ExistingPolicy },
  incoming: IncomingRecord,
  needed: ReadonlyMap<string, string>,
): Promise<ImportRowResult> {
  requireNames(context, kind, incoming, needed)
  const fullInput = { ...incoming.input, ...fieldsOfNeeds(kind, incoming, needed) }
  const run = (own: Db, wire: Wire, input: Record<string, unknown>): Promise<ToolWrite> =>
    runTool(context, caller, own, wire, input)
  try {
    return await db.separately(async (own): Promise<ImportRowResult> => {
      const holder = existing === 'create' ? undefined : await HOLDER_FINDERS[kind](own, fullInput)
      if (holder !== undefined) throw new DuplicateFound(holder)
      const created = await run(own, CREATE_TOOLS[kind], fullInput)
      const id = String(created.outcome.result['id'])
      if (existing !== 'create') {
        const duplicate = await DUPLICATE_FINDERS[kind](own, created.outcome.result)
        if (duplicate !== undefined) throw new DuplicateFound(duplicate)
      }
      const note =
        incoming.note !== undefined && kind === 'customers' && caller.scopes.has('write:notes')
          ? [await run(own, 'notes_create', { body: incoming.note, subject_type: 'customer', subject_id: id })]
          : []
      return { status: 'made', id, name: incoming.name, writes: [created, ...note] }
    })
  } catch (error) {
    if (!(error instanceof DuplicateFound)) throw error
    if (existing === 'skip') return { status: 'skipped', ...error.duplicate, writes: [] }
    return updateEntry(run, db, kind, error.duplicate, incoming)
  }
}

/** Updates an existing record with the fields of its row, and nothing else. */
async function updateEntry(
  run: (own: Db, wire: Wire, input: Record<string, unknown>) => Promise<ToolWrite>,
  db: WritableDb,
  kind: EntryKind,
  { id, name }: { id: string; name: string },
  { input }: IncomingRecord,
): Promise<ImportRowResult> {
  const names = input['customer_type'] === 'company' ? ['first_name', 'last_name'] : ['company_name']
  const patch = Object.fromEntries(
    Object.entries(input).filter(
      ([field]) => !UNCHANGED_FIELDS.has(field) && !(kind === 'customers' && names.includes(field)),
    ),
  )
  try {
    const written = await db.separately(async (own) => {
      const written = await run(own, UPDATE_TOOLS[kind], { id, ...patch })
      if (Object.keys(written.outcome.written?.changes ?? {}).length === 0) throw new Unchanged()
      return written
    })
    return { status: 'updated', id, name, writes: [written] }
  } catch (error) {
    if (error instanceof Unchanged) return { status: 'skipped', id, name, writes: [] }
    throw error
  }
}

/** Thrown to roll back an update that changes nothing. */
class Unchanged extends Error {}

/** Throws for a tag or category that `needed` lacks because it can't be created. */
function requireNames(
  { actions }: ImportContext,
  kind: EntryKind,
  { needs }: IncomingRecord,
  needed: ReadonlyMap<string, string>,
): void {
  const { tool } = requireValue(actions.get(needTool(kind)), 'The tool of a need')
  const path = kind === 'customers' ? 'tag_ids' : 'category_id'
  try {
    for (const name of needs) if (!needed.has(fold(name))) parseArguments(tool, { name })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(
      error.code,
      error.problems.map((problem) => ({ ...problem, path })),
    )
  }
}

function fieldsOfNeeds(
  kind: EntryKind,
  { needs }: IncomingRecord,
  needed: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const ids = needs.flatMap((name) => needed.get(fold(name)) ?? [])
  if (ids.length === 0) return {}
  return kind === 'customers' ? { tag_ids: ids } : { category_id: ids[0] }
}

type Result = Outcome['result']
type ExistingRecord = Promise<{ id: string; name: string } | undefined>

/** Finders of the record that already holds a unique external id or SKU. */
const HOLDER_FINDERS: Readonly<Record<EntryKind, (db: Db, input: Record<string, unknown>) => ExistingRecord>> = {
  customers: async (db, { external_id }) =>
    typeof external_id === 'string'
      ? db.maybe(sql`select id, display_name as name from customers
          where tenant_id = ${db.tenant} and external_id = ${external_id} and archived_at is null`)
      : undefined,
  catalog_items: async (db, { sku }) =>
    typeof sku === 'string'
      ? db.maybe(
          sql`select id, name from catalog_items
            where tenant_id = ${db.tenant} and sku = ${sku} and archived_at is null`,
        )
      : undefined,
}

/** Finders of an existing duplicate of a record just created. */
const DUPLICATE_FINDERS: Readonly<Record<EntryKind, (db: Db, created: Result) => ExistingRecord>> = {
  customers: (db, { id, contacts }) => {
    const people = contacts as readonly { phone: string | null; email: string | null }[]
    const phones = people.flatMap(({ phone }) => phone ?? [])
    const emails = people.flatMap(({ email }) => email ?? [])
    return phones.length + emails.length > 0
      ? db.maybe(sql`select c.id, c.display_name as name from contacts k
          join customers c on c.tenant_id = k.tenant_id and c.id = k.customer_id
          where k.tenant_id = ${db.tenant} and k.archived_at is null and c.archived_at is null and c.id <> ${id}
            and (k.phone = any(${phones}) or k.email = any(${emails})) order by c.created_at, c.id limit 1`)
      : db.maybe(sql`select c.id, c.display_name as name from customers c
          join customers m on m.tenant_id = c.tenant_id and m.id = ${id}
          where c.tenant_id = ${db.tenant} and c.sort_name = m.sort_name and c.archived_at is null and c.id <> m.id
          order by c.created_at, c.id limit 1`)
  },
  catalog_items: (db, { id }) =>
    db.maybe(sql`select c.id, c.name from catalog_items c
      join catalog_items m on m.tenant_id = c.tenant_id and m.id = ${id}
      where c.tenant_id = ${db.tenant} and c.name_folded = m.name_folded and c.kind = m.kind and c.archived_at is null
        and c.id <> m.id
        and (c.sku is null or m.sku is null) order by c.created_at, c.id limit 1`),
}
