import { connection, history } from './history.ts'
import { plannedCalls } from './planned_calls.ts'
import { availability, availabilityAt, freeNow } from './availability.ts'
import { dayOverview, today } from './day.ts'
import { messagesOf, unreadMessages } from './messages.ts'
import { monthReport, receivables, reports, unbilled } from './money.ts'
import { dayPlan, dayPlanWithout } from './plan.ts'
import type { Overview } from './overview.ts'
import { team } from './team.ts'

/** Overviews: those with a fixed address in the order of `resources/list`, the others beside them. */
export const OVERVIEWS: readonly Overview[] = [
  today,
  dayOverview,
  dayPlan,
  dayPlanWithout,
  freeNow,
  availability,
  availabilityAt,
  team,
  unreadMessages,
  messagesOf,
  receivables,
  unbilled,
  reports,
  monthReport,
  history,
  connection,
  plannedCalls,
]
