import type { Database } from '../../../src/platform/db/database.ts'

/** Called before each step of a run. */
export type Step = (number: number) => Promise<void>

/** Returns a database that runs a hook before each round trip, and a wrapper that counts other work as a step. */
export function countSteps(database: Database, before: Step) {
  let steps = 0
  const step = (): Promise<void> => before(++steps)
  const hold: Database['hold'] = (use, signal) =>
    database.hold(
      (send) =>
        use(async (statements) => {
          await step()
          return send(statements)
        }),
      signal,
    )
  return {
    database: { ...database, hold, send: (statements) => hold((send) => send(statements)) } satisfies Database,
    /** Runs work between two steps. */
    between: async <T>(work: () => Promise<T>): Promise<T> => {
      await step()
      const done = await work()
      await step()
      return done
    },
  }
}

/** Thrown at and after a given step, as if the process had died. */
export class SimulatedDeath extends Error {}

export const dieAt =
  (last: number): Step =>
  (number) =>
    number >= last ? Promise.reject(new SimulatedDeath()) : Promise.resolve()
