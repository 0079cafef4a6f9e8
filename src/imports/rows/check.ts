import { setImmediate } from 'node:timers/promises'
import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { writeTenant, type WritableDb } from '../../platform/db/tenant.ts'
import { Refusal, conflict } from '../../platform/errors/refusal.ts'
import type { ListedTool } from '../../tools/declare/catalog.ts'
import { parseArguments } from '../../tools/call/problems.ts'
import { importRow } from '../run/import_row.ts'
import {
  BATCH_SIZE,
  PATIENT_OPTIONS,
  toSkippedRows,
  readImport,
  parseImport,
  runWithReports,
  requireRights,
  reportRun,
  type ImportRunContext,
  type ParsedImport,
} from '../run/import_run.ts'
import type { ImportFindings, FileImportRun, ImportedFile, SkippedRow } from '../reading/imported_file.ts'
import type { IncomingRecord } from '../reading/incoming.ts'
import { findLinks } from './links.ts'
import { needTool, findExistingNeeds, collectNeeds } from './records.ts'
import { RemarkCounts } from './remarks.ts'
import type { ImportRowResult } from '../run/import_context.ts'
import { FileDuplicates } from './same_in_file.ts'
import { runInFairQueue } from '../run/fair_queue.ts'
import { refusals } from './refusals.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

const MAX_PREVIEW_ROWS = 20
/** Maximum number of new tags or categories per file. */
const MAX_NEEDS = 50

/**
 * Checks a file by creating each record with its tool and rolling it back, so that the rules are those of the import.
 * Never rejects.
 */
export const checkImport = (context: ImportRunContext, file: ImportedFile, run: FileImportRun): Promise<void> =>
  runWithReports(context, run, async (reportProgress) => {
    const parsed = await runInFairQueue(context.tenant, () => parseImport(context, file))
    const findings = new FindingsCollector(parsed)
    for (let from = 0; from < parsed.records.length; from += BATCH_SIZE) {
      const part = parsed.records.slice(from, from + BATCH_SIZE)
      const checked = await runInFairQueue(context.tenant, () => tryRecords(context, parsed, part))
      for (const { record, outcome } of checked) findings.add(record, outcome)
      await reportProgress('checking', Math.min(file.total, from + BATCH_SIZE))
      await setImmediate()
    }
    await reportRun(context, run, 'ready', 0, { findings: findings.toFindings(await missingNeeds(context, parsed)) })
  })

const tryRecords = (
  context: ImportRunContext,
  parsed: ParsedImport,
  part: readonly IncomingRecord[],
): Promise<CheckedRecord[]> =>
  context.withCaller((caller) =>
    writeTenant(context.database, { ...entryOf(caller), options: PATIENT_OPTIONS }, async (db) => {
      const keys = part.map(({ key }) => key)
      const [links, needed] = await Promise.all([
        findLinks(db, parsed.file, keys),
        findExistingNeeds(db, parsed.file.kind),
      ])
      requireRights(caller, parsed.file.kind)
      const checked: CheckedRecord[] = []
      for (const record of part)
        checked.push({
          record,
          outcome: links.has(record.key) ? 'known' : await tryRecord(context, caller, db, parsed, record, needed),
        })
      return checked
    }),
  )

/** Record and the outcome of its trial; `known` if it was imported before. */
type CheckedRecord = { record: IncomingRecord; outcome: ImportRowResult | Refusal | 'known' }

/** Thrown to roll back a record after its trial. */
class CheckRollback extends Error {}

async function tryRecord(
  context: ImportRunContext,
  caller: Caller,
  db: WritableDb,
  { file }: ParsedImport,
  one: IncomingRecord,
  needed: ReadonlyMap<string, string>,
): Promise<ImportRowResult | Refusal> {
  let result: ImportRowResult | undefined
  try {
    await db.separately(async (own) => {
      result = await importRow(context, caller, own, { ...file, existing: 'skip' }, one, needed)
      throw new CheckRollback()
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    if (!(error instanceof CheckRollback)) throw error
  }
  return requireValue(result, 'The result of a tried record')
}

/** Checks whether the import would create a record. */
const isNewRecord = (outcome: ImportRowResult | Refusal | 'known'): outcome is ImportRowResult =>
  outcome !== 'known' && !(outcome instanceof Refusal) && outcome.status !== 'skipped'

/** Collects the findings of a file. */
class FindingsCollector {
  readonly #read: ParsedImport
  readonly #problems: SkippedRow[] = []
  readonly #existing: ImportFindings['existing'][number][] = []
  readonly #remarks = new RemarkCounts()
  readonly #same = new FileDuplicates()
  readonly #sums = { total_cents: 0, owed_cents: 0 }
  #fresh = 0
  #known = 0

  constructor(parsed: ParsedImport) {
    this.#read = parsed
  }

  add(one: IncomingRecord, outcome: ImportRowResult | Refusal | 'known'): void {
    const [number] = one.numbers
    this.#remarks.add(number, [...one.remarks, ...(isNewRecord(outcome) ? (outcome.remarks ?? []) : [])])
    if (outcome === 'known') this.#known++
    else if (outcome instanceof Refusal) this.#problems.push(...toSkippedRows(one, outcome, this.#read))
    else if (outcome.status === 'skipped') this.#existing.push({ number, id: outcome.id, name: outcome.name })
    else {
      const row = this.#read.file.kind === 'customers' ? this.#same.findEarlierRow(number, outcome) : undefined
      if (row !== undefined) return void this.#existing.push({ number, row })
      this.#fresh++
      this.#sums.total_cents += outcome.total_cents ?? 0
      this.#sums.owed_cents += outcome.owed_cents ?? 0
    }
  }

  toFindings(needs: readonly string[]): ImportFindings {
    const { file, records } = this.#read
    return {
      fresh: this.#fresh,
      known: this.#known,
      problems: this.#problems.toSorted((a, b) => a.number - b.number),
      existing: this.#existing,
      needs,
      remarks: this.#remarks.list(),
      shown: records.slice(0, MAX_PREVIEW_ROWS).map(previewRecord),
      ...(file.kind === 'invoices' || file.kind === 'quotes' ? { sums: this.#sums } : {}),
    }
  }
}

async function missingNeeds(context: ImportRunContext, { file, records }: ParsedImport): Promise<string[]> {
  const existing = await readImport(context, (db) => findExistingNeeds(db, file.kind))
  const missing = [...(await collectNeeds(records))].filter(([key]) => !existing.has(key)).map(([, name]) => name)
  if (missing.length > MAX_NEEDS) throw conflict(refusals.tooManyNeeds({ max: MAX_NEEDS, count: missing.length }))
  const { tool } = requireValue(context.actions.get(needTool(file.kind)), 'The tool of a need')
  return missing.filter((name) => canBeCreated(tool, name))
}

/** Checks whether a tag or category name is valid. Rows with an invalid name are skipped. */
function canBeCreated(tool: ListedTool['tool'], name: string): boolean {
  try {
    parseArguments(tool, { name })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function previewRecord({ numbers, name, input, document }: IncomingRecord): ImportFindings['shown'][number] {
  const formatValue = (value: unknown): string =>
    Array.isArray(value)
      ? value.map(formatValue).join('; ')
      : typeof value === 'object' && value !== null
        ? Object.values(value).map(formatValue).join(', ')
        : String(value)
  const own = Object.entries(input).filter(([field]) => !['name', 'customer_type', 'company_name'].includes(field))
  const summary = document?.summary.join(' · ') ?? own.map(([, value]) => formatValue(value)).join(', ')
  return { number: numbers[0], name, says: summary.slice(0, 300) }
}
