import type { Sql } from 'sql-template-tag'
import type { Send, StatementResult } from '../batch.ts'
import { BEGIN, COMMIT, ROLLBACK } from '../transaction.ts'

/**
 * Sends statements as one transaction that is begun and ended in words: without them a cluster doesn't tell its other
 * machines which tenant was entered. It is one round trip all the same, and a second one after an error.
 */
export async function explicitly(send: Send, statements: readonly Sql[]): Promise<StatementResult[]> {
  if (statements.length === 1) return send(statements)
  try {
    return (await send([BEGIN, ...statements, COMMIT])).slice(1, -1)
  } catch (error) {
    await send([ROLLBACK]).catch(() => {})
    throw error
  }
}
