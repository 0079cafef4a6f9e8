/** Work span of a person, in minutes of the day; `to` is outside of it. A break lies between two spans. */
type PlanSpan = { from: number; to: number }

/** Person who does visits: when they work, where their day starts and ends (`null`: wherever their visits are). */
export type PlanPerson = {
  spans: readonly PlanSpan[]
  start: number | null
  end: number | null
  /** Minutes that their last span may be exceeded by. */
  maxOvertime: number
}

/** Visit to plan. Places, people and visits are indices; times are minutes of the day. */
export type PlanVisit = {
  place: number
  minutes: number
  /** Promised window: earliest and latest start. */
  from: number
  until: number
  /** Who has the skills for it; `null` for everybody. */
  people: readonly number[] | null
  /** A fact that isn't planned: it stays with this person at this time, whatever the rules say. */
  pinned: { person: number; start: number } | null
  /** Who has it now; with somebody else it counts as moved. */
  before: number | null
  /** Who did it last time. */
  prefers: number | null
}

/** Price of a minute of driving or overtime, of a visit with another person, and of one left out. */
type PlanWeights = {
  driving: number
  overtime: number
  moved: number
  otherPerson: number
  /** Twice this for a visit that somebody has now. */
  unplaced: number
}

export type PlanProblem = {
  visits: readonly PlanVisit[]
  people: readonly PlanPerson[]
  /** Minutes of driving from place to place, row by row. */
  travel: readonly number[]
  places: number
  weights: PlanWeights
  /** Maximum number of moved visits; `null` for any. */
  maxMoves: number | null
  /** The same seed gives the same plan. */
  seed: number
  /** Maximum number of positions that are tried. */
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
/** Maximum minutes of one drive, visit or day; scaled units of benchmarks fit too. */
const MAX_MINUTES = 100_000

/** Requires a problem within limits whose indices and times make sense; throws RangeError otherwise. */
export function requirePlannable(problem: PlanProblem): void {
  const { visits, people, travel, places, effort } = problem
  const isPlace = (place: number | null): boolean => place === null || isIndex(place, places)
  const isPerson = (person: number | null): boolean => person === null || isIndex(person, people.length)
  require(visits.length <= MAX_VISITS && people.length <= MAX_PEOPLE && places <= MAX_PLACES, 'size')
  require(isMinutes(effort, MAX_EFFORT), 'effort')
  require(travel.length === places * places && travel.every((minutes) => isMinutes(minutes)), 'travel')
  for (const { spans, start, end, maxOvertime } of people) {
    require(isPlace(start) && isPlace(end) && isMinutes(maxOvertime), 'person')
    require(spans.length <= MAX_SPANS, 'spans')
    for (const [i, { from, to }] of spans.entries())
      require(isMinutes(from) && isMinutes(to) && from < to && from >= (spans[i - 1]?.to ?? 0), 'span')
  }
  for (const visit of visits) {
    require(isPlace(visit.place) && isMinutes(visit.minutes), 'visit')
    require(isMinutes(visit.from) && isMinutes(visit.until), 'window')
    require(isPerson(visit.before) && isPerson(visit.prefers) && (visit.people ?? []).every(isPerson), 'person')
    if (visit.pinned !== null) require(isPerson(visit.pinned.person) && isMinutes(visit.pinned.start), 'pinned')
  }
}

const isIndex = (index: number, count: number): boolean => Number.isInteger(index) && index >= 0 && index < count

const isMinutes = (minutes: number, max = MAX_MINUTES): boolean => isIndex(minutes, max + 1)

function require(isRight: boolean, part: string): void {
  if (!isRight) throw new RangeError(`The problem's ${part} is out of range`)
}
