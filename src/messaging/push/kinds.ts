import { isOffice, type Role } from '../../identity/permissions/areas.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'

/** What browsers can be told of, with who may hear of it. */
const KINDS = {
  visits: { scope: 'read:jobs', isOffices: false },
  messages: { scope: 'read:communications', isOffices: true },
  quotes: { scope: 'read:quotes', isOffices: true },
  late: { scope: 'read:jobs', isOffices: true },
} as const satisfies Record<string, { scope: Scope; isOffices: boolean }>

export type PushKind = keyof typeof KINDS

export const PUSH_KINDS = ['visits', 'messages', 'quotes', 'late'] as const satisfies readonly PushKind[]

/** A member's role and rights as they are at that moment. */
type Listener = { role: Role | null; scopes: ReadonlySet<Scope> }

/** Returns the kinds that a member may hear of. */
export const kindsFor = (listener: Listener): PushKind[] =>
  PUSH_KINDS.filter((kind) => {
    const { scope, isOffices } = KINDS[kind]
    return listener.scopes.has(scope) && (!isOffices || isOffice(listener))
  })
