import { entryOf } from '../../identity/credentials/caller.ts'
import { readTenant, sql, writeTenant, type Db } from '../../platform/db/tenant.ts'
import { PATIENT_OPTIONS, requireUndoRight, runWithReports, reportRun, type ImportRunContext } from './import_run.ts'
import type { FileImportRun, ImportedFile } from '../reading/imported_file.ts'
import { removeLink, type ImportedRow } from '../rows/links.ts'
import { runInFairQueue } from './fair_queue.ts'
import type { UndoSkipReason } from '../../undo/reasons.ts'
import { undoWithin } from '../../undo/undo.ts'

/** Record that an undo of its import skipped. */
export type SkippedUndoRow = { number: number; record_id: string; stays: UndoSkipReason }

/** Number of records to undo between two reports. */
const BATCH_SIZE = 25

/**
 * Undoes an import, the latest change first, record by record. Skips and lists records changed since. After an
 * interruption, continues where it stopped. Never rejects.
 */
export const undoImport = (context: ImportRunContext, file: ImportedFile, run: FileImportRun): Promise<void> =>
  runWithReports(context, run, async (reportProgress) => {
    const rows = await readTenant(context.database, { tenant: context.tenant }, (db) => listUndoableRows(db, file.id))
    for (let from = 0; from < rows.length; from += BATCH_SIZE) {
      const part = rows.slice(from, from + BATCH_SIZE)
      await runInFairQueue(context.tenant, async () => {
        for (const row of part) await undoRow(context, file, row)
      })
      if (part.length === BATCH_SIZE) await reportProgress('taking_back', from + BATCH_SIZE)
    }
    await reportRun(context, run, 'taken_back', 0)
  })

const undoRow = (context: ImportRunContext, file: ImportedFile, row: UndoableRow): Promise<unknown> =>
  context.withCaller((caller) =>
    writeTenant(context.database, { ...entryOf(caller), options: PATIENT_OPTIONS }, async (db) => {
      requireUndoRight(caller, file)
      const report = await undoWithin(
        db,
        { caller, baseUrl: context.baseUrl, isImport: true },
        { kind: 'change', change: row.change_id },
      )
      const reason = report?.undone.length ? null : (report?.skipped[0]?.reason ?? ({ kind: 'not_kept' } as const))
      if (reason === null || reason.kind === 'undone') await removeLink(db, row.record_id, file.id)
      await saveUndoResult(db, file.id, row.number, reason?.kind === 'undone' ? null : reason)
    }),
  )

type UndoableRow = ImportedRow & { change_id: string }

const listUndoableRows = (db: Db, file: string): Promise<UndoableRow[]> =>
  db.all<UndoableRow>(sql`select number, way, record_id, change_id from import_rows
    where tenant_id = ${db.tenant} and import_id = ${file} and change_id is not null and not is_taken_back
    order by number > 0 desc, abs(number) desc`)

const saveUndoResult = (db: Db, file: string, number: number, reason: UndoSkipReason | null): Promise<number> =>
  db.run(sql`update import_rows
    set is_taken_back = ${reason === null}, stays = ${reason === null ? null : JSON.stringify(reason)}::json
    where tenant_id = ${db.tenant} and import_id = ${file} and number = ${number}`)

/** Returns the skipped rows, lowest row number first. */
export const listSkippedUndoRows = (db: Db, file: string, limit: number): Promise<SkippedUndoRow[]> =>
  db.all<SkippedUndoRow>(sql`select number, record_id, stays from import_rows
    where tenant_id = ${db.tenant} and import_id = ${file} and stays is not null order by number limit ${limit}`)

/** Counts the undone rows, the skipped ones, and the writes that still stand. */
export const countUndone = (db: Db, file: string): Promise<{ undone: number; skipped: number; remaining: number }> =>
  db.one(sql`select count(*) filter (where is_taken_back and number > 0)::int as undone,
      count(*) filter (where stays is not null)::int as skipped,
      count(*) filter (where change_id is not null and not is_taken_back)::int as remaining
    from import_rows where tenant_id = ${db.tenant} and import_id = ${file}`)
