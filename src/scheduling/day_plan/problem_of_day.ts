import { createHash } from 'node:crypto'
import { DEFAULT_WEIGHTS, effortFor, type PlanPerson, type PlanProblem, type PlanVisit } from '../planner/problem.ts'
import { missingSkills } from '../skills/skills.ts'
import { clockOf, driveMinutes, expectedStops, type PlannedStop } from './expected_route.ts'
import type { CompanyDay, PlannedPerson, PlannedVisit } from './read_day.ts'

/** Planning problem of a day; `visits` are the visits of the day by index, the visit of a crew once per person. */
export type DayProblem = { problem: PlanProblem; visits: readonly PlannedVisit[] }

/** Limits of a plan: a person who is off for the rest of the day, and the only visits that may change. */
export type PlanOptions = { absentUser?: string | undefined; onlyVisits?: ReadonlySet<string> | undefined }

/**
 * Returns the planning problem of a day. It plans only visits that are scheduled, ahead, not all-day and with at most
 * one person, each within its arrival window and with a person who has its skills. All others are fixed, and so is a
 * visit whose skills nobody has.
 */
export function problemOf(day: CompanyDay, { absentUser, onlyVisits }: PlanOptions): DayProblem {
  const indexOf = new Map(day.people.map(({ user_id }, i) => [user_id, i]))
  const stopsOf = day.people.map(({ user_id }) => expectedStops(day, user_id))
  const visits: { visit: PlannedVisit; planned: PlanVisit }[] = []
  for (const [place, visit] of day.visits.entries()) {
    const { start, end, all_day, window, assignee_ids } = visit
    if (all_day) continue
    const people = assignee_ids.flatMap((user) => indexOf.get(user) ?? [])
    const minutes = Math.max(0, end - start)
    const base = { place, minutes, from: start, until: start + window, prefers: null }
    const [person = null] = people
    const qualified = peopleFor(day, visit)
    const isFixed = person !== null && qualified.length === 0
    if (isPlannable(day, visit) && !isFixed && (onlyVisits === undefined || onlyVisits.has(visit.id))) {
      const prefers = visit.last_user === null ? null : (indexOf.get(visit.last_user) ?? null)
      const planned = { ...base, people: qualified, pinned: null, before: person, prefers }
      visits.push({ visit, planned: { ...planned, from: Math.max(start, day.now) } })
    } else
      for (const one of people) {
        const fixedVisit = { ...base, ...fixedTimesOf(day, visit, stopsOf[one]?.get(visit.id)) }
        visits.push({
          visit,
          planned: { ...fixedVisit, people: null, pinned: { person: one, start: fixedVisit.start }, before: one },
        })
      }
  }
  const problem: PlanProblem = {
    visits: visits.map(({ planned }) => planned),
    people: day.people.map((person) => toPlanPerson(day, person, absentUser)),
    travel: day.visits.flatMap((from) => day.visits.map((to) => driveMinutes(day, from, to))),
    places: day.visits.length,
    weights: DEFAULT_WEIGHTS,
    maxMoves: null,
    seed: seedOf(day),
    effort: effortFor(visits.length),
  }
  return { problem, visits: visits.map(({ visit }) => visit) }
}

/** Returns the start and the minutes of a fixed visit: as reported, and not before now. */
const fixedTimesOf = (day: CompanyDay, { status, start, end }: PlannedVisit, stop: PlannedStop | undefined) => {
  if (stop === undefined) return { start, minutes: Math.max(0, end - start) }
  const from = Math.max(0, status === 'scheduled' ? Math.max(start, clockOf(day) ?? start) : stop.starts)
  return {
    start: from,
    minutes: status === 'scheduled' && stop.leaves >= stop.starts ? end - start : Math.max(0, stop.leaves - from),
  }
}

/** Returns the people who may do a visit: workers and its assignees, if they have its skills. */
const peopleFor = ({ people }: CompanyDay, { assignee_ids, skills }: PlannedVisit): number[] =>
  people.flatMap(({ user_id, isWorker, skills: own }, i) =>
    (isWorker || assignee_ids.includes(user_id)) && missingSkills(own, skills).length === 0 ? [i] : [],
  )

/** Checks whether a visit may get another person or start. */
export const isPlannable = (day: CompanyDay, visit: PlannedVisit): boolean =>
  visit.status === 'scheduled' &&
  visit.assignee_ids.length <= 1 &&
  !visit.all_day &&
  visit.start + visit.window >= day.now &&
  visit.start > 0 &&
  visit.end < 1440

/** Returns a person's remaining hours on a day; none if they are off or have an all-day visit. */
function toPlanPerson(day: CompanyDay, { user_id, spans }: PlannedPerson, absentUser: string | undefined): PlanPerson {
  const hasWholeDay = day.visits.some(({ all_day, assignee_ids }) => all_day && assignee_ids.includes(user_id))
  const rest = spans
    .map(({ from, to }) => ({ from: Math.max(from, day.now, 0), to }))
    .filter(({ from, to }) => from < to)
  return { spans: hasWholeDay || user_id === absentUser ? [] : rest, start: null, end: null, maxOvertime: 0 }
}

/** Returns the seed of a day, so that the same day gives the same plan. */
const seedOf = ({ date, visits }: CompanyDay): number =>
  createHash('sha256')
    .update([date.toString(), ...visits.map(({ id }) => id)].join())
    .digest()
    .readInt32BE(0)
