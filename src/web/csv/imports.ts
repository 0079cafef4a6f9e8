import { setImmediate } from 'node:timers/promises'
import { entryOf } from '../../access/credentials/caller.ts'
import { refusalOf } from '../../db/refusals.ts'
import { StaleAccess, readTenant, sql, writeTenant, type Database, type Db } from '../../db/tenant.ts'
import { conflict, invalid, Refusal } from '../../refusal.ts'
import { newId } from '../../shape/id.ts'
import { auditOf } from '../../tools/audit.ts'
import type { Listed } from '../../tools/catalogue.ts'
import type { Outcome } from '../../tools/outcome.ts'
import { parse } from '../../tools/problems.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import type { ImportRow, ImportSheet } from './customer_rows.ts'

/** Describes a file of customers that is being imported. */
export type Import = {
  id: string
  file_name: string
  state: 'ready' | 'running' | 'done' | 'failed'
  total: number
  done: number
  problem: string | null
  /** Says that it is marked as running and has not gone on for a minute: its process has ended, and nothing was kept. */
  is_stuck: boolean
  created_at: string
}

const columns = sql`id, file_name, state, total, done, problem, created_at,
  state = 'running' and beat_at < moment() - interval '1 minute' as is_stuck`

/** Is for work that nobody waits for, which reports how far it is while it holds its connection. */
const IMPORT = { of: 'imports', patient: true }

/** Holds the preview of a file. */
export type Reading = {
  total: number
  ignored: readonly string[]
  problems: number
  first: readonly Problem[]
  shown: readonly ImportRow[]
}

/** Says what the tool would refuse of a row. */
export type Problem = { number: number; says: string }

const [FIRST_PROBLEMS, SHOWN] = [100, 20]
/** Limits the rows that are checked before other work gets the event loop. */
const ROWS_A_TURN = 20

/** Is how many rows are imported between two reports. */
const BEAT = 50

/** Keeps a file for the preview, and removes files that are a month old. */
export const keepFile = (
  context: MemberContext,
  database: Database,
  { file_name, content, reading }: { file_name: string; content: Buffer; reading: Reading },
): Promise<string> =>
  writeTenant(database, { tenant: context.company.id }, async (db) => {
    const id = newId()
    await Promise.all([
      db.run(
        sql`delete from customer_imports where tenant_id = ${db.tenant} and created_at < moment() - interval '30 days'`,
      ),
      db.run(sql`insert into customer_imports (tenant_id, id, user_id, file_name, content, total, reading)
        values (${db.tenant}, ${id}, ${context.user.id}, ${file_name}, ${content}, ${reading.total}, ${JSON.stringify(reading)})`),
    ])
    return id
  })

const findImport = (db: Db, id: string): Promise<Import> =>
  db.present<Import>(
    sql`select ${columns} from customer_imports where tenant_id = ${db.tenant} and id = ${id}`,
    'import',
  )

export const contentOf = async (db: Db, id: string): Promise<Buffer> =>
  (
    await db.present<{ content: Buffer }>(
      sql`select content from customer_imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).content

/** Returns the preview that was made of a file when it came. */
export const readingOf = async (db: Db, id: string): Promise<Reading | null> =>
  (
    await db.present<{ reading: Reading | null }>(
      sql`select reading from customer_imports where tenant_id = ${db.tenant} and id = ${id}`,
      'import',
    )
  ).reading

/** Returns the preview of a sheet. */
export async function look(tool: Listed['tool'], { ignored, rows }: ImportSheet): Promise<Reading> {
  const problems = await problemsIn(tool, rows)
  return {
    total: rows.length,
    ignored,
    problems: problems.length,
    first: problems.slice(0, FIRST_PROBLEMS),
    shown: rows.slice(0, SHOWN),
  }
}

/** Returns what the tool would refuse of rows, by their numbers, without writing anything. */
export async function problemsIn(tool: Listed['tool'], rows: readonly ImportRow[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [i, { number, given }] of rows.entries()) {
    if (i % ROWS_A_TURN === 0) await setImmediate()
    try {
      parse(tool, given)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push({ number, says: error.message })
    }
  }
  return problems
}

/** Describes one start of an import. */
export type ImportRun = { id: string; run: number }

/** Begins to import a file, unless it runs already or is done. */
export async function begin({ database }: Site, context: MemberContext, id: string): Promise<ImportRun> {
  const begun = await writeTenant(database, { tenant: context.company.id }, (db) =>
    db.maybe<ImportRun>(sql`
    update customer_imports set state = 'running', run = run + 1, done = 0, problem = null, beat_at = moment()
    where tenant_id = ${db.tenant} and id = ${id} and (state in ('ready', 'failed') or state = 'running' and beat_at < moment() - interval '1 minute')
    returning id, run`),
  )
  if (begun === undefined) throw conflict('this file is being imported, or was')
  return begun
}

/**
 * Imports the rows in one transaction, each through the tool that makes a customer, with its row in the audit; that the
 * file is done is a part of it. A refusal ends it, and nothing is kept. Progress is written outside the transaction. It
 * never rejects: what can't be written is reported, and the file counts as stopped a minute later.
 */
export async function takeOver(
  site: Site,
  context: MemberContext,
  { id, run }: ImportRun,
  rows: readonly ImportRow[],
): Promise<void> {
  const {
    database,
    toolContext: { baseUrl },
  } = site
  const listed = site.actions.get('customers_create')!
  const { caller } = context
  const become = (db: Db, state: Import['state'], done: number, problem: string | null = null): Promise<number> =>
    db.run(sql`
    update customer_imports set state = ${state}, done = ${done}, problem = ${problem}, beat_at = moment()
    where tenant_id = ${db.tenant} and id = ${id} and run = ${run} and state = 'running'`)
  const say = (state: Import['state'], done: number, problem?: string): Promise<number> =>
    writeTenant(database, { tenant: context.company.id }, (db) => become(db, state, done, problem))
  try {
    await writeTenant(
      database,
      { ...entryOf(caller), options: IMPORT },
      async (db) => {
        const outcomes: Outcome[] = []
        for (const [i, { number, given }] of rows.entries()) {
          outcomes.push(await inRow(number, () => listed.tool.run({ db, caller, baseUrl }, parse(listed.tool, given))))
          if ((i + 1) % BEAT === 0) await say('running', i + 1)
        }
        if ((await become(db, 'done', rows.length)) === 0) throw conflict('this file was started again meanwhile')
        return outcomes
      },
      (outcomes) => outcomes.flatMap((outcome) => auditOf({ caller, listed, client: null, given: null }, outcome)),
    )
  } catch (error) {
    await say('failed', 0, problemOf(site, error)).catch((fault: unknown) => site.report(newId(), fault))
  }
}

function problemOf(site: Site, error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof StaleAccess) return 'what you may do changed meanwhile; start it again'
  const reference = newId()
  site.report(reference, error)
  return `an unexpected error occurred (reference ${reference})`
}

async function inRow<T>(number: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refused = error instanceof Refusal ? error : refusalOf(error)
    throw refused === undefined ? error : invalid(`row ${number}: ${refused.message}`)
  }
}

/** Returns how far an import is. */
export const readImport = (context: MemberContext, database: Database, id: string): Promise<Import> =>
  readTenant(database, { tenant: context.company.id }, (db) => findImport(db, id))
