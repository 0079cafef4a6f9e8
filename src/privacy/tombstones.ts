import { z } from 'zod'
import { sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { invalid } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'

/** Listed erasure: only ids and dates. */
export type Tombstone = {
  tenant: string
  kind: 'customer' | 'member'
  subject: string
  at: string
  keep_until: string | null
}

/** Subject, actor and counts of an erasure. */
type NewErasure = {
  kind: Tombstone['kind']
  subject: string
  by: string | null
  keepUntil: string | null
  counts: Record<string, number>
  /** Time of the original erasure, if this one is reapplied. */
  at?: string | undefined
}

/** Records an erasure in the transaction that does it. A repeated erasure overwrites the earlier entry. */
export const recordErasure = (db: Db, { kind, subject, by, keepUntil, counts, at }: NewErasure): Promise<number> =>
  db.run(sql`insert into erasures (tenant_id, id, kind, subject_id, at, erased_by, keep_until, counts)
    values (${db.tenant}, ${newId()}, ${kind}, ${subject}, coalesce(${at ?? null}::timestamptz, moment()), ${by},
      ${keepUntil}, ${JSON.stringify(counts)})
    on conflict (tenant_id, kind, subject_id) do update
      set at = excluded.at, erased_by = excluded.erased_by, keep_until = excluded.keep_until, counts = excluded.counts,
        noted_at = null`)

/** Lists a company's erasures, oldest first. */
export const listErasures = (db: Db): Promise<Tombstone[]> =>
  db.all<Tombstone>(sql`select tenant_id as tenant, kind, subject_id as subject, at, keep_until from erasures
    where tenant_id = ${db.tenant} order by at, id`)

/** Checks whether any erasure is missing from the list in storage. */
export const hasUnlistedErasures = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select id from erasures where tenant_id = ${db.tenant} and noted_at is null limit 1`)) !==
  undefined

export type ErasureRow = {
  id: string
  kind: Tombstone['kind']
  subject_id: string
  at: string
  keep_until: string | null
  by_name: string | null
}

/** Returns a company's latest 100 erasures, with the name of the actor. */
export const listLatestErasures = (db: Db): Promise<ErasureRow[]> =>
  db.all<ErasureRow>(sql`select e.id, e.kind, e.subject_id, e.at, e.keep_until, u.name as by_name from erasures e
    left join users u on u.id = e.erased_by where e.tenant_id = ${db.tenant} order by e.at desc, e.id desc limit 100`)

/** Returns the storage key of a company's list. No row references it, and no restore overwrites it. */
const erasureListKey = (tenant: string): string => `${tenant}/${tenant}`

const TYPE = 'application/jsonl'

/**
 * Writes a company's erasures to storage, merged with those already there, since a backup lacks the erasures that came
 * after it (docs/spec/erasure.md#after-a-restore).
 */
export const writeErasureList = (database: Database, storage: Storage, tenant: string): Promise<void> =>
  writeTenant(database, { tenant, options: { patient: true } }, async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(hashtext('erasures'), hashtext(${tenant}))`)
    const [own, before] = [await listErasures(db), await readErasureList(storage, tenant)]
    await storage.save(erasureListKey(tenant), Buffer.from(formatTombstones(mergeTombstones(before, own))), TYPE)
    await db.run(
      sql`update erasures set noted_at = moment()
        where tenant_id = ${tenant} and noted_at is null and at <= ${own.at(-1)?.at ?? null}`,
    )
  })

/** Returns the list of a company's erasures in storage. */
export async function readErasureList(storage: Storage, tenant: string): Promise<Tombstone[]> {
  const storedList = await storage.get(erasureListKey(tenant))
  return storedList === undefined ? [] : parseTombstones(await new Response(storedList).text(), 'the list in storage')
}

/** Merges lists. Each person appears once, with the latest erasure. */
export function mergeTombstones(...lists: readonly (readonly Tombstone[])[]): Tombstone[] {
  const byPerson = new Map<string, Tombstone>()
  for (const one of lists.flat().toSorted((a, b) => (a.at < b.at ? -1 : 1)))
    byPerson.set(`${one.tenant} ${one.kind} ${one.subject}`, one)
  return [...byPerson.values()]
}

/** Formats a list as JSON Lines, one erasure per line. */
export const formatTombstones = (tombstones: readonly Tombstone[]): string =>
  tombstones.map((one) => `${JSON.stringify(one)}\n`).join('')

/** Parses JSON Lines. `source` names the text in errors. */
export const parseTombstones = (text: string, source: string): Tombstone[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const read = tombstone.safeParse(parseJson(line))
      if (!read.success) throw invalid(`line ${i + 1} of ${source} isn't an erasure`)
      return read.data
    })

const tombstone = z.object({
  tenant: z.uuid(),
  kind: z.enum(['customer', 'member']),
  subject: z.uuid(),
  at: z.iso.datetime(),
  keep_until: z.iso.date().nullable(),
})

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
