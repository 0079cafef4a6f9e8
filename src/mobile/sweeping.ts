import { sql, type Db } from '../platform/db/tenant.ts'
import { utc } from '../platform/validation/formats/instants.ts'

/** Days to keep the id of an event, longer than an event can wait, and the chunks of a photo without its event. */
const [ACTS_KEPT_DAYS, PIECES_KEPT_DAYS] = [90, 7]

/** Deletes chunks of photos whose event never came, and expired event ids and reports; `most` rows of each at once. */
export async function sweepField(db: Db, now: Temporal.Instant, most: number): Promise<number> {
  const before = (days: number): string => utc(now.subtract({ hours: 24 * days }))
  const swept = await Promise.all([
    db.run(sql`delete from field_pieces where tenant_id = ${db.tenant} and (user_id, act_id, from_byte) in (
      select user_id, act_id, from_byte from field_pieces
      where tenant_id = ${db.tenant} and created_at < ${before(PIECES_KEPT_DAYS)} limit ${most})`),
    db.run(sql`delete from field_acts where tenant_id = ${db.tenant} and id in (
      select id from field_acts where tenant_id = ${db.tenant} and taken_at < ${before(ACTS_KEPT_DAYS)}
      limit ${most})`),
    db.run(sql`delete from late_reports where tenant_id = ${db.tenant} and at < ${before(ACTS_KEPT_DAYS)}`),
    db.run(sql`delete from late_messages where tenant_id = ${db.tenant} and at < ${before(ACTS_KEPT_DAYS)}`),
  ])
  return Math.max(...swept.slice(0, 2))
}
