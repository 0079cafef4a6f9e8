import { invalidAt, invalidField } from '../../platform/errors/refusal.ts'
import { nearestName } from '../../platform/validation/text/nearest.ts'
import type { Scope, Subject } from './scopes.ts'
import { refusals } from './refusals.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/**
 * Permission areas of members, in the order of the consent screen, which has all but the last
 * (docs/spec/oauth.md#areas-and-ceilings).
 */
export const AREAS = {
  'Customers & contacts': ['customers'],
  Notes: ['notes'],
  'Jobs & scheduling': ['jobs'],
  'Recurring jobs': ['job_series'],
  Invoices: ['invoices'],
  Quotes: ['quotes'],
  'Catalog & pricing': ['catalog_items', 'catalog_categories'],
  Plans: ['plans'],
  'Tax rates': ['tax_rates'],
  Messages: ['communications'],
} as const satisfies Record<string, readonly Subject[]>

export type Area = keyof typeof AREAS
/** Scope subjects of the areas. Each belongs to exactly one area. */
export type AreaSubject = (typeof AREAS)[Area][number]
export type Level = 'none' | 'view' | 'edit'
/** Level of a connection in an area. With `propose`, each write waits for approval. */
export type GrantLevel = Level | 'propose'
export type Role = 'owner' | 'office' | 'tech'
export type Ceiling = Record<Area, Level>

export const AREA_NAMES = Object.keys(AREAS) as Area[]
/** Areas with tools, which an app can request and in which it can propose. */
export const TOOL_AREAS: readonly Area[] = AREA_NAMES.filter((area) => area !== 'Messages')
export const LEVELS: readonly Level[] = ['none', 'view', 'edit']
export const GRANT_LEVELS: readonly GrantLevel[] = ['none', 'view', 'propose', 'edit']
export const ROLES: readonly Role[] = ['owner', 'office', 'tech']

/** Checks whether a member schedules the company's work, as owners and the office do. */
export const isOffice = ({ role }: { role: Role | null }): boolean => role === 'owner' || role === 'office'

/** Builds a record with a value for each area. */
export const byArea = <T>(valueOf: (area: Area) => T): Record<Area, T> =>
  Object.fromEntries(AREA_NAMES.map((area) => [area, valueOf(area)])) as Record<Area, T>

const uniformCeiling = (level: Level): Ceiling => byArea(() => level)

/** Default ceilings of the roles, until an owner changes them; an owner's is fixed. */
export const DEFAULT_CEILINGS: Readonly<Record<Role, Ceiling>> = {
  owner: uniformCeiling('edit'),
  office: { ...uniformCeiling('edit'), 'Tax rates': 'view' },
  tech: {
    ...uniformCeiling('view'),
    Notes: 'edit',
    'Jobs & scheduling': 'edit',
    Invoices: 'none',
    Plans: 'none',
    'Tax rates': 'none',
  },
}

export const areaOf = (subject: AreaSubject): Area =>
  requireValue(AREA_BY_SUBJECT.get(subject), 'The area of a subject')

const AREA_BY_SUBJECT = new Map<AreaSubject, Area>(
  AREA_NAMES.flatMap((area) => AREAS[area].map((subject) => [subject, area] as const)),
)

/** Returns the scopes a ceiling allows: View gives read, Edit gives read and write. */
export function scopesUnder(ceiling: Ceiling): Set<Scope> {
  const allowed = new Set<Scope>()
  for (const area of AREA_NAMES) {
    const level = levelUnder(ceiling, area)
    for (const subject of AREAS[area]) {
      if (level === 'view' || level === 'edit') allowed.add(`read:${subject}`)
      if (level === 'edit') allowed.add(`write:${subject}`)
    }
  }
  return allowed
}

/** Returns a ceiling's level in an area. If it was stored before Messages existed, customers' level applies. */
export const levelUnder = (ceiling: Partial<Ceiling>, area: Area): Level =>
  ceiling[area] ?? (area === 'Messages' ? ceiling['Customers & contacts'] : undefined) ?? 'none'

/** Returns the ceiling of a connection's areas, in which proposing counts as editing. */
export const ceilingOfGrant = (levels: Readonly<Partial<Record<Area, GrantLevel>>>): Ceiling =>
  byArea((area) => (levels[area] === 'propose' ? 'edit' : (levels[area] ?? 'none')))

/** Returns the write scopes of the areas in which a connection only proposes. */
export const proposesOf = (levels: Readonly<Partial<Record<Area, GrantLevel>>>): Scope[] =>
  TOOL_AREAS.filter((area) => levels[area] === 'propose').flatMap((area) =>
    AREAS[area].map((subject): Scope => `write:${subject}`),
  )

/** Parses where a key only proposes: `all`, `none`, or areas and subjects such as `Invoices,jobs`. */
export function parseProposes(text: string): Scope[] {
  const names = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
  if (names.length === 0) throw invalidAt('proposes', 'name at least one area, or all, or none')
  if (names.length === 1 && names[0] === 'none') return []
  return names.flatMap((name) => {
    const subjects = TOOL_AREAS.flatMap((area): AreaSubject[] =>
      name === 'all' || area.toLowerCase() === name
        ? [...AREAS[area]]
        : AREAS[area].filter((subject) => subject === name),
    )
    if (subjects.length === 0)
      throw invalidAt('proposes', `'${name}' is not an area; use ${TOOL_AREAS.join(', ')}, or all, or none`)
    return subjects.map((subject): Scope => `write:${subject}`)
  })
}

/** Parses a stored or sent role. An unknown one becomes the lowest. */
export const toRole = (value: unknown): Role => ROLES.find((role) => role === value) ?? 'tech'

/** Returns the lower of two roles. */
export const lowerRole = (a: Role, b: Role): Role => (ROLES.indexOf(a) > ROLES.indexOf(b) ? a : b)

/** Returns a connection's level in each area. */
export const grantLevelsOf = (scopes: readonly string[], proposes: readonly string[]): Record<Area, GrantLevel> => {
  const levels: Record<Area, GrantLevel> = { ...levelsOf(scopes) }
  for (const area of AREA_NAMES)
    if (levels[area] === 'edit' && AREAS[area].some((subject) => proposes.includes(`write:${subject}`)))
      levels[area] = 'propose'
  return levels
}

/** Returns the level in each area that scopes amount to. */
export const levelsOf = (scopes: readonly string[]): Record<Area, Level> =>
  byArea((area) => levelIn(area, new Set(scopes)))

const levelIn = (area: Area, scopes: ReadonlySet<string>): Level =>
  AREAS[area].some((subject) => scopes.has(`write:${subject}`))
    ? 'edit'
    : AREAS[area].some((subject) => scopes.has(`read:${subject}`))
      ? 'view'
      : 'none'

/** Parses a role entered by an operator or owner. */
export function parseRole(text: string): Role {
  const role = ROLES.find((one) => one === text.trim().toLowerCase())
  if (role === undefined) throw invalidField('role', refusals.role({ roles: ROLES.join(', '), given: text }))
  return role
}

/** Parses the levels of single areas, such as `Invoices=View,Quotes=None`, in any case. */
export function parseAreas(text: string): Partial<Ceiling> {
  const levels: Partial<Ceiling> = {}
  for (const part of text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')) {
    const [name = '', level = '', extra] = part.split('=').map((word) => word.trim())
    if (extra !== undefined || level === '') throw invalidAt('areas', `'${part}' must look like Invoices=View`)
    const area = parseArea(name)
    if (levels[area] !== undefined) throw invalidAt('areas', `${area} is named twice`)
    levels[area] = parseLevel(level)
  }
  if (Object.keys(levels).length === 0) throw invalidAt('areas', 'name at least one, such as Invoices=View')
  return levels
}

/** Returns a member's ceiling: the role's defaults or the current one, with changed areas; an owner's is full. */
export function ceilingOf(
  role: Role,
  areas: Partial<Ceiling> | undefined,
  current: Ceiling = DEFAULT_CEILINGS[role],
): Ceiling {
  if (role !== 'owner') return { ...current, ...areas }
  if (areas !== undefined) throw invalidField('areas', refusals.ownerAreas())
  return DEFAULT_CEILINGS.owner
}

function parseArea(name: string): Area {
  const area = AREA_NAMES.find((one) => one.toLowerCase() === name.toLowerCase())
  if (area !== undefined) return area
  const nearest = nearestName(name, AREA_NAMES)
  throw invalidAt(
    'areas',
    `'${name}' is not an area${
      nearest === undefined ? `; use one of ${AREA_NAMES.join(', ')}` : ` (did you mean '${nearest}'?)`
    }`,
  )
}

function parseLevel(text: string): Level {
  const level = LEVELS.find((one) => one === text.toLowerCase())
  if (level === undefined) throw invalidAt('areas', `'${text}' is not a level; use one of ${LEVELS.join(', ')}`)
  return level
}
