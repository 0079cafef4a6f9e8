import { onlyRow, sql, type Database, type Db } from './tenant.ts'

/** Returns the time on the database's clock, which every process shares. */
export const readClock = async (db: Db): Promise<string> =>
  (await db.one<{ now: string }>(sql`select moment() as now`)).now

/** Returns the login that the service's connections use. */
export async function findLogin(database: Database): Promise<string> {
  const [answer] = await database.send([sql<{ login: string }>`select session_user as login`])
  return onlyRow(answer).login
}
