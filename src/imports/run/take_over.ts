import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { sql, writeTenant, type WritableDb } from '../../platform/db/tenant.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { auditOf } from '../../tools/call/audit.ts'
import { bring, bringAgain } from './bring.ts'
import {
  BEAT,
  GoOvertaken,
  PATIENT,
  leftOf,
  look,
  readFile,
  reporting,
  requireStillMay,
  tell,
  type Coming,
  type ComingFile,
} from './going.ts'
import type { ComingRun, ImportedFile, LeftRow } from '../reading/imported_file.ts'
import type { Incoming } from '../reading/incoming.ts'
import { link, linkedTo, noteRow, rowsDone } from '../rows/links.ts'
import { needMade, neededIn, needsOf } from '../rows/records.ts'
import { runTool, type Brought, type ToolWrite } from './running.ts'
import { inTurn } from './turns.ts'

/**
 * Takes a file over, each record in a transaction of its own, once: started again after a stop it goes on where it was.
 * What is refused is left out and said. It never rejects.
 */
export const takeOver = (coming: Coming, file: ImportedFile, run: ComingRun): Promise<void> =>
  reporting(coming, run, async (beat) => {
    const read = await inTurn(coming.tenant, () => readFile(coming, file))
    const done = new Set((await look(coming, (db) => rowsDone(db, file.id))).map(({ number }) => number))
    const needed = await makeNeeded(coming, read, run)
    const left: LeftRow[] = []
    let known = 0
    for (let from = 0; from < read.records.length; from += BEAT) {
      const part = read.records.slice(from, from + BEAT)
      await inTurn(coming.tenant, async () => {
        for (const one of part.filter(({ numbers }) => !done.has(numbers[0]!))) {
          const came = await takenOver(coming, read, run, one, needed)
          if (came === 'known') known++
          else if (came instanceof Refusal) left.push(...leftOf(one, came, read))
        }
      })
      if (part.length === BEAT) await beat('running', part.at(-1)!.numbers[0]! - 1)
    }
    const rows = (await look(coming, (db) => rowsDone(db, file.id))).filter(({ number }) => number > 0)
    const count = (way: string): number => rows.filter((row) => row.way === way).length
    left.sort((a, b) => a.number - b.number)
    const outcome = { made: count('made'), updated: count('updated'), skipped: count('skipped'), known, left }
    await tell(coming, run, 'done', file.total, { outcome })
  })

/** Takes one record over with its link and its row in the audit; returns why not where it is refused. */
async function takenOver(
  coming: Coming,
  { file }: ComingFile,
  run: ComingRun,
  one: Incoming,
  needed: ReadonlyMap<string, string>,
): Promise<Brought | Refusal | 'known'> {
  try {
    return await writing<Brought | 'known'>(coming, file, run, async (db, caller) => {
      const known = (await linkedTo(db, file, [one.key])).get(one.key)
      if (known !== undefined && file.existing !== 'update') return { came: 'known', writes: [] }
      const came =
        known === undefined
          ? await bring(coming, caller, db, file, one, needed)
          : await bringAgain(coming, caller, db, file.kind, known, one)
      if (known === undefined) await link(db, file, one, came.id, file.id)
      const change = came.way === 'skipped' ? null : await changeOf(db)
      await noteRow(db, file.id, { number: one.numbers[0]!, way: came.way, record_id: came.id, change_id: change })
      return { came, writes: came.writes }
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Makes the tags or categories that records need and the company doesn't have, each in a transaction of its own. */
async function makeNeeded(coming: Coming, { file, records }: ComingFile, run: ComingRun): Promise<Map<string, string>> {
  const needed = await look(coming, (db) => neededIn(db, file.kind))
  const used = (await look(coming, (db) => rowsDone(db, file.id))).map(({ number }) => number)
  let number = Math.min(0, ...used)
  for (const [key, name] of await needsOf(records)) {
    if (needed.has(key)) continue
    const at = --number
    try {
      const id = await writing(coming, file, run, async (db, caller) => {
        const written = await runTool(coming, caller, db, needMade(file.kind), { name })
        const id = String(written.outcome.result['id'])
        await noteRow(db, file.id, { number: at, way: 'made', record_id: id, change_id: await changeOf(db) })
        return { came: id, writes: [written] }
      })
      needed.set(key, id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return needed
}

const changeOf = async (db: WritableDb): Promise<string> =>
  (await db.one<{ change: string }>(sql`select this_change() as change`)).change

/** Waits for a record of another file of the company, which may be the same. */
const oneAtATime = (db: WritableDb): Promise<number> =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('imports'), hashtext(${db.tenant}))`)

/** Writes under the rights of now, as long as this go is the one that counts. */
const writing = <T>(
  coming: Coming,
  { kind }: Pick<ImportedFile, 'kind'>,
  { id, run }: ComingRun,
  work: (db: WritableDb, caller: Caller) => Promise<{ came: T; writes: readonly ToolWrite[] }>,
): Promise<T> =>
  coming.as(async (caller) => {
    const { came } = await writeTenant(
      coming.database,
      { ...entryOf(caller), options: PATIENT },
      async (db) => {
        const held = await db.run(
          sql`select id from imports where tenant_id = ${db.tenant} and id = ${id} and run = ${run} for share`,
        )
        if (held === 0) throw new GoOvertaken()
        await oneAtATime(db)
        requireStillMay(caller, kind)
        return work(db, caller)
      },
      ({ writes }) =>
        writes.flatMap(({ listed, outcome }) => auditOf({ caller, listed, client: null, given: null }, outcome)),
    )
    return came
  })
