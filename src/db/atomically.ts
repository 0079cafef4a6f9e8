import { sql, type Database } from './database.ts'

/** Runs several round trips as one transaction outside any tenant: all of it or nothing. */
export const atomically = <T>(database: Database, work: (send: Database['send']) => Promise<T>): Promise<T> =>
  database.hold(async (send) => {
    await send([sql`begin`])
    try {
      const done = await work(send)
      await send([sql`commit`])
      return done
    } catch (error) {
      await send([sql`rollback`]).catch(() => {})
      throw error
    }
  })
