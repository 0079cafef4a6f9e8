import type { Scope, Subject } from './scopes.ts'

/** The permission areas of the consent screen, in its order (records 3.2). */
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
} as const satisfies Record<string, readonly Subject[]>

export type Area = keyof typeof AREAS
export type Level = 'none' | 'view' | 'edit'
export type Role = 'owner' | 'office' | 'tech'
export type Ceiling = Record<Area, Level>

export const AREA_NAMES = Object.keys(AREAS) as Area[]
export const LEVELS: readonly Level[] = ['none', 'view', 'edit']
export const ROLES: readonly Role[] = ['owner', 'office', 'tech']

const everywhere = (level: Level): Ceiling => Object.fromEntries(AREA_NAMES.map((area) => [area, level])) as Ceiling

/** What a member of a role may do until an owner changes it; an owner's is fixed. */
export const DEFAULT_CEILINGS: Readonly<Record<Role, Ceiling>> = {
  owner: everywhere('edit'),
  office: { ...everywhere('edit'), 'Tax rates': 'view' },
  tech: {
    ...everywhere('view'), Notes: 'edit', 'Jobs & scheduling': 'edit', Invoices: 'none', Plans: 'none', 'Tax rates': 'none',
  },
}

/** The scopes a ceiling allows: View gives read, Edit gives read and write. */
export function scopesUnder(ceiling: Ceiling): Set<Scope> {
  const allowed = new Set<Scope>()
  for (const area of AREA_NAMES) {
    for (const subject of AREAS[area]) {
      if (ceiling[area] === 'view' || ceiling[area] === 'edit') allowed.add(`read:${subject}`)
      if (ceiling[area] === 'edit') allowed.add(`write:${subject}`)
    }
  }
  return allowed
}

/** A role from outside; anything unknown counts as the least. */
export const roleFrom = (value: unknown): Role => (ROLES.includes(value as Role) ? (value as Role) : 'tech')

/** The one of two roles that may do less. */
export const lowerRole = (a: Role, b: Role): Role => (ROLES.indexOf(a) > ROLES.indexOf(b) ? a : b)
