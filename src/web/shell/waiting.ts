import { mayReadMessages } from '../../messaging/inbox/rights.ts'
import { listOpenScopes } from '../../approvals/proposal.ts'
import { hasOwnModel } from '../../assistant/company_models.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import { countUnreadCorrespondents } from '../../messaging/inbox/correspondents.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { countOverdueInvoices } from '../../records/invoices/index.ts'
import { countUnscheduledJobs } from '../../records/jobs/index.ts'

/** Menu counts of waiting items for a user: at most `MAX_COUNT`, and 0 for kinds they may not see. */
export type MenuCounts = { unread: number; overdue: number; unscheduled: number; proposals: number }

/** Menu counts of the whole company; each proposal with the scopes needed to decide on it. */
export type CompanyMenuCounts = Omit<MenuCounts, 'proposals'> & {
  proposals: Scope[][]
  /** True if the company has its own language model. */
  hasOwnModel: boolean
}

export const NO_COUNTS: CompanyMenuCounts = { unread: 0, overdue: 0, unscheduled: 0, proposals: [], hasOwnModel: false }

/** Maximum of each count. */
export const MAX_COUNT = 100

/** Counts the waiting items of a company in one round trip, each with a partial index. */
export async function countWaiting(db: Db): Promise<CompanyMenuCounts> {
  const [unread, overdue, unscheduled, proposals, ownModel] = await Promise.all([
    countUnreadCorrespondents(db, MAX_COUNT),
    countOverdueInvoices(db, MAX_COUNT),
    countUnscheduledJobs(db, MAX_COUNT),
    listOpenScopes(db, MAX_COUNT),
    hasOwnModel(db),
  ])
  return { unread, overdue, unscheduled, proposals, hasOwnModel: ownModel }
}

/** Returns the counts that a user may see. */
export const visibleCounts = (
  may: (scope: Scope) => boolean,
  { unread, overdue, unscheduled, proposals }: CompanyMenuCounts,
): MenuCounts => ({
  unread: mayReadMessages({ may }) ? unread : 0,
  overdue: may('read:invoices') ? overdue : 0,
  unscheduled: may('read:jobs') ? unscheduled : 0,
  proposals: proposals.filter((scopes) => scopes.every((scope) => may(scope))).length,
})
