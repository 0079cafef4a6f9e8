import type { Caller } from '../../identity/credentials/caller.ts'
import { StaleAccess, readTenant, writeTenant } from '../../platform/db/tenant.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, Unavailable, conflict } from '../../platform/errors/refusal.ts'
import { digitsOf } from '../../records/format/formats.ts'
import { newId } from '../../platform/validation/id.ts'
import { contentOf, tellRun, type ComingRun, type ImportedFile, type LeftRow } from '../reading/imported_file.ts'
import type { Incoming } from '../reading/incoming.ts'
import { RIGHTS, type ImportKind } from '../rows/kinds.ts'
import { mappedRows, type Mapping } from '../rows/mapping.ts'
import { reasonFor } from '../rows/reasons.ts'
import { incomingOf } from '../rows/records.ts'
import type { Bringing } from './running.ts'
import { sourceNamed } from '../rows/sources.ts'

/** Is for work that nobody waits for. */
export const PATIENT = { of: 'imports', patient: true }

/** Is how many records are tried in one transaction, and taken over between two reports. */
export const BEAT = 25

export type Coming = Bringing & {
  tenant: string
  currency: string
  country: string
  seesCost: boolean
  report: (reference: string, error: unknown) => void
}

/** Holds a file as it is gone through. */
export type ComingFile = {
  file: ImportedFile
  mapping: Mapping
  header: readonly string[]
  records: readonly Incoming[]
}

/** Lists the countries where the month is written before the day. */
const MONTH_FIRST: ReadonlySet<string> = new Set(['US', 'PR', 'CA', 'PH'])

export async function readFile(coming: Coming, file: ImportedFile): Promise<ComingFile> {
  if (file.mapping === null) throw conflict('the columns of this file are not mapped yet')
  const { header, rows } = await mappedRows(await look(coming, (db) => contentOf(db, file.id)), file.mapping)
  const records = await incomingOf(file.kind, rows, {
    digits: digitsOf(coming.currency),
    currency: coming.currency,
    country: coming.country,
    seesCost: coming.seesCost,
    isDayFirst: !MONTH_FIRST.has(coming.country),
    epoch: file.epoch,
    source: sourceNamed(file.source),
  })
  return { file, mapping: file.mapping, header, records }
}

/** Says of each row of a record why it is left out. */
export const leftOf = ({ numbers }: Incoming, refusal: Refusal, { header, mapping }: ComingFile): LeftRow[] =>
  numbers.map((number) => ({ number, reason: reasonFor(refusal, header, mapping) }))

export const look = <T>(coming: Coming, work: Parameters<typeof readTenant<T>>[2]): Promise<T> =>
  readTenant(coming.database, { tenant: coming.tenant }, work)

type Tell = Parameters<typeof tellRun>
export const tell = (coming: Coming, run: ComingRun, state: Tell[2], done: number, more?: Tell[4]): Promise<number> =>
  writeTenant(coming.database, { tenant: coming.tenant }, (db) => tellRun(db, run, state, done, more))

/** Refuses to go on for somebody who lost the right meanwhile. */
export function requireStillMay({ scopes }: Caller, kind: ImportKind): void {
  if (!RIGHTS[kind].every((scope) => scopes.has(scope))) throw new LostRight()
}

/** Stops an import whose person may not write such records any more. */
class LostRight extends Error {}

/** Ends a go that was given up for lost while another one goes on. */
export class GoOvertaken extends Error {}

type Beat = (state: 'checking' | 'running' | 'taking_back', done: number) => Promise<void>

/** Does a go at a file, and says on it why it ended when it did. */
export async function reporting(coming: Coming, run: ComingRun, work: (beat: Beat) => Promise<void>): Promise<void> {
  try {
    await work(async (state, done) => {
      if ((await tell(coming, run, state, done)) === 0) throw new GoOvertaken()
    })
  } catch (error) {
    if (error instanceof GoOvertaken) return
    const problem = problemOf(coming, error)
    await tell(coming, run, 'failed', 0, { problem }).catch((fault: unknown) => coming.report(newId(), fault))
  }
}

function problemOf({ report }: Coming, error: unknown): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof Unavailable && error.isExpected)
    return say`Too many files are being imported. Start it again later.`
  if (error instanceof StaleAccess || error instanceof LostRight)
    return say`What you may do changed meanwhile. Start it again.`
  const reference = newId()
  report(reference, error)
  return say`Something went wrong (reference ${reference}). Start it again.`
}
