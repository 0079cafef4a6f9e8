import { mayReadMessages } from '../../messaging/inbox/rights.ts'
import { listOpenScopes } from '../../approvals/proposal.ts'
import { hasOwnModel } from '../../assistant/company_models.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import { countUnreadCorrespondents } from '../../messaging/inbox/correspondents.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { countOverdueInvoices } from '../../records/invoices/index.ts'
import { countUnscheduledJobs } from '../../records/jobs/index.ts'

/** What waits for somebody, as the menu counts it: no further than `MAX_SAID`, and 0 for who may not see it. */
export type MenuCounts = { unread: number; overdue: number; unscheduled: number; proposals: number }

/** The same for the company as a whole; each plan with the scopes that deciding on it needs. */
export type CompanyMenuCounts = Omit<MenuCounts, 'proposals'> & {
  proposals: Scope[][]
  /** True if the company has a language model of its own. */
  hasOwnModel: boolean
}

export const NO_COUNTS: CompanyMenuCounts = { unread: 0, overdue: 0, unscheduled: 0, proposals: [], hasOwnModel: false }

/** Maximum that is counted of what waits. */
export const MAX_SAID = 100

/** Counts what waits in a company, in the round trip of its tick, by indexes of what waits alone. */
export async function countWaiting(db: Db): Promise<CompanyMenuCounts> {
  const [unread, overdue, unscheduled, proposals, ownModel] = await Promise.all([
    countUnreadCorrespondents(db, MAX_SAID),
    countOverdueInvoices(db, MAX_SAID),
    countUnscheduledJobs(db, MAX_SAID),
    listOpenScopes(db, MAX_SAID),
    hasOwnModel(db),
  ])
  return { unread, overdue, unscheduled, proposals, hasOwnModel: ownModel }
}

/** Returns what of it somebody may see. */
export const visibleCounts = (
  may: (scope: Scope) => boolean,
  { unread, overdue, unscheduled, proposals }: CompanyMenuCounts,
): MenuCounts => ({
  unread: mayReadMessages({ may }) ? unread : 0,
  overdue: may('read:invoices') ? overdue : 0,
  unscheduled: may('read:jobs') ? unscheduled : 0,
  proposals: proposals.filter((scopes) => scopes.every((scope) => may(scope))).length,
})
