/** Working span of a person, in minutes of the day; `to` is exclusive. A break lies between two spans. */
type PlanSpan = { from: number; to: number }

/** Person who does visits: their hours, and the places where their day starts and ends (`null`: at their visits). */
export type PlanPerson = {
  spans: readonly PlanSpan[]
  start: number | null
  end: number | null
  /** Maximum minutes of overtime after their last span. */
  maxOvertime: number
}

/** Visit to plan. Places, people and visits are indices; times are minutes of the day. */
export type PlanVisit = {
  place: number
  minutes: number
  /** Arrival window: earliest and latest start. */
  from: number
  until: number
  /** People with the skills for it; `null` for everyone. */
  people: readonly number[] | null
  /** Fixed visit: it stays with this person at this time, regardless of the rules. */
  pinned: { person: number; start: number } | null
  /** Current person; with any other it counts as moved. */
  before: number | null
  /** Person who did it last time. */
  prefers: number | null
}

/** Price of a minute of driving or overtime, of a visit with another person, and of an unplaced visit. */
type PlanWeights = {
  driving: number
  overtime: number
  moved: number
  otherPerson: number
  /** Doubled for a visit that someone has now. */
  unplaced: number
}

export type PlanProblem = {
  visits: readonly PlanVisit[]
  people: readonly PlanPerson[]
  /** Minutes of driving from place to place, row by row. */
  travel: readonly number[]
  places: number
  weights: PlanWeights
  /** Maximum moved visits; `null` for any number. */
  maxMoves: number | null
  /** The same seed gives the same plan. */
  seed: number
  /** Maximum positions to try. */
  effort: number
}

export type PlanStop = { visit: number; arrives: number; starts: number; ends: number; driving: number }

type PlanRoute = { stops: PlanStop[]; driving: number; overtime: number }

export type DayPlan = {
  /** One per person. */
  routes: PlanRoute[]
  /** Visits that nobody can do without breaking a hard rule. */
  unplaced: number[]
  moved: number[]
  cost: number
}

export const DEFAULT_WEIGHTS: PlanWeights = { driving: 1, overtime: 2, moved: 20, otherPerson: 10, unplaced: 10_000 }

/** Returns the effort for a number of visits: at most 100 ms for 60 visits and 8 people (bench/planner.ts). */
export const effortFor = (visits: number): number => Math.min(6_000 * visits + 10_000, MAX_DEFAULT_EFFORT)

const MAX_DEFAULT_EFFORT = 1_500_000

const MAX_VISITS = 300
const MAX_PEOPLE = 60
const MAX_PLACES = 400
const MAX_SPANS = 16
const MAX_EFFORT = 20_000_000
/** Maximum minutes of one drive, visit or day; the scaled units of benchmarks fit too. */
const MAX_MINUTES = 100_000

/** Throws RangeError unless a problem is within the limits and its indices and times are valid. */
export function requirePlannable(problem: PlanProblem): void {
  const { visits, people, travel, places, effort } = problem
  const isPlace = (place: number | null): boolean => place === null || isIndex(place, places)
  const isPerson = (person: number | null): boolean => person === null || isIndex(person, people.length)
  requireInRange(visits.length <= MAX_VISITS && people.length <= MAX_PEOPLE && places <= MAX_PLACES, 'size')
  requireInRange(isMinutes(effort, MAX_EFFORT), 'effort')
  requireInRange(travel.length === places * places && travel.every((minutes) => isMinutes(minutes)), 'travel')
  for (const { spans, start, end, maxOvertime } of people) {
    requireInRange(isPlace(start) && isPlace(end) && isMinutes(maxOvertime), 'person')
    requireInRange(spans.length <= MAX_SPANS, 'spans')
    for (const [i, { from, to }] of spans.entries())
      requireInRange(isMinutes(from) && isMinutes(to) && from < to && from >= (spans[i - 1]?.to ?? 0), 'span')
  }
  for (const visit of visits) {
    requireInRange(isPlace(visit.place) && isMinutes(visit.minutes), 'visit')
    requireInRange(isMinutes(visit.from) && isMinutes(visit.until), 'window')
    requireInRange(isPerson(visit.before) && isPerson(visit.prefers) && (visit.people ?? []).every(isPerson), 'person')
    if (visit.pinned !== null) requireInRange(isPerson(visit.pinned.person) && isMinutes(visit.pinned.start), 'pinned')
  }
}

const isIndex = (index: number, count: number): boolean => Number.isInteger(index) && index >= 0 && index < count

const isMinutes = (minutes: number, max = MAX_MINUTES): boolean => isIndex(minutes, max + 1)

function requireInRange(isValid: boolean, part: string): void {
  if (!isValid) throw new RangeError(`The problem's ${part} is out of range`)
}
