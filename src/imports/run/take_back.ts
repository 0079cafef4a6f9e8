import { entryOf } from '../../identity/credentials/caller.ts'
import { readTenant, sql, writeTenant, type Db } from '../../platform/db/tenant.ts'
import { PATIENT, reporting, tell, type Coming } from './going.ts'
import type { ComingRun, ImportedFile } from '../reading/imported_file.ts'
import { unlink, type DoneRow } from '../rows/links.ts'
import { inTurn } from './turns.ts'
import type { StayReason } from '../../undo/reasons.ts'
import { undoWithin } from '../../undo/undo.ts'

/** Describes a record of an import that stayed when it was taken back. */
export type StayedRow = { number: number; record_id: string; stays: StayReason }

/** Is how many records are taken back between two reports. */
const BEAT = 25

/**
 * Takes back what an import made and changed, the latest first, each record as an undo does it; what somebody changed
 * since stays and is listed. Started again after a stop it goes on where it was. It never rejects.
 */
export const takeBack = (coming: Coming, file: ImportedFile, run: ComingRun): Promise<void> =>
  reporting(coming, run, async (beat) => {
    const rows = await readTenant(coming.database, { tenant: coming.tenant }, (db) => rowsStanding(db, file.id))
    for (let from = 0; from < rows.length; from += BEAT) {
      const part = rows.slice(from, from + BEAT)
      await inTurn(coming.tenant, async () => {
        for (const row of part) await takeRowBack(coming, file, row)
      })
      if (part.length === BEAT) await beat('taking_back', from + BEAT)
    }
    await tell(coming, run, 'taken_back', 0)
  })

const takeRowBack = (coming: Coming, file: ImportedFile, row: Standing): Promise<unknown> =>
  coming.as((caller) =>
    writeTenant(coming.database, { ...entryOf(caller), options: PATIENT }, async (db) => {
      const report = await undoWithin(
        db,
        { caller, baseUrl: coming.baseUrl, isImport: true },
        { kind: 'change', change: row.change_id },
      )
      const stays = report?.put.length ? null : (report?.stays[0]?.reason ?? ({ kind: 'not_kept' } as const))
      if (stays === null || stays.kind === 'undone') await unlink(db, row.record_id, file.id)
      await noteTaken(db, file.id, row.number, stays?.kind === 'undone' ? null : stays)
    }),
  )

type Standing = DoneRow & { change_id: string }

const rowsStanding = (db: Db, file: string): Promise<Standing[]> =>
  db.all<Standing>(sql`select number, way, record_id, change_id from import_rows
    where tenant_id = ${db.tenant} and import_id = ${file} and change_id is not null and not is_taken_back
    order by number > 0 desc, abs(number) desc`)

const noteTaken = (db: Db, file: string, number: number, stays: StayReason | null): Promise<number> =>
  db.run(sql`update import_rows set is_taken_back = ${stays === null}, stays = ${stays === null ? null : JSON.stringify(stays)}::json
    where tenant_id = ${db.tenant} and import_id = ${file} and number = ${number}`)

/** Returns what stayed, the first rows first. */
export const rowsStayed = (db: Db, file: string, most: number): Promise<StayedRow[]> =>
  db.all<StayedRow>(sql`select number, record_id, stays from import_rows
    where tenant_id = ${db.tenant} and import_id = ${file} and stays is not null order by number limit ${most}`)

/** Counts what was taken back, what stayed, and what an import wrote that still stands. */
export const countTaken = (db: Db, file: string): Promise<{ taken: number; stayed: number; standing: number }> =>
  db.one(sql`select count(*) filter (where is_taken_back and number > 0)::int as taken, count(*) filter (where stays is not null)::int as stayed,
      count(*) filter (where change_id is not null and not is_taken_back)::int as standing
    from import_rows where tenant_id = ${db.tenant} and import_id = ${file}`)
