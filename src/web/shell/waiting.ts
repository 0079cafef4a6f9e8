import { sql, type Db } from '../../db/tenant.ts'
import { unreadCorrespondents } from '../../messages/correspondents.ts'
import type { Scope } from '../../access/rights/scopes.ts'

/** Holds what waits for somebody, as the menu counts it: no further than `MAX_SAID`, and 0 for who may not see it. */
export type Waiting = { unread: number; overdue: number; unscheduled: number }

export const NOTHING_WAITS: Waiting = { unread: 0, overdue: 0, unscheduled: 0 }

const MAX_SAID = 100

/** Counts what waits in a company, by indexes of what waits alone. */
export const countWaiting = (db: Db): Promise<Waiting> =>
  db.one<Waiting>(sql`select
    ${unreadCorrespondents(db, MAX_SAID)} as unread,
    (select count(*) from (select from invoices i join tenants t on t.id = i.tenant_id
      where i.tenant_id = ${db.tenant} and i.status in ('sent', 'partially_paid') and i.due_date < (now() at time zone t.timezone)::date limit ${MAX_SAID}) c) as overdue,
    (select count(*) from (select from jobs j where j.tenant_id = ${db.tenant} and j.status = 'unscheduled' limit ${MAX_SAID}) c) as unscheduled`)

/** Returns what of it somebody may see. */
export const waitingFor = (may: (scope: Scope) => boolean, { unread, overdue, unscheduled }: Waiting): Waiting => ({
  unread: may('read:customers') ? unread : 0,
  overdue: may('read:invoices') ? overdue : 0,
  unscheduled: may('read:jobs') ? unscheduled : 0,
})
