import { sql, type Db } from '../platform/db/tenant.ts'
import { utc } from '../platform/validation/formats/instants.ts'

/** Number of days for which a plan is kept after the decision. */
const KEPT_DAYS = 90

/** Ends the plans that nobody decided on in time, and removes those that were decided on long ago. */
export async function sweepProposals(db: Db, now: Temporal.Instant): Promise<void> {
  await db.run(sql`update proposals set state = 'expired', decided_at = ${utc(now)}
    where tenant_id = ${db.tenant} and state = 'open' and expires_at <= ${utc(now)}`)
  await db.run(sql`delete from proposals
    where tenant_id = ${db.tenant} and state <> 'open'
      and decided_at < ${utc(now.subtract({ hours: 24 * KEPT_DAYS }))}`)
}
