import { z } from 'zod'
import { sql, writeTenant, type Database, type Db } from '../platform/db/tenant.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { invalid } from '../platform/errors/refusal.ts'
import { newId } from '../platform/validation/id.ts'

/** An erasure as it is listed: only ids and days. */
export type Tombstone = {
  tenant: string
  kind: 'customer' | 'member'
  subject: string
  at: string
  keep_until: string | null
}

/** What was erased, by whom, and how much. */
type NewErasure = {
  kind: Tombstone['kind']
  subject: string
  by: string | null
  keepUntil: string | null
  counts: Record<string, number>
  /** When it was done at first, where it is repeated. */
  at?: string | undefined
}

/** Notes an erasure in the transaction that does it; of one that is done again the latest counts. */
export const recordErasure = (db: Db, { kind, subject, by, keepUntil, counts, at }: NewErasure): Promise<number> =>
  db.run(sql`insert into erasures (tenant_id, id, kind, subject_id, at, erased_by, keep_until, counts)
    values (${db.tenant}, ${newId()}, ${kind}, ${subject}, coalesce(${at ?? null}::timestamptz, moment()), ${by},
      ${keepUntil}, ${JSON.stringify(counts)})
    on conflict (tenant_id, kind, subject_id) do update
      set at = excluded.at, erased_by = excluded.erased_by, keep_until = excluded.keep_until, counts = excluded.counts,
        noted_at = null`)

/** Lists the erasures of a company, the oldest first. */
export const listErasures = (db: Db): Promise<Tombstone[]> =>
  db.all<Tombstone>(sql`select tenant_id as tenant, kind, subject_id as subject, at, keep_until from erasures
    where tenant_id = ${db.tenant} order by at, id`)

/** Checks whether an erasure isn't on the list beside the data yet. */
export const hasUnlistedErasures = async (db: Db): Promise<boolean> =>
  (await db.maybe(sql`select id from erasures where tenant_id = ${db.tenant} and noted_at is null limit 1`)) !==
  undefined

/** An erasure as its company's owners see it. */
export type ErasureRow = {
  id: string
  kind: Tombstone['kind']
  subject_id: string
  at: string
  keep_until: string | null
  by_name: string | null
}

/** Returns the latest erasures of a company, with who did each. */
export const listLatestErasures = (db: Db): Promise<ErasureRow[]> =>
  db.all<ErasureRow>(sql`select e.id, e.kind, e.subject_id, e.at, e.keep_until, u.name as by_name from erasures e
    left join users u on u.id = e.erased_by where e.tenant_id = ${db.tenant} order by e.at desc, e.id desc limit 100`)

/** Storage key of a company's list, which no row names and no restore overwrites. */
const erasureListKey = (tenant: string): string => `${tenant}/${tenant}`

const TYPE = 'application/jsonl'

/**
 * Writes a company's erasures beside its data, together with those that stand there already: a backup from before one
 * doesn't know it (docs/spec/erasure.md#after-a-restore).
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

/** Returns the list that storage keeps of a company. */
export async function readErasureList(storage: Storage, tenant: string): Promise<Tombstone[]> {
  const storedList = await storage.get(erasureListKey(tenant))
  return storedList === undefined ? [] : parseTombstones(await new Response(storedList).text(), 'the list in storage')
}

/** Returns lists as one, in which each person is named once, as the latest has it. */
export function mergeTombstones(...lists: readonly (readonly Tombstone[])[]): Tombstone[] {
  const byPerson = new Map<string, Tombstone>()
  for (const one of lists.flat().toSorted((a, b) => (a.at < b.at ? -1 : 1)))
    byPerson.set(`${one.tenant} ${one.kind} ${one.subject}`, one)
  return [...byPerson.values()]
}

/** Returns a list as text, one erasure a line (JSON Lines). */
export const formatTombstones = (tombstones: readonly Tombstone[]): string =>
  tombstones.map((one) => `${JSON.stringify(one)}\n`).join('')

/** Reads such a text; `source` names it where a line is none. */
export const parseTombstones = (text: string, source: string): Tombstone[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, i) => {
      const read = tombstone.safeParse(jsonIn(line))
      if (!read.success) throw invalid(`line ${i + 1} of ${source} is no erasure`)
      return read.data
    })

const tombstone = z.object({
  tenant: z.uuid(),
  kind: z.enum(['customer', 'member']),
  subject: z.uuid(),
  at: z.iso.datetime(),
  keep_until: z.iso.date().nullable(),
})

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
