import { DEFAULT_WEIGHTS, type PlanProblem } from '../../src/scheduling/planner/problem.ts'

// Solomon's instances of 1987 with 25 customers and published data. Distances are truncated to one decimal, as in the
// literature. `best` is the best known total distance, `vehicles` its number of vehicles.

/** Instance with customers as x, y, demand, ready time, due time. The first one is the depot. */
type Instance = { name: string; best: number; vehicles: number; service: number; customers: readonly Customer[] }
type Customer = readonly [x: number, y: number, demand: number, ready: number, due: number]

const CAPACITY = 200

/** x, y and demand of class R1 customers, depot first. */
const R1 = numbersIn(
  '35-35-0 41-49-10 35-17-7 55-45-13 55-20-19 15-30-26 25-30-3 20-50-5 10-43-9 55-60-16 30-60-16 20-65-12 50-35-19 ' +
    '30-25-23 15-10-20 30-5-8 10-20-19 5-30-2 20-40-12 15-60-17 45-65-9 45-20-11 45-10-18 55-5-29 65-35-3 65-20-6',
)

/** x, y and demand of class C1 customers, depot first. */
const C1 = numbersIn(
  '40-50-0 45-68-10 45-70-30 42-66-10 42-68-10 42-65-10 40-69-20 40-66-20 38-68-20 38-70-10 35-66-10 35-69-10 25-85-20 ' +
    '22-75-30 22-85-10 20-80-40 20-85-40 18-75-20 15-75-20 15-80-10 30-50-10 30-52-20 28-52-20 28-55-10 25-50-10 25-52-40',
)

/** x, y and demand of class RC1 customers, depot first. */
const RC1 = numbersIn(
  '40-50-0 25-85-20 22-75-30 22-85-10 20-80-40 20-85-20 18-75-20 15-75-20 15-80-10 10-35-20 10-40-30 8-40-40 8-45-20 ' +
    '5-35-10 5-45-10 2-40-20 0-40-20 0-45-20 44-5-20 42-10-40 42-15-10 40-5-10 40-15-40 38-5-30 38-15-10 35-5-20',
)

/** Time windows by instance, depot first. */
const R101 = numbersIn(
  '0-230 161-171 50-60 116-126 149-159 34-44 99-109 81-91 95-105 97-107 124-134 67-77 63-73 159-169 32-42 61-71 75-85 ' +
    '157-167 87-97 76-86 126-136 62-72 97-107 68-78 153-163 172-182',
)
const R105 = numbersIn(
  '0-230 151-181 40-70 106-136 139-169 24-54 89-119 71-101 85-115 87-117 114-144 57-87 53-83 149-179 32-62 51-81 65-95 ' +
    '147-177 77-107 66-96 116-146 52-82 87-117 58-88 143-173 156-186',
)
const C101 = numbersIn(
  '0-1236 912-967 825-870 65-146 727-782 15-67 621-702 170-225 255-324 534-605 357-410 448-505 652-721 30-92 567-620 ' +
    '384-429 475-528 99-148 179-254 278-345 10-73 914-965 812-883 732-777 65-144 169-224',
)
const C105 = numbersIn(
  '0-1236 885-994 802-893 25-186 699-810 15-120 580-743 142-253 220-359 499-640 331-436 420-533 617-756 30-155 541-646 ' +
    '362-451 448-555 75-172 142-291 244-379 10-137 888-991 776-919 709-800 25-184 142-251',
)
const RC101 = numbersIn(
  '0-240 145-175 50-80 109-139 141-171 41-71 95-125 79-109 91-121 91-121 119-149 59-89 64-94 142-172 35-65 58-88 72-102 ' +
    '149-179 87-117 72-102 122-152 67-97 92-122 65-95 148-178 154-184',
)

function numbersIn(text: string): number[][] {
  return text.split(' ').map((one) => one.split('-').map(Number))
}

const join = (points: number[][], times: number[][]): Customer[] =>
  points.map(([x = 0, y = 0, demand = 0], i) => [x, y, demand, times[i]?.[0] ?? 0, times[i]?.[1] ?? 0])

export const INSTANCES: readonly Instance[] = [
  { name: 'R101', best: 617.1, vehicles: 8, service: 10, customers: join(R1, R101) },
  { name: 'R105', best: 530.5, vehicles: 6, service: 10, customers: join(R1, R105) },
  { name: 'C101', best: 191.3, vehicles: 3, service: 90, customers: join(C1, C101) },
  { name: 'C105', best: 191.3, vehicles: 3, service: 90, customers: join(C1, C105) },
  { name: 'RC101', best: 461.1, vehicles: 4, service: 10, customers: join(RC1, RC101) },
]

/** Scale factor for distances with one decimal. */
const SCALE = 10

/** Converts an instance to a day. Vehicles are people, and one unit is ten minutes. */
export function dayOf({ customers, service, vehicles }: Instance): PlanProblem {
  const travel = customers.flatMap(([x, y]) =>
    customers.map(([a, b]) => Math.floor(Math.hypot(x - a, y - b) * SCALE + 1e-9)),
  )
  const visits = customers
    .slice(1)
    .map(([, , , ready, due], i) => ({
      place: i + 1,
      minutes: service * SCALE,
      from: ready * SCALE,
      until: due * SCALE,
      people: null,
      pinned: null,
      before: null,
      prefers: null,
    }))
  const spans = [{ from: 0, to: customers[0]![4] * SCALE }]
  const people = Array.from({ length: vehicles }, () => ({ spans, start: 0, end: 0, maxOvertime: 0 }))
  const weights = { ...DEFAULT_WEIGHTS, unplaced: 1_000_000 }
  const places = customers.length
  return { visits, people, travel, places, weights, maxMoves: null, seed: 1, effort: 1_000_000 }
}

/** Converts driving minutes back to a distance. */
export const distanceOf = (driving: number): number => driving / SCALE

/** Checks vehicle capacity, which days don't have. */
export const isWithinCapacity = ({ customers }: Instance, visits: readonly number[]): boolean =>
  visits.reduce((load, visit) => load + customers[visit + 1]![2], 0) <= CAPACITY
