import type { Actor } from '../access/audit.ts'
import { sql } from '../db/tenant.ts'
import type { Sql } from '../db/tenant.ts'
import { newId } from '../shape/id.ts'

export type Act = 'payment_events.replay' | 'payment_events.discard' | 'payment_accounts.connect' | 'quarantine.assign' | 'quarantine.replay' | 'quarantine.discard'

/** The row that says what the operator did with something that was kept for review. */
export const reviewed = (by: Actor, act: Act, record: string, changed: Readonly<Record<string, unknown>>): Sql => sql`
  insert into reviews (id, user_id, act, record_type, record_id, changed)
  values (${newId()}, ${by?.user ?? null}, ${act}, ${act.split('.')[0]!.replace(/s$/, '')}, ${record}, ${JSON.stringify(changed)})`
