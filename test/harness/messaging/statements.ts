import type { Client } from 'pg'
import { toClusterDialect } from '../../../src/platform/db/citus/either.ts'
import type { Database } from '../../../src/platform/db/database.ts'
import type { SendBatch, Sql } from '../../../src/platform/db/sql.ts'

/** Statement, with the statement that entered its company, if any. */
export type SentStatement = { statement: Sql; entered: Sql | undefined }

/** Returns a database that records each statement in its cluster form, with the one that entered its company. */
export function recordStatements(database: Database, sent: Map<string, SentStatement>): Database {
  const newRecorder = (): SendBatch => {
    let entered: Sql | undefined
    return toClusterDialect((statements) => {
      for (const statement of statements) {
        if (/^\s*select enter_/.test(statement.text)) entered = statement
        else if (/^\s*(?:select leave_tenant|commit|rollback)/.test(statement.text)) entered = undefined
        else if (/^\s*(?:select|insert|update|delete|with)\b/.test(statement.text))
          sent.set(statement.text, { statement, entered })
      }
      return Promise.resolve([])
    })
  }
  return {
    ...database,
    send: async (statements, options) => {
      await newRecorder()(statements)
      return database.send(statements, options)
    },
    hold: (use, options) => {
      const note = newRecorder()
      return database.hold(async (send) => {
        return use(async (statements) => {
          await note(statements)
          return send(statements)
        })
      }, options)
    },
  }
}

/** Returns the number of cluster tasks of each step of a statement, or the error if it can't be planned. */
async function stepsOf(client: Client, { statement, entered }: SentStatement): Promise<number[] | string> {
  await client.query('begin')
  try {
    if (entered !== undefined) await client.query(entered.text, entered.values)
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

/** Lists the statements that can't be planned, and a company's statements that don't run as exactly one task. */
export async function listUnroutable(
  client: Client,
  statements: ReadonlyMap<string, SentStatement>,
): Promise<string[]> {
  const found: string[] = []
  for (const [text, one] of statements) {
    const steps = await stepsOf(client, one)
    if (typeof steps === 'string' || (one.entered !== undefined && steps.some((count) => count !== 1)))
      found.push(`${String(steps)}: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
  }
  return found
}
