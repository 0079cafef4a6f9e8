import { setImmediate } from 'node:timers/promises'
import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { writeTenant, type WritableDb } from '../../platform/db/tenant.ts'
import { Refusal, conflict } from '../../platform/errors/refusal.ts'
import type { Listed } from '../../tools/declare/catalog.ts'
import { parse } from '../../tools/call/problems.ts'
import { bring } from '../run/bring.ts'
import {
  BEAT,
  PATIENT,
  leftOf,
  look,
  readFile,
  reporting,
  requireStillMay,
  tell,
  type Coming,
  type ComingFile,
} from '../run/going.ts'
import type { ComingFindings, ComingRun, ImportedFile, LeftRow } from '../reading/imported_file.ts'
import type { Incoming } from '../reading/incoming.ts'
import { linkedTo } from './links.ts'
import { needMade, neededIn, needsOf } from './records.ts'
import { RemarkCounts } from './remarks.ts'
import type { Brought } from '../run/running.ts'
import { SameInFile } from './same_in_file.ts'
import { inTurn } from '../run/turns.ts'

const SHOWN = 20
/** Limits the tags or categories that one file makes. */
const MAX_NEEDS = 50

/**
 * Tries each record by the tool that makes it, and undoes it: what the import would refuse is found by the import's own
 * rules. It never rejects.
 */
export const checkImport = (coming: Coming, file: ImportedFile, run: ComingRun): Promise<void> =>
  reporting(coming, run, async (beat) => {
    const read = await inTurn(coming.tenant, () => readFile(coming, file))
    const found = new Found(read)
    for (let from = 0; from < read.records.length; from += BEAT) {
      const part = read.records.slice(from, from + BEAT)
      const came = await inTurn(coming.tenant, () => triedTogether(coming, read, part))
      for (const [i, one] of part.entries()) found.add(one, came[i]!)
      await beat('checking', Math.min(file.total, from + BEAT))
      await setImmediate()
    }
    await tell(coming, run, 'ready', 0, { findings: found.told(await missingNeeds(coming, read)) })
  })

const triedTogether = (
  coming: Coming,
  read: ComingFile,
  part: readonly Incoming[],
): Promise<(Brought | Refusal | 'known')[]> =>
  coming.as((caller) =>
    writeTenant(coming.database, { ...entryOf(caller), options: PATIENT }, async (db) => {
      const keys = part.map(({ key }) => key)
      const [links, needed] = await Promise.all([linkedTo(db, read.file, keys), neededIn(db, read.file.kind)])
      requireStillMay(caller, read.file.kind)
      const all: (Brought | Refusal | 'known')[] = []
      for (const one of part)
        all.push(links.has(one.key) ? 'known' : await tried(coming, caller, db, read, one, needed))
      return all
    }),
  )

/** Is how a record is undone after it was tried. */
class Tried extends Error {}

async function tried(
  coming: Coming,
  caller: Caller,
  db: WritableDb,
  { file }: ComingFile,
  one: Incoming,
  needed: ReadonlyMap<string, string>,
): Promise<Brought | Refusal> {
  let brought: Brought | undefined
  try {
    await db.separately(async (own) => {
      brought = await bring(coming, caller, own, { ...file, existing: 'skip' }, one, needed)
      throw new Tried()
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    if (!(error instanceof Tried)) throw error
  }
  return brought!
}

/** Tells whether a record is one that the import would make. */
const isFresh = (came: Brought | Refusal | 'known'): came is Brought =>
  came !== 'known' && !(came instanceof Refusal) && came.way !== 'skipped'

/** Gathers what is found in a file. */
class Found {
  readonly #read: ComingFile
  readonly #problems: LeftRow[] = []
  readonly #existing: ComingFindings['existing'][number][] = []
  readonly #remarks = new RemarkCounts()
  readonly #same = new SameInFile()
  readonly #sums = { total_cents: 0, owed_cents: 0 }
  #fresh = 0
  #known = 0

  constructor(read: ComingFile) {
    this.#read = read
  }

  add(one: Incoming, came: Brought | Refusal | 'known'): void {
    const number = one.numbers[0]!
    this.#remarks.add(number, [...one.remarks, ...(isFresh(came) ? (came.remarks ?? []) : [])])
    if (came === 'known') this.#known++
    else if (came instanceof Refusal) this.#problems.push(...leftOf(one, came, this.#read))
    else if (came.way === 'skipped') this.#existing.push({ number, id: came.id, name: came.name })
    else {
      const row = this.#read.file.kind === 'customers' ? this.#same.earlierRow(number, came) : undefined
      if (row !== undefined) return void this.#existing.push({ number, row })
      this.#fresh++
      this.#sums.total_cents += came.total_cents ?? 0
      this.#sums.owed_cents += came.owed_cents ?? 0
    }
  }

  told(needs: readonly string[]): ComingFindings {
    const { file, records } = this.#read
    return {
      fresh: this.#fresh,
      known: this.#known,
      problems: this.#problems.toSorted((a, b) => a.number - b.number),
      existing: this.#existing,
      needs,
      remarks: this.#remarks.list(),
      shown: records.slice(0, SHOWN).map(shownOf),
      ...(file.kind === 'invoices' || file.kind === 'quotes' ? { sums: this.#sums } : {}),
    }
  }
}

async function missingNeeds(coming: Coming, { file, records }: ComingFile): Promise<string[]> {
  const has = await look(coming, (db) => neededIn(db, file.kind))
  const missing = [...(await needsOf(records))].filter(([key]) => !has.has(key)).map(([, name]) => name)
  if (missing.length > MAX_NEEDS)
    throw conflict(
      `the file must name at most ${MAX_NEEDS} tags or categories that you don't have yet (got ${missing.length}); leave that column out, or make them first`,
    )
  const { tool } = coming.actions.get(needMade(file.kind))!
  return missing.filter((name) => canBeMade(tool, name))
}

/** Tells whether a tag or a category may have a name; rows with one that can't be made are left out. */
function canBeMade(tool: Listed['tool'], name: string): boolean {
  try {
    parse(tool, { name })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function shownOf({ numbers, name, given, document }: Incoming): ComingFindings['shown'][number] {
  const said = (value: unknown): string =>
    Array.isArray(value)
      ? value.map(said).join('; ')
      : typeof value === 'object' && value !== null
        ? Object.values(value).map(said).join(', ')
        : String(value)
  const own = Object.entries(given).filter(([field]) => !['name', 'customer_type', 'company_name'].includes(field))
  const says = document?.says.join(' · ') ?? own.map(([, value]) => said(value)).join(', ')
  return { number: numbers[0]!, name, says: says.slice(0, 300) }
}
