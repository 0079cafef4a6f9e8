import type { Caller } from '../access/credentials/caller.ts'
import type { Scope } from '../access/rights/scopes.ts'
import type { Db } from '../db/tenant.ts'

/** Holds a record as a tool answers it, or a row of a list. */
export type Shown = { id: string } & Record<string, unknown>

/** Holds what a page may use: who looks, what they may do, and the tools, which answer and refuse them like any caller. */
export type PageContext = {
  readonly caller: Caller
  readonly user: { id: string; name: string }
  readonly company: { id: string; name: string; timezone: string; currency: string; country: string }
  may(scope: Scope): boolean
  /** Returns the result of a tool or action, by wire name. Throws its `Refusal`. */
  call<T = Shown>(wire: string, given?: Record<string, unknown>): Promise<T>
  /** Reads, beyond the tools, what this person may see. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Returns the path of a page of the company: `path('jobs', id)`. */
  path(...steps: string[]): string
}
