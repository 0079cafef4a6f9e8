import type { Client } from 'pg'
import { routed } from '../../src/db/citus/routed.ts'
import type { Database, Sql } from '../../src/db/database.ts'

/** Is a statement of a company, and the one by which its company was entered. */
export type SentStatement = { statement: Sql; entered: Sql }

/** Returns a database that notes each statement of a company as a cluster gets it, with the one that entered. */
export function noting(database: Database, sent: Map<string, SentStatement>): Database {
  const noter = (): Database['send'] => {
    let entered: Sql | undefined
    return routed((statements) => {
      for (const statement of statements) {
        if (/^\s*select enter_/.test(statement.text)) entered = statement
        else if (entered !== undefined && /^\s*(?:select|insert|update|delete|with)\b/.test(statement.text))
          sent.set(statement.text, { statement, entered })
      }
      return Promise.resolve([])
    })
  }
  return {
    ...database,
    send: async (statements, options) => {
      await noter()(statements)
      return database.send(statements, options)
    },
    hold: (use, options) => {
      const note = noter()
      return database.hold(async (send) => {
        return use(async (statements) => {
          await note(statements)
          return send(statements)
        })
      }, options)
    },
  }
}

/** Returns how many machines each step of a statement reaches, or why it can't be run. */
async function stepsOf(client: Client, { statement, entered }: SentStatement): Promise<number[] | string> {
  await client.query('begin')
  try {
    await client.query(entered.text, entered.values)
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) ${statement.text}`,
      statement.values as unknown[],
    )
    return rows.flatMap((row) =>
      [...row['QUERY PLAN'].matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)),
    )
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.query('rollback')
  }
}

/** Lists the statements that reach another number of machines than one, or can't be run. */
export async function elsewhere(client: Client, statements: ReadonlyMap<string, SentStatement>): Promise<string[]> {
  const found: string[] = []
  for (const [text, one] of statements) {
    const steps = await stepsOf(client, one)
    if (typeof steps === 'string' || steps.some((count) => count !== 1))
      found.push(`${String(steps)}: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
  }
  return found
}
