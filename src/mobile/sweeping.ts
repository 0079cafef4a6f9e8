import { sql, type Db } from '../platform/db/tenant.ts'
import { utc } from '../platform/validation/formats/instants.ts'

/** Days to keep the id of an event, longer than an event can wait, and the chunks of a photo without its event. */
const [EVENT_RETENTION_DAYS, PIECE_RETENTION_DAYS] = [90, 7]

/** Deletes chunks of photos whose event never came, and expired event ids and reports; `limit` rows of each at once. */
export async function sweepField(db: Db, now: Temporal.Instant, limit: number): Promise<number> {
  const before = (days: number): string => utc(now.subtract({ hours: 24 * days }))
  const counts = await Promise.all([
    db.run(sql`delete from field_pieces where tenant_id = ${db.tenant} and (user_id, act_id, from_byte) in (
      select user_id, act_id, from_byte from field_pieces
      where tenant_id = ${db.tenant} and created_at < ${before(PIECE_RETENTION_DAYS)} limit ${limit})`),
    db.run(sql`delete from field_acts where tenant_id = ${db.tenant} and id in (
      select id from field_acts where tenant_id = ${db.tenant} and taken_at < ${before(EVENT_RETENTION_DAYS)}
      limit ${limit})`),
    db.run(sql`delete from late_reports where tenant_id = ${db.tenant} and at < ${before(EVENT_RETENTION_DAYS)}`),
    db.run(sql`delete from late_messages where tenant_id = ${db.tenant} and at < ${before(EVENT_RETENTION_DAYS)}`),
  ])
  return Math.max(...counts.slice(0, 2))
}
