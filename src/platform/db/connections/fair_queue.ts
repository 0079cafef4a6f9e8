import { Unavailable } from '../../errors/refusal.ts'
import { requireValue } from '../../errors/require_value.ts'

export type FairQueueLimits = {
  /** Maximum number of tasks that run at once, across all companies. */
  maxRunning: number
  /** Maximum number of tasks per company that wait or run. */
  maxPerCompany: number
  /** Maximum number of tasks that wait or run, across all companies. */
  maxTotal: number
  /** Text of the refusal for the log. */
  refusal: string
}

/**
 * Runs a company's task in its turn and returns its result. Throws `Unavailable` without starting it if the queue is
 * full.
 */
type FairQueue = <T>(company: string, work: () => Promise<T>) => Promise<T>

/**
 * Creates a round-robin queue over companies: however many tasks one company adds, another company's next task waits
 * for at most one task of each.
 */
export function newFairQueue({ maxRunning, maxPerCompany, maxTotal, refusal }: FairQueueLimits): FairQueue {
  /** Waiting tasks by company, in the order of the companies' turns. */
  const waiting = new Map<string, (() => void)[]>()
  const counts = new Map<string, number>()
  let total = 0
  let running = 0

  function startNext(): void {
    while (running < maxRunning) {
      const next = waiting.entries().next().value
      if (next === undefined) return
      const [company, starts] = next
      const start = starts.shift()
      // The company that was served goes to the end.
      waiting.delete(company)
      if (starts.length > 0) waiting.set(company, starts)
      if (start === undefined) continue
      running++
      start()
    }
  }

  function finish(company: string): void {
    total--
    running--
    const remaining = requireValue(counts.get(company), 'The count of a company') - 1
    if (remaining === 0) counts.delete(company)
    else counts.set(company, remaining)
    startNext()
  }

  return async (company, work) => {
    const count = counts.get(company) ?? 0
    if (count >= maxPerCompany || total >= maxTotal) throw new Unavailable(refusal, { seconds: 5 })
    counts.set(company, count + 1)
    total++
    const slot = Promise.withResolvers<void>()
    const starts = waiting.get(company)
    if (starts === undefined) waiting.set(company, [slot.resolve])
    else starts.push(slot.resolve)
    startNext()
    await slot.promise
    try {
      return await work()
    } finally {
      finish(company)
    }
  }
}
