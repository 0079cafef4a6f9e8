import { rowsOf, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Actor } from '../audit.ts'
import { textBefore } from '../../platform/validation/text/before.ts'

export type ReviewAct =
  | 'payment_events.assign'
  | 'payment_events.replay'
  | 'payment_events.discard'
  | 'payment_accounts.connect'
  | 'payment_accounts.disconnect'
  | 'quarantine.assign'
  | 'quarantine.replay'
  | 'quarantine.discard'
  | 'quarantine.discard_many'
  | 'operators.add'
  | 'operators.remove'

/** Describes what somebody did with something that waited for a person, or belongs to no company. */
type Review = {
  id: string
  at: string
  /** Null at the command line. */
  user_id: string | null
  user_name: string | null
  act: ReviewAct
  record_id: string
  changed: Record<string, unknown>
}

/** Returns the review row of an act, for the same transaction. */
export const recordReview = (
  by: Actor,
  act: ReviewAct,
  record: string,
  changed: Readonly<Record<string, unknown>>,
): Sql => sql`
  insert into reviews (id, user_id, act, record_type, record_id, changed)
  values (${newId()}, ${by?.user ?? null}, ${act}, ${textBefore(act, '.').replace(/s$/, '')}, ${record},
    ${JSON.stringify(changed)})`

/** Sorts after every id. */
const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Returns what operators and owners did, newest first, before an id. For operators only: it names every company's
 * records.
 */
export async function listReviews(database: Database, { before = MAX_ID, limit = 50 } = {}): Promise<Review[]> {
  return rowsOf(
    database.send,
    sql<Review>`
    select r.id, r.at, r.user_id, u.name as user_name, r.act, r.record_id, r.changed from reviews r
    left join users u on u.id = r.user_id
    where r.id < ${before} order by r.id desc limit ${limit}`,
  )
}
