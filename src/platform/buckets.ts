/** Upper bounds in seconds for round trips. */
export const ROUND_TRIP_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Upper bounds in seconds for responses that a person waits for. */
export const ANSWER_BOUNDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Counts durations by bucket, at about ten nanoseconds each. The last count is for durations above every bound. */
export class Buckets {
  readonly bounds: readonly number[]
  readonly counts: Float64Array
  /** Sum in seconds. */
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(ms: number): void {
    const seconds = ms / 1_000
    let index = 0
    for (const bound of this.bounds) {
      if (seconds <= bound) break
      index++
    }
    this.counts[index] = (this.counts[index] ?? 0) + 1
    this.sum += seconds
  }
}

/** Wait times for a database connection, and durations of round trips. */
export type DatabaseTimes = { wait: Buckets; roundTrip: Buckets }
