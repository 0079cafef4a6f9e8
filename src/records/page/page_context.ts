import type { Caller } from '../../identity/credentials/caller.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import type { Db } from '../../platform/db/tenant.ts'
import type { Entity, Verb } from '../../tools/declare/define.ts'
import type { Results, Wire } from '../../tools/declare/results.ts'

/** Record as a tool returns it, or a row of a list. */
export type RecordView = { id: string; warnings?: readonly string[] } & Record<string, unknown>

/** Page of a list. */
export type ListPage = { rows: RecordView[]; hasMore: boolean; nextCursor?: string | null; total_capped?: boolean }

/** Context of a page: its user, their rights, and the tools, which treat them like any caller. */
export type PageContext = {
  readonly caller: Caller
  readonly user: { id: string; name: string }
  readonly company: { id: string; name: string; timezone: string; currency: string; country: string }
  may(scope: Scope): boolean
  /** Returns the result of a tool or action, by wire name. Throws its `Refusal`. */
  call<W extends Wire>(wire: W, input?: Readonly<Record<string, unknown>>): Promise<Results[W]>
  /** Does the same for a generic entity, with the common part of the results: a page of a list, or a record. */
  callOf<V extends Verb>(
    entity: Entity,
    verb: V,
    input?: Readonly<Record<string, unknown>>,
  ): Promise<V extends 'list' | 'search' ? ListPage : RecordView>
  /** Reads data that no tool returns and that this person may see. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Returns the path of a page of the company: `path('jobs', id)`. */
  path(...steps: string[]): string
}
