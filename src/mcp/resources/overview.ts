import type { Scope } from '../../identity/permissions/scopes.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import type { Wire } from '../../tools/declare/results.ts'
import type { ToolCatalog } from '../../tools/declare/catalog.ts'
import type { Complete } from '../completions.ts'
export { truncate } from '../../platform/validation/text/truncate.ts'
import type { OverviewSheet } from './sheet.ts'

/** Begins the addresses of overviews, whatever the service is called. */
export const OVERVIEWS_SCHEME = 'callout://'

/** Holds what an overview is read with: one tenant's rows under its caller's rights, in one transaction. */
export type OverviewContext = RunContext & {
  tools: ToolCatalog['tools']
  /** Checks whether a tool exists, is not filtered out, and has its scope. */
  may(wire: Wire): boolean
}

/** Describes what is read by one address and stands on no single record (docs/spec/tools.md#overviews). */
export type Overview = {
  /** Follows the scheme; what stands in braces is a variable. */
  path: string
  name: string
  title: string
  says: string
  /** Names the tools whose records it shows: it is there for whoever may call them all. */
  tools: readonly Wire[]
  /** What it needs besides, of what no tool shows. */
  scope?: Scope
  completes?: Readonly<Record<string, Complete>>
  /** Reads it; undefined where the variables lead to nothing, a function for work that needs no connection. */
  read(
    by: OverviewContext,
    variables: Readonly<Record<string, string>>,
  ): Promise<OverviewSheet | (() => Promise<OverviewSheet>) | undefined>
}
