/** Subjects of scopes (docs/spec/interface.md#scopes). The last four have no tools. */
const SUBJECTS = [
  'customers',
  'notes',
  'jobs',
  'job_series',
  'invoices',
  'quotes',
  'catalog_items',
  'catalog_categories',
  'plans',
  'tax_rates',
  'communications',
  'companies',
  'settings',
  'agent_sessions',
] as const

export type Subject = (typeof SUBJECTS)[number]
export type Scope = `${'read' | 'write'}:${Subject}`

/** All scopes, reads first. */
export const SCOPES: readonly Scope[] = (['read', 'write'] as const).flatMap((access) =>
  SUBJECTS.map((subject): Scope => `${access}:${subject}`),
)

export const READ_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope.startsWith('read:'))

/** Umbrella scopes and legacy aliases, with the scopes they expand to. `write:x` never includes `read:x`. */
const EXPANSIONS: Readonly<Record<string, readonly Scope[]>> = {
  'read:catalog': ['read:catalog_items', 'read:catalog_categories'],
  'write:catalog': ['write:catalog_items', 'write:catalog_categories'],
  'read:estimates': ['read:quotes'],
  'write:estimates': ['write:quotes'],
}

const scopesByName: ReadonlyMap<string, Scope> = new Map(SCOPES.map((scope) => [scope, scope]))

/** Checks whether a name is a scope or expands to scopes. */
export const isScope = (name: string): boolean => scopesByName.has(name) || name in EXPANSIONS

/** Expands granted names to scopes. Unknown names are dropped. */
export const expandScopes = (names: readonly string[]): Set<Scope> =>
  new Set(names.flatMap((name) => EXPANSIONS[name] ?? scopesByName.get(name) ?? []))

/** Returns the held scopes, expanded, under which writes are only proposed. */
export const expandProposes = (granted: readonly string[], proposes: readonly string[]): Scope[] => {
  const scopes = expandScopes(proposes)
  return [...expandScopes(granted)].filter((scope) => scope.startsWith('write:') && scopes.has(scope)).sort()
}

/** Checks whether proposed writes would become direct: their scope stays, but no longer proposes. */
export const hasLiftedProposals = (
  earlier: readonly string[],
  granted: readonly string[],
  proposes: readonly string[],
): boolean => {
  const [remaining, proposed] = [expandScopes(granted), new Set<string>(expandProposes(granted, proposes))]
  return [...expandScopes(earlier)].some((scope) => remaining.has(scope) && !proposed.has(scope))
}
