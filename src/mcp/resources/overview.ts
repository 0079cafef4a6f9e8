import type { Scope } from '../../identity/permissions/scopes.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import type { Wire } from '../../tools/declare/results.ts'
import type { ToolCatalog } from '../../tools/declare/catalog.ts'
import type { Completer } from '../completions.ts'
export { truncate } from '../../platform/validation/text/truncate.ts'
import type { OverviewSheet } from './sheet.ts'

/** URI scheme of overviews, independent of the service's name. */
export const OVERVIEWS_SCHEME = 'callout://'

/** Context of reading an overview: one tenant's rows under its caller's rights, in one transaction. */
export type OverviewContext = RunContext & {
  tools: ToolCatalog['tools']
  /** Checks whether a tool exists, isn't filtered out, and is within the caller's scopes. */
  may(wire: Wire): boolean
}

/** Content of one address that is not a single record (docs/spec/tools.md#overviews). */
export type Overview = {
  /** Path after the scheme; a name in braces is a variable. */
  path: string
  name: string
  title: string
  description: string
  /** Tools whose records it shows. A caller needs access to all of them. */
  tools: readonly Wire[]
  /** Additional scope, for content that no tool shows. */
  scope?: Scope
  completes?: Readonly<Record<string, Completer>>
  /** Reads it: undefined if the variables lead to nothing, a function for work that needs no database connection. */
  read(
    by: OverviewContext,
    variables: Readonly<Record<string, string>>,
  ): Promise<OverviewSheet | (() => Promise<OverviewSheet>) | undefined>
}
