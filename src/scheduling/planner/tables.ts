import type { PlanProblem } from './problem.ts'

/** Problem as flat tables, for speed: one entry per visit, per pair, or per person and visit. */
export type Tables = {
  visits: number
  people: number
  /** Drives between two visits, and from and to each person's start and end. */
  between: Int32Array
  fromStart: Int32Array
  toEnd: Int32Array
  minutes: Int32Array
  from: Int32Array
  until: Int32Array
  /** Start of a pinned visit; -1 for others. */
  pinnedStart: Int32Array
  before: Int32Array
  unplacedCost: Int32Array
  /** Price of a visit with a person; -1 if they can't do it. */
  personCost: Int32Array
  /** Spans of each person, the last one with overtime. */
  spans: { from: Int32Array; to: Int32Array }[]
  leaves: Int32Array
  /** End of work without overtime, and latest end of the day. */
  regularEnd: Int32Array
  lastEnd: Int32Array
  /** Other visits, nearest first. */
  near: Int32Array[]
  drivingPrice: number
  overtimePrice: number
  maxMoves: number
}

export function tablesOf(problem: PlanProblem): Tables {
  const { visits, people, travel, places, weights, maxMoves } = problem
  const [count, persons] = [visits.length, people.length]
  const drive = (from: number, to: number): number => travel[from * places + to] ?? 0
  const personCost = (person: number, visit: (typeof visits)[number]): number => {
    if (visit.people !== null && !visit.people.includes(person)) return -1
    return (
      (visit.before === null || visit.before === person ? 0 : weights.moved) +
      (visit.prefers === null || visit.prefers === person ? 0 : weights.otherPerson)
    )
  }
  const perPerson = (value: (person: number, visit: (typeof visits)[number]) => number): Int32Array =>
    Int32Array.from({ length: persons * count }, (_, i) => {
      const visit = visits[i % count]
      return visit === undefined ? 0 : value(Math.floor(i / count), visit)
    })
  const between = Int32Array.from(visits.flatMap(({ place }) => visits.map((to) => drive(place, to.place))))
  return {
    visits: count,
    people: persons,
    between,
    fromStart: perPerson((person, { place }) => optionalDrive(people[person]?.start ?? null, (at) => drive(at, place))),
    toEnd: perPerson((person, { place }) => optionalDrive(people[person]?.end ?? null, (at) => drive(place, at))),
    minutes: Int32Array.from(visits, ({ minutes }) => minutes),
    from: Int32Array.from(visits, ({ from }) => from),
    until: Int32Array.from(visits, ({ until }) => until),
    pinnedStart: Int32Array.from(visits, ({ pinned }) => pinned?.start ?? -1),
    before: Int32Array.from(visits, ({ before }) => before ?? -1),
    unplacedCost: Int32Array.from(visits, ({ before }) => weights.unplaced * (before === null ? 1 : 2)),
    personCost: perPerson(personCost),
    spans: people.map(({ spans, maxOvertime }) => ({
      from: Int32Array.from(spans, ({ from }) => from),
      to: Int32Array.from(spans, ({ to }, i) => (i === spans.length - 1 ? to + maxOvertime : to)),
    })),
    leaves: Int32Array.from(people, ({ spans }) => spans[0]?.from ?? 0),
    regularEnd: Int32Array.from(people, ({ spans }) => spans.at(-1)?.to ?? 0),
    lastEnd: Int32Array.from(people, ({ spans, maxOvertime }) => (spans.at(-1)?.to ?? 0) + maxOvertime),
    near: visits.map((_, of) =>
      Int32Array.from([...visits.keys()].filter((other) => other !== of)).sort(
        (a, b) => at(between, of * count + a) - at(between, of * count + b) || a - b,
      ),
    ),
    drivingPrice: weights.driving,
    overtimePrice: weights.overtime,
    maxMoves: maxMoves ?? count,
  }
}

const optionalDrive = (place: number | null, drive: (place: number) => number): number =>
  place === null ? 0 : drive(place)

/** Returns an entry of a table; the planner's indices are always within it. */
export const at = (table: Int32Array, index: number): number => table[index] ?? 0

const NO_SPANS = { from: new Int32Array(), to: new Int32Array() }

export const spansOf = (tables: Tables, person: number): Tables['spans'][number] => tables.spans[person] ?? NO_SPANS
