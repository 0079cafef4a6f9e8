import type { Caller } from '../../../identity/credentials/caller.ts'
import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import { Refusal, conflict, conflictField, notFound } from '../../../platform/errors/refusal.ts'
import type { Changes } from '../../../tools/call/outcome.ts'
import { moveContacts } from '../../contacts/index.ts'
import { moveLocations } from '../../locations/index.ts'
import { moveNotes } from '../../notes/index.ts'
import { mergeTags, tagsOf, type TagRow } from '../../tags/index.ts'
import { archiveMergedCustomer, changeCustomer, lockCustomers, mayMerge } from '../customer.ts'
import type { Customer, CustomerInput } from '../fields.ts'
import { moveConversations } from './merge_messages.ts'
import { refusals } from '../refusals.ts'

/** Both customers before and after a merge, with the ids of the moved records. */
type Merge = {
  before: Customer & { tags: TagRow[] }
  after: Customer
  source: Customer
  archived: Customer
  moved: Changes
}

/**
 * Merges two duplicate customers in one transaction, after locking both rows in id order: all records of `id` move to
 * `into_id`, and `id` is archived. Numbers, amounts and statuses of documents stay.
 */
export async function mergeCustomers(db: Db, caller: Caller, id: string, into_id: string): Promise<Merge> {
  requireMayMerge(caller)
  requireDifferentCustomers(id, into_id)
  const [{ source, before }, tags, others] = await Promise.all([
    lockBoth(db, id, into_id),
    tagsOf(db, into_id),
    tagsOf(db, id),
  ])
  const union = combineCustomers(before, source)
  requireWithinLimits(union, [...tags, ...others])
  const moved = await moveRecords(db, caller, id, into_id)
  const archived = await archiveMergedCustomer(db, caller, source, into_id, union.external_id)
  return {
    before: { ...before, tags },
    after: await changeCustomer(db, caller, into_id, union),
    source,
    archived,
    moved,
  }
}

function requireMayMerge(caller: Caller): void {
  if (!mayMerge(caller)) throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.mergeNotAllowed() }])
}

function requireDifferentCustomers(id: string, into: string): void {
  if (id === into) throw conflictField('into_id', refusals.mergeWithItself())
}

async function lockBoth(db: Db, id: string, into: string): Promise<{ source: Customer; before: Customer }> {
  const live = await lockCustomers(db, [id, into])
  const [source, before] = [id, into].map((one) => live.find((customer) => customer.id === one))
  if (source === undefined || before === undefined) throw notFound('customer')
  return { source, before }
}

/**
 * Returns the remaining customer, with empty values filled from the other. A lead takes the other's status, and a
 * do-not-service warning of either is kept.
 */
const combineCustomers = (into: Customer, source: Customer): CustomerInput => ({
  ...into,
  status: into.status === 'lead' ? source.status : into.status,
  do_not_service: into.do_not_service || source.do_not_service,
  external_id: into.external_id ?? source.external_id,
  fields: { ...source.fields, ...into.fields },
})

const MAX_TAGS = 50

function requireWithinLimits({ fields }: CustomerInput, tags: readonly TagRow[]): void {
  const fieldCount = Object.keys(fields).length
  if (fieldCount > MAX_TAGS) throw conflict(refusals.tooManyFieldsTogether({ count: fieldCount, max: MAX_TAGS }))
  const tagCount = new Set(tags.map(({ id }) => id)).size
  if (tagCount > MAX_TAGS) throw conflict(refusals.tooManyTagsTogether({ count: tagCount, max: MAX_TAGS }))
}

/**
 * Tables in an order where each precedes the tables that its records create records in, so that new records move too.
 */
const OWNED_TABLES: readonly [kind: string, table: Sql][] = [
  ['job_series_ids', sql`job_series`],
  ['plan_ids', sql`plans`],
  ['quote_ids', sql`quotes`],
  ['job_ids', sql`jobs`],
  ['invoice_ids', sql`invoices`],
]

async function moveRecords(db: Db, { user }: Caller, id: string, into: string): Promise<Changes> {
  const moves = await Promise.all([
    moveContacts(db, user, id, into).then(toIdChange('contact_ids')),
    moveLocations(db, user, id, into).then(toIdChange('location_ids')),
    ...OWNED_TABLES.map(([kind, table]) => moveOwned(db, table, user, id, into).then(toIdChange(kind))),
    moveNotes(db, user, 'customer', id, into).then(toIdChange('note_ids')),
    moveConversations(db, id, into).then(toIdChange('message_ids')),
    mergeTags(db, id, into),
  ])
  return Object.fromEntries(moves.flatMap((move) => move ?? []))
}

const moveOwned = (db: Db, table: Sql, user: string | null, id: string, into: string): Promise<{ id: string }[]> =>
  db.all(sql`update ${table} set customer_id = ${into}, updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and customer_id = ${id} returning id`)

const toIdChange =
  (kind: string) =>
  (moved: readonly { id: string }[]): [string, [string[], string[]]][] =>
    moved.length === 0 ? [] : [[kind, [[], moved.map(({ id }) => id).sort()]]]
