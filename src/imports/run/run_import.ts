import { entryOf, type Caller } from '../../identity/credentials/caller.ts'
import { sql, writeTenant, type WritableDb } from '../../platform/db/tenant.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { auditOf } from '../../tools/call/audit.ts'
import { importRow, reimportRow } from './import_row.ts'
import {
  BATCH_SIZE,
  RunSuperseded,
  PATIENT_OPTIONS,
  toSkippedRows,
  readImport,
  parseImport,
  runWithReports,
  requireRights,
  reportRun,
  type ImportRunContext,
  type ParsedImport,
} from './import_run.ts'
import { currentChange } from '../../undo/changes.ts'
import type { FileImportRun, ImportedFile, SkippedRow } from '../reading/imported_file.ts'
import type { IncomingRecord } from '../reading/incoming.ts'
import { addLink, findLinks, addImportedRow, listImportedRows } from '../rows/links.ts'
import { needTool, findExistingNeeds, collectNeeds } from '../rows/records.ts'
import { runTool, type ImportRowResult, type ToolWrite } from './import_context.ts'
import { runInFairQueue } from './fair_queue.ts'

/**
 * Imports a file, each record once and in its own transaction. After an interruption, continues where it stopped. Skips
 * refused records with a reason. Never rejects.
 */
export const runImport = (context: ImportRunContext, file: ImportedFile, run: FileImportRun): Promise<void> =>
  runWithReports(context, run, async (reportProgress) => {
    const parsed = await runInFairQueue(context.tenant, () => parseImport(context, file))
    const done = new Set((await readImport(context, (db) => listImportedRows(db, file.id))).map(({ number }) => number))
    const needed = await createNeeds(context, parsed, run)
    const skipped: SkippedRow[] = []
    let unchanged = 0
    for (let from = 0; from < parsed.records.length; from += BATCH_SIZE) {
      const part = parsed.records.slice(from, from + BATCH_SIZE)
      await runInFairQueue(context.tenant, async () => {
        for (const one of part.filter(({ numbers }) => !done.has(numbers[0]))) {
          const outcome = await importOne(context, parsed, run, one, needed)
          if (outcome === 'known') unchanged++
          else if (outcome instanceof Refusal) skipped.push(...toSkippedRows(one, outcome, parsed))
        }
      })
      const last = part.at(-1)
      if (last !== undefined && part.length === BATCH_SIZE) await reportProgress('running', last.numbers[0] - 1)
    }
    const rows = (await readImport(context, (db) => listImportedRows(db, file.id))).filter(({ number }) => number > 0)
    const count = (status: string): number => rows.filter((row) => row.way === status).length
    skipped.sort((a, b) => a.number - b.number)
    const outcome = {
      made: count('made'),
      updated: count('updated'),
      skipped: count('skipped'),
      known: unchanged,
      left: skipped,
    }
    await reportRun(context, run, 'done', file.total, { outcome })
  })

/** Imports one record with its link and audit row. Returns the refusal if it is refused. */
async function importOne(
  context: ImportRunContext,
  { file }: ParsedImport,
  run: FileImportRun,
  one: IncomingRecord,
  needed: ReadonlyMap<string, string>,
): Promise<ImportRowResult | Refusal | 'known'> {
  try {
    return await writeImport<ImportRowResult | 'known'>(context, file, run, async (db, caller) => {
      const linked = (await findLinks(db, file, [one.key])).get(one.key)
      if (linked !== undefined && file.existing !== 'update') return { value: 'known', writes: [] }
      const outcome =
        linked === undefined
          ? await importRow(context, caller, db, file, one, needed)
          : await reimportRow(context, caller, db, file.kind, linked, one)
      if (linked === undefined) await addLink(db, file, one, outcome.id, file.id)
      const change = outcome.status === 'skipped' ? null : await currentChange(db)
      await addImportedRow(db, file.id, {
        number: one.numbers[0],
        way: outcome.status,
        record_id: outcome.id,
        change_id: change,
      })
      return { value: outcome, writes: outcome.writes }
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Creates the missing tags or categories of records, each in its own transaction. */
async function createNeeds(
  context: ImportRunContext,
  { file, records }: ParsedImport,
  run: FileImportRun,
): Promise<Map<string, string>> {
  const needed = await readImport(context, (db) => findExistingNeeds(db, file.kind))
  const used = (await readImport(context, (db) => listImportedRows(db, file.id))).map(({ number }) => number)
  let number = Math.min(0, ...used)
  for (const [key, name] of await collectNeeds(records)) {
    if (needed.has(key)) continue
    const at = --number
    try {
      const id = await writeImport(context, file, run, async (db, caller) => {
        const written = await runTool(context, caller, db, needTool(file.kind), { name })
        const id = String(written.outcome.result['id'])
        await addImportedRow(db, file.id, {
          number: at,
          way: 'made',
          record_id: id,
          change_id: await currentChange(db),
        })
        return { value: id, writes: [written] }
      })
      needed.set(key, id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return needed
}

/** Serializes records of a company's files, because two files may contain the same one. */
const lockImports = (db: WritableDb): Promise<number> =>
  db.run(sql`select pg_advisory_xact_lock(hashtext('imports'), hashtext(${db.tenant}))`)

/** Writes with the caller's current rights, as long as this run is the latest. */
const writeImport = <T>(
  context: ImportRunContext,
  { kind }: Pick<ImportedFile, 'kind'>,
  { id, run }: FileImportRun,
  work: (db: WritableDb, caller: Caller) => Promise<{ value: T; writes: readonly ToolWrite[] }>,
): Promise<T> =>
  context.withCaller(async (caller) => {
    const { value } = await writeTenant(
      context.database,
      { ...entryOf(caller), options: PATIENT_OPTIONS },
      async (db) => {
        const locked = await db.run(
          sql`select id from imports where tenant_id = ${db.tenant} and id = ${id} and run = ${run} for share`,
        )
        if (locked === 0) throw new RunSuperseded()
        await lockImports(db)
        requireRights(caller, kind)
        return work(db, caller)
      },
      ({ writes }) =>
        writes.flatMap(({ listed, outcome }) => auditOf({ caller, listed, client: null, input: null }, outcome)),
    )
    return value
  })
