import { createHash } from 'node:crypto'
import { DEFAULT_WEIGHTS, effortFor, type PlanPerson, type PlanProblem, type PlanVisit } from '../planner/problem.ts'
import { missingSkills } from '../skills/skills.ts'
import { clockOf, driveMinutes, expectedStops, type PlannedStop } from './expected_route.ts'
import type { CompanyDay, PlannedPerson, PlannedVisit } from './read_day.ts'

/** A day as a problem; `visits` has the visit of each of the problem's, of a crew one for each person. */
export type DayProblem = { problem: PlanProblem; visits: readonly PlannedVisit[] }

/** What of a day is planned: who doesn't work for the rest of it, and which visits alone may change. */
export type PlanOptions = { off?: string | undefined; only?: ReadonlySet<string> | undefined }

/**
 * Returns the problem of a day. Only visits that are scheduled, of one person or nobody, still to come and at a time
 * are planned, each within its arrival window and with somebody who has its skills; all others are facts, and so is a
 * visit whose skills nobody has.
 */
export function problemOf(day: CompanyDay, { off, only }: PlanOptions): DayProblem {
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
    const able = peopleFor(day, visit)
    const isFixed = person !== null && able.length === 0
    if (isPlannable(day, visit) && !isFixed && (only === undefined || only.has(visit.id))) {
      const prefers = visit.last_user === null ? null : (indexOf.get(visit.last_user) ?? null)
      const planned = { ...base, people: able, pinned: null, before: person, prefers }
      visits.push({ visit, planned: { ...planned, from: Math.max(start, day.now) } })
    } else
      for (const one of people) {
        const fact = { ...base, ...factOf(day, visit, stopsOf[one]?.get(visit.id)) }
        visits.push({
          visit,
          planned: { ...fact, people: null, pinned: { person: one, start: fact.start }, before: one },
        })
      }
  }
  const problem: PlanProblem = {
    visits: visits.map(({ planned }) => planned),
    people: day.people.map((person) => toPlanPerson(day, person, off)),
    travel: day.visits.flatMap((from) => day.visits.map((to) => driveMinutes(day, from, to))),
    places: day.visits.length,
    weights: DEFAULT_WEIGHTS,
    maxMoves: null,
    seed: seedOf(day),
    effort: effortFor(visits.length),
  }
  return { problem, visits: visits.map(({ visit }) => visit) }
}

/** Returns when a visit that stays as it is starts and how long it takes: as it was reported, and not before now. */
const factOf = (day: CompanyDay, { status, start, end }: PlannedVisit, stop: PlannedStop | undefined) => {
  if (stop === undefined) return { start, minutes: Math.max(0, end - start) }
  const from = Math.max(0, status === 'scheduled' ? Math.max(start, clockOf(day) ?? start) : stop.starts)
  return {
    start: from,
    minutes: status === 'scheduled' && stop.leaves >= stop.starts ? end - start : Math.max(0, stop.leaves - from),
  }
}

/** Returns who may make a visit: workers, and who has it, if they have its skills. */
const peopleFor = ({ people }: CompanyDay, { assignee_ids, skills }: PlannedVisit): number[] =>
  people.flatMap(({ user_id, isWorker, skills: own }, i) =>
    (isWorker || assignee_ids.includes(user_id)) && missingSkills(own, skills).length === 0 ? [i] : [],
  )

/** Checks whether a visit may get another person or time. */
export const isPlannable = (day: CompanyDay, visit: PlannedVisit): boolean =>
  visit.status === 'scheduled' &&
  visit.assignee_ids.length <= 1 &&
  !visit.all_day &&
  visit.start + visit.window >= day.now &&
  visit.start > 0 &&
  visit.end < 1440

/** Returns when somebody works that day: not before now, and not when they are off or on a visit of whole days. */
function toPlanPerson(day: CompanyDay, { user_id, spans }: PlannedPerson, off: string | undefined): PlanPerson {
  const hasWholeDay = day.visits.some(({ all_day, assignee_ids }) => all_day && assignee_ids.includes(user_id))
  const rest = spans
    .map(({ from, to }) => ({ from: Math.max(from, day.now, 0), to }))
    .filter(({ from, to }) => from < to)
  return { spans: hasWholeDay || user_id === off ? [] : rest, start: null, end: null, maxOvertime: 0 }
}

/** Returns a seed that a day keeps: the same day gives the same plan. */
const seedOf = ({ date, visits }: CompanyDay): number =>
  createHash('sha256')
    .update([date.toString(), ...visits.map(({ id }) => id)].join())
    .digest()
    .readInt32BE(0)
