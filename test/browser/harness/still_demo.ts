import { Client } from 'pg'
import { ExamClock } from '../../../src/exam/environment/clock.ts'
import { startDemo, type DemoSite } from './demo_site.ts'

/** The demo company at a fixed moment, in the service and its database. */
export type StillDemo = DemoSite & {
  /** Resets the clock to that moment, from which it runs on. */
  turnBack(): Promise<void>
}

/** Starts the service with the demo company on the same day each time. */
export async function startStillDemo(): Promise<StillDemo> {
  const clock = new ExamClock()
  let owner: Client | undefined
  const end = (): Promise<void> => Promise.resolve(owner?.end()).finally(() => clock.restore())
  clock.install()
  try {
    const site = await startDemo(
      {},
      {
        prepare: async (database) => {
          owner = new Client(database)
          await owner.connect()
          await clock.prepare(owner)
        },
      },
    )
    return { ...site, turnBack: async () => owner && clock.begin(owner), stop: () => end().then(site.stop) }
  } catch (error) {
    await end()
    throw error
  }
}
