import { readTenant, sql, writeTenant, type Database, type Db } from '../../db/tenant.ts'
import { conflict } from '../../refusal.ts'
import { newId } from '../../shape/id.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import type { ImportRow } from './customer_rows.ts'

/** Describes a file of customers that is being imported. */
export type Import = {
  id: string
  file_name: string
  state: 'checking' | 'ready' | 'running' | 'done' | 'failed'
  total: number
  done: number
  problem: string | null
  /** Says that it is marked as under way and has not gone on for a minute: its process has ended, and nothing was kept. */
  is_stuck: boolean
  outcome: ImportOutcome | null
  created_at: string
}

/** Holds what was found in a file, row by row, by the rules of the import itself. */
export type Findings = {
  total: number
  /** Maps a field to the file's own name of its column. */
  headers: Readonly<Record<string, string>>
  ignored: readonly string[]
  /** Are names of tags that are made with the import. */
  newTags: readonly string[]
  problems: readonly RowProblem[]
  twins: readonly Twin[]
  shown: readonly ImportRow[]
}

/** Says in the file's own words why a row can't be imported. */
export type RowProblem = { number: number; reason: string }

/** Describes a row whose customer is there already: as a customer, or in an earlier row of the file. */
export type Twin = { number: number; name: string } & ({ id: string } | { row: number })

/** Names what is done with customers that are there already. */
export const FOR_TWINS = ['skip', 'update', 'create'] as const
export type ForTwins = (typeof FOR_TWINS)[number]

/** Counts what came of the rows, and says why some were left out. */
export type ImportOutcome = { made: number; updated: number; skipped: number; left: readonly RowProblem[] }

const columns = sql`id, file_name, state, total, done, problem, outcome, created_at,
  state in ('checking', 'running') and coalesce(beat_at, '-infinity') < moment() - interval '1 minute' as is_stuck`

/** Keeps a file that is to be checked, and removes files that are a month old. */
export const keepFile = (
  context: MemberContext,
  database: Database,
  { file_name, content, total }: { file_name: string; content: Buffer; total: number },
): Promise<string> =>
  writeTenant(database, { tenant: context.company.id }, async (db) => {
    const id = newId()
    await Promise.all([
      db.run(
        sql`delete from customer_imports where tenant_id = ${db.tenant} and created_at < moment() - interval '30 days'`,
      ),
      db.run(sql`insert into customer_imports (tenant_id, id, user_id, file_name, content, state, total)
        values (${db.tenant}, ${id}, ${context.user.id}, ${file_name}, ${content}, 'checking', ${total})`),
    ])
    return id
  })

/** Returns how far an import is. */
export const readImport = (context: MemberContext, database: Database, id: string): Promise<Import> =>
  readTenant(database, { tenant: context.company.id }, (db) =>
    db.present<Import>(
      sql`select ${columns} from customer_imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    ),
  )

export const contentOf = async (db: Db, id: string): Promise<Buffer> =>
  (
    await db.present<{ content: Buffer }>(
      sql`select content from customer_imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).content

/** Returns what was found in a file; null until it was checked. */
export const findingsOf = async (db: Db, id: string): Promise<Findings | null> =>
  (
    await db.present<{ reading: Findings | null }>(
      sql`select reading from customer_imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).reading

/** Is one go at a file, of which only the latest counts: one that was given up for lost and goes on keeps nothing. */
export type ImportRun = { id: string; run: number }

/** Begins to check or to import a file, unless that is under way or the file is done. */
export async function begin(
  { database }: Site,
  context: MemberContext,
  id: string,
  as: 'checking' | 'running',
): Promise<ImportRun> {
  const free = as === 'running' ? ['ready', 'failed'] : []
  const begun = await writeTenant(database, { tenant: context.company.id }, (db) =>
    db.maybe<ImportRun>(sql`
    update customer_imports set state = ${as}, run = run + 1, done = 0, problem = null, beat_at = moment()
    where tenant_id = ${db.tenant} and id = ${id}
      and (state = any(${free}) or state = ${as} and coalesce(beat_at, '-infinity') < moment() - interval '1 minute')
    returning id, run`),
  )
  if (begun === undefined) throw conflict('this file is being imported, or was')
  return begun
}

/** Says how a go at a file stands; returns 0 when another go counts now. */
export const become = (
  db: Db,
  { id, run }: ImportRun,
  state: Import['state'],
  done: number,
  { problem = null, findings, outcome }: { problem?: string | null; findings?: Findings; outcome?: ImportOutcome } = {},
): Promise<number> =>
  db.run(sql`
  update customer_imports set state = ${state}, done = ${done}, problem = ${problem}, beat_at = moment(),
    reading = coalesce(${findings === undefined ? null : JSON.stringify(findings)}::json, reading),
    outcome = coalesce(${outcome === undefined ? null : JSON.stringify(outcome)}::json, outcome)
  where tenant_id = ${db.tenant} and id = ${id} and run = ${run} and state in ('checking', 'running')`)
