import type { Caller } from '../../identity/credentials/caller.ts'
import type { Results, Wire } from '../../tools/declare/results.ts'
import type { RecentRecord } from '../../tools/declare/define.ts'

/** Access of prompts and completions to one caller's tools, under the tools' own checks. */
export type ToolAccess = {
  caller: Caller
  /** Checks whether a tool exists and the caller has its scope. */
  may(wire: string): boolean
  /** Returns the result of a tool. Throws its refusal. */
  call<W extends Wire>(wire: W, input: object): Promise<Results[W]>
  /** Lists the kinds of records that the caller may read, by singular name. */
  kinds(): string[]
  /**
   * Lists the recently changed records of a kind, given by its singular name; otherwise the first records of its list.
   */
  recent(singular: string, limit: number): Promise<RecentRecord[]>
  /** Returns an overview as Markdown; undefined if the caller may not read it. */
  overview(uri: string): Promise<string | undefined>
}
