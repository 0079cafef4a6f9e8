import type { SendBatch, Sql, StatementResult } from '../../sql.ts'
import { BEGIN, COMMIT, ROLLBACK } from '../../transaction.ts'

/**
 * Sends statements as one transaction that is begun and ended in words: without them a cluster doesn't tell its other
 * machines which tenant was entered, by a statement before or by the function that is called. It is one round trip all
 * the same, and a second one after an error.
 */
export async function sendInTransaction(send: SendBatch, statements: readonly Sql[]): Promise<StatementResult[]> {
  const [first] = statements
  if (first === undefined || (statements.length === 1 && !CALLS.test(first.text))) return send(statements)
  try {
    return (await send([BEGIN, ...statements, COMMIT])).slice(1, -1)
  } catch (error) {
    await send([ROLLBACK]).catch(() => {})
    throw error
  }
}

/** Sends what comes outside of a transaction explicitly, on the connection that is held. */
export function withExplicitTransactions(send: SendBatch): SendBatch {
  let isOpen = false
  return (statements) => {
    const wasOpen = isOpen
    for (const { text } of statements) isOpen = BEGINS.test(text) || (isOpen && !ENDS.test(text))
    return wasOpen || statements.some(({ text }) => BEGINS.test(text))
      ? send(statements)
      : sendInTransaction(send, statements)
  }
}

const BEGINS = /^\s*begin\b/
const ENDS = /^\s*(?:commit|rollback)\s*$/

/** Matches a call of a function, which may enter a tenant. */
const CALLS = /^\s*select [a-z_]+\(/
