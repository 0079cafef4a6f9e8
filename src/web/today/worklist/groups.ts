import { mayReadMessages } from '../../../messaging/inbox/rights.ts'
import { isOffice } from '../../../identity/permissions/areas.ts'
import { endingPlans } from './ending_plans.ts'
import { listAutopayFailures } from './failed_autopay.ts'
import { listBooksProblems } from './books.ts'
import { isOwnContext, type MemberContext } from '../../member_context.ts'
import {
  appRequests,
  jobsToSchedule,
  lateReports,
  openQuotes,
  overdueInvoices,
  proposalsToDecide,
  visitsWithoutCrew,
  unreadMessages,
  unsentMessages,
} from './office.ts'
import type { WorkGroup } from './worklist.ts'

/** Lists the work that awaits the user, most urgent first: each kind only for those who may see and handle it. */
export function listGroups(context: MemberContext, today: Temporal.PlainDate): Promise<WorkGroup[]> {
  const isInOffice = isOffice(context.session)
  const mayPlan = isInOffice && context.may('read:jobs') && context.may('write:jobs')
  const mayRead = isInOffice && mayReadMessages(context)
  return Promise.all([
    ...(mayPlan ? [lateReports(context, today), visitsWithoutCrew(context, today)] : []),
    ...(isOwnContext(context) ? [proposalsToDecide(context)] : []),
    ...(mayRead ? [unreadMessages(context), unsentMessages(context)] : []),
    ...(mayPlan ? [jobsToSchedule(context)] : []),
    ...(isInOffice && context.may('read:invoices') ? [listAutopayFailures(context)] : []),
    ...(isInOffice && context.may('write:plans') ? [endingPlans(context, today)] : []),
    ...(context.may('read:invoices') ? [overdueInvoices(context, today)] : []),
    ...(context.may('read:quotes') ? [openQuotes(context)] : []),
    ...(context.session.role === 'owner' ? [listBooksProblems(context), appRequests(context)] : []),
  ])
}
