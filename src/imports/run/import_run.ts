import type { Caller } from '../../identity/credentials/caller.ts'
import { StaleAccess, readTenant, writeTenant } from '../../platform/db/tenant.ts'
import { refusalForPeople } from '../../platform/i18n/refusal_for_people.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, Unavailable, conflict } from '../../platform/errors/refusal.ts'
import { digitsOf } from '../../records/format/formats.ts'
import { newId } from '../../platform/validation/id.ts'
import {
  readContent,
  updateRun,
  type FileImportRun,
  type ImportedFile,
  type SkippedRow,
} from '../reading/imported_file.ts'
import type { IncomingRecord } from '../reading/incoming.ts'
import type { ImportKind } from '../rows/kinds.ts'
import { readMappedRows, type Mapping } from '../rows/mapping.ts'
import { formatReason } from '../rows/reasons.ts'
import { toIncomingRecords } from '../rows/records.ts'
import type { ImportContext } from './import_context.ts'
import { mayImport, mayUndoImport } from './rights.ts'
import { sourceName } from '../rows/sources.ts'
import { refusals } from '../rows/refusals.ts'

/** Transaction options for work nobody waits for. */
export const PATIENT_OPTIONS = { of: 'imports', patient: true }

/** Number of records to try in one transaction, and to import between two reports. */
export const BATCH_SIZE = 25

export type ImportRunContext = ImportContext & {
  tenant: string
  currency: string
  country: string
  seesCost: boolean
  report: (reference: string, error: unknown) => void
}

/** Parsed file of an import. */
export type ParsedImport = {
  file: ImportedFile
  mapping: Mapping
  header: readonly string[]
  records: readonly IncomingRecord[]
}

/** Countries that write the month before the day. */
const MONTH_FIRST: ReadonlySet<string> = new Set(['US', 'PR', 'CA', 'PH'])

export async function parseImport(context: ImportRunContext, file: ImportedFile): Promise<ParsedImport> {
  if (file.mapping === null) throw conflict(refusals.notMapped())
  const { header, rows } = await readMappedRows(
    await readImport(context, (db) => readContent(db, file.id)),
    file.mapping,
  )
  const records = await toIncomingRecords(file.kind, rows, {
    digits: digitsOf(context.currency),
    currency: context.currency,
    country: context.country,
    seesCost: context.seesCost,
    isDayFirst: !MONTH_FIRST.has(context.country),
    epoch: file.epoch,
    source: sourceName(file.source),
  })
  return { file, mapping: file.mapping, header, records }
}

/** Returns the rows of a refused record with the reason. */
export const toSkippedRows = (
  { numbers }: IncomingRecord,
  refusal: Refusal,
  { header, mapping }: ParsedImport,
): SkippedRow[] => numbers.map((number) => ({ number, reason: formatReason(refusal, header, mapping) }))

export const readImport = <T>(context: ImportRunContext, work: Parameters<typeof readTenant<T>>[2]): Promise<T> =>
  readTenant(context.database, { tenant: context.tenant }, work)

type UpdateRunArgs = Parameters<typeof updateRun>
export const reportRun = (
  context: ImportRunContext,
  run: FileImportRun,
  state: UpdateRunArgs[2],
  done: number,
  more?: UpdateRunArgs[4],
): Promise<number> =>
  writeTenant(context.database, { tenant: context.tenant }, (db) => updateRun(db, run, state, done, more))

/** Throws if the person has lost the right to import meanwhile. */
export function requireRights(caller: Caller, kind: ImportKind): void {
  if (!mayImport(caller, kind)) throw new AccessLost()
}

/** Throws if the person has lost the right to undo meanwhile. */
export function requireUndoRight(caller: Caller, file: ImportedFile): void {
  if (!mayUndoImport(caller, file)) throw new AccessLost()
}

/** Thrown when the person may no longer write such records. */
class AccessLost extends Error {}

/** Thrown when another run has replaced this one, which was considered dead. */
export class RunSuperseded extends Error {}

type ReportProgress = (state: 'checking' | 'running' | 'taking_back', done: number) => Promise<void>

/** Runs work on a file with progress reports, and records the reason if it fails. */
export async function runWithReports(
  context: ImportRunContext,
  run: FileImportRun,
  work: (reportProgress: ReportProgress) => Promise<void>,
): Promise<void> {
  try {
    await work(async (state, done) => {
      if ((await reportRun(context, run, state, done)) === 0) throw new RunSuperseded()
    })
  } catch (error) {
    if (error instanceof RunSuperseded) return
    const problem = problemText(context, error)
    await reportRun(context, run, 'failed', 0, { problem }).catch((fault: unknown) => context.report(newId(), fault))
  }
}

function problemText({ report }: ImportRunContext, error: unknown): string {
  if (error instanceof Refusal) return refusalForPeople(error)
  if (error instanceof Unavailable && error.isExpected)
    return say`Too many files are being imported. Start it again later.`
  if (error instanceof StaleAccess || error instanceof AccessLost)
    return say`Your permissions changed. Start the import again.`
  const reference = newId()
  report(reference, error)
  return say`Something went wrong (reference ${reference}). Start it again.`
}
