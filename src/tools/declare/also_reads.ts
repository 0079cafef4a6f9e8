import type { Caller } from '../../identity/credentials/caller.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { refusals } from '../call/refusals.ts'

/** Requires the scope of other records that an input of a list shows. */
export function requireAlsoReads({ scopes }: Caller, what: string, scope: Scope): void {
  if (!scopes.has(scope))
    throw new Refusal('insufficient_scope', [{ path: '', rule: refusals.noScope({ tool: what, scope }) }])
}
