import { isOffice, type Role } from '../../identity/permissions/areas.ts'
import type { Scope } from '../../identity/permissions/scopes.ts'

/** Kinds of push messages, and who may receive them. */
const KINDS = {
  visits: { scope: 'read:jobs', isOffices: false },
  messages: { scope: 'read:communications', isOffices: true },
  quotes: { scope: 'read:quotes', isOffices: true },
  late: { scope: 'read:jobs', isOffices: true },
} as const satisfies Record<string, { scope: Scope; isOffices: boolean }>

export type PushKind = keyof typeof KINDS

export const PUSH_KINDS = ['visits', 'messages', 'quotes', 'late'] as const satisfies readonly PushKind[]

/** A member's current role and scopes. */
type MemberAccess = { role: Role | null; scopes: ReadonlySet<Scope> }

/** Returns the kinds that a member may receive. */
export const kindsFor = (member: MemberAccess): PushKind[] =>
  PUSH_KINDS.filter((kind) => {
    const { scope, isOffices } = KINDS[kind]
    return member.scopes.has(scope) && (!isOffices || isOffice(member))
  })
