import { sql, type Db } from '../../platform/db/tenant.ts'
import { unreadCorrespondents } from '../../messaging/inbox/correspondents.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'

/** Holds what waits for somebody, as the menu counts it: no further than `MAX_SAID`, and 0 for who may not see it. */
export type MenuCounts = { unread: number; overdue: number; unscheduled: number; proposals: number }

/** Is the same for the company as a whole; of each plan it is said what deciding on it needs. */
export type CompanyMenuCounts = Omit<MenuCounts, 'proposals'> & { proposals: Scope[][] }

export const NO_COUNTS: CompanyMenuCounts = { unread: 0, overdue: 0, unscheduled: 0, proposals: [] }

const MAX_SAID = 100

/** Counts what waits in a company, by indexes of what waits alone. */
export const countWaiting = (db: Db): Promise<CompanyMenuCounts> =>
  db.one<CompanyMenuCounts>(sql`select
    ${unreadCorrespondents(db, MAX_SAID)} as unread,
    (select count(*) from (select from invoices i join tenants t on t.id = i.tenant_id
      where i.tenant_id = ${db.tenant} and i.status in ('sent', 'partially_paid') and i.due_date < (now() at time zone t.timezone)::date limit ${MAX_SAID}) c) as overdue,
    (select count(*) from (select from jobs j where j.tenant_id = ${db.tenant} and j.status = 'unscheduled' limit ${MAX_SAID}) c) as unscheduled,
    (select coalesce(jsonb_agg(c.scopes), '[]') from (select p.scopes from proposals p
      where p.tenant_id = ${db.tenant} and p.state = 'open' and p.expires_at > moment() limit ${MAX_SAID}) c) as proposals`)

/** Returns what of it somebody may see. */
export const visibleCounts = (
  may: (scope: Scope) => boolean,
  { unread, overdue, unscheduled, proposals }: CompanyMenuCounts,
): MenuCounts => ({
  unread: may('read:customers') ? unread : 0,
  overdue: may('read:invoices') ? overdue : 0,
  unscheduled: may('read:jobs') ? unscheduled : 0,
  proposals: proposals.filter((scopes) => scopes.every((scope) => may(scope))).length,
})
