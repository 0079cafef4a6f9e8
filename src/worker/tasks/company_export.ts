import type { Database } from '../../platform/db/tenant.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { writeArchiveOf } from '../../privacy/export/archive.ts'
import {
  COMPANY_EXPORTS,
  expectPart,
  failExport,
  finishExport,
  noteProgress,
  partKey,
  takeExport,
} from '../../privacy/export/company_exports.ts'
import { partsIn } from '../../privacy/export/parts.ts'
import { openSpool } from '../../privacy/export/spool.ts'
import type { Chore, TenantRun } from '../chore.ts'
import { whenAsked } from '../schedule.ts'

/** Makes the archive that an owner asked for, beside other chores. */
export const companyExports = (database: Database, storage: Storage): Chore => ({
  name: COMPANY_EXPORTS,
  of: 'tenant',
  next: whenAsked,
  lane: 'exports',
  run: (run) => makeExport(run, database, storage),
})

/** Tells of progress no more often than that. */
const TOLD_EVERY_MS = 500

/** Writes the rows to a file of this process while their moment is held, and then all of it to storage, part by part. */
async function makeExport(run: TenantRun, database: Database, storage: Storage): Promise<void> {
  const taken = await run.write(takeExport)
  if (taken === undefined) return
  const { tenant } = run
  const spool = await openSpool()
  const parts = partsIn(
    storage,
    (part) => partKey(tenant.id, taken.id, part),
    (key) => run.write((db) => expectPart(db, key)),
  )
  let sink = spool.sink
  let last = 0
  try {
    await writeArchiveOf({
      database,
      storage,
      tenant: tenant.id,
      scope: async () => ({ of: 'company' }),
      sink: (bytes) => sink(bytes),
      rowsDone: async () => {
        for await (const piece of spool.read()) await parts.sink(piece)
        sink = parts.sink
      },
      told: async (done, total) => {
        if (performance.now() - last < TOLD_EVERY_MS) return
        last = performance.now()
        await run.write((db) => noteProgress(db, taken.id, done, total))
      },
    })
    const stored = await parts.end()
    await run.write((db) => finishExport(db, taken.id, stored))
  } catch (error) {
    await run.conclude((db) => failExport(db, taken.id))
    throw error
  } finally {
    await spool.letGo()
  }
}
