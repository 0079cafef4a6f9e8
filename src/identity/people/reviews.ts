import { sql, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Actor } from '../audit.ts'
import { textBefore } from '../../platform/validation/text/before.ts'

export type ReviewAction =
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

/** Returns the review log row of an act, for the same transaction. */
export const recordReview = (
  by: Actor,
  action: ReviewAction,
  record: string,
  changed: Readonly<Record<string, unknown>>,
): Sql => sql`
  insert into reviews (id, user_id, act, record_type, record_id, changed)
  values (${newId()}, ${by?.user ?? null}, ${action}, ${textBefore(action, '.').replace(/s$/, '')}, ${record},
    ${JSON.stringify(changed)})`
