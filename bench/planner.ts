import { planDay } from '../src/scheduling/planner/plan_day.ts'
import { optimumOf } from '../test/scheduling/plan_oracle.ts'
import { INSTANCES, dayOf, distanceOf } from '../test/scheduling/solomon.ts'
import { randomDay, type DaySize } from '../test/scheduling/random_days.ts'

// node bench/planner.ts: processor time of a plan by size, and its cost compared with the optimum of small days, or with a plan
// with ten times the effort.
const DAYS = Number(process.argv[2] ?? 10)

const SIZES: readonly DaySize[] = [
  { visits: 9, people: 2 },
  { visits: 12, people: 1 },
  { visits: 20, people: 4 },
  { visits: 40, people: 6 },
  { visits: 60, people: 8 },
  { visits: 120, people: 15 },
  { visits: 200, people: 25 },
]

/** Returns a result and the processor milliseconds that it took. */
function measure<T>(work: () => T): { result: T; ms: number } {
  const before = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(before)
  return { result, ms: (user + system) / 1000 }
}

for (let seed = 0; seed < 5; seed++) planDay(randomDay(seed, { visits: 60, people: 8 }))
process.stdout.write('visits people   ms median    ms max   best/cost  compared with\n')
for (const size of SIZES) {
  const times: number[] = []
  let [cost, best] = [0, 0]
  const isExact = size.visits <= 12
  for (let seed = 100; seed < 100 + DAYS; seed++) {
    const day = randomDay(seed, size)
    const { result, ms } = measure(() => planDay(day))
    times.push(ms)
    cost += result.cost
    best += isExact ? optimumOf(day) : planDay({ ...day, effort: Math.min(day.effort * 10, 20_000_000) }).cost
  }
  times.sort((a, b) => a - b)
  const [middle = 0, max = 0] = [times[Math.floor(times.length / 2)], times.at(-1)]
  process.stdout.write(
    `${String(size.visits).padStart(6)} ${String(size.people).padStart(6)} ${middle.toFixed(1).padStart(11)} ${max.toFixed(1).padStart(9)} ` +
      `${((100 * best) / cost).toFixed(2).padStart(10)} %  ${isExact ? 'the optimum' : 'ten times the effort'}\n`,
  )
}
for (const instance of INSTANCES) {
  const { result, ms } = measure(() => planDay(dayOf(instance)))
  const distance = distanceOf(result.routes.reduce((sum, { driving }) => sum + driving, 0))
  process.stdout.write(
    `${instance.name.padEnd(6)} distance ${distance}, best known ${instance.best}, ${ms.toFixed(0)} ms\n`,
  )
}
