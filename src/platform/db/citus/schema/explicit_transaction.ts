import type { SendBatch, Sql, StatementResult } from '../../sql.ts'
import { BEGIN, COMMIT, ROLLBACK } from '../../transaction.ts'

/**
 * Sends statements in one transaction with an explicit BEGIN and COMMIT. Without them a cluster doesn't tell its other
 * machines which tenant an earlier statement or the called function entered. Takes one round trip, and a second one
 * after an error.
 */
export async function sendInTransaction(send: SendBatch, statements: readonly Sql[]): Promise<StatementResult[]> {
  const [first] = statements
  if (first === undefined || (statements.length === 1 && !FUNCTION_CALL.test(first.text))) return send(statements)
  try {
    return (await send([BEGIN, ...statements, COMMIT])).slice(1, -1)
  } catch (error) {
    await send([ROLLBACK]).catch(() => {})
    throw error
  }
}

/** Sends statements outside a transaction in an explicit one, on one held connection. */
export function withExplicitTransactions(send: SendBatch): SendBatch {
  let isOpen = false
  return (statements) => {
    const wasOpen = isOpen
    for (const { text } of statements) isOpen = BEGIN_STATEMENT.test(text) || (isOpen && !END_STATEMENT.test(text))
    return wasOpen || statements.some(({ text }) => BEGIN_STATEMENT.test(text))
      ? send(statements)
      : sendInTransaction(send, statements)
  }
}

const BEGIN_STATEMENT = /^\s*begin\b/
const END_STATEMENT = /^\s*(?:commit|rollback)\s*$/

/** Matches a call of a function, which may enter a tenant. */
const FUNCTION_CALL = /^\s*select [a-z_]+\(/
