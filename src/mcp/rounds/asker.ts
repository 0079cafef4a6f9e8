import type { Caller } from '../../identity/credentials/caller.ts'
import type { Results, Wire } from '../../tools/declare/results.ts'
import type { RecentRecord } from '../../tools/declare/define.ts'

/** Gives prompts and completions the tools of one caller, under their own checks. */
export type Asker = {
  caller: Caller
  /** Checks whether a tool exists and the caller has the scope for it. */
  may(wire: string): boolean
  /** Returns the result of a tool; its refusal is thrown. */
  ask<W extends Wire>(wire: W, input: object): Promise<Results[W]>
  /** Lists the kinds of records that the caller may read, by the words for one. */
  kinds(): string[]
  /**
   * Lists what changed last of a kind of record, named by the word for one; where nothing says that, those of its list.
   */
  recent(singular: string, most: number): Promise<RecentRecord[]>
  /** Returns an overview as Markdown; undefined where the caller may not read it. */
  overview(uri: string): Promise<string | undefined>
}
