import type { PeriodicTask } from '../../src/worker/periodic_task.ts'

/** US time zones, with the percentage of companies in each, by population. */
const ZONES: readonly [zone: string, share: number][] = [
  ['America/New_York', 47],
  ['America/Chicago', 29],
  ['America/Denver', 7],
  ['America/Los_Angeles', 17],
]

/** Result of one day: hours of work, and how long due tasks wait, in minutes. */
export type DayResult = { processes: number; hoursOfWork: number; waits: Record<string, number>; longest: number }

/**
 * Simulates a day of the worker for a number of companies. Each task is due by its own schedule in its company's zone, and
 * the first free process takes the task that was due first, as claims do. `seconds` is the time for one company's task,
 * with its claim.
 */
export function simulateDay(
  companies: number,
  tasks: readonly PeriodicTask[],
  seconds: Readonly<Record<string, number>>,
  processes: number,
): DayResult {
  const start = Temporal.Instant.from('2026-11-18T20:00:00Z')
  const end = start.add({ hours: 24 })
  const due: { at: number; count: number; name: string }[] = []
  for (const task of tasks)
    for (const [zone, share] of ZONES)
      for (
        let at = task.next(start, zone);
        at !== null && Temporal.Instant.compare(at, end) < 0;
        at = task.next(at, zone)
      )
        due.push({ at: at.epochMilliseconds / 1000, count: Math.round((companies * share) / 100), name: task.name })
  due.sort((a, b) => a.at - b.at)
  const free = Array.from({ length: processes }, () => 0)
  const waits: Record<string, number> = {}
  let work = 0
  for (const { at, count, name } of due) {
    for (let i = 0; i < count; i++) {
      const first = free.indexOf(Math.min(...free))
      const begun = Math.max(at, free[first]!)
      free[first] = begun + seconds[name]!
      work += seconds[name]!
      waits[name] = Math.max(waits[name] ?? 0, (free[first]! - at) / 60)
    }
  }
  return { processes, hoursOfWork: work / 3600, waits, longest: Math.max(...Object.values(waits)) }
}
