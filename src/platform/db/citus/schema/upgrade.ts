import type { Client } from 'pg'
import { flawError } from '../../migrations/flaw.ts'
import { alignDefaults } from './defaults.ts'
import { adaptFunctions } from './functions.ts'
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
        says: `a Citus cluster can't apply it, and nothing was changed: ${errorMessage(cause)}`,
        mend:
          'keep the previous version, or move the companies to a single database: ' +
          'run callout tenant export here and callout tenant import there',
      },
      cause,
    )
  })
}

async function applyStatements(client: Client, text: string): Promise<void> {
  for (const statement of statementsIn(text)) {
    if (ADDS_REFERENCE.test(withoutComments(statement))) await distributeNewTables(client)
    for (const step of alterationsOf(statement))
      if (!(await isKeyOfReferenceTable(client, step))) await client.query(step)
  }
  await distributeNewTables(client)
  await alignDefaults(client)
  await adaptFunctions(client)
}

const ADDS_REFERENCE = /^alter table .* references /i

/** Checks whether a statement adds a foreign key from a reference table to a distributed one: clusters refuse it. */
async function isKeyOfReferenceTable(client: Client, statement: string): Promise<boolean> {
  const [, from, to = ''] =
    /^alter table ([a-z_]+) add (?:constraint [a-z_]+ )?foreign key .* references ([a-z_]+)/i.exec(statement) ?? []
  if (from === undefined) return false
  const columns = new Map((await placements(client)).map(({ table, by }) => [table, by]))
  return columns.get(from) === null && columns.get(to) !== null
}
