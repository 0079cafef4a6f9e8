import { setImmediate } from 'node:timers/promises'
import { entryOf, type Caller } from '../access/credentials/caller.ts'
import { StaleAccess, readTenant, sql, writeTenant, type WritableDb } from '../db/tenant.ts'
import { say } from '../language/say.ts'
import { Refusal, conflict } from '../refusal.ts'
import { digitsOf } from '../screens/formats.ts'
import { newId } from '../shape/id.ts'
import { auditOf } from '../tools/audit.ts'
import { parse } from '../tools/problems.ts'
import { bring, changeOne, runTool, type Bringing, type Brought, type ToolWrite } from './bring.ts'
import {
  contentOf,
  tellRun,
  type ComingFindings,
  type ComingRun,
  type ImportedFile,
  type LeftRow,
} from './imported_file.ts'
import type { ImportKind } from './dialect.ts'
import type { Incoming } from './incoming.ts'
import { link, linkedTo, noteRow, rowsDone } from './links.ts'
import { mappedRows, type Mapping } from './mapping.ts'
import { reasonFor } from './reasons.ts'
import { incomingOf, neededIn, needsOf } from './records.ts'

/** Is for work that nobody waits for. */
const PATIENT = { of: 'imports', patient: true }

/** Is how many records are tried in one transaction, and taken over between two reports. */
const BEAT = 25
const SHOWN = 20
/** Limits the tags or categories that one file makes. */
const MAX_NEEDS = 50

export type Coming = Bringing & {
  tenant: string
  currency: string
  seesCost: boolean
  report: (reference: string, error: unknown) => void
}

/** Holds a file as it is gone through. */
type Read = { file: ImportedFile; mapping: Mapping; header: readonly string[]; records: readonly Incoming[] }

/**
 * Tries each record by the tool that makes it, and undoes it: what the import would refuse is found by the import's own
 * rules. It never rejects.
 */
export const checkImport = (coming: Coming, file: ImportedFile, run: ComingRun): Promise<void> =>
  reporting(coming, run, async (beat) => {
    const read = await readFile(coming, file)
    const [fresh, problems, existing]: [Incoming[], LeftRow[], ComingFindings['existing'][number][]] = [[], [], []]
    let known = 0
    for (let from = 0; from < read.records.length; from += BEAT) {
      const part = read.records.slice(from, from + BEAT)
      const found = await coming.as((caller) =>
        writeTenant(coming.database, { ...entryOf(caller), options: PATIENT }, async (db) => {
          const [links, needed] = await Promise.all([
            linkedTo(
              db,
              file,
              part.map(({ key }) => key),
            ),
            neededIn(db, file.kind),
          ])
          requireStillMay(caller, file.kind)
          const all: (Brought | Refusal | 'known')[] = []
          for (const one of part)
            all.push(links.has(one.key) ? 'known' : await tried(coming, caller, db, read, one, needed))
          return all
        }),
      )
      for (const [i, one] of part.entries()) {
        const came = found[i]!
        if (came === 'known') known++
        else if (came instanceof Refusal) problems.push(...leftOf(one, came, read))
        else if (came.way === 'skipped') existing.push({ number: one.numbers[0]!, id: came.id, name: came.name })
        else fresh.push(one)
      }
      await beat('checking', Math.min(file.total, from + BEAT))
      await setImmediate()
    }
    const findings: ComingFindings = {
      fresh: fresh.length,
      known,
      problems,
      existing,
      needs: await missingNeeds(coming, read),
      remarks: remarksOf(read),
      shown: read.records.slice(0, SHOWN).map(shownOf),
    }
    await tell(coming, run, 'ready', 0, { findings })
  })

/** Is how a record is undone after it was tried. */
class Tried extends Error {}

async function tried(
  coming: Coming,
  caller: Caller,
  db: WritableDb,
  { file }: Read,
  one: Incoming,
  needed: ReadonlyMap<string, string>,
): Promise<Brought | Refusal> {
  let brought: Brought | undefined
  try {
    await db.separately(async (own) => {
      brought = await bring(coming, caller, own, { kind: file.kind, existing: 'skip' }, one, needed)
      throw new Tried()
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    if (!(error instanceof Tried)) throw error
  }
  return brought!
}

/**
 * Takes a file over, each record in a transaction of its own, once: started again after a stop it goes on where it was.
 * What is refused is left out and said. It never rejects.
 */
export const takeOver = (coming: Coming, file: ImportedFile, run: ComingRun): Promise<void> =>
  reporting(coming, run, async (beat) => {
    const read = await readFile(coming, file)
    const done = new Set((await look(coming, (db) => rowsDone(db, file.id))).map(({ number }) => number))
    const needed = await makeNeeded(coming, read, run)
    const left: LeftRow[] = []
    let known = 0
    for (const [i, one] of read.records.entries()) {
      if (!done.has(one.numbers[0]!)) {
        const came = await takenOver(coming, read, run, one, needed)
        if (came === 'known') known++
        else if (came instanceof Refusal) left.push(...leftOf(one, came, read))
      }
      if ((i + 1) % BEAT === 0) await beat('running', one.numbers[0]! - 1)
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
  { file }: Read,
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
          : await changeOne(
              (own, wire, given) => runTool(coming, caller, own, wire, given),
              db,
              file.kind,
              { id: known, name: one.name },
              one,
            )
      if (known === undefined) await link(db, file, one.key, came.id, file.id)
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
async function makeNeeded(coming: Coming, { file, records }: Read, run: ComingRun): Promise<Map<string, string>> {
  const needed = await look(coming, (db) => neededIn(db, file.kind))
  const used = (await look(coming, (db) => rowsDone(db, file.id))).map(({ number }) => number)
  let number = Math.min(0, ...used)
  for (const [key, name] of needsOf(records)) {
    if (needed.has(key)) continue
    const at = --number
    try {
      const id = await writing(coming, file, run, async (db, caller) => {
        const written = await runTool(coming, caller, db, needMade(file), { name })
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

const needMade = ({ kind }: Pick<ImportedFile, 'kind'>): 'tags_create' | 'catalog_categories_create' =>
  kind === 'customers' ? 'tags_create' : 'catalog_categories_create'

const changeOf = async (db: WritableDb): Promise<string> =>
  (await db.one<{ change: string }>(sql`select this_change() as change`)).change

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
        if (held === 0) throw new Overtaken()
        requireStillMay(caller, kind)
        return work(db, caller)
      },
      ({ writes }) =>
        writes.flatMap(({ listed, outcome }) => auditOf({ caller, listed, client: null, given: null }, outcome)),
    )
    return came
  })

/** Refuses to go on for somebody who lost the right meanwhile. */
function requireStillMay({ scopes }: Caller, kind: ImportKind): void {
  if (!scopes.has(`write:${kind}`)) throw new LostRight()
}

/** Stops an import whose person may not write such records any more. */
class LostRight extends Error {}

/** Ends a go that was given up for lost while another one goes on. */
class Overtaken extends Error {}

async function readFile(coming: Coming, file: ImportedFile): Promise<Read> {
  if (file.mapping === null) throw conflict('the columns of this file are not mapped yet')
  const { header, rows } = await mappedRows(await look(coming, (db) => contentOf(db, file.id)), file.mapping)
  const records = incomingOf(file.kind, rows, { digits: digitsOf(coming.currency), seesCost: coming.seesCost })
  return { file, mapping: file.mapping, header, records }
}

async function missingNeeds(coming: Coming, { file, records }: Read): Promise<string[]> {
  const has = await look(coming, (db) => neededIn(db, file.kind))
  const missing = [...needsOf(records)].filter(([key]) => !has.has(key)).map(([, name]) => name)
  if (missing.length > MAX_NEEDS)
    throw conflict(
      `the file must name at most ${MAX_NEEDS} tags or categories that you don't have yet (got ${missing.length}); leave that column out, or make them first`,
    )
  for (const name of missing) parse(coming.actions.get(needMade(file))!.tool, { name })
  return missing
}

const leftOf = ({ numbers }: Incoming, refusal: Refusal, { header, mapping }: Read): LeftRow[] =>
  numbers.map((number) => ({ number, reason: reasonFor(refusal, header, mapping) }))

const remarksOf = ({ records }: Read): ComingFindings['remarks'] =>
  records.flatMap(({ numbers, remarks }) => remarks.map((remark) => ({ number: numbers[0]!, ...remark }))).slice(0, 200)

function shownOf({ numbers, name, given }: Incoming): ComingFindings['shown'][number] {
  const said = (value: unknown): string =>
    Array.isArray(value)
      ? value.map(said).join('; ')
      : typeof value === 'object' && value !== null
        ? Object.values(value).map(said).join(', ')
        : String(value)
  const own = Object.entries(given).filter(([field]) => !['name', 'customer_type', 'company_name'].includes(field))
  return {
    number: numbers[0]!,
    name,
    says: own
      .map(([, value]) => said(value))
      .join(', ')
      .slice(0, 300),
  }
}

const look = <T>(coming: Coming, work: Parameters<typeof readTenant<T>>[2]): Promise<T> =>
  readTenant(coming.database, { tenant: coming.tenant }, work)

type Tell = Parameters<typeof tellRun>
const tell = (coming: Coming, run: ComingRun, state: Tell[2], done: number, more?: Tell[4]): Promise<number> =>
  writeTenant(coming.database, { tenant: coming.tenant }, (db) => tellRun(db, run, state, done, more))

/** Says that a go at a file is over. */
export const finishRun = (coming: Coming, run: ComingRun, state: 'taken_back'): Promise<number> =>
  tell(coming, run, state, 0)

type Beat = (state: 'checking' | 'running' | 'taking_back', done: number) => Promise<void>

/** Does a go at a file, and says on it why it ended when it did. */
export async function reporting(coming: Coming, run: ComingRun, work: (beat: Beat) => Promise<void>): Promise<void> {
  try {
    await work(async (state, done) => {
      if ((await tell(coming, run, state, done)) === 0) throw new Overtaken()
    })
  } catch (error) {
    if (error instanceof Overtaken) return
    const problem = problemOf(coming, error)
    await tell(coming, run, 'failed', 0, { problem }).catch((fault: unknown) => coming.report(newId(), fault))
  }
}

function problemOf({ report }: Coming, error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof StaleAccess || error instanceof LostRight)
    return say`What you may do changed meanwhile. Start it again.`
  const reference = newId()
  report(reference, error)
  return say`Something went wrong (reference ${reference}). Start it again.`
}
