import type { Caller } from '../../identity/credentials/caller.ts'
import type { Database, Db } from '../../platform/db/tenant.ts'
import type { ToolCatalog, ListedTool } from '../../tools/declare/catalog.ts'
import type { Outcome } from '../../tools/call/outcome.ts'
import { parseArguments } from '../../tools/call/problems.ts'
import type { Wire } from '../../tools/declare/results.ts'
import type { Remark } from '../reading/incoming.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Context of an import. `withCaller` runs work with the caller's current rights, and again if they have changed. */
export type ImportContext = {
  database: Database
  actions: ToolCatalog['tools']
  baseUrl: string
  withCaller<T>(work: (caller: Caller) => Promise<T>): Promise<T>
}

/** Writes of one tool call, for the audit. */
export type ToolWrite = { listed: ListedTool; outcome: Outcome }

/** Result of importing a record; for an invoice or a quote, with its total and the part still owed. */
export type ImportRowResult = {
  status: 'made' | 'updated' | 'skipped'
  id: string
  name: string
  writes: readonly ToolWrite[]
  remarks?: readonly Remark[]
  total_cents?: number
  owed_cents?: number
}

/** Runs a tool inside a transaction, with the rights of its caller. */
export async function runTool(
  { actions, baseUrl }: ImportContext,
  caller: Caller,
  db: Db,
  wire: Wire,
  input: Record<string, unknown>,
): Promise<ToolWrite> {
  const listed = requireValue(actions.get(wire), 'The tool of an import')
  return { listed, outcome: await listed.tool.run({ db, caller, baseUrl }, parseArguments(listed.tool, input)) }
}
