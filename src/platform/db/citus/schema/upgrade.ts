import type { Client } from 'pg'
import { flawError } from '../../migrations/flaw.ts'
import { evenDefaults } from './defaults.ts'
import { fitFunctions } from './functions.ts'
import { distributeNewTables } from '../distribute.ts'
import { placements } from './placement.ts'
import { alterationsOf, withoutComments, statementsIn } from '../statements.ts'
import { errorMessage } from '../../../errors/error_code.ts'

/**
 * Applies a migration to distributed tables, statement by statement within the open transaction. A new table is
 * distributed before another references it, the rest at the end; then functions are adapted.
 */
export async function applyDistributed(client: Client, text: string): Promise<void> {
  await applyStatements(client, text).catch((cause: unknown) => {
    throw flawError(
      {
        says: `a Citus cluster doesn't take it, and nothing of it was changed: ${errorMessage(cause)}`,
        mend:
          'go on with the version before, or take the companies to a database by itself: ' +
          'callout tenant export, and import there',
      },
      cause,
    )
  })
}

async function applyStatements(client: Client, text: string): Promise<void> {
  for (const statement of statementsIn(text)) {
    if (REFERS.test(withoutComments(statement))) await distributeNewTables(client)
    for (const step of alterationsOf(statement)) if (!(await isKeyOfCopy(client, step))) await client.query(step)
  }
  await distributeNewTables(client)
  await evenDefaults(client)
  await fitFunctions(client)
}

const REFERS = /^alter table .* references /i

/** Checks whether a statement adds a foreign key from a reference table to a distributed one: clusters refuse it. */
async function isKeyOfCopy(client: Client, statement: string): Promise<boolean> {
  const [, of, to = ''] =
    /^alter table ([a-z_]+) add (?:constraint [a-z_]+ )?foreign key .* references ([a-z_]+)/i.exec(statement) ?? []
  if (of === undefined) return false
  const lies = new Map((await placements(client)).map(({ table, by }) => [table, by]))
  return lies.get(of) === null && lies.get(to) !== null
}
