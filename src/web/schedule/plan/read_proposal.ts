import { setTimeout } from 'node:timers/promises'
import { isOffice } from '../../../identity/permissions/areas.ts'
import { notFound } from '../../../platform/errors/refusal.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { isId } from '../../../platform/validation/id.ts'
import { planCompanyDay, type DayComparison } from '../../../scheduling/day_plan/plan_company_day.ts'
import {
  countWindows,
  listUnassigned,
  fingerprintOfDay,
  movesOf,
  type UnassignedVisit,
  type ProposedMove,
} from '../../../scheduling/day_plan/proposal.ts'
import { readDay, type CompanyDay } from '../../../scheduling/day_plan/read_day.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { readBookings, type Booking, type Bookings } from '../bookings.ts'
import { readScheduleView, type ScheduleView } from '../schedule_view.ts'

/** Days to plan, the person who is off, and the only visits that may move. */
export type ProposalQuery = {
  scheduleView: ScheduleView
  days: number
  off: string | undefined
  only: ReadonlySet<string> | undefined
}

/** Day with its plan. `moves` turn the day into the plan. */
export type DayProposal = {
  day: CompanyDay
  plan: DayComparison
  moves: readonly ProposedMove[]
  /** Visits left with the person who is off. */
  remaining: readonly UnassignedVisit[]
}

export type PlanProposal = {
  query: ProposalQuery
  days: readonly DayProposal[]
  /** Current visits, by id. */
  visits: ReadonlyMap<string, Booking>
  bookings: Bookings
  /** Name of the person who is off. */
  offName: string | undefined
  /** Fingerprint of the planned days, to detect later changes. */
  fingerprint: string
}

/** Maximum days off entered at once. */
export const MAX_OFF_DAYS = 5
const MAX_ONLY = 150
/** Milliseconds that a request waits for a plan before its page refreshes instead. */
const PLAN_TIMEOUT_MS = 250

/** Reads the day to plan, the person who is off and for how many days, and the only visits that may move. */
export function readProposalQuery(context: MemberContext, query: URLSearchParams): ProposalQuery {
  const scheduleView = readScheduleView(context, new URLSearchParams({ day: query.get('day') ?? '' }))
  const off = query.get('off') ?? undefined
  if (off !== undefined && !isOffice(context.session)) throw notFoundRefusal()
  const days = Number(query.get('days') ?? 1)
  const only = query.getAll('only').filter(isId).slice(0, MAX_ONLY)
  return {
    scheduleView,
    off,
    days: off !== undefined && Number.isInteger(days) ? Math.min(Math.max(days, 1), MAX_OFF_DAYS) : 1,
    only: only.length === 0 ? undefined : new Set(only),
  }
}

/** Returns the first and last day of the plan. */
export const rangeOf = ({ scheduleView: { day }, days }: Pick<ProposalQuery, 'scheduleView' | 'days'>) => ({
  from: day.toString(),
  to: day.add({ days: days - 1 }).toString(),
})

/** Returns the URL of a proposal. */
export const proposalPath = (
  context: Pick<MemberContext, 'path'>,
  { scheduleView, days, off, only }: Omit<ProposalQuery, 'scheduleView'> & { scheduleView: Pick<ScheduleView, 'day'> },
): string => {
  const query = new URLSearchParams({ day: scheduleView.day.toString() })
  if (off !== undefined) query.set('off', off)
  if (days > 1) query.set('days', String(days))
  for (const id of only ?? []) query.append('only', id)
  return `${context.path('schedule', 'plan')}?${query.toString()}`
}

/** Reads and plans the days; undefined while the planner isn't ready. Calling it again doesn't plan again. */
export async function readProposal(context: MemberContext, query: ProposalQuery): Promise<PlanProposal | undefined> {
  const { scheduleView, days, off: absentUser, only: onlyVisits } = query
  const [bookings, companyDays] = await Promise.all([
    readBookings(context, scheduleView.day, scheduleView.day.add({ days: days - 1 })),
    context.read((db) => readDays(db, context, query)),
  ])
  const offName = bookings.members.find(({ id }) => id === absentUser)?.name
  if (absentUser !== undefined && offName === undefined) throw notFound('user')
  const proposals = Promise.all(
    companyDays.map(async (day): Promise<DayProposal> => {
      const plan = await planCompanyDay(context.company.id, day, { absentUser, onlyVisits })
      const moves = movesOf(day, plan)
      return { day, plan, moves, remaining: absentUser === undefined ? [] : listUnassigned(day, moves, absentUser) }
    }),
  )
  const ready = await Promise.race([proposals, setTimeout(PLAN_TIMEOUT_MS, undefined, { ref: false })])
  // A plan that fails later fails again for the next request.
  if (ready === undefined) proposals.catch(() => {})
  return (
    ready && {
      query,
      days: ready,
      bookings,
      visits: new Map(bookings.booked.map((booking) => [booking.id, booking])),
      offName,
      fingerprint: companyDays.map(fingerprintOfDay).join(),
    }
  )
}

const readDays = (
  db: Db,
  { company }: MemberContext,
  { scheduleView, days }: Pick<ProposalQuery, 'scheduleView' | 'days'>,
): Promise<CompanyDay[]> =>
  Promise.all(Array.from({ length: days }, (_, i) => readDay(db, company.timezone, scheduleView.day.add({ days: i }))))

/** Returns the current fingerprint of a proposal's days. */
export const readFingerprint = async (db: Db, context: MemberContext, query: ProposalQuery): Promise<string> =>
  (await readDays(db, context, query)).map(fingerprintOfDay).join()

/** Sums up the effects of a proposal. */
export function sumsOf({ days }: PlanProposal) {
  const sum = (select: (one: DayProposal) => number): number => days.reduce((total, one) => total + select(one), 0)
  const windows = days.map(({ plan }) => countWindows(plan))
  return {
    moves: sum(({ moves }) => moves.length),
    unplaced: sum(({ plan, remaining }) => Math.max(plan.unplaced.length, remaining.length)),
    drivingBefore: sum(({ plan }) => plan.drivingBefore),
    drivingAfter: sum(({ plan }) => plan.drivingAfter),
    isEstimate: days.some(({ plan }) => plan.isEstimate),
    windows: windows.reduce((total, { all }) => total + all, 0),
    keptBefore: windows.reduce((total, { keptBefore }) => total + keptBefore, 0),
    keptAfter: windows.reduce((total, { keptAfter }) => total + keptAfter, 0),
  }
}
