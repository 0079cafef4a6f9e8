import { auditChange } from '../../identity/audit.ts'
import { requireOffice } from '../../identity/permissions/rights.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { Job } from '../../records/jobs/index.ts'
import { startTime, type TimeAction } from './tracking.ts'

/** Returns whether "In progress" starts the clock of the user who sets it on site. */
export const hasAutoClock = async (db: Db): Promise<boolean> =>
  (await db.one<{ starts_clock: boolean }>(sql`select starts_clock from tenants where id = ${db.tenant}`)).starts_clock

/** Turns the automatic clock on or off, for owners and the office. */
export async function saveAutoClock(db: Db, isOn: boolean, by: { user: string }): Promise<void> {
  await requireOffice(db, by)
  const changed = await db.run(
    sql`update tenants set starts_clock = ${isOn} where id = ${db.tenant} and starts_clock <> ${isOn}`,
  )
  if (changed > 0) await db.run(auditChange(db.tenant, by, 'companies.set', db.tenant, { starts_clock: [!isOn, isOn] }))
}

/**
 * Starts a member's clock on a visit they set to "In progress", if the company enabled that. It never starts inside a
 * manually corrected entry on another visit, which stays unchanged.
 */
export async function autoStartTime(
  db: Db,
  job: Pick<Job, 'id'>,
  { at, by }: Pick<TimeAction, 'at' | 'by'>,
): Promise<void> {
  if (await hasAutoClock(db)) await startTime(db, job, { at, by })
}
