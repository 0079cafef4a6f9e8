import {
  byArea,
  AREAS,
  DEFAULT_CEILINGS,
  LEVELS,
  TOOL_AREAS,
  ceilingOfGrant,
  proposesOf,
  scopesUnder,
  type Area,
  type Ceiling,
  type Level,
} from '../../permissions/areas.ts'
import type { Membership } from '../../people/memberships.ts'
import type { Scope } from '../../permissions/scopes.ts'
import type { Consent, Offer } from '../port.ts'

type AllowList = ReadonlySet<Scope> | null

/**
 * Returns what a member can give: each area with a scope in the allow list, up to their ceiling
 * (docs/spec/oauth.md#areas-and-ceilings).
 */
export const offerOf = (membership: Membership, allowed: AllowList): Offer => ({
  tenant: { id: membership.company.id, name: membership.company.name },
  role: membership.role,
  areas: TOOL_AREAS.filter((area) => isOffered(area, allowed)).map((area) => ({
    area,
    maxLevel: maxLevel(area, ceilingOf(membership), allowed),
  })),
})

/** Returns the scopes of the chosen areas, within the ceiling and the allow list. */
export function scopesToGrant(chosen: Consent['areas'], membership: Membership, allowed: AllowList): Scope[] {
  const [ceiling, grantCeiling] = [ceilingOf(membership), ceilingOfGrant(chosen)]
  const levels = byArea((area) => (TOOL_AREAS.includes(area) ? lower(grantCeiling[area], ceiling[area]) : 'none'))
  return [...limitScopes(scopesUnder(levels), allowed)].sort()
}

/** Returns the granted scopes under which the client only proposes. */
export const scopesToPropose = (chosen: Consent['areas'], granted: readonly Scope[]): Scope[] =>
  proposesOf(chosen).filter((scope) => granted.includes(scope))

/** Returns the scopes of a grant that the member may still give. */
export const activeScopes = (scopes: ReadonlySet<Scope>, membership: Membership, allowed: AllowList): Set<Scope> =>
  limitScopes(scopes.intersection(scopesUnder(ceilingOf(membership))), allowed)

const ceilingOf = ({ role, ceiling }: Membership): Ceiling => (role === 'owner' ? DEFAULT_CEILINGS.owner : ceiling)

const lower = (a: Level, b: Level): Level => (LEVELS.indexOf(a) < LEVELS.indexOf(b) ? a : b)

const limitScopes = (scopes: Set<Scope>, allowed: AllowList): Set<Scope> =>
  allowed === null ? scopes : scopes.intersection(allowed)

const isOffered = (area: Area, allowed: AllowList): boolean =>
  allowed === null || AREAS[area].some((subject) => allowed.has(`read:${subject}`) || allowed.has(`write:${subject}`))

function maxLevel(area: Area, ceiling: Ceiling, allowed: AllowList): Level {
  const offered = limitScopes(scopesUnder({ ...NO_ACCESS, [area]: ceiling[area] }), allowed)
  if (offered.size === 0) return 'none'
  return [...offered].some((scope) => scope.startsWith('write:')) ? 'edit' : 'view'
}

const NO_ACCESS: Ceiling = byArea(() => 'none')
